import { constants } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { messageOf } from '../../../contract/error.js'
import { parquetCodec } from '../../../frame/table/parquet-engine.js'
import { dictionarySchema } from '../../../frame/table/parquet-file/decode-columns.js'
import { type Footer, type FooterColumn, footerAt, footerOf } from '../../../frame/table/parquet-file/footer.js'
import { ownLimits } from '../../../frame/table/parquet-file/limits.js'
import { checkPages, type Pages } from '../../../frame/table/parquet-file/pages.js'
import { asBlob, ofMemory, withFooter } from '../../../frame/table/parquet-file/ranges.js'
import { withSchema } from '../../../frame/table/parquet-file/schema-hint.js'
import { failureReason, isFatal } from '../../../threads/worker-pool.js'
import { readRegular, sha256 } from '../../archive/file-access.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import { counted, fault, faultIf, more, note, type Outcome, type Outcomes, type Stage } from './check-outcomes.js'
import { type BatchDecoder, type RowBatch, RowInspector } from './inspect-rows.js'

/** What a thread is asked to look at. */
export interface InspectTask {
  readonly path: string
  /** The day that its name says. */
  readonly day: string
  /** What the manifest says of it; undefined where there is none. */
  readonly entry: TickEntry | undefined
}

/** What was found out about a file, as far as the reading came. Every part is reported as soon as it is known. */
export interface FileReport {
  readonly stage?: Stage
  readonly outcomes?: Outcomes
  readonly schema?: readonly FooterColumn[]
  readonly groups?: number
  /** The row group that is being decoded, from 1: a decoder that broke down did so there. */
  readonly at?: number
  /** Rows that were decoded. */
  readonly rows?: number
}

type Report = (part: FileReport) => void

function checkMagic(bytes: Uint8Array): Outcome {
  const isMagic = (at: number, end?: number): boolean =>
    Buffer.from(bytes.subarray(at, end)).toString('latin1') === 'PAR1'
  if (!isMagic(0, 4)) return [fault('it does not begin with PAR1')]
  return faultIf(!isMagic(-4), 'it does not end with PAR1; it may be cut, or still being written')
}

function checkBytes(bytes: Uint8Array, entry: TickEntry | undefined): Outcomes {
  const compare = (found: string, expected: string): Outcome =>
    faultIf(expected !== found, `it is ${found}, the manifest says ${expected}`)
  const none = { notMade: 'there is no manifest' }
  return {
    size: entry ? compare(counted(bytes.length, 'byte'), counted(entry.bytes, 'byte')) : none,
    sha256: entry ? compare(sha256(bytes), entry.sha256) : none,
    magic: checkMagic(bytes),
  }
}

function checkPageSums({ wrong, first, lost, checked, pages }: Pages): Outcome {
  if (wrong > 0) return [fault(`${first}${more(wrong - 1, ' and')} is not what its checksum says`)]
  if (lost !== undefined) return [note(`its pages can not be followed: ${lost}`)]
  return checked < pages || pages === 0 ? { notMade: 'its pages carry no checksums' } : []
}

async function footerIn(bytes: Uint8Array, report: Report): Promise<Footer | undefined> {
  try {
    const footer = await footerOf(bytes, 'it', ownLimits)
    const { rowGroups, columns: schema } = footer
    const crc = checkPageSums(await checkPages(ofMemory(bytes), footer, ownLimits))
    report({ stage: 'footer', schema, groups: rowGroups.length, outcomes: { footer: [], crc } })
    return footer
  } catch (error) {
    report({ outcomes: { footer: [fault(messageOf(error))] } })
    return undefined
  }
}

function checkRows(counts: number, decoded: number, isBroken: boolean, entry: TickEntry | undefined): Outcome {
  if (entry && entry.rows !== counts) return [fault(`it counts ${counted(counts, 'row')}, the manifest ${entry.rows}`)]
  if (isBroken) return { notMade: 'not all row groups can be decoded' }
  if (counts !== decoded) return [fault(`it counts ${counted(counts, 'row')} and holds ${decoded}`)]
  return faultIf(counts === 0, 'it has no rows')
}

/** Decodes row group after row group; one that can not be decoded does not keep the others from it. */
async function rowsIn(decoder: BatchDecoder, footer: Footer, task: InspectTask, report: Report): Promise<boolean> {
  const inspector = new RowInspector(footer, task.day)
  const broken: string[] = []
  const groups = footer.rowGroups.length
  for (let group = 0; group < groups; group++) {
    const at = group + 1
    report({ at })
    try {
      await inspector.inspectGroup(group, decoder, () => report({ at }))
    } catch (error) {
      if (isFatal(error)) throw error
      broken.push(`row group ${at}: ${failureReason(error)}`)
      inspector.lose('not all row groups can be decoded')
    }
  }
  const isBroken = broken.length > 0
  const lost = `${broken.length} of ${counted(groups, 'row group')} can not be decoded; ${broken[0]}`
  const { rows, unread } = inspector
  const decode = [...faultIf(isBroken, lost), ...faultIf(unread, unread ?? '')]
  const ofRows = checkRows(footer.rows, rows, isBroken, task.entry)
  report({ stage: 'rows', rows, outcomes: { decode, rows: ofRows, ...inspector.outcomes() } })
  report({ outcomes: await inspector.keyOutcomes(decoder, () => report({})) })
  return isBroken
}

/** Bytes of a codec's memory, which never shrinks, after which a fresh one takes the next file. */
const mostMemory = 2 ** 30

/**
 * Makes all checks of a file that its bytes allow, and reports every part as soon as it is known: what comes after may bring
 * the decoder down. Says whether a fresh thread should take the next file: of a decoder that has failed other parts may still
 * be at work, and break down later, in the midst of another file.
 * @throws the system's error for a file that can not be read; what a decoder throws that has broken down
 */
export async function inspectFile(task: InspectTask, report: Report): Promise<boolean> {
  const bytes = await readRegular(task.path, constants.O_RDONLY)
  report({ stage: 'bytes', outcomes: checkBytes(bytes, task.entry) })
  const footer = await footerIn(bytes, report)
  if (!footer) return false
  let decoder: BatchDecoder
  try {
    decoder = await openDecoder(bytes, footer)
  } catch (error) {
    if (isFatal(error)) throw error
    report({ stage: 'bytes', outcomes: { footer: [fault(failureReason(error))] } })
    return false
  }
  const isBroken = await rowsIn(decoder, footer, task, report)
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
 * must not be skipped, nor taken from another file.
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
