import { Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { named } from './ipc.js'
import { madeTable } from './on-table-made.js'
import { encodeParquet, parquetCodec, resetCodecs, whyBroken } from './parquet-engine.js'
import type { Footer } from './parquet-file/footer.js'
import { type ParquetLimits, usualLimits } from './parquet-file/limits.js'
import { checkMoments } from './parquet-file/moments.js'
import { checkedFooter } from './parquet-file/pages.js'
import { asBlob, ofMemory } from './parquet-file/ranges.js'
import { asWritten } from './provenance.js'
import { readable } from './readable.js'

/**
 * A table as one ZSTD-compressed Parquet file.
 * @throws QuotebookError INVALID_VALUE for a table without columns or a column without a name
 */
export async function writeParquet(given: Table, options: { rowGroup?: number } = {}): Promise<Uint8Array> {
  const table = asWritten(named(given))
  if (table.numCols === 0) throw new QuotebookError('INVALID_VALUE', 'Parquet can not carry data without columns')
  return encodeParquet(tableToIPC(table, 'stream'), options.rowGroup ?? 131_072)
}

/** Rows of a batch. */
const most = 131_072

/** Row group after row group: of a large file the codec holds one at a time. */
async function batchesOf(bytes: Uint8Array, footer: Footer, limits: ParquetLimits): Promise<Table> {
  const { bytes: mostBytes = usualLimits.bytes } = limits
  const codec = await parquetCodec(mostBytes)
  const { ParquetFile, unlessTrapped } = codec
  await unlessTrapped(checkMoments(codec, ofMemory(bytes), footer))
  const file = await unlessTrapped(ParquetFile.fromFile(asBlob(ofMemory(bytes))))
  const tables: Table[] = []
  let size = 0
  for (const group of footer.rowGroups.keys()) {
    const read = await unlessTrapped(file.read({ rowGroups: [group], batchSize: most }))
    for (const batch of read.recordBatches()) {
      const stream = batch.intoIPCStream()
      size += stream.length
      if (size > mostBytes) throw new RangeError(`its cells need more than ${mostBytes} bytes of memory`)
      tables.push(tableFromIPC(stream))
    }
    read.free()
  }
  const empty = tableFromIPC(file.schema().intoIPCStream())
  file.free()
  return tables.length === 0
    ? empty
    : new Table(
        empty.schema,
        tables.flatMap(({ batches }) => batches),
      )
}

/** One file after another: a codec that breaks down does so for all that use it at the time. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * A Parquet file as a table.
 * @throws QuotebookError FILE when the bytes are not a whole Parquet file, when it needs more rows, columns or memory than
 * the limits allow, and for a column that has no form here
 */
export async function fromParquet(bytes: Uint8Array, name = 'the file', limits: ParquetLimits = {}): Promise<Table> {
  const footer = await checkedFooter(bytes, name, limits)
  try {
    const read = turn.then(() => batchesOf(bytes, footer, limits))
    turn = read.catch(() => undefined)
    const table = await read
    if (table.numRows !== footer.rows) throw new RangeError(`it counts ${footer.rows} rows and holds ${table.numRows}`)
    return madeTable(readable(table, name))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    resetCodecs(cause)
    throw new QuotebookError('FILE', `${name} is not a whole Parquet file (${whyBroken(cause)})`, { cause })
  }
}
