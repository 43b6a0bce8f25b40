import type { ColumnChunk, FileMetaData, RowGroup, SchemaElement } from 'hyparquet'
import { dateIn } from '../../../contract/date.js'
import { messageOf, QuotebookError, worded } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { beyond, type ParquetLimits, unreadFile, usualLimits } from './limits.js'
import { ofMemory, type Ranges } from './ranges.js'
import { Thrift, types, walkStruct } from './thrift.js'

/** Types that are called otherwise than in small letters. */
const words: Readonly<Record<string, string>> = {
  BYTE_ARRAY: 'binary',
  ENUM: 'string',
  STRING: 'string',
  TIME_MICROS: 'time[us]',
  TIME_MILLIS: 'time[ms]',
  TIMESTAMP_MICROS: 'timestamp[us, UTC]',
  TIMESTAMP_MILLIS: 'timestamp[ms, UTC]',
  UTF8: 'string',
}

function wordOf(type: string): string {
  return words[type] ?? type.toLowerCase().replace('_', '')
}

const units = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const

function logical({ logical_type: type }: SchemaElement): string | undefined {
  switch (type?.type) {
    case 'DECIMAL':
      return `decimal(${type.precision},${type.scale})`
    case 'TIME':
      return `time[${units[type.unit]}]`
    case 'TIMESTAMP':
      return `timestamp[${units[type.unit]}${type.isAdjustedToUTC ? ', UTC' : ''}]`
    case 'INTEGER':
      return `${type.isSigned ? 'int' : 'uint'}${type.bitWidth}`
    default:
      return /^(STRING|ENUM|DATE|FLOAT16|JSON|BSON|UUID)$/.test(type?.type ?? '')
        ? wordOf(String(type?.type))
        : undefined
  }
}

/** The type of a column in a word; undefined for one that has none. */
function columnTypeIn(element: SchemaElement): string | undefined {
  const { type, type_length: length, converted_type: old, precision, scale = 0 } = element
  if (type === undefined) return undefined
  const physical = type === 'FIXED_LEN_BYTE_ARRAY' ? `fixed(${length})` : wordOf(type)
  if (element.logical_type) return logical(element) ?? physical
  if (old === 'DECIMAL') return `decimal(${precision},${scale})`
  return old ? wordOf(old) : physical
}

/** A bound of the cells of a column, as its type has it. */
export type Bound = bigint | boolean | number | string | Date | Uint8Array

/** A leaf column; the path of a nested one is joined by dots. */
export interface FooterColumn {
  readonly name: string
  /** `string`, `double`, `int64`, `timestamp[us]`, `decimal(9,2)` … */
  readonly type: string
}

/** The cells of a column in a row group. */
export interface FooterChunk {
  readonly column: string
  /** `ZSTD`, `SNAPPY`, `UNCOMPRESSED` … */
  readonly codec: string
  /** Bytes of a cell in memory, at least. */
  readonly width: number
  /** First byte in the file, and the one after the last. */
  readonly start: number
  readonly end: number
  /** First byte of the first page that has cells. */
  readonly data: number
  /** Cells, nulls included. */
  readonly values: number
  /** Undefined where the file does not tell. */
  readonly nulls: number | undefined
  /** Bounds of the cells that are not null; undefined where the file does not tell. A long text may be cut. */
  readonly min: Bound | undefined
  readonly max: Bound | undefined
}

export interface FooterGroup {
  readonly rows: number
  /** One a column, in their order. */
  readonly chunks: readonly FooterChunk[]
}

/** What a Parquet file says of itself at its end, compared with its size and its own counts. */
export interface Footer {
  readonly rows: number
  /** Of the whole file. */
  readonly bytes: number
  readonly rowGroups: readonly FooterGroup[]
  readonly columns: readonly FooterColumn[]
  /** Least and greatest `time`, as text; undefined where a row group does not tell. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Least and greatest `tradedate`, `YYYYMMDD`; undefined where a row group does not tell, or they are no dates. */
  readonly days: readonly [first: string, last: string] | undefined
}

const magic = 0x31524150
const encrypted = 0x45524150
/** Bytes of a footer that is believed. One of 1,000 row groups × 20 columns has 3 MB. */
const longest = 2 ** 25
/** Bytes read at first. */
const tail = 2 ** 16

function wordAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true)
}

interface FooterBytes {
  readonly start: number
  readonly footer: Uint8Array
  /** The footer with its length and the closing magic. */
  readonly ending: Uint8Array
}

/** The bytes of the footer of a Parquet file, and where they begin. @throws RangeError where there is none */
export async function footerAt(ranges: Ranges): Promise<FooterBytes> {
  const { size } = ranges
  if (size < 12) throw worded(RangeError, sentence`it has ${size} bytes`)
  if (wordAt(await ranges.read(0, 4), 0) !== magic) throw worded(RangeError, sentence`it does not begin with PAR1`)
  const last = await ranges.read(Math.max(4, size - tail), size)
  const end = wordAt(last, last.length - 4)
  if (end === encrypted) throw worded(RangeError, sentence`it is encrypted`)
  if (end !== magic) throw worded(RangeError, sentence`it does not end with PAR1`)
  const length = wordAt(last, last.length - 8)
  const start = size - 8 - length
  if (start < 4) throw worded(RangeError, sentence`its footer is longer than the file`)
  if (length > longest)
    throw worded(RangeError, sentence`its footer has ${length} bytes, and ${longest} are the most that is read`)
  const from = start - (size - last.length)
  const ending = from >= 0 ? last.subarray(from) : await ranges.read(start, size)
  return { start, footer: ending.subarray(0, length), ending }
}

/** A count or an offset. @param what it is called, where it is none */
function whole(value: bigint | number | undefined, what: () => Words): number {
  if (value === undefined || value < 0 || value > Number.MAX_SAFE_INTEGER)
    throw worded(RangeError, sentence`${what()} is ${value}`)
  return Number(value)
}

interface Leaf extends FooterColumn {
  readonly repeated: boolean
  /** Bounds are written in the old way, which compares bytes with a sign: no use for text. */
  readonly ordered: boolean
  readonly width: number
}

/** Bytes of a cell in memory, at least. */
function widthOf({ type, type_length: length = 0 }: SchemaElement): number {
  if (type === 'FIXED_LEN_BYTE_ARRAY') return length
  if (type === 'BOOLEAN') return 1
  return type === 'INT32' || type === 'BYTE_ARRAY' ? 4 : 8
}

/** The leaves of a schema, in its order. */
function leavesOf(schema: readonly SchemaElement[]): Leaf[] {
  const leaves: Leaf[] = []
  let at = 0
  const visit = (path: readonly string[], repeated: boolean): void => {
    const element = schema[at++]
    if (!element || path.length > 32) throw worded(RangeError, sentence`its schema has no end`)
    const children = element.num_children ?? 0
    const isRepeated = repeated || element.repetition_type === 'REPEATED'
    const here = at === 1 ? [] : [...path, element.name]
    if (at === 1 || children > 0) {
      for (let child = 0; child < children; child++) visit(here, isRepeated)
      return
    }
    const type = columnTypeIn(element)
    if (typeof element.name !== 'string' || type === undefined)
      throw worded(RangeError, sentence`a column has no name or no type`)
    const ordered = element.type !== 'BYTE_ARRAY' && element.type !== 'FIXED_LEN_BYTE_ARRAY'
    leaves.push({ name: here.join('.'), type, repeated: isRepeated, ordered, width: widthOf(element) })
  }
  visit([], false)
  if (at !== schema.length || leaves.length === 0) throw worded(RangeError, sentence`its schema is not whole`)
  return leaves
}

function chunkOf({ file_path, meta_data: about }: ColumnChunk, leaf: Leaf, rows: number): FooterChunk {
  const { name: column, repeated, ordered, width } = leaf
  if (!about || file_path) throw worded(RangeError, sentence`the cells of ${column} are not in it`)
  if (about.path_in_schema.join('.') !== column)
    throw worded(RangeError, sentence`the cells of ${column} are not where they belong`)
  if (about.codec === undefined) throw worded(RangeError, sentence`${column} is compressed in a way that is not known`)
  const values = whole(about.num_values, () => sentence`the number of cells of ${column}`)
  if (repeated ? values < rows : values !== rows)
    throw worded(RangeError, sentence`${column} has ${values} cells for ${rows} rows`)
  const data = whole(about.data_page_offset, () => sentence`the place of ${column}`)
  const dictionary = whole(about.dictionary_page_offset ?? data, () => sentence`the place of ${column}`)
  // Some writers put 0 where there is no dictionary.
  const start = dictionary === 0 ? data : Math.min(data, dictionary)
  const end = start + whole(about.total_compressed_size, () => sentence`the size of ${column}`)
  const { min_value, max_value, min, max, null_count } = about.statistics ?? {}
  return {
    column,
    codec: about.codec,
    width,
    start,
    end,
    data,
    values,
    nulls: null_count === undefined ? undefined : whole(null_count, () => sentence`the number of nulls of ${column}`),
    min: min_value ?? (ordered ? min : undefined),
    max: max_value ?? (ordered ? max : undefined),
  }
}

function groupOf({ columns, num_rows }: RowGroup, leaves: readonly Leaf[]): FooterGroup {
  const rows = whole(num_rows, () => sentence`the number of rows of a row group`)
  if (columns.length !== leaves.length) throw worded(RangeError, sentence`a row group has other columns than the file`)
  return { rows, chunks: columns.map((chunk, at) => chunkOf(chunk, leaves[at] as Leaf, rows)) }
}

/** Every chunk lies between the opening magic and the footer, and none on another. */
function checkPlaces(groups: readonly FooterGroup[], end: number): void {
  const all = groups.flatMap(({ chunks }) => chunks).filter(({ start, end }) => start < end)
  const chunks = all.sort((a, b) => a.start - b.start || a.end - b.end)
  let free = 4
  for (const chunk of chunks) {
    if (chunk.start < free || chunk.end > end)
      throw worded(RangeError, sentence`the cells of ${chunk.column} lie outside their place`)
    free = chunk.end
  }
}

function textOf(value: Bound): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Least and greatest of a column, as text; undefined where a row group with cells does not tell. */
function spanOf(groups: readonly FooterGroup[], name: string): readonly [string, string] | undefined {
  const chunks = groups
    .flatMap(({ chunks }) => chunks.filter(({ column }) => column === name))
    .filter(({ values, nulls }) => nulls === undefined || nulls < values)
  let span: [least: Bound, greatest: Bound] | undefined
  for (const { min, max } of chunks) {
    if (min === undefined || max === undefined || min instanceof Uint8Array) return undefined
    span ??= [min, max]
    if (min < span[0]) span[0] = min
    if (max > span[1]) span[1] = max
  }
  return span && [textOf(span[0]), textOf(span[1])]
}

/** A moment in UTC is no date of Beijing. */
function daysOf(groups: readonly FooterGroup[], columns: readonly FooterColumn[]): Footer['days'] {
  const type = columns.find(({ name }) => name === 'tradedate')?.type ?? ''
  if (/^timestamp.*UTC/.test(type)) return undefined
  const [first, last] = (spanOf(groups, 'tradedate') ?? []).map(dateIn)
  return first === undefined || last === undefined ? undefined : [first, last]
}

function footerIn(about: FileMetaData, size: number, start: number, limits: ParquetLimits): Footer {
  const { rows: mostRows = usualLimits.rows, columns: mostColumns = usualLimits.columns } = limits
  const leaves = leavesOf(about.schema)
  if (leaves.length > mostColumns)
    throw beyond('columns', sentence`it has ${leaves.length} columns, and ${mostColumns} are the most that is read`)
  const rowGroups = about.row_groups.map((group) => groupOf(group, leaves))
  const rows = whole(about.num_rows, () => sentence`the number of rows`)
  const sum = rowGroups.reduce((sum, group) => sum + group.rows, 0)
  if (sum !== rows) throw worded(RangeError, sentence`it counts ${rows} rows, its row groups ${sum}`)
  if (rows > mostRows) throw beyond('rows', sentence`it counts ${rows} rows, and ${mostRows} are the most that is read`)
  if (rowGroups.length === 0 && start > 4)
    throw worded(RangeError, sentence`it counts no row group, and there is something in it`)
  checkPlaces(rowGroups, start)
  const columns = leaves.map(({ name, type }) => ({ name, type }))
  const [from, to] = spanOf(rowGroups, 'time') ?? []
  return { rows, bytes: size, rowGroups, columns, from, to, days: daysOf(rowGroups, columns) }
}

/** The columns in one line: `tradedate string, symbol string, m_price double`. */
export function schemaLine({ columns }: Footer): string {
  return columns.map(({ name, type }) => `${name} ${type}`).join(', ')
}

/** Sees a schema of very many elements before anybody takes a minute to read it; some of them may be no columns. */
function checkSchema(footer: Uint8Array, { columns: most = usualLimits.columns }: ParquetLimits): void {
  const thrift = new Thrift(footer)
  for (const { id, type } of thrift.fields()) {
    if (id === 2 && type === types.list) {
      const elements = new Thrift(footer, thrift.at).list().size - 1
      if (elements > 4 * most)
        throw beyond('columns', sentence`it has ${elements} columns, and ${most} are the most that is read`)
      return
    }
    thrift.skip(type)
  }
}

/**
 * The footer of a Parquet file, of which only both ends are read. The pages are not looked at.
 * @param name what errors call it
 * @throws QuotebookError FILE for anything but a whole Parquet file within the limits; the system's own error where it can
 * not be read
 */
export async function footerOf(
  file: Uint8Array | Ranges,
  name: Words = sentence`the file`,
  limits: ParquetLimits = {},
): Promise<Footer> {
  const ranges = file instanceof Uint8Array ? ofMemory(file) : file
  const { parquetMetadata } = await import('hyparquet')
  try {
    const { start, footer, ending } = await footerAt(ranges)
    checkSchema(footer, limits)
    walkStruct(footer)
    return footerIn(parquetMetadata(ending, { geoparquet: false }), ranges.size, start, limits)
  } catch (cause) {
    if (cause instanceof QuotebookError || (cause instanceof Error && 'syscall' in cause)) throw cause
    throw unreadFile(name, cause, cause instanceof RangeError ? messageOf(cause) : sentence`its footer can not be read`)
  }
}
