import { constants } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { readRegular, sha256 } from '../../archive/file-access.js'
import { messageOf } from '../../contract/error.js'
import { parquetCodec } from '../../table/parquet-engine.js'
import { dictionarySchema } from '../../table/parquet-file/decode-columns.js'
import { type Footer, footerAt, footerOf } from '../../table/parquet-file/footer.js'
import { ownLimits } from '../../table/parquet-file/limits.js'
import { checkPages } from '../../table/parquet-file/pages.js'
import { asBlob, ofMemory, withFooter } from '../../table/parquet-file/ranges.js'
import { withSchema } from '../../table/parquet-file/schema-hint.js'
import { failureReason, isFatal } from '../../threads/worker-pool.js'
import type { FileFacts, InspectTask } from './file-facts.js'
import { type BatchDecoder, type RowBatch, RowInspector } from './inspect-rows.js'

type Report = (facts: FileFacts) => void

function isMagic(bytes: Uint8Array): boolean {
  return bytes.length === 4 && Buffer.from(bytes).toString('latin1') === 'PAR1'
}

async function footerIn(bytes: Uint8Array, report: Report): Promise<Footer | undefined> {
  try {
    const footer = await footerOf(bytes, 'it', ownLimits)
    const { rows: counted, rowGroups, columns: schema } = footer
    const pages = await checkPages(ofMemory(bytes), footer, ownLimits)
    report({ footer: null, groups: rowGroups.length, counted, schema, pages })
    return footer
  } catch (error) {
    report({ footer: messageOf(error) })
    return undefined
  }
}

/** Decodes row group after row group; one that can not be decoded does not keep the others from it. */
async function rowsIn(decoder: BatchDecoder, footer: Footer, day: string, report: Report): Promise<boolean> {
  const rows = new RowInspector(footer, day)
  const broken: string[] = []
  for (let group = 0; group < footer.rowGroups.length; group++) {
    const at = group + 1
    report({ at })
    try {
      await rows.inspectGroup(group, decoder, () => report({ at }))
    } catch (error) {
      if (isFatal(error)) throw error
      broken.push(`row group ${at}: ${failureReason(error)}`)
      rows.lose('not all row groups can be decoded')
    }
  }
  report({ broken: { groups: broken.length, first: broken[0] }, ...rows.facts() })
  report({ key: await rows.keyFacts(decoder, () => report({})) })
  return broken.length > 0
}

/** Bytes of a codec's memory, which never shrinks, after which a fresh one takes the next file. */
const mostMemory = 2 ** 30

/**
 * Finds out about a file all that its bytes say, and reports every part as soon as it is known: what comes after may bring
 * the decoder down. Says whether a fresh thread should take the next file: of a decoder that has failed other parts may still
 * be at work, and break down later, in the midst of another file.
 * @throws the system's error for a file that can not be read; what a decoder throws that has broken down
 */
export async function inspectFile({ path, day }: InspectTask, report: Report): Promise<boolean> {
  const bytes = await readRegular(path, constants.O_RDONLY)
  report({ bytes: bytes.length, sha256: sha256(bytes) })
  report({ magic: { head: isMagic(bytes.subarray(0, 4)), tail: isMagic(bytes.subarray(-4)) } })
  const footer = await footerIn(bytes, report)
  if (!footer) return false
  let decoder: BatchDecoder
  try {
    decoder = await openDecoder(bytes, footer)
  } catch (error) {
    if (isFatal(error)) throw error
    report({ footer: failureReason(error) })
    return false
  }
  const isBroken = await rowsIn(decoder, footer, day, report)
  decoder.close()
  return isBroken || decoder.memory() > mostMemory
}

/** Rows of a file that are decoded at once. */
const most = 131_072

function tableOf(stream: Uint8Array): Pick<RowBatch, 'table' | 'why'> {
  try {
    return { table: tableFromIPC(stream) }
  } catch (error) {
    return { why: String(error) }
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

/**
 * Opens a file in memory for decoding, row group by row group. The codec reads its schema as it is written: one that is damaged
 * must not be passed over, nor taken from another file.
 * @throws what the codec throws
 */
async function openDecoder(bytes: Uint8Array, { rowGroups }: Footer): Promise<BatchDecoder> {
  const { ParquetFile, wasmMemory } = await parquetCodec()
  const ranges = ofMemory(bytes)
  const { start, footer } = await footerAt(ranges)
  const asWritten = await ParquetFile.fromFile(asBlob(ranges))
  const hint = hintOf(asWritten.schema().intoIPCStream())
  asWritten.free()
  const file = await ParquetFile.fromFile(asBlob(withFooter(ranges, start, withSchema(footer, hint))))
  const begins: number[] = []
  for (let at = 0, row = 0; at < rowGroups.length; row += rowGroups[at++]?.rows ?? 0) begins.push(row)
  return {
    async *batches(group) {
      const batchSize = Math.max(1, Math.min(most, rowGroups[group]?.rows ?? 0))
      const whole = await file.read({ rowGroups: [group], batchSize })
      let row = begins[group] ?? 0
      try {
        for (const batch of whole.recordBatches()) {
          const rows = batch.numRows
          yield { row, rows, ...tableOf(batch.intoIPCStream()) }
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
