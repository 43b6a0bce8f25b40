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
import type { Column, Kind } from '../../contract/column.js'
import { fillArray } from './fresh-array.js'
import { madeTable } from './on-table-made.js'
import type { ColumnData, ColumnType, RecordColumns } from './values.js'

/** In which form each kind lives in memory: a new kind that is not here does not compile. */
export const columnTypes = {
  code: 'dictionary',
  date: 'dictionary',
  minute: 'dictionary',
  clock: 'dictionary',
  label: 'dictionary',
  moment: 'string',
  id: 'string',
  text: 'string',
  number: 'float',
  integer: 'int',
  long: 'float',
  boolean: 'boolean',
  texts: 'list',
  json: 'string',
} as const satisfies Readonly<Record<Kind, ColumnType>>

export function columnTypeOf(kind: Kind): ColumnType {
  return columnTypes[kind]
}

/** Arrow type of a form. Dictionary ids are the column's place, so that equal tables are equal bytes. */
function typeOf(form: ColumnType, place: number): DataType {
  switch (form) {
    case 'float':
      return new Float64()
    case 'int':
      return new Int32()
    case 'boolean':
      return new Bool()
    case 'dictionary':
      return new Dictionary(new Utf8(), new Int32(), place)
    case 'string':
      return new Utf8()
    case 'list':
      return new List(new Field('item', new Utf8(), false))
  }
}

interface Validity {
  readonly nullCount: number
  readonly nullBitmap?: Uint8Array
}

/** A bitmap of bytes that are 1 where a cell is there and 0 where it is missing; null means that none is. */
function bitmap(valid: Uint8Array | null): Validity {
  if (valid === null) return { nullCount: 0 }
  const nullBitmap = new Uint8Array((valid.length + 7) >> 3)
  let present = 0
  for (let from = 0; from < valid.length; from += 8) {
    const to = Math.min(from + 8, valid.length)
    let byte = 0
    for (let row = from; row < to; row++) {
      byte |= (valid[row] as number) << (row - from)
      present += valid[row] as number
    }
    nullBitmap[from >> 3] = byte
  }
  return present === valid.length ? { nullCount: 0 } : { nullCount: valid.length - present, nullBitmap }
}

/** Which cells of an array are not null. */
function present(cells: readonly unknown[]): Validity {
  if (!cells.includes(null)) return { nullCount: 0 }
  return bitmap(fillArray(new Uint8Array(cells.length), (row) => (cells[row] === null ? 0 : 1)))
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
    ...present(strings),
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
    ...present(rows),
    valueOffsets,
    child,
  })
}

function dictionary(type: Dictionary<Utf8, Int32>, codes: Int32Array, words8: Vector<Utf8>): Data {
  let signs = 0
  for (let row = 0; row < codes.length; row++) signs |= codes[row] as number
  if (signs >= 0) return makeData({ type, length: codes.length, nullCount: 0, data: codes, dictionary: words8 })
  const valid = new Uint8Array(codes.length)
  const data = new Int32Array(codes.length)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code < 0) continue
    valid[row] = 1
    data[row] = code
  }
  return makeData({ type, length: codes.length, ...bitmap(valid), data, dictionary: words8 })
}

/** Words of dictionaries as Arrow has them; batches of one list of words share them. */
type Spelled = Map<readonly string[], Vector<Utf8>>

function spelledBy(words: readonly string[], spelled: Spelled): Vector<Utf8> {
  const known = spelled.get(words)
  if (known) return known
  const made = makeVector(utf8(words))
  spelled.set(words, made)
  return made
}

function dataOf(values: ColumnData, type: DataType, spelled: Spelled): Data {
  const { length } = values.data
  switch (values.type) {
    case 'float':
      return makeData({ type: type as Float64, length, data: values.data, ...bitmap(values.valid) })
    case 'int':
      return makeData({ type: type as Int32, length, data: values.data, ...bitmap(values.valid) })
    case 'boolean': {
      const bits = new Uint8Array((length + 7) >> 3)
      for (let row = 0; row < length; row++)
        if (values.data[row] === 1) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7))
      return makeData({ type: type as Bool, length, data: bits, ...bitmap(values.valid) })
    }
    case 'dictionary':
      return dictionary(type as Dictionary<Utf8, Int32>, values.data, spelledBy(values.dictionary, spelled))
    case 'string':
      return utf8(values.data)
    case 'list':
      return lists(type as List<Utf8>, values.data)
  }
}

function metadataOf(column: Column): Map<string, string> {
  const entries: [string, string][] = [['kind', column.kind]]
  if (column.unit) entries.push(['unit', column.unit])
  entries.push(['meaning', column.meaning])
  return new Map(entries)
}

/** Columns of equal length as a table of one batch or more; of each batch a chunk for every field. */
export function tableOfChunks(
  schema: Schema,
  batches: readonly { readonly length: number; readonly children: Data[] }[],
): Table {
  const type = new Struct(schema.fields)
  // A batch assigns the schema its own fields, for which Arrow looks each up among all: the square of thousands of columns.
  const same = Object.assign(new Schema(schema.fields, schema.metadata), { assign: () => schema })
  const made = batches.map(
    ({ length, children }) => new RecordBatch(same, makeData({ type, length, nullCount: 0, children })),
  )
  return madeTable(new Table(schema, made))
}

/**
 * Columns as an Arrow table of one batch. Kind, unit and meaning of a declared column travel as field metadata.
 * @param declared the contract's columns by name; an undeclared one gets kind `extra`
 * @param metadata what the schema itself carries
 */
export function toTable(
  columns: RecordColumns,
  declared: Readonly<Record<string, Column>>,
  metadata: ReadonlyMap<string, string> = new Map(),
): Table {
  const fields = [...columns.columns].map(([name, { type }], place) =>
    fieldOf(name, typeOf(type, place), Object.hasOwn(declared, name) ? declared[name] : undefined),
  )
  return tableOfFields(fields, [columns], metadata)
}

/** What a table says of a column. */
export function fieldOf(name: string, type: DataType, column: Column | undefined): Field {
  const about = column ? metadataOf(column) : new Map([['kind', 'extra']])
  return new Field(name, type, column ? column.nullable === true : true, about)
}

/** A column of a table: its name, type and metadata, and its cells in one piece. */
export interface ArrowColumn {
  readonly field: Field
  readonly chunk: Data
}

/** A column of cells, with what is known of it. */
export function arrowColumn(name: string, values: ColumnData, about: Column | undefined): ArrowColumn {
  const field = fieldOf(name, typeOf(values.type, 0), about)
  return { field, chunk: dataOf(values, field.type, new Map()) }
}

/**
 * Columns of equal names and forms as an Arrow table of one batch each. Text that has the same list of words in all of them
 * is of one dictionary.
 * @param about metadata of the fields, by name
 */
export function toBatches(
  parts: readonly RecordColumns[],
  about: ReadonlyMap<string, ReadonlyMap<string, string>>,
  metadata: ReadonlyMap<string, string>,
): Table {
  const fields = [...(parts[0]?.columns ?? [])].map(
    ([name, { type }], place) => new Field(name, typeOf(type, place), true, new Map(about.get(name))),
  )
  return tableOfFields(fields, parts, metadata)
}

function tableOfFields(fields: Field[], parts: readonly RecordColumns[], metadata: ReadonlyMap<string, string>): Table {
  const spelled: Spelled = new Map()
  const batches = parts.map(({ length, columns }) => ({
    length,
    children: fields.map(({ name, type }) => dataOf(columns.get(name) as ColumnData, type, spelled)),
  }))
  return tableOfChunks(new Schema(fields, new Map(metadata)), batches)
}
