import { type Table, tableFromIPC } from 'apache-arrow'
import { engine } from '../../table/parquet-engine.js'
import { type Footer, footerAt } from '../../table/parquet-file/footer.js'
import { asBlob, ofMemory, withFooter } from '../../table/parquet-file/ranges.js'
import { withSchema } from '../../table/parquet-file/schema-hint.js'
import { dictionarySchema } from '../read/decode.js'

/** Rows of a file that are decoded at once. */
const most = 131_072

export interface RowBatch {
  /** Of which row group, from 0. */
  readonly group: number
  /** Its first row, from 1, in the whole file. */
  readonly row: number
  readonly rows: number
  /** Undefined where Arrow has no reader for a type in it. */
  readonly table: Table | undefined
  readonly why: string | undefined
}

export interface BatchDecoder {
  /** The rows of a row group, decoded whole before the first of them is given. */
  batches(group: number): AsyncGenerator<RowBatch>
  /** Bytes of memory that the codec has taken. */
  memory(): number
  close(): void
}

function tableOf(stream: Uint8Array): Pick<RowBatch, 'table' | 'why'> {
  try {
    return { table: tableFromIPC(stream), why: undefined }
  } catch (error) {
    return { table: undefined, why: String(error) }
  }
}

/** The schema of a file with text as dictionaries; undefined where Arrow can not read the one that is written in it. */
function hintOf(stream: Uint8Array): Uint8Array | undefined {
  try {
    return dictionarySchema(tableFromIPC(stream).schema).message
  } catch {
    return undefined
  }
}

/** Opens a file in memory for decoding, row group by row group. @throws what the codec throws */
export async function openDecoder(bytes: Uint8Array, { rowGroups }: Footer): Promise<BatchDecoder> {
  const { ParquetFile, wasmMemory } = await engine()
  const ranges = ofMemory(bytes)
  const { start, footer } = await footerAt(ranges)
  const asWritten = await ParquetFile.fromFile(asBlob(ranges))
  const hint = hintOf(asWritten.schema().intoIPCStream())
  asWritten.free()
  const file = await ParquetFile.fromFile(asBlob(withFooter(ranges, start, withSchema(footer, hint))))
  const begins: number[] = []
  for (let at = 0, row = 1; at < rowGroups.length; row += rowGroups[at++]?.rows ?? 0) begins.push(row)
  return {
    async *batches(group) {
      const batchSize = Math.max(1, Math.min(most, rowGroups[group]?.rows ?? 0))
      const whole = await file.read({ rowGroups: [group], batchSize })
      let row = begins[group] ?? 1
      try {
        for (const batch of whole.recordBatches()) {
          const rows = batch.numRows
          yield { group, row, rows, ...tableOf(batch.intoIPCStream()) }
          row += rows
        }
      } finally {
        whole.free()
      }
    },
    memory: () => wasmMemory().buffer.byteLength,
    close: () => file.free(),
  }
}
