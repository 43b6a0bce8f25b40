import { Dictionary, Field, Int32, type Schema, Schema as SchemaOf, Table, tableFromIPC, Utf8 } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { DictionaryBuilder, NumberBuilder } from '../../table/column-builder.js'
import {
  type Codec,
  type CodecBatch,
  type CodecFile,
  parquetCodec,
  resetCodecs,
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

/** Which part of a file is read. */
export interface FileSelection {
  /** In their order; all of the file when absent. */
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

interface FileSchema {
  /** Columns of the file, in its order. */
  readonly fields: readonly Field[]
  /** Encapsulated message of the schema with text as dictionaries. */
  readonly message: Uint8Array
}

const schemas = new Map<string, FileSchema>()
const most = 64

/** Text of any kind, coded or not. */
function isText({ type }: Field): boolean {
  const of = String(type instanceof Dictionary ? type.dictionary : type)
  return /^(Large)?Utf8(View)?$/.test(of)
}

export function dictionarySchema(schema: Schema): FileSchema {
  const hinted = schema.fields.map((field, place) =>
    isText(field)
      ? new Field(String(field.name), new Dictionary(new Utf8(), new Int32(), place), field.nullable, field.metadata)
      : field,
  )
  return { fields: schema.fields, message: schemaMessage(new SchemaOf(hinted, schema.metadata)) }
}

async function opened({ ParquetFile }: Codec, ranges: Ranges): Promise<FileSchema> {
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
async function schemaOf(codec: Codec, ranges: Ranges, start: number, footer: Uint8Array): Promise<FileSchema> {
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

/** Opens a file whose text is read as dictionaries; `free` lets go of it. @throws what the codec throws */
async function openCodecFile(
  codec: Codec,
  ranges: Ranges,
): Promise<{ readonly file: CodecFile; readonly schema: FileSchema }> {
  const { start, footer } = await footerAt(ranges)
  const schema = await schemaOf(codec, ranges, start, footer)
  const hinted = withFooter(ranges, start, withSchema(footer, schema.message))
  return { file: await codec.ParquetFile.fromFile(asBlob(hinted)), schema }
}

function checkNames(names: readonly string[], selected: readonly string[] | undefined): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuotebookError('FILE', `it has two columns '${twice}'`)
  const other = selected?.find((name) => !names.includes(name))
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
async function copyColumns(job: Job, { wasmMemory }: Codec): Promise<Map<string, ColumnData>> {
  const collectors = new Map<string, ColumnCollector>()
  const takeBatch = (
    batch: ReturnType<CodecBatch['intoFFI']>,
    memory: CodecMemory,
    names: readonly string[],
    at: number,
  ): number => {
    try {
      const columns = memory.columns(batch.arrayAddr())
      // The schema of a batch is that of the file, also when some of its columns alone were read.
      const shapes = memory.fields(batch.schemaAddr()).filter(({ name }) => names.includes(name))
      if (shapes.length !== columns.length) throw new UnsupportedTypeError('a batch of other columns')
      shapes.forEach(({ name, format }, i) => {
        const column = columns[i] as CDataColumn
        const into = collectors.get(name) ?? collectorFor(format, job.rows)
        collectors.set(name, into)
        if (at + column.length > job.rows) throw new QuotebookError('FILE', 'it has more rows than its footer counts')
        takeCells(into, memory, column, at)
      })
      return columns[0]?.length ?? 0
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
  return new Map([...collectors].map(([name, into]) => [name, into.target.build()]))
}

function checkRows(found: number, rows: number): void {
  if (found === rows) return
  throw new QuotebookError('FILE', `it has ${found} rows, and its footer counts ${rows}`)
}

/** The longer way, by Arrow IPC: for types that are rare in such files. */
async function convertByIpc(job: Job): Promise<Map<string, ColumnData>> {
  const tables: Table[] = []
  for (const group of job.groups) tables.push(tableFromIPC((await readGroup(job, group)).intoIPCStream()))
  const table = new Table(tables.flatMap(({ batches }) => batches))
  checkRows(table.numRows, job.rows)
  return withDictionaries(columnsOf(table))
}

/** Text as codes. */
function withDictionaries({ columns }: RecordColumns): Map<string, ColumnData> {
  return new Map([...columns].map(([name, values]) => [name, textIn(values) ?? values]))
}

function emptyColumns({ fields }: FileSchema, names: readonly string[]): Map<string, ColumnData> {
  const selected = fields.filter(({ name }) => names.includes(String(name)))
  return withDictionaries(columnsOf(new Table(new SchemaOf(selected))))
}

async function decodeSelection(
  codec: Codec,
  ranges: Ranges,
  { columns, rowGroups, limits }: FileSelection,
): Promise<DecodedColumns> {
  const part = (footer: Footer) => ({ columns, rowGroups: rowGroups?.(footer) })
  const about = await checkedFooter(ranges, 'it', limits, part)
  await checkMoments(codec, ranges, about, part(about))
  const { file, schema } = await openCodecFile(codec, ranges)
  try {
    const names = schema.fields.map(({ name }) => String(name))
    checkNames(names, columns)
    const selected = rowGroups?.(about)
    const groups = about.rowGroups
      .map(({ rows }, at) => ({ at, rows }))
      .filter(({ at, rows }) => rows > 0 && (selected?.includes(at) ?? true))
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const order = columns ?? names
    const job = { file, groups, rows, columns: order }
    const of =
      rows === 0
        ? emptyColumns(schema, order)
        : await copyColumns(job, codec).catch((error) => {
            if (error instanceof UnsupportedTypeError) return convertByIpc(job)
            throw error
          })
    const inOrder = new Map(order.map((name) => [name, of.get(name) as ColumnData]))
    const metadata = new Map(schema.fields.map(({ name, metadata }) => [String(name), metadata]))
    return { columns: { length: rows, columns: inOrder }, metadata, total: about.rows }
  } finally {
    file.free()
  }
}

/**
 * A Parquet file, or the part of it that is selected, as columns.
 * @throws QuotebookError FILE when it is not a whole Parquet file, MISSING_COLUMN for a column that it does not have
 */
export async function decodeColumns(ranges: Ranges, selection: FileSelection = {}): Promise<DecodedColumns> {
  try {
    const codec = await parquetCodec(selection.limits?.bytes)
    return await codec.unlessTrapped(decodeSelection(codec, ranges, selection))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    resetCodecs(cause)
    throw new QuotebookError('FILE', `it can not be read as Parquet (${whyBroken(cause)})`, { cause })
  }
}

/** A column that has no form here; its file takes the longer way. */
class UnsupportedTypeError extends Error {
  override readonly name = 'UnsupportedTypeError'
}

type Cells = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
type CellsType = {
  new (buffer: ArrayBufferLike, at: number, length: number): Cells
  readonly BYTES_PER_ELEMENT: number
}

/** Types whose cells become doubles as they are, by their format in the C data interface. */
const doubles: Readonly<Record<string, CellsType>> = {
  g: Float64Array,
  f: Float32Array,
  I: Uint32Array,
  s: Int16Array,
  S: Uint16Array,
  c: Int8Array,
  C: Uint8Array,
}

/** Cells as the codec has them; where they begin at an odd place, a copy. */
function cellsIn(type: CellsType, { bytes }: CodecMemory, column: CDataColumn): Cells {
  const size = type.BYTES_PER_ELEMENT
  const from = (column.buffers[1] as number) + column.offset * size
  if (from % size === 0) return new type(bytes.buffer, from, column.length)
  return new type(bytes.slice(from, from + column.length * size).buffer, 0, column.length)
}

function isSet(bytes: Uint8Array, bitmap: number, bit: number): boolean {
  return (((bytes[bitmap + (bit >> 3)] as number) >> (bit & 7)) & 1) === 1
}

/** Copies the cells of a column of a batch, whatever stands where one is missing, to the row `at` and those behind it. */
type Copy = (memory: CodecMemory, column: CDataColumn, at: number) => void

/** Takes the cells of one column, batch by batch. */
interface ColumnCollector {
  readonly copy: Copy
  readonly target: { setMissing(row: number): void; build(): ColumnData }
}

function takeCells({ copy, target }: ColumnCollector, memory: CodecMemory, column: CDataColumn, at: number): void {
  copy(memory, column, at)
  const { buffers, nullCount, offset, length } = column
  const bitmap = buffers[0] as number
  if (nullCount === 0 || bitmap === 0) return
  for (let i = 0; i < length; i++) if (!isSet(memory.bytes, bitmap, offset + i)) target.setMissing(at + i)
}

/** 64-bit numbers, as long as a double holds them exactly. */
function copyLongs(data: Float64Array): Copy {
  return ({ bytes }, { buffers, offset, length }, at) => {
    // The two halves of each: a bigint a cell would cost ten times as much.
    const halves = new DataView(bytes.buffer, (buffers[1] as number) + offset * 8, length * 8)
    let isWide = false
    for (let i = 0; i < length; i++) {
      const high = halves.getInt32(i * 8 + 4, true)
      if (high >= 2 ** 21 || high < -(2 ** 21)) isWide = true
      data[at + i] = high * 2 ** 32 + halves.getUint32(i * 8, true)
    }
    if (isWide) throw new UnsupportedTypeError('numbers that no double holds')
  }
}

/** The texts of a dictionary. */
function textsIn({ bytes }: CodecMemory, { buffers, offset, length }: CDataColumn): string[] {
  const offsets = new DataView(bytes.buffer, (buffers[1] as number) + offset * 4, (length + 1) * 4)
  const text = Buffer.from(bytes.buffer, buffers[2])
  return Array.from({ length }, (_, i) =>
    text.toString('utf8', offsets.getInt32(i * 4, true), offsets.getInt32(i * 4 + 4, true)),
  )
}

/** Codes into one dictionary for all batches. */
function dictionaryCollector(rows: number): ColumnCollector {
  const builder = new DictionaryBuilder(rows)
  const { data } = builder
  const setMissing = (row: number): void => {
    data[row] = -1
  }
  return {
    target: { setMissing, build: () => builder.build() },
    copy(memory, column, at) {
      const texts = column.dictionary ? textsIn(memory, column.dictionary) : []
      const map = Int32Array.from(texts, (text) => builder.codeOf(text))
      const codes = cellsIn(Int32Array, memory, column)
      if (map.every((place, code) => place === code)) data.set(codes, at)
      else for (let i = 0; i < codes.length; i++) data[at + i] = map[codes[i] as number] as number
    },
  }
}

/** Cells that are taken as they are. */
function copyNumbers(data: Float64Array | Int32Array, type: CellsType): Copy {
  return (memory, column, at) => data.set(cellsIn(type, memory, column), at)
}

function copyBooleans(data: Uint8Array): Copy {
  return ({ bytes }, { buffers, offset, length }, at) => {
    const bitmap = buffers[1] as number
    for (let i = 0; i < length; i++) data[at + i] = Number(isSet(bytes, bitmap, offset + i))
  }
}

/**
 * What takes a column of so many rows.
 * @param format as the C data interface writes it, or `dictionary` for codes into text
 * @throws UnsupportedTypeError for a type that has no form here
 */
function collectorFor(format: string, rows: number): ColumnCollector {
  if (format === dictionaryFormat) return dictionaryCollector(rows)
  if (format === 'i') {
    const target = new NumberBuilder('int', rows)
    return { target, copy: copyNumbers(target.data, Int32Array) }
  }
  if (format === 'b') {
    const target = new NumberBuilder('boolean', rows)
    return { target, copy: copyBooleans(target.data) }
  }
  const type = doubles[format]
  if (!type && format !== 'l') throw new UnsupportedTypeError(format)
  const target = new NumberBuilder('float', rows)
  return { target, copy: type ? copyNumbers(target.data, type) : copyLongs(target.data) }
}

/** Format of a column whose cells are codes into text; the interface writes the type of the codes alone. */
const dictionaryFormat = 'dictionary'

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
  /** As the interface writes a type: `g` double, `i` int32, `l` int64, `b` bool, …; `dictionary` for codes into text. */
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
    return this.#addresses(this.#address(array + 44), this.#count(array + 32)).map((child) => this.#column(child))
  }

  #column(at: number): CDataColumn {
    const dictionary = this.#address(at + 48)
    return {
      length: this.#count(at),
      nullCount: this.#count(at + 8),
      offset: this.#count(at + 16),
      buffers: this.#addresses(this.#address(at + 40), this.#count(at + 24)),
      dictionary: dictionary === 0 ? undefined : this.#column(dictionary),
    }
  }
}
