import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { TickEntry } from '../../archive/manifest-entries.js'
import { QuotebookError } from '../../contract/error.js'
import { realClock } from '../../source/transport/clock.js'

/** An open file. The bytes behind it stay the same ones when a writer puts another file under its name. */
export interface OpenFile {
  readonly handle: FileHandle
  readonly size: number
  /** Milliseconds since 1970 of the last change of its bytes. */
  readonly modified: number
  /** The same in nanoseconds. */
  readonly modifiedNs: bigint
  /** Changes whenever the file, its bytes or its place change. */
  readonly identity: string
}

function identityOfFile({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

// A link is not followed, and a pipe does not make anybody wait. Windows knows neither.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a plain file. Whoever gets it closes it.
 * @throws the system's own error; QuotebookError ARCHIVE for anything but a file
 */
async function openPlainFile(path: string): Promise<OpenFile> {
  const handle = await open(path, openFlags)
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw new QuotebookError('ARCHIVE', 'it is not a file')
    const { size, mtimeMs, mtimeNs } = stats
    const times = { modified: Number(mtimeMs), modifiedNs: mtimeNs }
    return { handle, size: Number(size), ...times, identity: identityOfFile(stats) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** What lies under a path now: the identity of a file, or the code of the error. */
async function identityAt(path: string): Promise<string> {
  try {
    return identityOfFile(await lstat(path, { bigint: true }))
  } catch (error) {
    return errorCode(error)
  }
}

/** Whether the bytes of an open file have not changed since it was opened; being renamed or removed is no change. */
export async function isUnchanged({ handle, size, modifiedNs }: OpenFile): Promise<boolean> {
  const stats = await handle.stat({ bigint: true })
  return Number(stats.size) === size && stats.mtimeNs === modifiedNs
}

const chunkBytes = 2 ** 18

/** sha256 of an open file in hex, read chunk by chunk. */
export async function sha256OfFile({ handle }: OpenFile): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}

/** `valid`: its bytes are those of the manifest; `unverified`: that is not known yet; `damaged`: they are not. */
export type FileState = 'valid' | 'unverified' | 'damaged'

export interface VerifierOptions {
  /** Directory of the archive. */
  readonly dir: string
  /** Whether an entry is what the archive says, and nobody is writing: only then is a wrong file a damaged one. */
  readonly isFinal: (entry: TickEntry) => Promise<boolean>
  /** Called once for each damage; the text has no path. */
  readonly onDamage: (entry: TickEntry, why: string) => void
  /** sha256 of an open file in hex. */
  readonly digest?: ((file: OpenFile) => Promise<string>) | undefined
}

/** What is known of the file of an entry. */
interface Verification {
  readonly sha256: string
  state: FileState
  identity: string
  modified: number
  done: Promise<void>
}

/** Errors that pass; any other is the file's own. */
const passingErrors = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'ENOMEM', 'EBUSY'])

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

function damageReason(error: unknown): string {
  if (error instanceof QuotebookError) return error.message
  const code = errorCode(error)
  if (code === 'ENOENT') return 'it is missing'
  if (code === 'ELOOP') return 'it is a link, not a file'
  return `it can not be read (${code})`
}

/** Compares files with the checksums of a manifest, one after the other, each once while it does not change. */
export class FileVerifier {
  readonly #options: VerifierOptions
  /** By path in the archive. */
  readonly #known = new Map<string, Verification>()
  #queue: Promise<void> = Promise.resolve()
  #queuedBytes = 0
  /** Bytes hashed and milliseconds that it took; they begin with a guess of 200 MB a second. */
  #hashedBytes = 2e8
  #hashingTime = 1000

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /** The states of files, after waiting up to so many milliseconds for those that are not verified. They go on being verified. */
  async verify(entries: readonly TickEntry[], milliseconds: number): Promise<ReadonlyMap<TickEntry, FileState>> {
    const pending: Promise<void>[] = []
    for (const entry of entries) {
      const { state, done } = await this.#look(entry)
      if (state === 'unverified') pending.push(done)
    }
    if (pending.length > 0) {
      const enough = new AbortController()
      const slept = realClock.sleep(milliseconds, enough.signal).catch(() => undefined)
      await Promise.race([Promise.all(pending), slept])
      enough.abort()
    }
    return new Map(entries.map((entry) => [entry, this.#get(entry)?.state ?? 'unverified']))
  }

  /** When the bytes of a valid file were last changed, in milliseconds since 1970. */
  modified({ file }: TickEntry): number {
    return this.#known.get(file)?.modified ?? 0
  }

  /** A valid file, open; undefined when what lies there now has not been verified. Whoever gets it closes it. */
  async open(entry: TickEntry): Promise<OpenFile | undefined> {
    const known = this.#get(entry)
    if (known?.state !== 'valid') return undefined
    let file: OpenFile
    try {
      file = await openPlainFile(this.#path(entry))
    } catch (error) {
      if (!passingErrors.has(errorCode(error))) this.#forget(entry, known)
      return undefined
    }
    if (file.identity === known.identity) return file
    this.#forget(entry, known)
    await file.handle.close()
    return undefined
  }

  /** Seconds after which the files in the queue should be verified, from 1 to 60. */
  remaining(): number {
    const seconds = this.#queuedBytes / (this.#hashedBytes / this.#hashingTime) / 1000
    return Math.min(60, Math.max(1, Math.ceil(seconds)))
  }

  #path({ file }: TickEntry): string {
    return join(this.#options.dir, file)
  }

  #get({ file, sha256 }: TickEntry): Verification | undefined {
    const known = this.#known.get(file)
    return known?.sha256 === sha256 ? known : undefined
  }

  #forget({ file }: TickEntry, known: Verification): void {
    if (this.#known.get(file) === known) this.#known.delete(file)
  }

  /** What is known of an entry, queued if nothing is. A damaged file that was changed is verified again. */
  async #look(entry: TickEntry): Promise<Verification> {
    const before = this.#get(entry)
    if (before) {
      if (before.state !== 'damaged' || (await identityAt(this.#path(entry))) === before.identity) return before
      this.#forget(entry, before)
    }
    return this.#get(entry) ?? this.#enqueue(entry)
  }

  #enqueue(entry: TickEntry): Verification {
    const { file, sha256, bytes } = entry
    const fresh: Verification = { sha256, state: 'unverified', identity: '', modified: 0, done: this.#queue }
    this.#queuedBytes += bytes
    fresh.done = this.#queue.then(async () => {
      try {
        if (this.#known.get(file) === fresh) await this.#check(entry, fresh)
      } catch {
        this.#forget(entry, fresh)
      } finally {
        this.#queuedBytes -= bytes
      }
    })
    this.#queue = fresh.done
    this.#known.set(file, fresh)
    return fresh
  }

  async #check(entry: TickEntry, known: Verification): Promise<void> {
    const path = this.#path(entry)
    let identity = await identityAt(path)
    let file: OpenFile | undefined
    try {
      file = await openPlainFile(path)
      identity = file.identity
      const difference = await this.#difference(entry, file)
      if (!(await isUnchanged(file))) return this.#forget(entry, known)
      if (difference !== undefined) throw new QuotebookError('ARCHIVE', difference)
      Object.assign(known, { state: 'valid', identity, modified: file.modified })
    } catch (error) {
      if (passingErrors.has(errorCode(error)) || !(await this.#options.isFinal(entry))) {
        return this.#forget(entry, known)
      }
      Object.assign(known, { state: 'damaged', identity })
      this.#options.onDamage(entry, damageReason(error))
    } finally {
      await file?.handle.close()
    }
  }

  /** Why a file is not what the manifest says; undefined when it is. */
  async #difference(entry: TickEntry, file: OpenFile): Promise<string | undefined> {
    if (file.size !== entry.bytes) return `it has ${file.size} bytes where the manifest says ${entry.bytes}`
    const from = realClock.now()
    const sha256 = await (this.#options.digest ?? sha256OfFile)(file)
    this.#hashedBytes += file.size
    this.#hashingTime += realClock.now() - from
    return sha256 === entry.sha256 ? undefined : 'its checksum is not that of the manifest'
  }
}
