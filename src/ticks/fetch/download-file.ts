import type { FileHandle } from 'node:fs/promises'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { SourceError } from '../../source/source-error.js'
import type { Clock } from '../../source/transport/clock.js'
import { type Footer, footerOf } from '../../table/parquet-file/footer.js'
import { fileRanges } from '../read/file-ranges.js'
import type { Semaphore } from '../semaphore.js'
import type { ListedFile, OpenedFile } from '../share/tick-share.js'
import { checkDiskSpace } from './disk-space.js'
import { sha256InTag } from './fetch-plan.js'
import type { Hasher } from './file-hasher.js'
import type { RenewableShare } from './renewable-share.js'
import {
  canResume,
  closeStaged,
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
  readonly hasher: Hasher
  /** Room for files on the way; proving does not count. */
  readonly lanes: Semaphore
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called with the bytes of the file that are there, and those of the whole where they are known. */
  readonly onLength: (length: number, size: number | undefined) => void
}

/** Attempts in a row that bring no byte; then it is given up. */
const mostFruitless = 8
/** Milliseconds within which so many bytes must come, or the rest of the file. */
const [patience, least] = [180_000, 2 ** 16]
const [base, cap] = [250, 10_000]
/** How often a file is begun anew because another came, or what came was not it. */
const mostAnew = 3

/** What came is another file, or none: all of it is fetched again. */
class WrongFileError extends QuotebookError {
  constructor(message: string, cause?: unknown) {
    super('FILE', message, cause === undefined ? undefined : { cause })
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof SourceError && error.retryable
}

/** Lets go of a body that nobody reads. */
export async function closeBody({ body }: OpenedFile): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}

function tellsOf({ size, etag, modified, strongModified }: OpenedFile): StagedIdentity {
  return { size, etag, modified, strongModified }
}

/** Whether a part that is there may be of the file that is listed. Listings write tags in ways of their own: the file proves it. */
function fits({ identity }: StagedFile, { size }: ListedFile): boolean {
  return size === undefined || identity.size === undefined || size === identity.size
}

/** Whether a share goes on with what is staged, from the byte that it was asked for. */
function goesOn({ from, size, etag }: OpenedFile, { identity }: StagedFile, asked: number): boolean {
  return (
    from === asked &&
    size === identity.size &&
    (etag === undefined || identity.etag === undefined || etag === identity.etag)
  )
}

/** The file is what was identity of it, and Parquet of its day; then it is on the disk. */
async function prove(staged: StagedFile, listed: ListedFile): Promise<DownloadedFile> {
  const { identity, handle, path } = staged
  const [sha256] = await Promise.all([staged.hash.end(staged.length), handle.datasync()])
  const wanted = sha256InTag(identity.etag) ?? sha256InTag(listed.etag)
  if (wanted !== undefined && wanted !== sha256) {
    throw new WrongFileError(`the file of ${listed.day} is not what its share says: its sha256 is another`)
  }
  const isListed = listed.etag !== undefined && listed.etag === identity.etag
  if (isListed && listed.size !== undefined && listed.size !== staged.length) {
    const message = `the file of ${listed.day} has ${staged.length} bytes, and is listed with ${listed.size}`
    throw new WrongFileError(message)
  }
  let footer: Footer
  try {
    footer = await checkTickFile(handle, listed.day)
  } catch (error) {
    throw error instanceof QuotebookError ? new WrongFileError(error.message, error) : error
  }
  await handle.close()
  return { listed, path, identity, sha256, footer }
}

/**
 * Brings the file of a day into the stage: goes on with what an earlier run has left, where the share proves that it is of
 * the same file; tries again after what passes. What is left when it fails can be gone on with, unless it was wrong.
 * @throws EndedError for a share that has ended; SourceError for what does not pass; QuotebookError FILE for what is not the
 * file; the system's error of the disk; the signal's reason
 */
export async function downloadFile(listed: ListedFile, downloading: DownloadOptions): Promise<DownloadedFile> {
  const { dir, share, hasher, lanes, clock, signal, onLength } = downloading
  const { day } = listed
  let staged = await reopenStaged(dir, day, hasher, signal)
  let [fruitless, anew, best] = [0, 0, staged?.length ?? 0]
  let mark = { length: best, at: clock.now() }
  /** Only the time counts in which something may come. */
  let paused = mark.at

  /** Whoever sends a byte now and then is not waited for. */
  function checkPace(length: number): void {
    const at = clock.now()
    if (length < mark.length || length - mark.length >= least) mark = { length, at }
    else if (at - mark.at > patience) {
      const message = `the file of ${day}: ${length - mark.length} bytes came in ${Math.round((at - mark.at) / 1000)} s`
      throw new SourceError('TIMEOUT', message, { retryable: true })
    }
  }

  async function lay(): Promise<void> {
    const last = staged
    staged = undefined
    if (last) await closeStaged(last).catch(() => undefined)
  }

  async function drop(): Promise<void> {
    await lay()
    await removeStaged(dir, day)
  }

  /** Asks for what is missing; of a part that may be the whole for its last byte, which proves it. */
  async function open(part: StagedFile | undefined): Promise<OpenedFile> {
    const from = part && canResume(part.identity) ? part.length - (part.length === part.identity.size ? 1 : 0) : 0
    const options =
      from > 0 ? { from, etag: part?.identity.etag, strongModified: part?.identity.strongModified, signal } : { signal }
    const opened = await share.use((one) => one.open(day, options))
    if (opened.from === 0 || (part && goesOn(opened, part, from))) return opened
    await closeBody(opened)
    throw new WrongFileError(`the file of ${day} has changed while it was fetched`)
  }

  async function timed(): Promise<StagedFile> {
    mark = { ...mark, at: mark.at + clock.now() - paused }
    try {
      return await receive()
    } finally {
      paused = clock.now()
    }
  }

  async function receive(): Promise<StagedFile> {
    if (staged && !fits(staged, listed)) await drop()
    const isWhole = staged !== undefined && staged.length === staged.identity.size
    const sure = isWhole && listed.etag !== undefined && staged?.identity.etag === listed.etag
    const opened = sure ? undefined : await open(staged)
    if (staged && isWhole && opened?.from !== 0) {
      if (opened) await closeBody(opened)
      onLength(staged.length, staged.length)
      return staged
    }
    return take(opened as OpenedFile)
  }

  /** A size that no listing identity, and nobody has looked for room for. */
  async function checkUnlisted({ size }: OpenedFile): Promise<void> {
    if (listed.size === undefined && size !== undefined) await checkDiskSpace(dir, size)
  }

  async function take(opened: OpenedFile): Promise<StagedFile> {
    if (opened.from === 0) {
      await lay()
      await checkUnlisted(opened).catch(async (error: unknown) => {
        await closeBody(opened)
        throw error
      })
      staged = await createStaged(dir, day, tellsOf(opened), hasher)
    }
    const into = staged as StagedFile
    onLength(into.length, opened.size)
    await writeStream(opened.body, into, opened.size, () => {
      share.progress()
      checkPace(into.length)
      onLength(into.length, opened.size)
    })
    if (opened.size === undefined || into.length === opened.size) return into
    const message = `the file of ${day} ended after ${into.length} of ${opened.size} bytes`
    throw new SourceError('CUT_OFF', message, { retryable: true })
  }

  /** Waits for another attempt, where there is to be one. */
  async function wait(error: unknown): Promise<void> {
    const length = staged?.length ?? 0
    if (length > best) [best, fruitless] = [length, 0]
    const asked = error instanceof SourceError ? (error.retryAfter ?? 0) : 0
    if (++fruitless > mostFruitless || paused - mark.at + asked > patience) throw error
    await clock.sleep(Math.max(asked, clock.chance() * Math.min(cap, base * 2 ** fruitless)), signal)
  }

  try {
    for (;;) {
      try {
        return await prove(await lanes.run(timed), listed)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof WrongFileError) {
          await drop()
          mark = { length: 0, at: paused }
          onLength(0, listed.size)
          if (++anew > mostAnew) throw error
        } else if (!isPassing(error)) throw error
        await wait(error)
      }
    }
  } catch (error) {
    await lay()
    throw error instanceof WrongFileError ? new QuotebookError('FILE', messageOf(error), { cause: error.cause }) : error
  }
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
  const name = `the file of ${day}`
  let footer: Footer
  try {
    footer = await footerOf(fileRanges(handle, (await handle.stat()).size), name)
  } catch (error) {
    if (!(await isPage(handle))) throw error
    const message = `${name}: a web page came in its place; is the link right, and its password?`
    throw new QuotebookError('FILE', message, { cause: error })
  }
  if (footer.rows === 0) throw new QuotebookError('FILE', `${name} has no rows`)
  const other = footer.days?.find((date) => date !== day)
  if (other !== undefined) throw new QuotebookError('FILE', `${name} holds ticks of ${other}`)
  return footer
}

/** Bytes gathered for one write. */
const most = 2 ** 20

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], at: number): Promise<void> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await handle.writev(pieces, at)
  if (bytesWritten === size) return
  const rest = Buffer.concat(pieces).subarray(bytesWritten)
  for (let done = 0; done < rest.length; ) {
    done += (await handle.write(rest, done, rest.length - done, at + bytesWritten + done)).bytesWritten
  }
}

/**
 * Writes what comes behind what is there, and has it hashed. When it breaks off, all that came before is there.
 * @param size of the whole file; undefined where nobody knows
 * @param onBytes called with the bytes of each piece
 * @throws QuotebookError FILE when more comes than there may be; what broke off the body; the system's error of the disk
 */
async function writeStream(
  body: AsyncIterable<Uint8Array>,
  into: StagedFile,
  size: number | undefined,
  onBytes: (count: number) => void,
): Promise<void> {
  let pieces: Uint8Array[] = []
  let gathered = 0
  let written = into.length
  let writing: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await writing
    const [batch, at] = [pieces, written]
    written += gathered
    pieces = []
    gathered = 0
    const end = written
    writing = writeAll(into.handle, batch, at).then(() => into.hash.upTo(end))
    // It is awaited with the next one, or at the end.
    writing.catch(() => undefined)
  }
  try {
    for await (const piece of body) {
      if (size !== undefined && into.length + piece.length > size) {
        throw new QuotebookError('FILE', `more than the ${size} bytes that were told`)
      }
      into.length += piece.length
      pieces.push(piece)
      gathered += piece.length
      onBytes(piece.length)
      if (gathered >= most) await flush()
    }
  } finally {
    if (gathered > 0) await flush()
    await writing
  }
}
