import { setMaxListeners } from 'node:events'
import { type ErrorCode, isDiskFull, messageOf, QuotebookError } from '../../../contract/error.js'
import { listOf, sentence } from '../../../contract/sentence.js'
import { schemaLine } from '../../../frame/table/parquet-file/footer.js'
import { type Semaphore, semaphore } from '../../../threads/semaphore.js'
import { AnswerWriter } from '../../archive/coverage/answer-writer.js'
import type { DirectoryLock } from '../../archive/directory-lock.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import type { ArchiveStore } from '../../archive/store/archive-store.js'
import type { ArchiveWriter } from '../../archive/writer.js'
import { SourceError } from '../../source/source-error.js'
import type { Clock } from '../../source/transport/clock.js'
import type { ListedFile } from '../share/file-share.js'
import { DiskSpaceError, sizeText } from './disk-space.js'
import { closeBody, type DownloadedFile, downloadFile } from './download-file.js'
import { isSameFile, isToFetch, type PlannedFile } from './fetch-plan.js'
import type { RenewableShare } from './renewable-share.js'
import { removeStaged, removeStagedNote } from './staged-file.js'

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
  readonly store: ArchiveStore
  /** Where files lie that are under way. */
  readonly dir: string
  readonly year: number
  readonly parallel: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly share: RenewableShare
  /** The lock of this fetch. */
  readonly lock: DirectoryLock
  readonly onProgress: ((progress: FetchProgress) => void) | undefined
}

interface FetchCounts {
  readonly fetched: number
  /** Of those that the listing left unsure. */
  readonly changed: number
}

/** The system refuses to write: what holds for one file holds for all. */
function isOfDisk(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['EACCES', 'EPERM', 'EROFS', 'EIO', 'EXDEV'].includes(code)
}

/** Milliseconds from one commit to the next: each writes the whole manifest. What waits is safe where it is. */
const commitPause = 500
/** Milliseconds that another writer of the archive is waited for. */
const writerPatience = 120_000

function entryOf({ listed, identity, sha256, footer }: DownloadedFile): Omit<TickEntry, 'file'> {
  // The listing's own words are what the next listing is compared with.
  const [etag, modified] = [listed.etag ?? identity.etag, listed.modified ?? identity.modified]
  const optional = Object.entries({ from: footer.from, to: footer.to, etag, modified })
  return {
    day: listed.day,
    rows: footer.rows,
    bytes: footer.bytes,
    sha256,
    schema: schemaLine(footer),
    rowGroups: footer.rowGroups.length,
    ...Object.fromEntries(optional.filter(([, text]) => text !== undefined)),
  }
}

/** Files in a row that broke off until it is taken for the share's fault, however few come at once. */
const fewest = 3

/** Asks for the last byte of a file that the listing says nothing of, to see whether it is still that of the archive. */
async function isUnchanged(entry: TickEntry, share: RenewableShare, signal: AbortSignal): Promise<boolean> {
  const { day, bytes, etag } = entry
  const options = etag === undefined ? { signal } : { from: bytes - 1, etag, signal }
  const opened = await share.use((one) => one.open(day, options))
  await closeBody(opened)
  if (opened.from > 0) return opened.size === bytes && isSameFile(opened, entry) !== false
  // A size alone is what two files may share.
  return (opened.etag !== undefined || opened.modified !== undefined) && isSameFile(opened, entry) === true
}

/** What is known of a file to fetch. */
interface FileState {
  /** Bytes of the whole. */
  readonly size: number | undefined
  readonly length: number
  readonly state: 'waiting' | 'active' | 'done'
}

/** Adds up the progress of the files. */
class ProgressMeter {
  readonly #onProgress: FetchJob['onProgress']
  readonly #files = new Map<string, FileState>()
  #received = 0

  constructor(files: readonly ListedFile[], onProgress: FetchJob['onProgress']) {
    this.#onProgress = onProgress
    this.add(...files)
  }

  add(...files: readonly ListedFile[]): void {
    for (const { day, size } of files) this.#files.set(day, { size, length: 0, state: 'waiting' })
    this.#report()
  }

  set(day: string, state: FileState['state'], length?: number, size?: number): void {
    const file = this.#files.get(day)
    if (!file) return
    // The first length is what an earlier run has left.
    if (file.state === 'active' && length !== undefined) this.#received += Math.max(0, length - file.length)
    this.#files.set(day, { size: size ?? file.size, length: length ?? file.length, state })
    this.#report()
  }

  /** Bytes that are still to come, about. */
  missing(): number {
    const { bytes, bytesDone } = this.#sums()
    return Math.max(0, bytes - bytesDone)
  }

  #sums(): Pick<FetchProgress, 'bytes' | 'isExact' | 'bytesDone'> {
    const files = [...this.#files.values()]
    const known = files.filter(({ size }) => size !== undefined)
    const sum = known.reduce((all, { size = 0 }) => all + size, 0)
    return {
      bytes: Math.round((sum * files.length) / (known.length || 1)),
      isExact: known.length === files.length,
      bytesDone: files.reduce((all, { length }) => all + length, 0),
    }
  }

  #report(): void {
    const files = [...this.#files]
    this.#onProgress?.({
      files: files.length,
      done: files.filter(([, { state }]) => state === 'done').length,
      ...this.#sums(),
      received: this.#received,
      active: files.flatMap(([day, { length, size, state }]) =>
        state === 'active' && length !== size ? [{ day, length, size }] : [],
      ),
    })
  }
}

/** Fetches files several at once. One that fails does not stop the others, unless it shows that they would fail too. */
class FilesFetch {
  readonly #job: FetchJob
  readonly #queue: PlannedFile[]
  /** Files to fetch, as far as is known. */
  #total: number
  readonly #abort = new AbortController()
  readonly #signal: AbortSignal
  readonly #writer: AnswerWriter
  /** Files that the next commit takes. */
  #arrived: DownloadedFile[] = []
  #committing: Promise<void> | undefined
  /** Aborted when nothing more will come: what waits for company goes. */
  readonly #ending = new AbortController()
  readonly #connections: Semaphore
  readonly #progress: ProgressMeter
  readonly #failed: FailedDay[] = []
  #fetched = 0
  #changed = 0
  #brokenInARow = 0
  #isDiskFull = false
  #stopped: unknown

  constructor(job: FetchJob, plan: readonly PlannedFile[]) {
    this.#job = job
    const toFetch = plan.filter(isToFetch)
    this.#queue = [...plan.filter(({ state }) => state === 'unsure'), ...toFetch]
    this.#total = toFetch.length
    this.#signal = AbortSignal.any([job.signal, this.#abort.signal])
    // Every file on its way listens to it, and there may be more than ten.
    setMaxListeners(0, this.#signal)
    this.#writer = new AnswerWriter(job.store, { waitMs: writerPatience, signal: job.signal })
    this.#connections = semaphore(job.parallel)
    this.#progress = new ProgressMeter(
      toFetch.map(({ listed }) => listed),
      job.onProgress,
    )
  }

  async run(): Promise<FetchCounts> {
    const { year, parallel, signal } = this.#job
    // While some are proven others come.
    await Promise.all(Array.from({ length: parallel * 2 }, () => this.#work()))
    this.#ending.abort()
    await this.#committing
    signal.throwIfAborted()
    if (this.#stopped !== undefined) throw fetchStopped(year, this.#stopped, this.#fetched, this.#total)
    if (this.#failed.length > 0) throw daysFailed(year, this.#failed, this.#total)
    return { fetched: this.#fetched, changed: this.#changed }
  }

  async #work(): Promise<void> {
    for (let next = this.#queue.shift(); next && !this.#signal.aborted; next = this.#queue.shift()) {
      try {
        await this.#fetchFile(next)
      } catch (error) {
        await this.#fail(next.listed.day, error)
      }
    }
  }

  async #fetchFile({ listed, entry, state }: PlannedFile): Promise<void> {
    const { dir, share, clock } = this.#job
    const { day } = listed
    const [connections, signal] = [this.#connections, this.#signal]
    if (entry && state === 'unsure') {
      if (await connections.run(() => isUnchanged(entry, share, signal))) return
      this.#progress.add(listed)
      this.#changed++
      this.#total++
    }
    const onLength = (length: number, size: number | undefined): void => {
      this.#checkLock()
      this.#progress.set(day, 'active', length, size)
    }
    const file = await downloadFile(listed, { dir, share, connections, clock, signal, onLength })
    this.#checkLock()
    this.#brokenInARow = 0
    this.#arrived.push(file)
    this.#committing ??= this.#commitArrived()
  }

  /** All files that came while one commit ran go into the next. */
  async #commitArrived(): Promise<void> {
    const { dir, clock, signal } = this.#job
    const ending = AbortSignal.any([signal, this.#ending.signal])
    while (this.#arrived.length > 0) {
      const batch = this.#arrived.splice(0)
      const put = async (writer: ArchiveWriter): Promise<void> => {
        for (const file of batch) await writer.adoptTicks(entryOf(file), file.path)
      }
      try {
        await this.#writer.put(put)
        for (const { listed } of batch) {
          await removeStagedNote(dir, listed.day)
          this.#fetched++
          this.#progress.set(listed.day, 'done')
        }
      } catch (error) {
        for (const { listed } of batch) await this.#fail(listed.day, error, true)
      }
      if (!ending.aborted) await clock.sleep(commitPause, ending).catch(() => undefined)
    }
    this.#committing = undefined
  }

  async #fail(day: string, error: unknown, isOfArchive = false): Promise<void> {
    this.#progress.set(day, 'waiting', 0)
    const { dir } = this.#job
    if (!this.#signal.aborted && isDiskFull(error)) {
      this.#isDiskFull = true
      this.#stop(diskFull(dir, this.#progress.missing(), error))
      this.#abort.abort(error)
    }
    // What has come whole needs room for the manifest.
    if (this.#isDiskFull) await removeStaged(dir, day)
    if (this.#signal.aborted) return
    if (isOfArchive || this.#endsAll(error)) this.#stop(error)
    else this.#failed.push({ day, error })
  }

  /** Nothing more is begun. */
  #stop(error: unknown): void {
    this.#stopped ??= error
    this.#queue.length = 0
    this.#connections.close(error)
  }

  /** Whether an error shows that nothing more will come, or that it could not be kept. */
  #endsAll(error: unknown): boolean {
    const { share, lock, parallel } = this.#job
    if (share.spent || lock.lost || error instanceof DiskSpaceError || isOfDisk(error)) return true
    if (error instanceof SourceError && error.retryable) this.#brokenInARow++
    const code = error instanceof QuotebookError ? error.code : ''
    return ['UNREACHABLE', 'ARCHIVE', 'ARCHIVE_BUSY'].includes(code) || this.#brokenInARow >= Math.max(fewest, parallel)
  }

  /** Who took the lock may be writing the same parts. */
  #checkLock(): void {
    const { lock, dir } = this.#job
    if (lock.lost)
      throw new QuotebookError('ARCHIVE_BUSY', sentence`the lock of ${dir} was lost: another fetch has begun`)
  }
}

/**
 * Fetches what a plan says, several files at once, and puts each into the archive. One that fails does not stop the
 * others, unless it shows that they would fail too.
 * @throws one error for all that failed, when everything else is in its place; the signal's reason
 */
export function fetchFiles(job: FetchJob, plan: readonly PlannedFile[]): Promise<FetchCounts> {
  return new FilesFetch(job, plan).run()
}

/** A day that could not be fetched, and why. */
interface FailedDay {
  readonly day: string
  readonly error: unknown
}

/** Days that a message names with their reasons. */
const mostReasons = 5

function codeOf(error: unknown): ErrorCode {
  return error instanceof QuotebookError ? error.code : 'FILE'
}

/** One error for all that could not be fetched. @param total files that were to be fetched */
function daysFailed(year: number, failed: readonly FailedDay[], total: number): QuotebookError {
  const days = [...failed].sort((one, other) => (one.day < other.day ? -1 : 1))
  const codes = new Set(days.map(({ error }) => codeOf(error)))
  const lines = days.slice(0, mostReasons).map(({ day, error }) => sentence`${day}: ${messageOf(error)}`)
  const rest = days.slice(mostReasons).map(({ day }) => day)
  const more = rest.length > 0 ? sentence`; and ${rest.length} more: ${rest.join(', ')}` : ''
  const message = sentence`${days.length} of ${total} files of ${year} could not be fetched: ${listOf(lines)}${more}`
  return new QuotebookError(codes.size === 1 ? codeOf(days[0]?.error) : 'FILE', message, { cause: days[0]?.error })
}

/** Why nothing more is fetched, after what was fetched is in its place. */
function fetchStopped(year: number, error: unknown, fetched: number, total: number): QuotebookError {
  const message = sentence`${messageOf(error)}; ${fetched} of ${total} files of ${year} were fetched, and the next run goes on from there`
  return new QuotebookError(codeOf(error), message, { cause: error })
}

/** The disk had no more room in the middle. */
function diskFull(dir: string, missing: number, cause: unknown): QuotebookError {
  const rest = missing > 0 ? sentence` about ${sizeText(missing)} are still to come;` : ''
  return new QuotebookError('FILE', sentence`${dir}: the disk is full;${rest} make room, or choose another disk`, {
    cause,
  })
}
