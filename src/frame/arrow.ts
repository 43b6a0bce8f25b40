import { isAscii } from 'node:buffer'
import {
  Bool,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
} from 'apache-arrow'
import type { Column, Kind } from '../contract/column.js'
import type { Columns, Form, Values } from './values.js'

/** In which form a kind lives in memory. */
export function formOf(kind: Kind): Form {
  switch (kind) {
    case 'code':
    case 'date':
    case 'minute':
    case 'clock':
    case 'label':
      return 'codes'
    case 'moment':
    case 'id':
    case 'text':
    case 'json':
      return 'strings'
    case 'number':
    case 'long':
      return 'float'
    case 'integer':
      return 'int'
    case 'boolean':
      return 'flag'
    case 'texts':
      return 'lists'
  }
}

/** Arrow type of a form. Dictionary ids are the column's place, so that equal tables are equal bytes. */
function typeOf(form: Form, place: number): DataType {
  switch (form) {
    case 'float':
      return new Float64()
    case 'int':
      return new Int32()
    case 'flag':
      return new Bool()
    case 'codes':
      return new Dictionary(new Utf8(), new Int32(), place)
    case 'strings':
      return new Utf8()
    case 'lists':
      return new List(new Field('item', new Utf8(), false))
  }
}

function bitmap(length: number, isValid: (row: number) => boolean): { nullCount: number; nullBitmap?: Uint8Array } {
  let bits: Uint8Array | undefined
  let nullCount = 0
  for (let row = 0; row < length; row++) {
    if (isValid(row)) continue
    bits ??= new Uint8Array((length + 7) >> 3).fill(255)
    bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7))
    nullCount++
  }
  return bits ? { nullCount, nullBitmap: bits } : { nullCount: 0 }
}

function fromBytes(valid: Uint8Array | null, length: number): { nullCount: number; nullBitmap?: Uint8Array } {
  return valid === null ? { nullCount: 0 } : bitmap(length, (row) => valid[row] === 1)
}

/** Offsets and UTF-8 bytes of strings; null takes no bytes. */
function encode(strings: readonly (string | null)[]): { valueOffsets: Int32Array; data: Uint8Array } {
  const valueOffsets = new Int32Array(strings.length + 1)
  let size = 0
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i]
    if (text) size += Buffer.byteLength(text)
    valueOffsets[i + 1] = size
  }
  const data = Buffer.allocUnsafeSlow(size)
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i]
    if (text) data.write(text, valueOffsets[i] as number)
  }
  return { valueOffsets, data: new Uint8Array(data.buffer, 0, size) }
}

function utf8(strings: readonly (string | null)[]): Data<Utf8> {
  return makeData({
    type: new Utf8(),
    length: strings.length,
    ...bitmap(strings.length, (row) => strings[row] !== null),
    ...encode(strings),
  })
}

function lists(type: List<Utf8>, rows: readonly (readonly string[] | null)[]): Data<List<Utf8>> {
  const valueOffsets = new Int32Array(rows.length + 1)
  for (let i = 0; i < rows.length; i++) valueOffsets[i + 1] = (valueOffsets[i] as number) + (rows[i]?.length ?? 0)
  const child = utf8(rows.flatMap((row) => row ?? []))
  return makeData({
    type,
    length: rows.length,
    ...bitmap(rows.length, (row) => rows[row] !== null),
    valueOffsets,
    child,
  })
}

function dataOf(values: Values, type: DataType): Data {
  const { length } = values.data
  switch (values.form) {
    case 'float':
      return makeData({ type: type as Float64, length, data: values.data, ...fromBytes(values.valid, length) })
    case 'int':
      return makeData({ type: type as Int32, length, data: values.data, ...fromBytes(values.valid, length) })
    case 'flag': {
      const bits = new Uint8Array((length + 7) >> 3)
      for (let row = 0; row < length; row++)
        if (values.data[row] === 1) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7))
      return makeData({ type: type as Bool, length, data: bits, ...fromBytes(values.valid, length) })
    }
    case 'codes': {
      const codes = values.data
      const { nullCount, nullBitmap } = bitmap(length, (row) => (codes[row] as number) >= 0)
      return makeData({
        type: type as Dictionary<Utf8, Int32>,
        length,
        nullCount,
        ...(nullBitmap ? { nullBitmap } : {}),
        data: nullCount ? codes.map((code) => Math.max(code, 0)) : codes,
        dictionary: makeVector(utf8(values.words)),
      })
    }
    case 'strings':
      return utf8(values.data)
    case 'lists':
      return lists(type as List<Utf8>, values.data)
  }
}

function metadataOf(column: Column): Map<string, string> {
  const entries: [string, string][] = [['kind', column.kind]]
  if (column.unit) entries.push(['unit', column.unit])
  entries.push(['meaning', column.meaning])
  return new Map(entries)
}

/**
 * Columns as an Arrow table of one batch. Kind, unit and meaning of a declared column travel as field metadata.
 * @param declared the contract's columns by name; an undeclared one gets kind `extra`
 * @param metadata what the schema itself carries
 */
export function toTable(
  columns: Columns,
  declared: Readonly<Record<string, Column>>,
  metadata: ReadonlyMap<string, string> = new Map(),
): Table {
  const fields: Field[] = []
  const children: Data[] = []
  for (const [name, values] of columns.of) {
    const type = typeOf(values.form, fields.length)
    const column = Object.hasOwn(declared, name) ? declared[name] : undefined
    const about = column ? metadataOf(column) : new Map([['kind', 'extra']])
    fields.push(new Field(name, type, column ? column.nullable === true : true, about))
    children.push(dataOf(values, type))
  }
  const schema = new Schema(fields, new Map(metadata))
  const data = makeData({ type: new Struct(fields), length: columns.length, nullCount: 0, children })
  return new Table(schema, [new RecordBatch(schema, data)])
}

function validBytes(vector: Vector): Uint8Array | null {
  if (vector.nullCount === 0) return null
  const out = new Uint8Array(vector.length)
  let at = 0
  for (const data of vector.data) {
    for (let i = 0; i < data.length; i++) out[at++] = data.getValid(i) ? 1 : 0
  }
  return out
}

/** A number in every row of a numeric vector of any width; NaN where missing. 64-bit integers must be within 2^53. */
function floats(vector: Vector, valid: Uint8Array | null): Float64Array {
  const out = new Float64Array(vector.length)
  let at = 0
  for (const data of vector.data) {
    const source = data.values as ArrayLike<number | bigint>
    if (source instanceof Float64Array) out.set(source.subarray(0, data.length), at)
    else for (let i = 0; i < data.length; i++) out[at + i] = Number(source[i])
    at += data.length
  }
  if (valid) for (let i = 0; i < out.length; i++) if (valid[i] === 0) out[i] = Number.NaN
  return out
}

/**
 * Strings of a UTF-8 vector, null where missing. An ASCII chunk is decoded once and cut. Arrow's own decoder drops a
 * leading byte-order mark, so it is not asked.
 */
function strings(vector: Vector): (string | null)[] {
  const out = new Array<string | null>(vector.length)
  let at = 0
  for (const data of vector.data) {
    const offsets = data.valueOffsets as Int32Array
    const bytes = data.values as Uint8Array
    const [start, end] = [offsets[0] ?? 0, offsets[data.length] ?? 0]
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
    const ascii = isAscii(chunk) ? chunk.toString('latin1') : undefined
    for (let i = 0; i < data.length; i++) {
      const [from, to] = [(offsets[i] as number) - start, (offsets[i + 1] as number) - start]
      if (data.nullCount > 0 && !data.getValid(i)) out[at++] = null
      else out[at++] = ascii === undefined ? chunk.toString('utf8', from, to) : ascii.slice(from, to)
    }
  }
  return out
}

function codes(vector: Vector): Values {
  const out = new Int32Array(vector.length)
  const words: string[] = []
  const codeOf = new Map<string, number>()
  const known = (word: string): number => {
    const code = codeOf.get(word)
    if (code !== undefined) return code
    codeOf.set(word, words.length)
    return words.push(word) - 1
  }
  let at = 0
  for (const data of vector.data) {
    const keys = data.values as ArrayLike<number>
    const map = strings(data.dictionary as Vector).map((word) => (word === null ? -1 : known(word)))
    const valid = data.nullCount === 0 ? () => true : (row: number) => data.getValid(row)
    for (let i = 0; i < data.length; i++) out[at++] = valid(i) ? (map[Number(keys[i])] ?? -1) : -1
  }
  return { form: 'codes', data: out, words }
}

/** A column of a table in memory form. Types that Quotebook does not write itself are read cell by cell as text. */
export function valuesOf(vector: Vector): Values {
  const type = vector.type as DataType & { dictionary?: DataType }
  const name = type.toString()
  if (type instanceof Dictionary) {
    if (type.dictionary instanceof Utf8) return codes(vector)
    return {
      form: 'strings',
      data: Array.from(vector as Iterable<unknown>, (cell) => (cell === null ? null : String(cell))),
    }
  }
  const valid = validBytes(vector)
  if (name === 'Int32') {
    const data = new Int32Array(vector.length)
    let at = 0
    for (const part of vector.data) {
      data.set((part.values as Int32Array).subarray(0, part.length), at)
      at += part.length
    }
    return { form: 'int', data, valid }
  }
  if (/^(Float|Int|Uint)(8|16|32|64)$/.test(name) && name !== 'Float16')
    return { form: 'float', data: floats(vector, valid), valid }
  if (type instanceof Bool) {
    const data = Uint8Array.from(vector as Iterable<boolean | null>, (cell) => (cell ? 1 : 0))
    return { form: 'flag', data, valid }
  }
  if (type instanceof Utf8) return { form: 'strings', data: strings(vector) }
  if (name.startsWith('List')) {
    const data = Array.from(vector as Iterable<Iterable<unknown> | null>, (cell) => cell && Array.from(cell, String))
    return { form: 'lists', data }
  }
  return {
    form: 'strings',
    data: Array.from(vector as Iterable<unknown>, (cell) => (cell === null ? null : String(cell))),
  }
}

/** All columns of a table in memory form. */
export function columnsOf(table: Table): Columns {
  const of = new Map<string, Values>()
  table.schema.fields.forEach((field, i) => {
    const vector = table.getChildAt(i)
    if (vector) of.set(String(field.name), valuesOf(vector))
  })
  return { length: table.numRows, of }
}
