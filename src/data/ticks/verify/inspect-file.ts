import { constants } from 'node:fs'
import { messageOf, WordedError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { parquetCodec } from '../../../frame/table/parquet-engine.js'
import { decodeColumns } from '../../../frame/table/parquet-file/decode-columns.js'
import { type Footer, type FooterColumn, footerOf } from '../../../frame/table/parquet-file/footer.js'
import { ownLimits } from '../../../frame/table/parquet-file/limits.js'
import { checkPages, type Pages } from '../../../frame/table/parquet-file/pages.js'
import { asBlob, ofMemory, type Ranges } from '../../../frame/table/parquet-file/ranges.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import { isFatal } from '../../../threads/worker-pool.js'
import { readRegular, sha256 } from '../../archive/file-access.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import {
  countOf,
  fault,
  faultIf,
  note,
  type Outcome,
  type Outcomes,
  type Stage,
  type ToldOutcomes,
} from './check-outcomes.js'
import { checkCells, unmadeChecks } from './inspect-rows.js'

/** What a thread is asked to look at. */
export interface InspectTask {
  readonly path: string
  /** The day that its name says. */
  readonly day: string
  /** What the manifest says of it; undefined where there is none. */
  readonly entry: TickEntry | undefined
}

/** What was found out about a file, as far as the reading came. Every part is reported as soon as it is known. */
export interface FileReport extends ToldOutcomes {
  readonly stage?: Stage
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
  if (!isMagic(0, 4)) return [fault(sentence`it does not begin with PAR1`)]
  return faultIf(!isMagic(-4), sentence`it does not end with PAR1; it may be cut, or still being written`)
}

function checkBytes(bytes: Uint8Array, entry: TickEntry | undefined): Outcomes {
  const compare = (found: Words, expected: Words): Outcome =>
    faultIf(`${expected}` !== `${found}`, sentence`it is ${found}, the manifest says ${expected}`)
  const none = { notMade: sentence`there is no manifest` }
  return {
    size: entry ? compare(countOf(bytes.length, 'byte'), countOf(entry.bytes, 'byte')) : none,
    sha256: entry ? compare(sha256(bytes), entry.sha256) : none,
    magic: checkMagic(bytes),
  }
}

function checkPageSums({ wrong, first, lost, checked, pages }: Pages): Outcome {
  if (wrong > 0) {
    const pagesOf = wrong > 1 ? sentence`${first} and ${wrong - 1} more` : first
    return [fault(sentence`${pagesOf} is not what its checksum says`)]
  }
  if (lost !== undefined) return [note(sentence`its pages can not be followed: ${lost}`)]
  return checked < pages || pages === 0 ? { notMade: sentence`its pages carry no checksums` } : []
}

async function footerIn(bytes: Uint8Array, report: Report): Promise<Footer | undefined> {
  try {
    const footer = await footerOf(bytes, sentence`it`, ownLimits)
    const { rowGroups, columns: schema } = footer
    const crc = checkPageSums(await checkPages(ofMemory(bytes), footer, ownLimits))
    // Its schema as it is written: readers of ticks do without that of Arrow, others do not.
    const { ParquetFile } = await parquetCodec()
    ;(await ParquetFile.fromFile(asBlob(ofMemory(bytes)))).free()
    report({ stage: 'footer', schema, groups: rowGroups.length, outcomes: { footer: [], crc } })
    return footer
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error
    report({ outcomes: { footer: [fault(messageOf(error))] } })
    return undefined
  }
}

function checkRows(counts: number, entry: TickEntry | undefined): Outcome {
  if (entry && entry.rows !== counts)
    return [fault(sentence`it counts ${countOf(counts, 'row')}, the manifest ${entry.rows}`)]
  return faultIf(counts === 0, sentence`it has no rows`)
}

/** A decoder is in an unknown state. */
class DecoderBrokenError extends WordedError {}

/** @throws DecoderBrokenError; QuotebookError FILE for what can not be decoded */
async function decode(ranges: Ranges, group?: number): Promise<RecordColumns> {
  const rowGroups = group === undefined ? undefined : (): number[] => [group]
  try {
    return (await decodeColumns(ranges, { limits: ownLimits, rowGroups })).columns
  } catch (error) {
    const { cause } = error as Error
    throw isFatal(cause) ? new DecoderBrokenError(sentence`its decoder broke down (${messageOf(cause)})`) : error
  }
}

/** Row groups that can not be decoded, in words, and the rows of the others. @throws DecoderBrokenError */
async function findBroken(ranges: Ranges, { rowGroups }: Footer, error: unknown, report: Report) {
  const groups = rowGroups.length
  const broken: Words[] = []
  let rows = 0
  for (let at = 1; at <= groups; at++) {
    report({ at })
    try {
      // Of one row group alone it is known.
      if (groups === 1) throw error
      rows += (await decode(ranges, at - 1)).length
    } catch (cause) {
      if (cause instanceof DecoderBrokenError) throw cause
      broken.push(sentence`row group ${at}: ${messageOf(cause)}`)
    }
  }
  report({ at: 0 })
  if (error instanceof DecoderBrokenError) throw error
  const lost = sentence`${broken.length} of ${countOf(groups, 'row group')} can not be decoded; ${broken[0]}`
  return { rows, what: broken.length > 0 ? lost : messageOf(error) }
}

/** Bytes of a codec's memory, which never shrinks, after which a fresh one takes the next file. */
const mostMemory = 2 ** 30

/**
 * Makes all checks of a file that its bytes allow, and reports every part as soon as it is known: what comes after may bring
 * the decoder down. Says whether a fresh thread should take the next file: of a decoder that has failed other parts may still
 * be at work, and break down later, in the midst of another file.
 * @throws the system's error for a file that can not be read; DecoderBrokenError
 */
export async function inspectFile(task: InspectTask, report: Report): Promise<boolean> {
  const bytes = await readRegular(task.path, constants.O_RDONLY)
  report({ stage: 'bytes', outcomes: checkBytes(bytes, task.entry) })
  const footer = await footerIn(bytes, report)
  if (!footer) return false
  const rows = checkRows(footer.rows, task.entry)
  const ranges = ofMemory(bytes)
  let cells: RecordColumns
  try {
    cells = footer.rows === 0 ? { length: 0, columns: new Map() } : await decode(ranges)
  } catch (error) {
    const broken = await findBroken(ranges, footer, error, report)
    const notMade = sentence`not all row groups can be decoded`
    const outcomes = {
      decode: [fault(broken.what)],
      ...unmadeChecks(notMade),
      rows: 'notMade' in rows || rows.length > 0 ? rows : { notMade },
    }
    report({ stage: 'rows', rows: broken.rows, outcomes })
    return true
  }
  report({ stage: 'rows', rows: cells.length, outcomes: { decode: [], rows, ...checkCells(cells, footer, task.day) } })
  return (await parquetCodec()).wasmMemory().buffer.byteLength > mostMemory
}
