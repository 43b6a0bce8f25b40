import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { TickEntry } from '../../archive/manifest.js'
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
  readonly mark: string
}

function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

// A link is not followed, and a pipe does not make anybody wait. Windows knows neither.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a plain file. Whoever gets it closes it.
 * @throws the system's own error; QuotebookError ARCHIVE for anything but a file
 */
export async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, flags)
  try {
    const about = await handle.stat({ bigint: true })
    if (!about.isFile()) throw new QuotebookError('ARCHIVE', 'it is not a file')
    return {
      handle,
      size: Number(about.size),
      modified: Number(about.mtimeMs),
      modifiedNs: about.mtimeNs,
      mark: markOf(about),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** What lies under a name now: the mark of a file, or why there is none. */
export async function fileMark(path: string): Promise<string> {
  try {
    return markOf(await lstat(path, { bigint: true }))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** Whether the bytes of an open file have not changed since it was opened; being renamed or removed is no change. */
export async function isUnchanged({ handle, size, modifiedNs }: OpenFile): Promise<boolean> {
  const about = await handle.stat({ bigint: true })
  return Number(about.size) === size && about.mtimeNs === modifiedNs
}

const piece = 2 ** 18

/** sha256 of an open file, read piece by piece. */
export async function sha256OfFile({ handle }: OpenFile): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(piece)
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, piece, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}

/** Where a file stands: its bytes are those of the manifest, that is not known yet, or they are not. */
export type FileState = 'sound' | 'unknown' | 'damaged'

export interface VerifierOptions {
  /** Directory of the archive. */
  readonly dir: string
  /** Whether an entry is what the archive says, and nobody is writing: only then is a wrong file a damaged one. */
  readonly isFinal: (entry: TickEntry) => Promise<boolean>
  /** Told once of each damage; the text has no path. */
  readonly onDamage: (entry: TickEntry, why: string) => void
  /** sha256 of an open file in hex. */
  readonly digest?: ((file: OpenFile) => Promise<string>) | undefined
}

/** Holds files against the checksums of a manifest, one after the other, each once while it does not change. */
export interface FileVerifier {
  /** How files stand, after waiting up to so many milliseconds for those that are not known. They go on being checked. */
  verify(entries: readonly TickEntry[], milliseconds: number): Promise<ReadonlyMap<TickEntry, FileState>>
  /** When the bytes of a sound file were last changed, in milliseconds since 1970. */
  modified(entry: TickEntry): number
  /** A sound file, open; undefined when what lies there now has not been checked. Whoever gets it closes it. */
  open(entry: TickEntry): Promise<OpenFile | undefined>
  /** Seconds after which the files that wait should be known, from 1 to 60. */
  remaining(): number
}

interface Known {
  readonly sum: string
  standing: FileState
  mark: string
  modified: number
  readonly done: Promise<void>
}

/** Errors that pass; any other is the file's own. */
const passing = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'ENOMEM', 'EBUSY'])

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

function reason(error: unknown): string {
  if (error instanceof QuotebookError) return error.message
  const code = codeOf(error)
  if (code === 'ENOENT') return 'it is missing'
  if (code === 'ELOOP') return 'it is a link, not a file'
  return `it can not be read (${code})`
}

export function createFileVerifier({ dir, isFinal, onDamage, digest = sha256OfFile }: VerifierOptions): FileVerifier {
  const known = new Map<string, Known>()
  let tail: Promise<void> = Promise.resolve()
  let waiting = 0
  let [bytesDone, timeDone] = [2e8, 1000]
  const pathOf = ({ file }: TickEntry): string => join(dir, file)

  /** Why a file is not what the manifest says; undefined when it is. */
  async function wrong(entry: TickEntry, held: OpenFile): Promise<string | undefined> {
    if (held.size !== entry.bytes) return `it has ${held.size} bytes where the manifest says ${entry.bytes}`
    const from = realClock.now()
    const sum = await digest(held)
    bytesDone += held.size
    timeDone += realClock.now() - from
    return sum === entry.sha256 ? undefined : 'its checksum is not that of the manifest'
  }

  function forget(entry: TickEntry, of: Known | undefined): void {
    if (of && known.get(entry.file) === of) known.delete(entry.file)
  }

  async function damaged(entry: TickEntry, of: Known, mark: string, why: string): Promise<void> {
    if (!(await isFinal(entry))) return forget(entry, of)
    of.standing = 'damaged'
    of.mark = mark
    onDamage(entry, why)
  }

  async function check(entry: TickEntry, of: Known): Promise<void> {
    if (known.get(entry.file) !== of) return
    const mark = await fileMark(pathOf(entry))
    let held: OpenFile | undefined
    try {
      held = await openFile(pathOf(entry))
      const why = await wrong(entry, held)
      if (!(await isUnchanged(held))) return forget(entry, of)
      if (why !== undefined) return await damaged(entry, of, held.mark, why)
      of.mark = held.mark
      of.modified = held.modified
      of.standing = 'sound'
    } catch (error) {
      if (passing.has(codeOf(error))) return forget(entry, of)
      await damaged(entry, of, mark, reason(error))
    } finally {
      await held?.handle.close()
    }
  }

  function begin(entry: TickEntry): Known {
    waiting += entry.bytes
    const done = tail.then(async () => {
      try {
        await check(entry, fresh)
      } catch {
        forget(entry, fresh)
      } finally {
        waiting -= entry.bytes
      }
    })
    tail = done
    const fresh: Known = { sum: entry.sha256, standing: 'unknown', mark: '', modified: 0, done }
    known.set(entry.file, fresh)
    return fresh
  }

  /** What is known of an entry, being found out if nothing is. A damaged file that was changed is looked at again. */
  async function look(entry: TickEntry): Promise<Known> {
    const before = known.get(entry.file)
    if (before?.sum === entry.sha256) {
      if (before.standing !== 'damaged' || (await fileMark(pathOf(entry))) === before.mark) return before
      forget(entry, before)
    }
    const now = known.get(entry.file)
    return now?.sum === entry.sha256 ? now : begin(entry)
  }

  function standingOf({ file, sha256 }: TickEntry): FileState {
    const found = known.get(file)
    return found?.sum === sha256 ? found.standing : 'unknown'
  }

  return {
    async verify(entries, milliseconds) {
      const open: Promise<void>[] = []
      for (const entry of entries) {
        const { standing, done } = await look(entry)
        if (standing === 'unknown') open.push(done)
      }
      if (open.length > 0) {
        const enough = new AbortController()
        const slept = realClock.sleep(milliseconds, enough.signal).catch(() => undefined)
        await Promise.race([Promise.all(open), slept])
        enough.abort()
      }
      return new Map(entries.map((entry) => [entry, standingOf(entry)]))
    },
    modified: ({ file }) => known.get(file)?.modified ?? 0,
    async open(entry) {
      const found = known.get(entry.file)
      if (found?.sum !== entry.sha256 || found.standing !== 'sound') return undefined
      let held: OpenFile
      try {
        held = await openFile(pathOf(entry))
      } catch (error) {
        if (!passing.has(codeOf(error))) forget(entry, found)
        return undefined
      }
      if (held.mark === found.mark) return held
      forget(entry, found)
      await held.handle.close()
      return undefined
    },
    remaining: () => Math.min(60, Math.max(1, Math.ceil(waiting / (bytesDone / timeDone) / 1000))),
  }
}
