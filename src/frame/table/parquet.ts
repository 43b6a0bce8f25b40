import { Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import { QuotebookError, worded } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { named } from './ipc.js'
import { madeTable } from './on-table-made.js'
import {
  type Codec,
  type CodecBatch,
  type CodecFile,
  encodeParquet,
  parquetCodec,
  resetCodecs,
  whyBroken,
} from './parquet-engine.js'
import { BatchCells, UnsupportedTypeError } from './parquet-file/batch-cells.js'
import { openCodecFile } from './parquet-file/decode-columns.js'
import { type Footer, footerAt } from './parquet-file/footer.js'
import { limitKinds, type ParquetLimits, usualLimits } from './parquet-file/limits.js'
import { checkMoments } from './parquet-file/moments.js'
import { checkedFooter } from './parquet-file/pages.js'
import { asBlob, ofMemory, type Ranges, withFooter } from './parquet-file/ranges.js'
import { withSchema } from './parquet-file/schema-hint.js'
import { asWritten } from './provenance.js'
import { readable } from './readable.js'
import { checkBytes } from './shape.js'
import { columnsOf } from './unwrap.js'
import type { RecordColumns } from './values.js'

/**
 * A table as one ZSTD-compressed Parquet file.
 * @throws QuotebookError INVALID_VALUE for a table without columns or a column without a name
 */
export async function writeParquet(given: Table, options: { rowGroup?: number } = {}): Promise<Uint8Array> {
  const table = asWritten(named(given))
  if (table.numCols === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`Parquet can not carry data without columns`)
  return encodeParquet(tableToIPC(table, 'stream'), options.rowGroup ?? 131_072)
}

/** Rows of a batch. */
const most = 131_072

type Open = (codec: Codec, ranges: Ranges) => Promise<CodecFile>

const asItIs: Open = ({ ParquetFile }, ranges) => ParquetFile.fromFile(asBlob(ranges))
/** What the file's own Arrow schema says of views, as polars writes them, is left out: cells come in no such form. */
const withoutViews: Open = async (codec, ranges) => {
  const file = await asItIs(codec, ranges)
  const { schema } = tableFromIPC(file.schema().intoIPCStream())
  if (!schema.fields.some(({ type }) => /View/.test(String(type)))) return file
  file.free()
  const { start, footer } = await footerAt(ranges)
  return asItIs(codec, withFooter(ranges, start, withSchema(footer, undefined)))
}
const withTextAsCodes: Open = async (codec, ranges) => (await openCodecFile(codec, ranges)).file

/** Does something with each batch of a file, row group after row group: of a large file the codec holds one at a time. */
async function eachBatch(
  codec: Codec,
  bytes: Uint8Array,
  footer: Footer,
  open: Open,
  take: (batch: CodecBatch) => void,
): Promise<CodecFile> {
  const { unlessTrapped } = codec
  await unlessTrapped(checkMoments(codec, ofMemory(bytes), footer))
  const file = await unlessTrapped(open(codec, ofMemory(bytes)))
  for (const group of footer.rowGroups.keys()) {
    const read = await unlessTrapped(file.read({ rowGroups: [group], batchSize: most }))
    read.recordBatches().forEach(take)
    read.free()
  }
  return file
}

async function batchesOf(bytes: Uint8Array, footer: Footer, limits: ParquetLimits, open: Open): Promise<Table> {
  const { bytes: mostBytes = usualLimits.bytes } = limits
  const tables: Table[] = []
  let size = 0
  const file = await eachBatch(await parquetCodec(mostBytes), bytes, footer, open, (batch) => {
    const stream = batch.intoIPCStream()
    size += stream.length
    if (size > mostBytes) throw worded(RangeError, sentence`its cells need more than ${mostBytes} bytes of memory`)
    tables.push(tableFromIPC(stream))
  })
  // The schema of a batch does not carry the metadata of the file.
  const { schema } = tableFromIPC(file.schema().intoIPCStream())
  file.free()
  return new Table(
    schema,
    tables.flatMap(({ batches }) => batches),
  )
}

/** One file after another: a codec that breaks down does so for all that use it at the time. */
let turn: Promise<unknown> = Promise.resolve()

/** @throws QuotebookError FILE when the bytes are not a whole Parquet file within the limits */
async function inTurn<T>(
  bytes: Uint8Array,
  name: Words,
  limits: ParquetLimits,
  decode: (footer: Footer) => Promise<T>,
): Promise<T> {
  const footer = await checkedFooter(bytes, name, limits)
  try {
    const read = turn.then(() => decode(footer))
    turn = read.catch(() => undefined)
    return await read
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    resetCodecs(cause)
    throw new QuotebookError('FILE', sentence`${name} is not a whole Parquet file (${whyBroken(cause)})`, { cause })
  }
}

function checkCount(found: number, { rows }: Footer): void {
  if (found !== rows) throw worded(RangeError, sentence`it counts ${rows} rows and holds ${found}`)
}

/**
 * A Parquet file as a table.
 * @throws QuotebookError FILE when the bytes are not a whole Parquet file, when it needs more rows, columns or memory than
 * the limits allow, and for a column that has no form here; INVALID_VALUE for what is no bytes
 */
export async function fromParquet(
  bytes: Uint8Array,
  name: Words = sentence`the file`,
  limits: ParquetLimits = {},
): Promise<Table> {
  checkBytes(bytes, 'fromParquet')
  checkOptions(limits, limitKinds, 'fromParquet')
  return tableOf(bytes, name, limits, withoutViews)
}

/** The same with text as codes into its words, each of which is made once. @throws what `fromParquet` throws */
export function codedFromParquet(bytes: Uint8Array, name: Words, limits: ParquetLimits): Promise<Table> {
  return tableOf(bytes, name, limits, withTextAsCodes)
}

function tableOf(bytes: Uint8Array, name: Words, limits: ParquetLimits, open: Open): Promise<Table> {
  return inTurn(bytes, name, limits, async (footer) => {
    const table = await batchesOf(bytes, footer, limits, open)
    checkCount(table.numRows, footer)
    return madeTable(readable(table, name))
  })
}

/**
 * The columns of a Parquet file that `writeParquet` wrote: copied from the codec's memory, which takes half as long as by a
 * table where files are many and small.
 * @throws what `fromParquet` throws
 */
export async function columnsFromParquet(
  bytes: Uint8Array,
  name: Words,
  limits: ParquetLimits = {},
): Promise<RecordColumns> {
  const columns = await inTurn(bytes, name, limits, async (footer) => {
    const codec = await parquetCodec(limits.bytes)
    const cells = new BatchCells(footer.rows)
    let rows = 0
    let hasForm = true
    const file = await eachBatch(codec, bytes, footer, asItIs, (batch) => {
      try {
        if (hasForm) rows += cells.take(batch, codec.wasmMemory(), rows)
      } catch (error) {
        if (!(error instanceof UnsupportedTypeError)) throw error
        hasForm = false
      }
    })
    file.free()
    if (!hasForm || rows === 0) return undefined
    checkCount(rows, footer)
    return { length: rows, columns: cells.build() }
  })
  return columns ?? columnsOf(await fromParquet(bytes, name, limits))
}
