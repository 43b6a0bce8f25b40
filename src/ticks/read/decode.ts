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
import { type CDataColumn, CodecMemory } from './c-data.js'
import { type Collector, collector, UnsupportedTypeError } from './collect.js'

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
