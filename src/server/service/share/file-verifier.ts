import { createHash } from 'node:crypto'
import { QuotebookError } from '../../../contract/error.js'
import type { TickEntry } from '../../../data/archive/manifest-entries.js'
import type { ArchiveStore, StoredFile } from '../../../data/archive/store/archive-store.js'
import { realClock } from '../../../data/source/transport/clock.js'

const chunkBytes = 2 ** 18

/** sha256 of an open file in hex, read chunk by chunk. */
export async function sha256OfFile(file: StoredFile): Promise<string> {
  const hash = createHash('sha256')
  for (let position = 0; ; ) {
    const bytes = await file.read(position, chunkBytes)
    if (bytes.length === 0) return hash.digest('hex')
    hash.update(bytes)
    position += bytes.length
  }
}

/** `valid`: its bytes are those of the manifest; `unverified`: that is not known yet; `damaged`: they are not. */
export type FileState = 'valid' | 'unverified' | 'damaged'

export interface VerifierOptions {
  /** Where the archive lies. */
  readonly store: Pick<ArchiveStore, 'open'>
  /** Whether an entry is what the archive says, and nobody is writing: only then is a wrong file a damaged one. */
  readonly isFinal: (entry: TickEntry) => Promise<boolean>
  /** Called once for each damage; the text has no path. */
  readonly onDamage: (entry: TickEntry, why: string) => void
  /** sha256 of an open file in hex. */
  readonly digest?: ((file: StoredFile) => Promise<string>) | undefined
}

/** What is known of the file of an entry. */
interface Verification {
  readonly sha256: string
  state: FileState
  identity: string
  modified: number
  done: Promise<void>
}

/** Errors of the file system that pass; any other is the file's own. */
const passingErrors = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'ENOMEM', 'EBUSY'])

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

/** Whether an error says nothing of the file: of a server any but that the archive is damaged. */
function isPassing(error: unknown): boolean {
  const code = errorCode(error)
  return error instanceof QuotebookError ? code !== 'ARCHIVE' : passingErrors.has(code)
}

/** Without the path of the file. */
function damageReason(error: unknown): string {
  const isRefused = error instanceof QuotebookError
  const code = errorCode(isRefused ? (error.cause ?? {}) : error)
  if (code === 'ENOENT') return 'it is missing'
  if (code === 'ELOOP') return 'it is a link, not a file'
  return isRefused ? 'it is not a file' : `it can not be read (${code})`
}

/** Compares files with the checksums of a manifest, one after the other, each once while it does not change. */
export class FileVerifier {
  readonly #options: VerifierOptions
  /** By path in the archive. */
  readonly #known = new Map<string, Verification>()
  #queue: Promise<void> = Promise.resolve()
  #queuedBytes = 0

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
  async open(entry: TickEntry): Promise<StoredFile | undefined> {
    const known = this.#get(entry)
    if (known?.state !== 'valid') return undefined
    let file: StoredFile
    try {
      file = await this.#options.store.open(entry.file)
    } catch (error) {
      if (!isPassing(error)) this.#forget(entry, known)
      return undefined
    }
    if (file.identity === known.identity) return file
    this.#forget(entry, known)
    await file.close()
    return undefined
  }

  /** Seconds after which the files in the queue should be verified, from 1 to 60: some 200 MB a second. */
  remaining(): number {
    return Math.min(60, Math.max(1, Math.ceil(this.#queuedBytes / 2e8)))
  }

  /** What lies under a name now: the identity of a file, or the code of the error. */
  async #identityAt({ file }: TickEntry): Promise<string> {
    try {
      const found = await this.#options.store.open(file)
      await found.close()
      return found.identity
    } catch (error) {
      return errorCode(error)
    }
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
      if (before.state !== 'damaged' || (await this.#identityAt(entry)) === before.identity) return before
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
    let file: StoredFile | undefined
    try {
      file = await this.#options.store.open(entry.file)
      const { identity, modified } = file
      const difference = await this.#difference(entry, file)
      if (!(await file.isUnchanged())) return this.#forget(entry, known)
      if (difference === undefined) Object.assign(known, { state: 'valid', identity, modified })
      else await this.#damage(entry, known, identity, difference)
    } catch (error) {
      if (isPassing(error)) return this.#forget(entry, known)
      await this.#damage(entry, known, file?.identity ?? errorCode(error), damageReason(error))
    } finally {
      await file?.close()
    }
  }

  async #damage(entry: TickEntry, known: Verification, identity: string, why: string): Promise<void> {
    if (!(await this.#options.isFinal(entry))) return this.#forget(entry, known)
    Object.assign(known, { state: 'damaged', identity })
    this.#options.onDamage(entry, why)
  }

  /** Why a file is not what the manifest says; undefined when it is. */
  async #difference(entry: TickEntry, file: StoredFile): Promise<string | undefined> {
    if (file.size !== entry.bytes) return `it has ${file.size} bytes where the manifest says ${entry.bytes}`
    const sha256 = await (this.#options.digest ?? sha256OfFile)(file)
    return sha256 === entry.sha256 ? undefined : 'its checksum is not that of the manifest'
  }
}
