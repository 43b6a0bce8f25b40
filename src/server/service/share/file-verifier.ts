import { createHash } from 'node:crypto'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
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
  readonly onDamage: (entry: TickEntry, why: Words) => void
  /** sha256 of an open file in hex. */
  readonly digest?: ((file: StoredFile) => Promise<string>) | undefined
}

/** What is known of the file of an entry. */
interface Known {
  readonly sha256: string
  readonly done: Promise<unknown>
  state: FileState
  identity: string
  /** When its bytes were last changed, in milliseconds since 1970. */
  modified: number
}

/** Errors of the file system that pass; any other is the file's own. */
const passingErrors = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'ENOMEM', 'EBUSY'])

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

/** Whether an error says nothing of the file: of a server any but that the archive is damaged. */
function isPassing(error: unknown): boolean {
  return error instanceof QuotebookError ? error.code !== 'ARCHIVE' : passingErrors.has(errorCode(error))
}

/** Without the path of the file. */
function damageReason(error: unknown): Words {
  const isRefused = error instanceof QuotebookError
  const code = errorCode(isRefused ? (error.cause ?? {}) : error)
  if (code === 'ENOENT') return sentence`it is missing`
  if (code === 'ELOOP') return sentence`it is a link, not a file`
  return isRefused ? sentence`it is not a file` : sentence`it can not be read (${code})`
}

/** Compares files with the checksums of a manifest, one after the other, each once while it does not change. */
export class FileVerifier {
  readonly #options: VerifierOptions
  /** By path in the archive. */
  readonly #known = new Map<string, Known>()
  #queue: Promise<unknown> = Promise.resolve()
  #queuedBytes = 0

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /** The states of files, after waiting up to so many milliseconds for those that are not verified. They go on being verified. */
  async verify(entries: readonly TickEntry[], milliseconds: number): Promise<ReadonlyMap<TickEntry, FileState>> {
    const all: Known[] = []
    for (const entry of entries) all.push(await this.#look(entry))
    const pending = all.filter(({ state }) => state === 'unverified').map(({ done }) => done)
    if (pending.length > 0) await Promise.race([Promise.all(pending), realClock.sleep(milliseconds)])
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
    const file = await this.#options.store.open(entry.file).catch((error: unknown) => error)
    const isFile = typeof file === 'object' && file !== null && 'identity' in file
    if (isFile && file.identity === known.identity) return file as StoredFile
    if (isFile || !isPassing(file)) this.#forget(entry, known)
    if (isFile) await (file as StoredFile).close()
    return undefined
  }

  /** Seconds after which the files in the queue should be verified, from 1 to 60: some 200 MB a second. */
  remaining(): number {
    return Math.min(60, Math.max(1, Math.ceil(this.#queuedBytes / 2e8)))
  }

  #get({ file, sha256 }: TickEntry): Known | undefined {
    const known = this.#known.get(file)
    return known?.sha256 === sha256 ? known : undefined
  }

  #forget({ file }: TickEntry, known: Known): void {
    if (this.#known.get(file) === known) this.#known.delete(file)
  }

  /** What is known of an entry, queued if nothing is. A damaged file that was changed is verified again. */
  async #look(entry: TickEntry): Promise<Known> {
    const before = this.#get(entry)
    if (before?.state === 'damaged' && (await this.#read(entry, async () => undefined)).identity !== before.identity)
      this.#forget(entry, before)
    return this.#get(entry) ?? this.#enqueue(entry)
  }

  #enqueue(entry: TickEntry): Known {
    const { file, sha256, bytes } = entry
    this.#queuedBytes += bytes
    const done = this.#queue.then(async () => {
      if (this.#known.get(file) === fresh) await this.#check(entry, fresh).catch(() => this.#forget(entry, fresh))
      this.#queuedBytes -= bytes
    })
    const fresh: Known = { sha256, done, state: 'unverified', identity: '', modified: 0 }
    this.#queue = done
    this.#known.set(file, fresh)
    return fresh
  }

  /** What lies under the name of an entry: its identity, or the code of the error, and why it is not what it should be. */
  async #read(entry: TickEntry, difference: (file: StoredFile) => Promise<Words | undefined>) {
    let file: StoredFile | undefined
    try {
      file = await this.#options.store.open(entry.file)
      const why = await difference(file)
      return { identity: file.identity, modified: file.modified, why, isSure: await file.isUnchanged() }
    } catch (error) {
      const identity = file?.identity ?? errorCode(error)
      return { identity, modified: 0, why: damageReason(error), isSure: !isPassing(error) }
    } finally {
      await file?.close()
    }
  }

  async #check(entry: TickEntry, known: Known): Promise<void> {
    const { onDamage, isFinal, digest = sha256OfFile } = this.#options
    const { why, isSure, ...found } = await this.#read(entry, async (file) => {
      if (file.size !== entry.bytes) return sentence`it has ${file.size} bytes where the manifest says ${entry.bytes}`
      return (await digest(file)) === entry.sha256 ? undefined : sentence`its checksum is not that of the manifest`
    })
    if (!isSure || (why !== undefined && !(await isFinal(entry)))) return this.#forget(entry, known)
    Object.assign(known, found, { state: why === undefined ? 'valid' : 'damaged' })
    if (why !== undefined) onDamage(entry, why)
  }
}
