import { Dictionary, Field, Int32, type Schema, Schema as SchemaOf, Table, tableFromIPC, Utf8 } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import {
  afterFailure,
  type Codec,
  type CodecBatch,
  type CodecFile,
  engine,
  whyBroken,
} from '../../table/parquet-engine.js'
import { type Footer, footerAt } from '../../table/parquet-file/footer.js'
import type { ParquetLimits } from '../../table/parquet-file/limits.js'
import { checkMoments } from '../../table/parquet-file/moments.js'
import { checkedFooter } from '../../table/parquet-file/pages.js'
import { asBlob, type Ranges, withFooter } from '../../table/parquet-file/ranges.js'
import { schemaBytes, schemaMessage, withSchema } from '../../table/parquet-file/schema-hint.js'
import { columnsOf } from '../../table/unwrap.js'
import { type ColumnData, type RecordColumns, textIn } from '../../table/values.js'

/** What is wanted of a file. */
export interface FileSelection {
  /** In the order wanted; all of the file when absent. */
  readonly columns?: readonly string[] | undefined
  /** Row groups of a file, ascending; all when absent. */
  readonly rowGroups?: ((footer: Footer) => readonly number[]) | undefined
  readonly limits?: ParquetLimits | undefined
}

/** The metadata of a file's own Arrow schema by column, where it has one: units, kinds. */
export type ColumnMetadata = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A part of a file in memory. Text is codes into words, numbers are doubles or 32-bit integers. */
export interface DecodedColumns {
  readonly columns: RecordColumns
  readonly metadata: ColumnMetadata
  /** Rows of the whole file, as its footer counts them. */
  readonly total: number
}

interface Known {
  /** Columns of the file, in its order. */
  readonly fields: readonly Field[]
  /** Encapsulated message of the schema with text as dictionaries. */
  readonly message: Uint8Array
}

const schemas = new Map<string, Known>()
const most = 64

/** Text of any kind, coded or not. */
function isText({ type }: Field): boolean {
  const of = String(type instanceof Dictionary ? type.dictionary : type)
  return /^(Large)?Utf8(View)?$/.test(of)
}

export function dictionarySchema(schema: Schema): Known {
  const hinted = schema.fields.map((field, place) =>
    isText(field)
      ? new Field(String(field.name), new Dictionary(new Utf8(), new Int32(), place), field.nullable, field.metadata)
      : field,
  )
  return { fields: schema.fields, message: schemaMessage(new SchemaOf(hinted, schema.metadata)) }
}

async function opened({ ParquetFile }: Codec, ranges: Ranges): Promise<Known> {
  const file = await ParquetFile.fromFile(asBlob(ranges))
  try {
    return dictionarySchema(tableFromIPC(file.schema().intoIPCStream()).schema)
  } finally {
    file.free()
  }
}

/**
 * The schema of a file; files of one schema are looked at once. An Arrow schema in it that Arrow can not read here, with views
 * of text as polars writes them, does not count.
 */
async function schemaOf(codec: Codec, ranges: Ranges, start: number, footer: Uint8Array): Promise<Known> {
  const key = schemaBytes(footer).toString('latin1')
  const known = schemas.get(key)
  if (known) return known
  const found = await opened(codec, ranges).catch((error) => {
    if (error instanceof Error && error.name === 'RuntimeError') throw error
    return opened(codec, withFooter(ranges, start, withSchema(footer, undefined)))
  })
  if (schemas.size >= most) schemas.clear()
  schemas.set(key, found)
  return found
}

function checkNames(names: readonly string[], asked: readonly string[] | undefined): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuotebookError('FILE', `it has two columns '${twice}'`)
  const other = asked?.find((name) => !names.includes(name))
  if (other === undefined) return
  throw new QuotebookError('MISSING_COLUMN', `it has no column '${other}'; it has: ${names.join(', ')}`)
}

interface Group {
  readonly at: number
  readonly rows: number
}

interface Job {
  readonly file: CodecFile
  readonly groups: readonly Group[]
  readonly rows: number
  readonly columns: readonly string[]
}

/** A row group is one batch, unless it is larger than this. */
const mostInBatch = 2 ** 20

function readGroup({ file, columns }: Job, { at, rows }: Group) {
  const batchSize = Math.min(rows, mostInBatch)
  return file.read({ rowGroups: [at], batchSize, ...(columns ? { columns: [...columns] } : {}) })
}

/** Cells that the codec holds at once, about: of a large row group some columns at a time. */
const mostCells = 2 ** 25

function slices({ rows }: Group, names: readonly string[]): (readonly string[])[] {
  const count = Math.max(1, Math.floor(mostCells / rows))
  return Array.from({ length: Math.ceil(names.length / count) }, (_, i) => names.slice(i * count, (i + 1) * count))
}

/** Columns copied out of the codec's memory, row group by row group: of a large file it holds one at a time. */
async function copied(job: Job, { wasmMemory }: Codec): Promise<Map<string, ColumnData>> {
  const collectors = new Map<string, Collector>()
  const takeBatch = (
    batch: ReturnType<CodecBatch['intoFFI']>,
    memory: CodecMemory,
    names: readonly string[],
    at: number,
  ): number => {
    try {
      const pieces = memory.columns(batch.arrayAddr())
      // The schema of a batch is that of the file, also when some of its columns alone were read.
      const shapes = memory.fields(batch.schemaAddr()).filter(({ name }) => names.includes(name))
      if (shapes.length !== pieces.length) throw new UnsupportedTypeError('a batch of other columns')
      shapes.forEach(({ name, format }, i) => {
        const piece = pieces[i] as CDataColumn
        const into = collectors.get(name) ?? collector(format, job.rows)
        collectors.set(name, into)
        if (at + piece.length > job.rows) throw new QuotebookError('FILE', 'it has more rows than its footer counts')
        into.take(memory, piece, at)
      })
      return pieces[0]?.length ?? 0
    } finally {
      batch.free()
    }
  }
  let at = 0
  for (const group of job.groups) {
    let end = at
    for (const columns of slices(group, job.columns)) {
      const table = await readGroup({ ...job, columns }, group)
      end = at
      for (const batch of table.recordBatches())
        end += takeBatch(batch.intoFFI(), new CodecMemory(wasmMemory()), columns, end)
      table.free()
    }
    at = end
  }
  checkRows(at, job.rows)
  return new Map([...collectors].map(([name, into]) => [name, into.values()]))
}

function checkRows(found: number, rows: number): void {
  if (found === rows) return
  throw new QuotebookError('FILE', `it has ${found} rows, and its footer counts ${rows}`)
}

/** The longer way, by Arrow IPC: for types that are rare in such files. */
async function converted(job: Job): Promise<Map<string, ColumnData>> {
  const tables: Table[] = []
  for (const group of job.groups) tables.push(tableFromIPC((await readGroup(job, group)).intoIPCStream()))
  const table = new Table(tables.flatMap(({ batches }) => batches))
  checkRows(table.numRows, job.rows)
  return coded(columnsOf(table))
}

/** Text as codes. */
function coded({ columns: of }: RecordColumns): Map<string, ColumnData> {
  return new Map([...of].map(([name, values]) => [name, textIn(values) ?? values]))
}

function none({ fields }: Known, names: readonly string[]): Map<string, ColumnData> {
  const wanted = fields.filter(({ name }) => names.includes(String(name)))
  return coded(columnsOf(new Table(new SchemaOf(wanted))))
}

async function wantedOf(
  codec: Codec,
  ranges: Ranges,
  { columns, rowGroups, limits }: FileSelection,
): Promise<DecodedColumns> {
  const part = (footer: Footer) => ({ columns, rowGroups: rowGroups?.(footer) })
  const about = await checkedFooter(ranges, 'it', limits, part)
  await checkMoments(codec, ranges, about, part(about))
  const { start, footer } = await footerAt(ranges)
  const known = await schemaOf(codec, ranges, start, footer)
  const names = known.fields.map(({ name }) => String(name))
  checkNames(names, columns)
  const file = await codec.ParquetFile.fromFile(asBlob(withFooter(ranges, start, withSchema(footer, known.message))))
  try {
    const wanted = rowGroups?.(about)
    const groups = about.rowGroups
      .map(({ rows }, at) => ({ at, rows }))
      .filter(({ at, rows }) => rows > 0 && (wanted?.includes(at) ?? true))
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const order = columns ?? names
    const job = { file, groups, rows, columns: order }
    const of =
      rows === 0
        ? none(known, order)
        : await copied(job, codec).catch((error) => {
            if (error instanceof UnsupportedTypeError) return converted(job)
            throw error
          })
    const inOrder = new Map(order.map((name) => [name, of.get(name) as ColumnData]))
    const metadata = new Map(known.fields.map(({ name, metadata }) => [String(name), metadata]))
    return { columns: { length: rows, columns: inOrder }, metadata: metadata, total: about.rows }
  } finally {
    file.free()
  }
}

/**
 * A Parquet file, or the part of it that is wanted, as columns.
 * @throws QuotebookError FILE when it is not a whole Parquet file, MISSING_COLUMN for a column that it does not have
 */
export async function decodeColumns(ranges: Ranges, wanted: FileSelection = {}): Promise<DecodedColumns> {
  try {
    const codec = await engine(wanted.limits?.bytes)
    return await codec.unlessTrapped(wantedOf(codec, ranges, wanted))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    afterFailure(cause)
    throw new QuotebookError('FILE', `it can not be read as Parquet (${whyBroken(cause)})`, { cause })
  }
}

/** A column that has no form here; its file takes the longer way. */
class UnsupportedTypeError extends Error {
  override readonly name = 'OtherTypeError'
}

/** Takes the cells of one column, batch by batch. */
interface Collector {
  take(memory: CodecMemory, piece: CDataColumn, at: number): void
  values(): ColumnData
}

type Array = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
type ArrayType = {
  new (buffer: ArrayBufferLike, at: number, length: number): Array
  readonly BYTES_PER_ELEMENT: number
}

const doubles: Readonly<Record<string, ArrayType>> = {
  g: Float64Array,
  f: Float32Array,
  I: Uint32Array,
  s: Int16Array,
  S: Uint16Array,
  c: Int8Array,
  C: Uint8Array,
}

/** Cells as the codec has them; where they begin at an odd place, a copy. */
function cells(type: ArrayType, { bytes }: CodecMemory, piece: CDataColumn): Array {
  const size = type.BYTES_PER_ELEMENT
  const from = (piece.buffers[1] as number) + piece.offset * size
  if (from % size === 0) return new type(bytes.buffer, from, piece.length)
  return new type(bytes.slice(from, from + piece.length * size).buffer, 0, piece.length)
}

/** 1 where a cell is there, 0 where it is missing; made when the first one is missing. */
class Validity {
  readonly #length: number
  #valid: Uint8Array | null = null
  constructor(length: number) {
    this.#length = length
  }

  /** Calls back for each missing cell of the piece, with its row. */
  take(
    { bytes }: CodecMemory,
    { buffers, nullCount, offset, length }: CDataColumn,
    at: number,
    onMissing: (row: number) => void,
  ): void {
    const bitmap = buffers[0] as number
    if (nullCount === 0 || bitmap === 0) return
    this.#valid ??= new Uint8Array(this.#length).fill(1)
    for (let i = 0; i < length; i++) {
      const bit = offset + i
      if (((bytes[bitmap + (bit >> 3)] as number) >> (bit & 7)) & 1) continue
      this.#valid[at + i] = 0
      onMissing(at + i)
    }
  }

  get bytes(): Uint8Array | null {
    return this.#valid
  }
}

/** Doubles, NaN where missing. @param fill puts the cells of a piece, whatever stands where one is missing */
function doublesBy(
  rows: number,
  fill: (data: Float64Array, memory: CodecMemory, piece: CDataColumn, at: number) => void,
): Collector {
  const data = new Float64Array(rows)
  const valid = new Validity(rows)
  return {
    take(memory, piece, at) {
      fill(data, memory, piece, at)
      valid.take(memory, piece, at, (row) => {
        data[row] = Number.NaN
      })
    },
    values: () => ({ type: 'float', data, valid: valid.bytes }),
  }
}

function floats(type: ArrayType, rows: number): Collector {
  return doublesBy(rows, (data, memory, piece, at) => data.set(cells(type, memory, piece), at))
}

/** 64-bit numbers that a double holds exactly. */
function longs(rows: number): Collector {
  return doublesBy(rows, (data, memory, piece, at) => {
    const from = (piece.buffers[1] as number) + piece.offset * 8
    // The two halves of each: a bigint a cell would cost ten times as much.
    const halves = new DataView(memory.bytes.buffer, from, piece.length * 8)
    let isWide = false
    for (let i = 0; i < piece.length; i++) {
      const high = halves.getInt32(i * 8 + 4, true)
      if (high >= 2 ** 21 || high < -(2 ** 21)) isWide = true
      data[at + i] = high * 2 ** 32 + halves.getUint32(i * 8, true)
    }
    if (isWide) throw new UnsupportedTypeError('numbers that no double holds')
  })
}

function ints(rows: number): Collector {
  const data = new Int32Array(rows)
  const valid = new Validity(rows)
  return {
    take(memory, piece, at) {
      data.set(cells(Int32Array, memory, piece), at)
      valid.take(memory, piece, at, () => undefined)
    },
    values: () => ({ type: 'int', data, valid: valid.bytes }),
  }
}

function flags(rows: number): Collector {
  const data = new Uint8Array(rows)
  const valid = new Validity(rows)
  return {
    take(memory, piece, at) {
      const from = piece.buffers[1] as number
      for (let i = 0; i < piece.length; i++) {
        const bit = piece.offset + i
        data[at + i] = ((memory.bytes[from + (bit >> 3)] as number) >> (bit & 7)) & 1
      }
      valid.take(memory, piece, at, () => undefined)
    },
    values: () => ({ type: 'boolean', data, valid: valid.bytes }),
  }
}

/** The texts of a dictionary. */
function spelled({ bytes }: CodecMemory, { buffers, offset, length }: CDataColumn): string[] {
  const offsets = new DataView(bytes.buffer, (buffers[1] as number) + offset * 4, (length + 1) * 4)
  const text = Buffer.from(bytes.buffer, buffers[2])
  return Array.from({ length }, (_, i) =>
    text.toString('utf8', offsets.getInt32(i * 4, true), offsets.getInt32(i * 4 + 4, true)),
  )
}

function words(rows: number): Collector {
  const data = new Int32Array(rows)
  const valid = new Validity(rows)
  const list: string[] = []
  const codeOf = new Map<string, number>()
  const known = (word: string): number => {
    const code = codeOf.get(word)
    if (code !== undefined) return code
    codeOf.set(word, list.length)
    return list.push(word) - 1
  }
  return {
    take(memory, piece, at) {
      const own = piece.dictionary ? spelled(memory, piece.dictionary) : []
      const map = Int32Array.from(own, known)
      const codes = cells(Int32Array, memory, piece)
      if (map.every((place, code) => place === code)) data.set(codes, at)
      else for (let i = 0; i < codes.length; i++) data[at + i] = map[codes[i] as number] as number
      valid.take(memory, piece, at, (row) => {
        data[row] = -1
      })
    },
    values: () => ({ type: 'dictionary', data, dictionary: list }),
  }
}

/**
 * What takes a column of so many rows.
 * @param format as the C data interface writes it, or `words`
 * @throws OtherTypeError for a type that has no form here
 */
function collector(format: string, rows: number): Collector {
  const type = doubles[format]
  if (type) return floats(type, rows)
  if (format === 'l') return longs(rows)
  if (format === 'i') return ints(rows)
  if (format === 'b') return flags(rows)
  if (format === 'words') return words(rows)
  throw new UnsupportedTypeError(format)
}

/*
 * Columns out of the codec's memory by the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html),
 * as it is on a machine of 32 bits: one copy, straight to where they stay.
 */

/** Format of a column whose cells are codes into words; the interface writes the type of the codes alone. */
const dictionaryFormat = 'words'

/** One column of a batch, in place: nothing of it outlives the batch. */
interface CDataColumn {
  readonly length: number
  readonly nullCount: number
  /** First cell, in the buffers. */
  readonly offset: number
  /** Addresses of its buffers; 0 where there is none. */
  readonly buffers: readonly number[]
  /** Words of a dictionary. */
  readonly dictionary: CDataColumn | undefined
}

interface CDataField {
  readonly name: string
  /** As the interface writes a type: `g` double, `i` int32, `l` int64, `b` bool, …; `words` for codes into text. */
  readonly format: string
}

class CodecMemory {
  readonly bytes: Uint8Array
  readonly #view: DataView
  constructor({ buffer }: { readonly buffer: ArrayBufferLike }) {
    this.bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
  }

  #address(at: number): number {
    return this.#view.getUint32(at, true)
  }

  #count(at: number): number {
    return Number(this.#view.getBigInt64(at, true))
  }

  #addresses(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.#address(at + i * 4))
  }

  #text(at: number): string {
    return Buffer.from(this.bytes.buffer, at, this.bytes.indexOf(0, at) - at).toString('utf8')
  }

  /** Columns of a schema. */
  fields(schema: number): CDataField[] {
    const children = this.#addresses(this.#address(schema + 32), this.#count(schema + 24))
    return children.map((child) => {
      const name = this.#text(this.#address(child + 4))
      const format = this.#text(this.#address(child))
      const dictionary = this.#address(child + 36)
      if (dictionary === 0) return { name, format }
      const isText = format === 'i' && this.#text(this.#address(dictionary)) === 'u'
      return { name, format: isText ? dictionaryFormat : `dictionary of ${format}` }
    })
  }

  /** Columns of a batch. */
  columns(array: number): CDataColumn[] {
    return this.#addresses(this.#address(array + 44), this.#count(array + 32)).map((child) => this.#piece(child))
  }

  #piece(at: number): CDataColumn {
    const dictionary = this.#address(at + 48)
    return {
      length: this.#count(at),
      nullCount: this.#count(at + 8),
      offset: this.#count(at + 16),
      buffers: this.#addresses(this.#address(at + 40), this.#count(at + 24)),
      dictionary: dictionary === 0 ? undefined : this.#piece(dictionary),
    }
  }
}
