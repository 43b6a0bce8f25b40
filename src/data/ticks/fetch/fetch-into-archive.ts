import { rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { calendarYears, tradingDays } from '../../../contract/calendar.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { type DirectoryLock, takeLock } from '../../archive/directory-lock.js'
import { makeFolder } from '../../archive/file-access.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import type { ArchiveStore } from '../../archive/store/archive-store.js'
import { type ArchivePlace, storeOf } from '../../archive/store/store-of.js'
import { ArchiveWriter } from '../../archive/writer.js'
import { type Clock, realClock } from '../../source/transport/clock.js'
import type { TickShare } from '../share/file-share.js'
import { checkDiskSpace } from './disk-space.js'
import { type FetchProgress, fetchFiles } from './fetch-files.js'
import { isToFetch, planFetch } from './fetch-plan.js'
import { RenewableShare } from './renewable-share.js'
import { removeStagingFolder, stagedBytes } from './staged-file.js'

/** What becomes of a year that is fetched, whatever it comes from. */
export interface FetchInto {
  readonly year: number
  /** Files at once, 1 to 16; 4. */
  readonly parallel?: number | undefined
  /** Called as bytes come and files are done. */
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
}

interface FetchOptions extends FetchInto {
  /** The share; asked again for a fresh one when it has ended. */
  readonly share: (signal: AbortSignal) => Promise<TickShare>
  /** The archive that the files go into; new, or with whatever datasets. */
  readonly dir: ArchivePlace
}

/** The result of downloading a year of ticks. */
export interface FetchResult {
  readonly dir: string
  readonly year: number
  /** Files that the share lists, all of which are in the archive now, and their bytes. */
  readonly files: number
  readonly bytes: number
  /** Files that came now, `replaced` among them. */
  readonly fetched: number
  /** Files that had changed. */
  readonly replaced: number
  /** Files that were there already. */
  readonly complete: number
  /** Days that are in the archive and not listed any more. They are kept. */
  readonly gone: readonly string[]
  /** First and last day listed. */
  readonly from: string
  readonly to: string
  /** Trading days from the first to the last day listed that have no file. */
  readonly missingDays: readonly string[]
  /** What a reader should know. */
  readonly notes: readonly Words[]
}

const mostParallel = 16
/** Milliseconds to wait for another fetch into an archive. One that was killed counts as gone after 10,000. */
const lockPatience = 12_000

function checkOptions({ parallel = 4 }: FetchOptions): void {
  if (Number.isInteger(parallel) && parallel >= 1 && parallel <= mostParallel) return
  throw new QuotebookError(
    'USAGE',
    sentence`parallel must be a whole number from 1 to ${mostParallel}, not ${parallel}`,
  )
}

/** What an archive has of a year, as far as the files are on the disk in their length. */
async function entriesOf(store: ArchiveStore, year: number): Promise<readonly TickEntry[]> {
  const ticks = ((await store.read())?.manifest.ticks ?? []).filter(({ day }) => day.startsWith(`${year}`))
  const { dir } = store
  if (dir === undefined) return ticks
  const entries: TickEntry[] = []
  for (const entry of ticks) {
    const about = await stat(join(dir, entry.file)).catch(() => undefined)
    if (about?.size === entry.bytes) entries.push(entry)
  }
  return entries
}

function missingDays(days: readonly string[], year: number): string[] {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last || year < calendarYears[0] || year > calendarYears[1]) return []
  const listed = new Set(days)
  return tradingDays(first, last).filter((day) => !listed.has(day))
}

function notesOf(others: number, year: number, gone: readonly string[]): Words[] {
  const notes: Words[] = []
  if (others > 0)
    notes.push(
      others === 1
        ? sentence`1 file of other years is in the share, and left there`
        : sentence`${others} files of other years are in the share, and left there`,
    )
  if (gone.length > 0) {
    const some = gone.length > 5 ? `${gone.slice(0, 5).join(', ')} …` : gone.join(', ')
    notes.push(
      gone.length === 1
        ? sentence`1 file of ${year} in the archive is not listed any more, and kept: ${some}`
        : sentence`${gone.length} files of ${year} in the archive are not listed any more, and kept: ${some}`,
    )
  }
  return notes
}

/** Asks the directory whether it can be an archive, before anything is fetched. */
async function checkArchive(store: ArchiveStore, signal: AbortSignal | undefined): Promise<void> {
  await (await ArchiveWriter.open(store, undefined, undefined, signal)).abort()
}

async function lockFetching({ dir, signal }: FetchOptions): Promise<DirectoryLock> {
  const { name, workFolder } = storeOf(dir)
  const lock = await takeLock(join(workFolder, '.fetch.lock'), lockPatience, signal)
  if (lock) return lock
  throw new QuotebookError(
    'ARCHIVE_BUSY',
    sentence`tick files are being fetched into ${name} by another process; try again later`,
  )
}

async function fetchInto(options: FetchOptions, lock: DirectoryLock): Promise<FetchResult> {
  const { year, parallel = 4, clock = realClock, onProgress } = options
  const store = storeOf(options.dir)
  const { workFolder: dir } = store
  const signal = options.signal ?? new AbortController().signal
  const share = new RenewableShare(() => options.share(signal))
  const all = await share.use((one) => one.list(signal))
  const listing = all.filter(({ day }) => day.startsWith(`${year}`))
  if (listing.length === 0) {
    const name = await share.use(async (one) => one.name)
    throw new QuotebookError('FILE', sentence`${name} has no auction ticks of ${year}`)
  }
  const entries = await entriesOf(store, year)
  const plan = planFetch(listing, entries)
  const toFetch = plan.filter(isToFetch).map(({ listed }) => listed)
  const needed = toFetch.reduce((all, { size = 0 }) => all + size, 0)
  await checkDiskSpace(dir, needed - (await stagedBytes(dir, new Set(toFetch.map(({ day }) => day)))))
  const job = { store, dir, year, parallel, clock, signal, share, lock, onProgress }
  const { fetched, changed } = await fetchFiles(job, plan)
  await removeStagingFolder(dir)
  const now = new Map((await entriesOf(store, year)).map((entry) => [entry.day, entry]))
  const days = listing.map(({ day }) => day)
  const gone = entries.flatMap(({ day }) => (days.includes(day) ? [] : [day]))
  const replaced = plan.filter(({ state }) => state === 'changed').length + changed
  return {
    dir: store.name,
    year,
    files: listing.length,
    bytes: days.reduce((bytes, day) => bytes + (now.get(day)?.bytes ?? 0), 0),
    fetched,
    replaced,
    complete: listing.length - toFetch.length - changed,
    gone,
    from: days[0] as string,
    to: days.at(-1) as string,
    missingDays: missingDays(days, year),
    notes: notesOf(all.length - listing.length, year, gone),
  }
}

/**
 * Brings the tick files of a year from a share into an archive: those that are missing or have changed, each proven before
 * the manifest names it. What is broken off, killed even, is gone on with by the next run; after a whole run nothing is left
 * to fetch.
 * @throws QuotebookError FILE for a share without files of the year, too little room, and for files that could not be
 * fetched, after all others are in their place; with the code of what failed where that is one (UNREACHABLE, CUT_OFF, …);
 * ARCHIVE for a directory that holds something else; ARCHIVE_BUSY while another fetch is under way; the signal's reason
 */
export async function fetchIntoArchive(options: FetchOptions): Promise<FetchResult> {
  checkOptions(options)
  options.signal?.throwIfAborted()
  const store = storeOf(options.dir)
  const { workFolder: dir } = store
  const made = await makeFolder(dir)
  try {
    await checkArchive(store, options.signal)
    const lock = await lockFetching(options)
    try {
      return await fetchInto(options, lock)
    } finally {
      await lock.release()
    }
  } finally {
    if (made) await rmdir(dir).catch(() => undefined)
  }
}
