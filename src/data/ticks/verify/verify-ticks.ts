import { setMaxListeners } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import root from '#root'
import { writtenDate } from '../../../contract/date.js'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { isFact, sentence, type Words } from '../../../contract/sentence.js'
import { defaultThreads, WorkerPool } from '../../../threads/worker-pool.js'
import { readManifest } from '../../archive/manifest.js'
import { hearOutcomes } from './check-outcomes.js'
import { expectedDays } from './expected-days.js'
import type { FileReport, InspectTask } from './inspect-file.js'
import {
  checkFolder,
  findingsIn,
  findingsTable,
  type InspectedFile,
  summarizeChecks,
  type TickCheckCounts,
  type TickFinding,
} from './tick-checks.js'
import { type ExpectedFile, readTickFolder, type TickFolder } from './tick-folder.js'

/** Options of `verifyTicks`. */
export interface VerifyOptions {
  /** Days that should have a file; without them the archive's other datasets say it, or the trading calendar. */
  readonly days?: readonly string[] | undefined
  /** Called when a file is done. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Files that are read at the same time. Default: as many as there are cores, four at most. */
  readonly threads?: number | undefined
}

/** How far `verifyTicks` is: `done` of `files`. */
export interface VerifyProgress {
  readonly done: number
  readonly files: number
  /** The day of the file that is done. */
  readonly day: string
}

/** The content of a folder of tick files, compared with what is expected. */
export interface TickCheck {
  readonly dir: string
  /** There is no fault. What could not be checked is none: look at `checks`. */
  readonly ok: boolean
  readonly files: number
  /** Rows that could be decoded. */
  readonly rows: number
  /** First and last day that have a file. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly faults: number
  readonly notes: number
  /** What was checked of how many files, and what was not and why. */
  readonly checks: readonly TickCheckCounts[]
  /** One row for each finding: day, file, check, severity, what; by day and file, then what is of none. */
  readonly table: Table
}

/** Milliseconds that a reader may be silent, as it is while it decodes a file. */
const patience = 300_000

async function inspect(
  pool: WorkerPool<InspectTask, undefined>,
  folder: TickFolder,
  listed: ExpectedFile,
  signal?: AbortSignal,
): Promise<InspectedFile> {
  const path = join(folder.dir, listed.file)
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  const failed = (failure: Words): InspectedFile => ({ ...listed, report: {}, failure })
  if (there instanceof Error) return failed(there.code === 'ENOENT' ? sentence`it is missing` : messageOf(there))
  if (!there.isFile()) return failed(sentence`it is no file`)
  let report: FileReport = {}
  const onProgress = (progress: unknown): void => {
    const part = hearOutcomes(progress as FileReport)
    report = { ...report, ...part, outcomes: { ...report.outcomes, ...part.outcomes } }
  }
  const task = { path, day: listed.day, entry: listed.entry }
  try {
    await pool.run(task, [], { name: listed.file, timeoutMs: patience, signal, onProgress })
    return { ...listed, report, failure: undefined }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof QuotebookError)) throw error
    const { words } = error
    return {
      ...listed,
      report,
      failure: isFact(words) && words.code === 'UNREAD' ? (words.values.why as Words) : words,
    }
  }
}

async function inspectAll(folder: TickFolder, options: VerifyOptions): Promise<InspectedFile[]> {
  const { files } = folder
  const { onProgress, threads = defaultThreads() } = options
  const signal = options.signal && AbortSignal.any([options.signal])
  // Every file that waits for a thread listens to it.
  if (signal) setMaxListeners(0, signal)
  const size = Math.max(1, Math.min(threads, files.length))
  const pool = new WorkerPool<InspectTask, undefined>({ size, file: join(root, 'dist/lib/tick-verify.cjs') })
  let done = 0
  const inspectOne = async (listed: ExpectedFile): Promise<InspectedFile> => {
    const inspected = await inspect(pool, folder, listed, signal)
    onProgress?.({ done: ++done, files: files.length, day: listed.day })
    return inspected
  }
  try {
    return await Promise.all(files.map(inspectOne))
  } finally {
    await pool.close()
  }
}

/** A writer may replace a file while the others are inspected: then the manifest is another. */
async function inspectStable(
  dir: string,
  options: VerifyOptions,
): Promise<{ folder: TickFolder; inspected: InspectedFile[] }> {
  for (let attempt = 0; ; attempt++) {
    const folder = await readTickFolder(dir)
    const inspected = await inspectAll(folder, options)
    if ((await readManifest(dir))?.state === folder.state) return { folder, inspected }
    if (attempt === 2)
      throw new QuotebookError(
        'ARCHIVE_CHANGED',
        sentence`${dir} is being written to while it is verified; try again later`,
      )
  }
}

/**
 * Verifies a folder of tick files: an archive's against its manifest, or downloaded files `YYYYMMDD_aucde.parquet`.
 * Every row group is decoded in worker threads, so a damaged file ends only its thread. Without checksums, a changed
 * cell may go unnoticed; `checks` reports it.
 * @throws QuotebookError FILE if the folder does not exist or has no tick files, ARCHIVE for a damaged manifest,
 * ARCHIVE_CHANGED if the archive keeps changing; the signal's reason
 */
export async function verifyTicks(dir: string, options: VerifyOptions = {}): Promise<TickCheck> {
  const kinds = { days: 'an array', onProgress: 'a function', signal: 'an object', threads: 'any' } as const
  const { signal, days, threads } = checkOptions(options, kinds, 'verifyTicks')
  signal?.throwIfAborted()
  if (threads !== undefined && !(Number.isSafeInteger(threads) && threads > 0))
    throw new QuotebookError('INVALID_VALUE', sentence`threads must be a whole number of at least 1, not ${threads}`)
  const odd = days?.find((day) => writtenDate(day) === undefined)
  if (odd !== undefined) throw new QuotebookError('INVALID_VALUE', sentence`days must be dates YYYYMMDD, not '${odd}'`)
  const { folder, inspected } = await inspectStable(dir, options)
  const present = [...new Set(folder.files.map(({ day }) => day))].sort()
  const results = checkFolder(
    folder,
    inspected,
    await expectedDays(
      dir,
      present,
      days?.map((day) => writtenDate(day) ?? day),
    ),
  )
  const findings = findingsIn(results)
  signal?.throwIfAborted()
  const count = (severity: TickFinding['severity']): number =>
    findings.filter((one) => one.severity === severity).length
  return {
    dir,
    ok: count('fault') === 0,
    files: inspected.length,
    rows: inspected.reduce((sum, { report }) => sum + (report.rows ?? 0), 0),
    from: present[0],
    to: present.at(-1),
    faults: count('fault'),
    notes: count('note'),
    checks: summarizeChecks(results),
    table: findingsTable(findings),
  }
}
