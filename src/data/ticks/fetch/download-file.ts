import { webcrypto } from 'node:crypto'
import { type FileHandle, readFile } from 'node:fs/promises'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { type Footer, footerOf } from '../../../frame/table/parquet-file/footer.js'
import { usualLimits } from '../../../frame/table/parquet-file/limits.js'
import type { Semaphore } from '../../../threads/semaphore.js'
import { SourceError } from '../../source/source-error.js'
import { type Clock, waitAfter } from '../../source/transport/clock.js'
import { fileRanges } from '../read/file-ranges.js'
import type { ListedFile, OpenedFile } from '../share/file-share.js'
import { checkDiskSpace } from './disk-space.js'
import { sha256InTag } from './fetch-plan.js'
import type { RenewableShare } from './renewable-share.js'
import {
  canResume,
  createStaged,
  removeStaged,
  reopenStaged,
  type StagedFile,
  type StagedIdentity,
} from './staged-file.js'

/** A file that is whole, proven and on the disk, under its name in the stage. */
export interface DownloadedFile {
  readonly listed: ListedFile
  readonly path: string
  readonly identity: StagedIdentity
  readonly sha256: string
  readonly footer: Footer
}

interface DownloadOptions {
  /** The archive. */
  readonly dir: string
  readonly share: RenewableShare
  /** Bounds the files that come at once; proving them does not count. */
  readonly connections: Semaphore
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called with the bytes of the file that are there, and those of the whole where they are known. */
  readonly onLength: (length: number, size: number | undefined) => void
}

/** Attempts in a row that bring fewer bytes than are enough, after which the file is given up. */
const [mostFruitless, enoughBytes] = [8, 2 ** 16]
/** Milliseconds within which enough bytes must come, or the rest of the file; nor is one waited for longer. */
const stallMs = 180_000
/** Milliseconds between attempts: the first at most twice the one, all at most the other. */
const [backoffBase, backoffCap] = [250, 10_000]
/** How often a file is begun anew because another came, or what came was not it. */
const mostRestarts = 3

/** Bytes of a file whose size nobody tells: of more none is read. */
const mostUntold = usualLimits.bytes

/** What came is another file, or none: all of it is fetched again. */
class WrongFileError extends QuotebookError {
  /** More came than there may be: it is not asked for again. */
  readonly isTooLong: boolean
  constructor(message: Words, { cause, isTooLong = false }: { cause?: unknown; isTooLong?: boolean } = {}) {
    super('FILE', message, cause === undefined ? undefined : { cause })
    this.isTooLong = isTooLong
  }
}

/** Closes a body that nobody reads. */
export async function closeBody({ body }: OpenedFile): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}

/** Whether a share goes on with what is staged, from the byte that it was asked for. */
function continues({ from, size, etag }: OpenedFile, { identity }: StagedFile, offset: number): boolean {
  const isSameTag = etag === undefined || identity.etag === undefined || etag === identity.etag
  return from === offset && size === identity.size && isSameTag
}

/** sha256 in hex, computed in the system's threads while other files come. */
async function hashFile(path: string): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', await readFile(path))).toString('hex')
}

/** The file is what was said of it, and Parquet of its day; then it is on the disk. */
async function prove(staged: StagedFile, listed: ListedFile): Promise<DownloadedFile> {
  const { identity, handle, path } = staged
  const [sha256] = await Promise.all([hashFile(path), handle.datasync()])
  const wanted = sha256InTag(identity.etag) ?? sha256InTag(listed.etag)
  if (wanted !== undefined && wanted !== sha256) {
    throw new WrongFileError(sentence`the file of ${listed.day} is not what its share says: its sha256 is another`)
  }
  const isListed = listed.etag !== undefined && listed.etag === identity.etag && listed.size !== undefined
  if (isListed && listed.size !== staged.length)
    throw new WrongFileError(
      sentence`the file of ${listed.day} has ${staged.length} bytes, and is listed with ${listed.size}`,
    )
  const footer = await checkTickFile(handle, listed.day).catch((error: unknown) => {
    throw error instanceof QuotebookError ? new WrongFileError(messageOf(error), { cause: error }) : error
  })
  await handle.close()
  return { listed, path, identity, sha256, footer }
}

class FileDownload {
  readonly #listed: ListedFile
  readonly #day: string
  readonly #options: DownloadOptions
  #staged: StagedFile | undefined

  constructor(listed: ListedFile, options: DownloadOptions) {
    this.#listed = listed
    this.#day = listed.day
    this.#options = options
  }

  async run(): Promise<DownloadedFile> {
    const { dir, clock, signal, connections } = this.#options
    this.#staged = await reopenStaged(dir, this.#day, signal)
    let [fruitless, restarts, began] = [0, 0, 0]
    const attempt = (): Promise<StagedFile> => {
      began = clock.now()
      return this.#receive()
    }
    try {
      for (;;) {
        const before = this.#staged?.length ?? 0
        try {
          return await prove(await connections.run(attempt), this.#listed)
        } catch (error) {
          signal.throwIfAborted()
          const isWrong = error instanceof WrongFileError
          if (isWrong) await this.#drop()
          if (isWrong && error.isTooLong) throw error
          if (isWrong) restarts++
          else if (!(error instanceof SourceError && error.retryable)) throw error
          const came = (this.#staged?.length ?? 0) - before
          fruitless = came >= enoughBytes ? 0 : fruitless + 1
          const retryAfter = error instanceof SourceError ? (error.retryAfter ?? 0) : 0
          const took = isWrong || fruitless === 0 ? 0 : clock.now() - began
          if (fruitless > mostFruitless || restarts > mostRestarts || took + retryAfter > stallMs) throw error
          const backoff = waitAfter(fruitless, backoffBase, backoffCap)
          await clock.sleep(Math.max(retryAfter, clock.chance() * backoff), signal)
        }
      }
    } catch (error) {
      await this.#close()
      throw error
    }
  }

  async #receive(): Promise<StagedFile> {
    const { etag, size } = this.#listed
    // Listings write tags in ways of their own: only the size shows that the part is of another file.
    const known = this.#staged?.identity.size
    if (size !== undefined && known !== undefined && size !== known) await this.#drop()
    const staged = this.#staged
    if (staged && staged.length === staged.identity.size) {
      const opened = etag !== undefined && staged.identity.etag === etag ? undefined : await this.#open()
      if (opened?.from === 0) return this.#take(opened)
      if (opened) await closeBody(opened)
      this.#options.onLength(staged.length, staged.length)
      return staged
    }
    return this.#take(await this.#open())
  }

  /** Asks for what is missing; of a part that may be the whole for its last byte, which proves it. */
  async #open(): Promise<OpenedFile> {
    const { share, signal } = this.#options
    const staged = this.#staged
    const { size, etag, strongModified } = staged?.identity ?? {}
    const from = staged && canResume(staged.identity) ? staged.length - (staged.length === size ? 1 : 0) : 0
    const options = from > 0 ? { from, etag, strongModified, signal } : { signal }
    const opened = await share.use((one) => one.open(this.#day, options))
    if (opened.from === 0 || (staged && continues(opened, staged, from))) return opened
    await closeBody(opened)
    throw new WrongFileError(sentence`the file of ${this.#day} has changed while it was fetched`)
  }

  async #take(opened: OpenedFile): Promise<StagedFile> {
    const { share, onLength, clock } = this.#options
    const into = opened.from === 0 ? await this.#begin(opened) : (this.#staged as StagedFile)
    const most = this.#listed.size ?? opened.size ?? mostUntold
    let mark = { length: into.length, at: clock.now() }
    onLength(into.length, opened.size)
    await writeStream(opened.body, into, () => {
      if (into.length > most) throw this.#tooLong(most)
      share.progress()
      const at = clock.now()
      const bytes = into.length - mark.length
      if (bytes >= enoughBytes) mark = { length: into.length, at }
      else if (at - mark.at > stallMs) {
        const seconds = Math.round((at - mark.at) / 1000)
        throw new SourceError('TIMEOUT', sentence`the file of ${this.#day}: ${bytes} bytes came in ${seconds} s`, {
          retryable: true,
        })
      }
      onLength(into.length, opened.size)
    })
    if (opened.size === undefined || into.length === opened.size) return into
    const message = sentence`the file of ${this.#day} ended after ${into.length} of ${opened.size} bytes`
    throw new SourceError('CUT_OFF', message, { retryable: true })
  }

  #tooLong(most: number): WrongFileError {
    const [day, size] = [this.#day, this.#listed.size]
    const message =
      size === undefined
        ? sentence`the file of ${day}: its share sends more than the ${most} bytes that it may have`
        : sentence`the file of ${day} is listed with ${size} bytes, and its share sends more; run it again if the file has grown since`
    return new WrongFileError(message, { isTooLong: true })
  }

  async #begin(opened: OpenedFile): Promise<StagedFile> {
    const { dir } = this.#options
    const { size, etag, modified, strongModified } = opened
    await this.#close()
    try {
      if (size !== undefined && size > (this.#listed.size ?? size)) throw this.#tooLong(size)
      // Of a size that no listing has, the disk was not asked yet.
      if (this.#listed.size === undefined && size !== undefined) await checkDiskSpace(dir, size)
    } catch (error) {
      await closeBody(opened)
      throw error
    }
    this.#staged = await createStaged(dir, this.#day, { size, etag, modified, strongModified })
    return this.#staged
  }

  /** What is there of the file stays. */
  async #close(): Promise<void> {
    const staged = this.#staged
    this.#staged = undefined
    await staged?.handle.close().catch(() => undefined)
  }

  async #drop(): Promise<void> {
    await this.#close()
    await removeStaged(this.#options.dir, this.#day)
    this.#options.onLength(0, this.#listed.size)
  }
}

/**
 * Brings the file of a day into the staging folder: goes on with what an earlier run has left, where the share proves that it
 * is of the same file; tries again after what passes. What is left when it fails can be gone on with, unless it was wrong.
 * @throws ShareEndedError for a share that has ended; SourceError for what does not pass; QuotebookError FILE for what is not
 * the file; the system's error of the disk; the signal's reason
 */
export function downloadFile(listed: ListedFile, options: DownloadOptions): Promise<DownloadedFile> {
  return new FileDownload(listed, options).run()
}

/** Whether a file begins as a web page does. */
async function isPage(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
  return /^(\ufeff|\s)*<(!doctype|html|head|body|\?xml)/i.test(buffer.subarray(0, bytesRead).toString('utf8'))
}

/**
 * The footer of a tick file that has come whole, when it says so of itself: Parquet from end to end, with rows, of its day.
 * @throws QuotebookError FILE for any other file
 */
async function checkTickFile(handle: FileHandle, day: string): Promise<Footer> {
  const name = sentence`the file of ${day}`
  let footer: Footer
  try {
    footer = await footerOf(fileRanges(handle, (await handle.stat()).size), name)
  } catch (error) {
    if (!(await isPage(handle))) throw error
    const message = sentence`${name}: a web page came in its place; is the link right, and its password?`
    throw new QuotebookError('FILE', message, { cause: error })
  }
  if (footer.rows === 0) throw new QuotebookError('FILE', sentence`${name} has no rows`)
  const other = footer.days?.find((date) => date !== day)
  if (other !== undefined) throw new QuotebookError('FILE', sentence`${name} holds ticks of ${other}`)
  return footer
}

/** Bytes gathered for one write. */
const writeBytes = 2 ** 20

/**
 * Writes what comes behind what is there. When it breaks off, all that came before is there.
 * @param onBytes called after each piece
 * @throws what `onBytes` throws; what broke off the body; the system's error of the disk
 */
async function writeStream(body: AsyncIterable<Uint8Array>, into: StagedFile, onBytes: () => void): Promise<void> {
  let pieces: Uint8Array[] = []
  let written = into.length
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    for (let done = 0; done < bytes.length; )
      done += (await into.handle.write(bytes, done, bytes.length - done, written + done)).bytesWritten
    written += bytes.length
  }
  try {
    for await (const piece of body) {
      into.length += piece.length
      pieces.push(piece)
      onBytes()
      if (into.length - written >= writeBytes) await flush()
    }
  } finally {
    await flush()
  }
}
