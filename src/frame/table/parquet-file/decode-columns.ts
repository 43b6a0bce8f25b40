import {
  type Data,
  Dictionary,
  Field,
  Int32,
  type Schema,
  Schema as SchemaOf,
  Table,
  tableFromIPC,
  Utf8,
  Vector,
} from 'apache-arrow'
import { QuotebookError, worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { type Codec, type CodecFile, isTrap, parquetCodec, resetCodecs, whyBroken } from '../parquet-engine.js'
import { firstRepeated } from '../shape.js'
import { namedValues } from '../unwrap.js'
import { type ColumnData, type RecordColumns, textIn } from '../values.js'
import { copyBatch } from './codec-memory.js'
import { type Footer, footerAt } from './footer.js'
import { beyond, type ParquetLimits } from './limits.js'
import { checkMoments } from './moments.js'
import { type CellSelection, checkedFooter } from './pages.js'
import { asBlob, type Ranges, withFooter } from './ranges.js'
import { schemaMessage, withSchema } from './schema-hint.js'

/** Which part of a file is read. */
export interface FileSelection {
  /** In their order (default: all of the file). */
  readonly columns?: readonly string[] | undefined
  /** Row groups of a file, ascending (default: all). */
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

/** Text of any kind, coded or not. */
function isText({ type }: Field): boolean {
  const of = String(type instanceof Dictionary ? type.dictionary : type)
  return /^(Large)?Utf8(View)?$/.test(of)
}

function withTextAsCodes({ fields, metadata }: Schema): Schema {
  const coded = fields.map((field, place) =>
    isText(field)
      ? new Field(String(field.name), new Dictionary(new Utf8(), new Int32(), place), field.nullable, field.metadata)
      : field,
  )
  return new SchemaOf(coded, metadata)
}

/** The schema of the last file: files beside one another mostly have the same. */
let last: { readonly message: Uint8Array; readonly schema: Schema } | undefined

function schemaOf(file: CodecFile): Schema {
  const message = file.schema().intoIPCStream()
  if (!last || Buffer.compare(last.message, message) !== 0) last = { message, schema: tableFromIPC(message).schema }
  return last.schema
}

/** A file as the codec has it. */
export interface OpenFile {
  readonly file: CodecFile
  readonly schema: Schema
}

/**
 * Opens a file; `free` releases it. An Arrow schema in it that can not be read, or that has views of text, as polars writes
 * them, does not count: cells come in no such form.
 * @throws what the codec throws
 */
export async function openParquet(codec: Codec, ranges: Ranges, isBare = false): Promise<OpenFile> {
  try {
    const file = await codec.ParquetFile.fromFile(asBlob(ranges))
    const schema = schemaOf(file)
    if (isBare || !schema.fields.some(({ type }) => /View/.test(String(type)))) return { file, schema }
    file.free()
  } catch (error) {
    if (isBare || isTrap(error)) throw error
  }
  const { start, footer } = await footerAt(ranges)
  return openParquet(codec, withFooter(ranges, start, withSchema(footer, undefined)), true)
}

/** Opens a file whose text is read as dictionaries. @throws what the codec throws */
export async function openCoded(codec: Codec, ranges: Ranges): Promise<OpenFile> {
  const plain = await openParquet(codec, ranges)
  plain.file.free()
  const { start, footer } = await footerAt(ranges)
  const schema = withTextAsCodes(plain.schema)
  const hinted = withFooter(ranges, start, withSchema(footer, schemaMessage(schema)))
  return { file: await codec.ParquetFile.fromFile(asBlob(hinted)), schema }
}

/** @throws QuotebookError MISSING_COLUMN for a column that a file does not have, FILE for a name that it has twice */
export function checkFileColumns(names: readonly string[], selected: readonly string[] | undefined): void {
  const twice = firstRepeated(names)
  if (twice !== undefined) throw new QuotebookError('FILE', sentence`it has two columns '${twice}'`)
  const other = selected?.find((name) => !names.includes(name))
  if (other === undefined) return
  throw new QuotebookError('MISSING_COLUMN', sentence`it has no column '${other}'; it has: ${names.join(', ')}`)
}

/** How cells are copied. */
interface CopyOptions extends CellSelection {
  /** Bytes of all cells. */
  readonly most?: number
  /** Rows of a batch; a row group is one where it has no more than a million. */
  readonly batch?: number
}

/** Cells of a file: the chunks of each column, as long as `lengths` says. */
export interface FileCells {
  readonly rows: number
  readonly bytes: number
  readonly fields: readonly Field[]
  readonly lengths: readonly number[]
  readonly chunks: Data[][]
}

/** Cells that the codec holds at once, about: of a large row group some columns at a time. */
const mostCells = 2 ** 25
/** Cells that are put together at once, about. */
const mostColumnCells = 2 ** 23

/** Copies cells out of the codec's memory, row group by row group: of a large file it holds one at a time. @throws RangeError for more bytes than `most`, and for other rows than the footer counts */
export async function copyCells(
  { wasmMemory }: Codec,
  { file, schema }: OpenFile,
  { rowGroups }: Footer,
  { columns, rowGroups: selected, most = Number.POSITIVE_INFINITY, batch: size = 2 ** 20 }: CopyOptions = {},
): Promise<FileCells> {
  const fields = schema.fields.filter(({ name }) => columns?.includes(String(name)) ?? true)
  const chunks = fields.map((): Data[] => [])
  const lengths: number[] = []
  let [rows, bytes] = [0, 0]
  for (const [at, { rows: own }] of rowGroups.entries()) {
    if (own === 0 || selected?.includes(at) === false) continue
    const count = Math.max(1, Math.floor(mostCells / own))
    for (let first = 0; first < fields.length; first += count) {
      const part = fields.slice(first, first + count)
      const names = part.length < schema.fields.length ? { columns: part.map(({ name }) => String(name)) } : {}
      const read = await file.read({ rowGroups: [at], batchSize: Math.min(own, size), ...names })
      for (const batch of read.recordBatches()) {
        const copy = copyBatch(batch, wasmMemory(), part)
        for (const [i, chunk] of copy.children.entries()) chunks[first + i]?.push(chunk)
        if (first === 0) lengths.push(copy.rows)
        bytes += copy.bytes
        if (bytes > most) throw beyond('bytes', sentence`its cells need more than ${most} bytes of memory`)
      }
      read.free()
    }
    rows += own
  }
  const found = lengths.reduce((sum, length) => sum + length, 0)
  if (found !== rows) throw worded(RangeError, sentence`it counts ${rows} rows and holds ${found}`)
  return { rows, bytes, fields, lengths, chunks }
}

/** Cells as columns in memory form; chunks are let go as they are put together. */
function columnsOfCells({ fields, chunks }: Pick<FileCells, 'fields' | 'chunks'>): [string, ColumnData][] {
  return fields.map(({ name, type }, at) => {
    const own = chunks[at]?.splice(0) ?? []
    const none = (): Vector => new Table(new SchemaOf([new Field(name, type, true)])).getChildAt(0) as Vector
    return [String(name), namedValues(String(name), own.length > 0 ? new Vector(own) : none())]
  })
}

/** The columns of a file: of a large one some at a time, so that few are there twice. @throws what `copyCells` throws */
export async function copyColumns(
  codec: Codec,
  open: OpenFile,
  footer: Footer,
  { columns, most = Number.POSITIVE_INFINITY, ...selection }: CopyOptions = {},
): Promise<RecordColumns> {
  const own = footer.rowGroups.filter((_, at) => selection.rowGroups?.includes(at) !== false)
  const length = own.reduce((sum, { rows }) => sum + rows, 0)
  const names = open.schema.fields.map(({ name }) => String(name)).filter((name) => columns?.includes(name) ?? true)
  const count = Math.max(1, Math.floor(mostColumnCells / Math.max(1, length)))
  const of: [string, ColumnData][] = []
  let left = most
  for (let first = 0; first < names.length; first += count) {
    const some = { ...selection, columns: names.slice(first, first + count), most: left }
    const cells = await copyCells(codec, open, footer, some)
    left -= cells.bytes
    of.push(...columnsOfCells(cells))
  }
  return { length, columns: new Map(of) }
}

/** Rows of a file that stand side by side. */
export interface RowSpan {
  readonly from: number
  readonly to: number
}

/** Rows of a file from one up to another. @throws RangeError where it has fewer */
export async function copyRows(
  { wasmMemory }: Codec,
  { file, schema }: OpenFile,
  { from, to }: RowSpan,
): Promise<RecordColumns> {
  const read = await file.read({ offset: from, limit: to - from, batchSize: to - from })
  const chunks = schema.fields.map((): Data[] => [])
  let rows = 0
  for (const batch of read.recordBatches()) {
    const copy = copyBatch(batch, wasmMemory(), schema.fields)
    for (const [i, chunk] of copy.children.entries()) chunks[i]?.push(chunk)
    rows += copy.rows
  }
  read.free()
  if (rows !== to - from) throw worded(RangeError, sentence`it counts ${to - from} rows and holds ${rows}`)
  return { length: rows, columns: new Map(columnsOfCells({ fields: schema.fields, chunks })) }
}

async function decodeSelection(
  codec: Codec,
  ranges: Ranges,
  { columns, rowGroups, limits }: FileSelection,
): Promise<DecodedColumns> {
  const part = (footer: Footer) => ({ columns, rowGroups: rowGroups?.(footer) })
  const about = await checkedFooter(ranges, sentence`it`, limits, part)
  const selected = part(about)
  await checkMoments(codec, ranges, about, selected)
  const open = await openCoded(codec, ranges)
  try {
    const { fields } = open.schema
    const names = fields.map(({ name }) => String(name))
    checkFileColumns(names, columns)
    const { length, columns: of } = await copyColumns(codec, open, about, selected)
    const inOrder = (columns ?? names).map((name): [string, ColumnData] => {
      const values = of.get(name) as ColumnData
      return [name, textIn(values) ?? values]
    })
    const metadata = new Map(fields.map(({ name, metadata }) => [String(name), metadata]))
    return { columns: { length, columns: new Map(inOrder) }, metadata, total: about.rows }
  } finally {
    open.file.free()
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
    throw new QuotebookError('FILE', sentence`it can not be read as Parquet (${whyBroken(cause)})`, { cause })
  }
}
