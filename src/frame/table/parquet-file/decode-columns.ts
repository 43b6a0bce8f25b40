import { Dictionary, Field, Int32, type Schema, Schema as SchemaOf, Table, tableFromIPC, Utf8 } from 'apache-arrow'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { type Codec, type CodecFile, parquetCodec, resetCodecs, whyBroken } from '../parquet-engine.js'
import { columnsOf } from '../unwrap.js'
import { type ColumnData, type RecordColumns, textIn } from '../values.js'
import { BatchCells, UnsupportedTypeError } from './batch-cells.js'
import { type Footer, footerAt } from './footer.js'
import type { ParquetLimits } from './limits.js'
import { checkMoments } from './moments.js'
import { checkedFooter } from './pages.js'
import { asBlob, type Ranges, withFooter } from './ranges.js'
import { schemaBytes, schemaMessage, withSchema } from './schema-hint.js'

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

/** Opens a file whose text is read as dictionaries; `free` releases it. @throws what the codec throws */
export async function openCodecFile(
  codec: Codec,
  ranges: Ranges,
): Promise<{ readonly file: CodecFile; readonly schema: FileSchema }> {
  const { start, footer } = await footerAt(ranges)
  const schema = await schemaOf(codec, ranges, start, footer)
  const hinted = withFooter(ranges, start, withSchema(footer, schema.message))
  return { file: await codec.ParquetFile.fromFile(asBlob(hinted)), schema }
}

/** @throws QuotebookError MISSING_COLUMN for a column that a file does not have, FILE for a name that it has twice */
export function checkFileColumns(names: readonly string[], selected: readonly string[] | undefined): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuotebookError('FILE', sentence`it has two columns '${twice}'`)
  const other = selected?.find((name) => !names.includes(name))
  if (other === undefined) return
  throw new QuotebookError('MISSING_COLUMN', sentence`it has no column '${other}'; it has: ${names.join(', ')}`)
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
  return file.read({ rowGroups: [at], batchSize, columns: [...columns] })
}

/** Cells that the codec holds at once, about: of a large row group some columns at a time. */
const mostCells = 2 ** 25

function slices({ rows }: Group, names: readonly string[]): (readonly string[])[] {
  const count = Math.max(1, Math.floor(mostCells / rows))
  return Array.from({ length: Math.ceil(names.length / count) }, (_, i) => names.slice(i * count, (i + 1) * count))
}

/** Columns copied out of the codec's memory, row group by row group: of a large file it holds one at a time. */
async function copyColumns(job: Job, { wasmMemory }: Codec): Promise<Map<string, ColumnData>> {
  const cells = new BatchCells(job.rows)
  let at = 0
  for (const group of job.groups) {
    let end = at
    for (const columns of slices(group, job.columns)) {
      const table = await readGroup({ ...job, columns }, group)
      end = at
      for (const batch of table.recordBatches()) end += cells.take(batch, wasmMemory(), end, columns)
      table.free()
    }
    at = end
  }
  checkRows(at, job.rows)
  return cells.build()
}

function checkRows(found: number, rows: number): void {
  if (found === rows) return
  throw new QuotebookError('FILE', sentence`it has ${found} rows, and its footer counts ${rows}`)
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
  const about = await checkedFooter(ranges, sentence`it`, limits, part)
  const selected = part(about)
  await checkMoments(codec, ranges, about, selected)
  const { file, schema } = await openCodecFile(codec, ranges)
  try {
    const names = schema.fields.map(({ name }) => String(name))
    checkFileColumns(names, columns)
    const groups = about.rowGroups
      .map(({ rows }, at) => ({ at, rows }))
      .filter(({ at, rows }) => rows > 0 && (selected.rowGroups?.includes(at) ?? true))
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
    throw new QuotebookError('FILE', sentence`it can not be read as Parquet (${whyBroken(cause)})`, { cause })
  }
}
