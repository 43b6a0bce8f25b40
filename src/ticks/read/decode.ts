import {
  Dictionary,
  Field,
  Int32,
  type Schema,
  Schema as SchemaOf,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
} from 'apache-arrow'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { afterFailure, type Codec, type CodecBatch, type CodecFile, engine } from '../../frame/parquet-engine.js'
import { columnsOf } from '../../frame/unwrap.js'
import { type Columns, textIn, type Values } from '../../frame/values.js'
import { Memory, type Piece } from './c-data.js'
import { type Collector, collector, OtherTypeError } from './collect.js'
import { schemaBytes, withSchema } from './hint.js'
import { asBlob, footerAt, type Ranges, withFooter } from './ranges.js'

/** What is wanted of a file. */
export interface Wanted {
  /** In the order wanted; all of the file when absent. */
  readonly columns?: readonly string[] | undefined
  /** Row groups, ascending; all when absent. */
  readonly rowGroups?: readonly number[] | undefined
}

/** The metadata of a file's own Arrow schema by column, where it has one: units, kinds. */
export type About = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A part of a file in memory. Text is codes into words, numbers are doubles or 32-bit integers. */
export interface Decoded {
  readonly columns: Columns
  readonly about: About
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

export function knownOf(schema: Schema): Known {
  const hinted = schema.fields.map((field, place) =>
    isText(field)
      ? new Field(String(field.name), new Dictionary(new Utf8(), new Int32(), place), field.nullable, field.metadata)
      : field,
  )
  const stream = tableToIPC(new Table(new SchemaOf(hinted, schema.metadata)), 'stream')
  const length = new DataView(stream.buffer, stream.byteOffset + 4, 4).getInt32(0, true)
  return { fields: schema.fields, message: stream.subarray(0, 8 + length) }
}

async function opened({ ParquetFile }: Codec, ranges: Ranges): Promise<Known> {
  const file = await ParquetFile.fromFile(asBlob(ranges))
  try {
    return knownOf(tableFromIPC(file.schema().intoIPCStream()).schema)
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
  /** Null: all. */
  readonly columns: readonly string[] | undefined
}

/** A row group is one batch, unless it is larger than this. */
const mostInBatch = 2 ** 20

function readGroup({ file, columns }: Job, { at, rows }: Group) {
  const batchSize = Math.min(rows, mostInBatch)
  return file.read({ rowGroups: [at], batchSize, ...(columns ? { columns: [...columns] } : {}) })
}

/** Columns copied out of the codec's memory, row group by row group: of a large file it holds one at a time. */
async function copied(job: Job, { wasmMemory }: Codec): Promise<Map<string, Values>> {
  const collectors = new Map<string, Collector>()
  const takeBatch = (batch: ReturnType<CodecBatch['intoFFI']>, memory: Memory, at: number): number => {
    try {
      const pieces = memory.pieces(batch.arrayAddr())
      // The schema of a batch is that of the file, also when some of its columns alone were read.
      const shapes = memory.shapes(batch.schemaAddr()).filter(({ name }) => job.columns?.includes(name) ?? true)
      if (shapes.length !== pieces.length) throw new OtherTypeError('a batch of other columns')
      shapes.forEach(({ name, format }, i) => {
        const piece = pieces[i] as Piece
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
    const table = await readGroup(job, group)
    for (const batch of table.recordBatches()) {
      at += takeBatch(batch.intoFFI(), new Memory(wasmMemory()), at)
    }
    table.free()
  }
  checkRows(at, job.rows)
  return new Map([...collectors].map(([name, into]) => [name, into.values()]))
}

function checkRows(found: number, rows: number): void {
  if (found === rows) return
  throw new QuotebookError('FILE', `it has ${found} rows, and its footer counts ${rows}`)
}

/** The longer way, by Arrow IPC: for types that are rare in such files. */
async function converted(job: Job): Promise<Map<string, Values>> {
  const tables: Table[] = []
  for (const group of job.groups) tables.push(tableFromIPC((await readGroup(job, group)).intoIPCStream()))
  const table = new Table(tables.flatMap(({ batches }) => batches))
  checkRows(table.numRows, job.rows)
  return coded(columnsOf(table))
}

/** Text as codes. */
function coded({ of }: Columns): Map<string, Values> {
  return new Map([...of].map(([name, values]) => [name, textIn(values) ?? values]))
}

function none({ fields }: Known, names: readonly string[]): Map<string, Values> {
  const wanted = fields.filter(({ name }) => names.includes(String(name)))
  return coded(columnsOf(new Table(new SchemaOf(wanted))))
}

async function wantedOf(codec: Codec, ranges: Ranges, { columns, rowGroups }: Wanted): Promise<Decoded> {
  const { start, footer } = await footerAt(ranges)
  const known = await schemaOf(codec, ranges, start, footer)
  const names = known.fields.map(({ name }) => String(name))
  checkNames(names, columns)
  const file = await codec.ParquetFile.fromFile(asBlob(withFooter(ranges, start, withSchema(footer, known.message))))
  try {
    const about = file.metadata()
    const all = about.rowGroups().map((group, at) => ({ at, rows: group.numRows() }))
    const groups = all.filter(({ at, rows }) => rows > 0 && (rowGroups?.includes(at) ?? true))
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    const total = about.fileMetadata().numRows()
    checkRows(
      all.reduce((sum, group) => sum + group.rows, 0),
      total,
    )
    const job = { file, groups, rows, columns }
    const of =
      rows === 0
        ? none(known, columns ?? names)
        : await copied(job, codec).catch((error) => {
            if (error instanceof OtherTypeError) return converted(job)
            throw error
          })
    const order = columns ?? names
    const inOrder = new Map(order.map((name) => [name, of.get(name) as Values]))
    const metadata = new Map(known.fields.map(({ name, metadata }) => [String(name), metadata]))
    return { columns: { length: rows, of: inOrder }, about: metadata, total }
  } finally {
    file.free()
  }
}

/**
 * A Parquet file, or the part of it that is wanted, as columns.
 * @throws QuotebookError FILE when it is not a whole Parquet file, MISSING_COLUMN for a column that it does not have
 */
export async function decode(ranges: Ranges, wanted: Wanted = {}): Promise<Decoded> {
  try {
    const codec = await engine()
    return await codec.unlessTrapped(wantedOf(codec, ranges, wanted))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    afterFailure(cause)
    throw new QuotebookError('FILE', `it can not be read as Parquet (${messageOf(cause)})`, { cause })
  }
}
