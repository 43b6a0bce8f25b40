import { setMaxListeners } from 'node:events'
import type { DirectoryLock } from '../../archive/directory-lock.js'
import type { TickEntry } from '../../archive/manifest.js'
import { type ErrorCode, messageOf, QuotebookError } from '../../contract/error.js'
import { SourceError } from '../../source/source-error.js'
import type { Clock } from '../../source/transport/clock.js'
import { semaphore } from '../semaphore.js'
import type { ListedFile } from '../share/tick-share.js'
import { commitQueue } from './commit-queue.js'
import { DiskSpaceError, isDiskFull, sizeText } from './disk-space.js'
import { closeBody, downloadFile } from './download-file.js'
import { type FetchPlan, isSameFile } from './fetch-plan.js'
import { startHasher } from './file-hasher.js'
import type { RenewableShare } from './renewable-share.js'
import { removeStaged } from './staged-file.js'

/** A file that is on its way. */
export interface FileProgress {
  readonly day: string
  /** Bytes that are there, and those of the whole where they are known. */
  readonly length: number
  readonly size: number | undefined
}

/** How far the fetching of a year is. */
export interface FetchProgress {
  /** Files to fetch, and those that are in the archive. */
  readonly files: number
  readonly done: number
  /** Bytes of the files to fetch; 0 while none is known. Those that are not yet known are taken for as large as the others. */
  readonly bytes: number
  readonly isExact: boolean
  /** Bytes of them that are there. */
  readonly bytesDone: number
  /** Bytes that came over in this run. */
  readonly received: number
  readonly active: readonly FileProgress[]
}

interface FetchJob {
  readonly dir: string
  readonly year: number
  readonly parallel: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly share: RenewableShare
  /** The lock of this fetch. */
  readonly held: DirectoryLock
  readonly onProgress: ((progress: FetchProgress) => void) | undefined
}

interface FetchCounts {
  readonly fetched: number
  /** Of those that the listing left unsure. */
  readonly changed: number
}

function isPassing(error: unknown): boolean {
  return error instanceof SourceError && error.retryable
}

/** The system refuses to write: what holds for one file holds for all. */
function isOfDisk(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['EACCES', 'EPERM', 'EROFS', 'EIO', 'EXDEV'].includes(code)
}

/** Files in a row that broke off until it is taken for the share's fault, however few come at once. */
const fewest = 3

/** Asks for the last byte of a file that the listing tells nothing of, whether it is still that of the archive. */
async function isStill(entry: TickEntry, { share, signal }: FetchJob): Promise<boolean> {
  const { day, bytes, etag } = entry
  const options = etag === undefined ? { signal } : { from: bytes - 1, etag, signal }
  const opened = await share.use((one) => one.open(day, options))
  await closeBody(opened)
  const { from, size, modified } = opened
  const told = {
    ...(size === undefined ? {} : { size }),
    ...(opened.etag === undefined ? {} : { etag: opened.etag }),
    ...(modified === undefined ? {} : { modified }),
  }
  if (from > 0) return size === bytes && isSameFile(told, entry) !== false
  // A size alone is what two files may share.
  return opened.etag === undefined && modified === undefined ? false : isSameFile(told, entry) === true
}

/** Tells how far it is, out of what each file tells. */
function meter(files: readonly ListedFile[], onProgress: FetchJob['onProgress']) {
  const coming = new Map<string, FileProgress>()
  let [count, done, here, received] = [files.length, 0, 0, 0]
  const sizes = new Map<string, number>()
  let known = 0
  const resize = (day: string, size: number | undefined): void => {
    if (size === undefined) return
    known += size - (sizes.get(day) ?? 0)
    sizes.set(day, size)
  }
  const all = (): number => (sizes.size === 0 ? 0 : Math.round((known * count) / sizes.size))
  const tell = (): void => {
    const isExact = sizes.size === count
    onProgress?.({
      files: count,
      done,
      bytes: all(),
      isExact,
      bytesDone: here,
      received,
      active: [...coming.values()].filter(({ length, size }) => length !== size),
    })
  }
  for (const { day, size } of files) resize(day, size)
  return {
    tell,
    add({ day, size }: ListedFile): void {
      count++
      resize(day, size)
      tell()
    },
    length(day: string, length: number, size: number | undefined): void {
      const before = coming.get(day)
      if (before && length > before.length) received += length - before.length
      here += length - (before?.length ?? 0)
      resize(day, size)
      coming.set(day, { day, length, size })
      tell()
    },
    done(day: string): void {
      coming.delete(day)
      done++
      tell()
    },
    failed(day: string): void {
      here -= coming.get(day)?.length ?? 0
      coming.delete(day)
      tell()
    },
    missing: (): number => Math.max(0, all() - here),
  }
}

/**
 * Fetches what a plan wants, several files at once, and puts each into the archive. One that fails does not stop the
 * others, unless it shows that they would fail too.
 * @throws one error for all that failed, when everything else is in its place; the signal's reason
 */
export async function fetchFiles(
  bringing: FetchJob,
  wanted: FetchPlan,
  entries: readonly TickEntry[],
): Promise<FetchCounts> {
  const { dir, year, parallel, clock, share, held, onProgress } = bringing
  const known = new Map(entries.map((entry) => [entry.day, entry]))
  const first = [...wanted.missing, ...wanted.changed].sort((one, other) => (one.day < other.day ? -1 : 1))
  const queue = [...wanted.unsure, ...first]
  const asking = new Set(wanted.unsure.map(({ day }) => day))
  const stop = new AbortController()
  const signal = AbortSignal.any([bringing.signal, stop.signal])
  // Every file on its way listens to it, and there may be more than ten.
  setMaxListeners(0, signal)
  const commits = commitQueue(dir, clock, bringing.signal)
  const hasher = startHasher()
  const road = semaphore(parallel)
  const progress = meter(first, onProgress)
  const failed: FailedDay[] = []
  const putting: Promise<void>[] = []
  let [fetched, changed, inARow] = [0, 0, 0]
  let stopped: unknown

  /** Nothing more is begun. */
  function end(error: unknown): void {
    stopped ??= error
    queue.length = 0
    road.close(error)
  }

  /** Who took the lock may be writing the same parts. */
  function checkHeld(): void {
    if (!held.lost) return
    throw new QuotebookError('ARCHIVE_BUSY', `the lock of ${dir} was lost: another fetch has begun`)
  }

  async function bring(listed: ListedFile): Promise<void> {
    const { day } = listed
    if (asking.has(day)) {
      const entry = known.get(day) as TickEntry
      if (await road.run(() => isStill(entry, { ...bringing, signal }))) return
      progress.add(listed)
      changed++
    }
    const onLength = (length: number, size: number | undefined): void => {
      checkHeld()
      progress.length(day, length, size)
    }
    const arrived = await downloadFile(listed, { dir, share, hasher, lanes: road, clock, signal, onLength })
    checkHeld()
    inARow = 0
    const put = commits.add(arrived).then(
      () => {
        fetched++
        progress.done(day)
      },
      (error: unknown) => fail(day, error, true),
    )
    putting.push(put)
  }

  /** What shows that nothing more will come, or that it could not be kept. */
  function isEnd(error: unknown): boolean {
    if (share.spent || held.lost || error instanceof DiskSpaceError || isOfDisk(error)) return true
    if (isPassing(error)) inARow++
    const code = error instanceof QuotebookError ? error.code : undefined
    return (
      code === 'UNREACHABLE' || code === 'ARCHIVE' || code === 'ARCHIVE_BUSY' || inARow >= Math.max(fewest, parallel)
    )
  }

  async function fail(day: string, error: unknown, isOfArchive = false): Promise<void> {
    progress.failed(day)
    if (signal.aborted) return
    if (isDiskFull(error)) {
      await removeStaged(dir, day)
      end(diskFull(dir, progress.missing(), error))
      stop.abort(error)
    } else if (isOfArchive || isEnd(error)) end(error)
    else failed.push({ day, error })
  }

  async function work(): Promise<void> {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      try {
        await bring(next)
      } catch (error) {
        await fail(next.day, error)
      }
    }
  }

  progress.tell()
  try {
    // While some are proven others come.
    await Promise.all(Array.from({ length: parallel * 2 }, work))
    commits.flush()
    await Promise.all(putting)
  } finally {
    await hasher.close()
  }
  bringing.signal.throwIfAborted()
  const asked = first.length + changed
  if (stopped !== undefined) throw fetchStopped(year, stopped, fetched, asked)
  if (failed.length > 0) throw daysFailed(year, failed, asked)
  return { fetched, changed }
}

/** A day that could not be fetched, and why. */
interface FailedDay {
  readonly day: string
  readonly error: unknown
}

/** Days that are told one by one. */
const told = 5

function codeOf(error: unknown): ErrorCode {
  return error instanceof QuotebookError ? error.code : 'FILE'
}

/** One error for all that could not be fetched. @param asked files that were to be fetched */
function daysFailed(year: number, failed: readonly FailedDay[], asked: number): QuotebookError {
  const days = [...failed].sort((one, other) => (one.day < other.day ? -1 : 1))
  const codes = new Set(days.map(({ error }) => codeOf(error)))
  const lines = days.slice(0, told).map(({ day, error }) => `${day}: ${messageOf(error)}`)
  const more =
    days.length > told
      ? `; and ${days.length - told} more: ${days
          .slice(told)
          .map(({ day }) => day)
          .join(', ')}`
      : ''
  const message = `${days.length} of ${asked} files of ${year} could not be fetched: ${lines.join('; ')}${more}`
  return new QuotebookError(codes.size === 1 ? codeOf(days[0]?.error) : 'FILE', message, { cause: days[0]?.error })
}

/** Why nothing more is fetched, after what was fetched is in its place. */
function fetchStopped(year: number, error: unknown, fetched: number, asked: number): QuotebookError {
  const message = `${messageOf(error)}; ${fetched} of ${asked} files of ${year} were fetched, and the next run goes on from there`
  return new QuotebookError(codeOf(error), message, { cause: error })
}

/** The disk had no more room in the middle. */
function diskFull(dir: string, missing: number, cause: unknown): QuotebookError {
  const rest = missing > 0 ? ` about ${sizeText(missing)} are still to come;` : ''
  return new QuotebookError('FILE', `${dir}: the disk is full;${rest} make room, or choose another disk`, { cause })
}
