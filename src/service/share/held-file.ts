import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { QuotebookError } from '../../contract/error.js'

/** An open file. The bytes behind it stay the same ones when a writer puts another file under its name. */
export interface HeldFile {
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
export async function openHeld(path: string): Promise<HeldFile> {
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
export async function markAt(path: string): Promise<string> {
  try {
    return markOf(await lstat(path, { bigint: true }))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** Whether the bytes of an open file have not changed since it was opened; being renamed or removed is no change. */
export async function isUnchanged({ handle, size, modifiedNs }: HeldFile): Promise<boolean> {
  const about = await handle.stat({ bigint: true })
  return Number(about.size) === size && about.mtimeNs === modifiedNs
}

const piece = 2 ** 18

/** sha256 of an open file, read piece by piece. */
export async function digestOf({ handle }: HeldFile): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(piece)
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, piece, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
