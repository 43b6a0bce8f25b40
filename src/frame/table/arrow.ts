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
import { presentIn } from './present-cells.js'
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

/** Bytes of 0 and 1 as bits, and how many are set. */
function packed(bytes: Uint8Array): { readonly bits: Uint8Array; readonly set: number } {
  const bits = new Uint8Array((bytes.length + 7) >> 3)
  let set = 0
  for (let from = 0; from < bytes.length; from += 8) {
    const to = Math.min(from + 8, bytes.length)
    let byte = 0
    for (let row = from; row < to; row++) {
      byte |= (bytes[row] as number) << (row - from)
      set += bytes[row] as number
    }
    bits[from >> 3] = byte
  }
  return { bits, set }
}

/** A bitmap of bytes that are 1 where a cell is there and 0 where it is missing; null means that none is. */
function bitmap(valid: Uint8Array | null): Validity {
  if (valid === null) return { nullCount: 0 }
  const { bits: nullBitmap, set } = packed(valid)
  return set === valid.length ? { nullCount: 0 } : { nullCount: valid.length - set, nullBitmap }
}

/** Which cells of a column are there. */
function validityOf(values: ColumnData): Validity {
  if ('valid' in values) return bitmap(values.valid)
  const isWhole = values.type === 'dictionary' ? !values.data.includes(-1) : !values.data.includes(null)
  return bitmap(isWhole ? null : presentIn(values))
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

function utf8(data: readonly (string | null)[]): Data<Utf8> {
  const validity = validityOf({ type: 'string', data })
  return makeData({ type: new Utf8(), length: data.length, ...validity, ...encode(data) })
}

/** Offsets and texts of lists. */
function parts(rows: readonly (readonly string[] | null)[]): { valueOffsets: Int32Array; child: Data<Utf8> } {
  const valueOffsets = new Int32Array(rows.length + 1)
  for (let i = 0; i < rows.length; i++) valueOffsets[i + 1] = (valueOffsets[i] as number) + (rows[i]?.length ?? 0)
  return { valueOffsets, child: utf8(rows.flatMap((row) => row ?? [])) }
}

/** A missing text has code 0 there. */
function written(codes: Int32Array, { nullCount }: Validity): Int32Array {
  if (nullCount === 0) return codes
  return fillArray(new Int32Array(codes.length), (row) => Math.max(codes[row] as number, 0))
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
  const validity = validityOf(values)
  const about = { length: values.data.length, ...validity }
  switch (values.type) {
    case 'float':
      return makeData({ type: type as Float64, ...about, data: values.data })
    case 'int':
      return makeData({ type: type as Int32, ...about, data: values.data })
    case 'boolean':
      return makeData({ type: type as Bool, ...about, data: packed(values.data).bits })
    case 'dictionary': {
      const dictionary = spelledBy(values.dictionary, spelled)
      return makeData({ type: type as Dictionary, ...about, data: written(values.data, validity), dictionary })
    }
    case 'string':
      return makeData({ type: type as Utf8, ...about, ...encode(values.data) })
    case 'list':
      return makeData({ type: type as List<Utf8>, ...about, ...parts(values.data) })
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
