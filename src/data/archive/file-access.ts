import { createHash, randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { messageOf, QuotebookError, unwritten } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

/** What opening a link, a socket or a device without a driver fails with. */
const notFiles = ['ELOOP', 'ENXIO', 'ENODEV', 'EISDIR', 'EOPNOTSUPP']

/** A link is not followed. Windows has no such flag. */
export const noLink = constants.O_NOFOLLOW ?? 0

function notRegular(path: string, cause?: unknown): QuotebookError {
  return new QuotebookError('ARCHIVE', sentence`${path} is not a regular file`, { cause })
}

/** Why a file does not open. */
function unopened(path: string, cause: unknown): unknown {
  return notFiles.includes((cause as NodeJS.ErrnoException).code ?? '') ? notRegular(path, cause) : cause
}

const noWait = constants.O_NONBLOCK ?? 0

/**
 * Opens a regular file. A pipe without a writer does not make anybody wait.
 * @param flags how, beside that it does not wait
 * @throws the system's own error; QuotebookError ARCHIVE for anything but a file
 */
export async function openFile(path: string, flags = constants.O_RDONLY | noLink): Promise<FileHandle> {
  const handle = await open(path, flags | noWait).catch((cause: unknown) => {
    throw unopened(path, cause)
  })
  try {
    if ((await handle.stat()).isFile()) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  throw notRegular(path)
}

function openNow(path: string, flags: number): number {
  try {
    return openSync(path, flags | noWait)
  } catch (cause) {
    throw unopened(path, cause)
  }
}

/**
 * The bytes of a regular file. They are read at once: handed to threads, the four calls take many times as long as the reading of
 * a part of an archive, and decoding it holds the event loop longer.
 * @throws what `openFile` throws
 */
export async function readRegular(path: string, flags = constants.O_RDONLY | noLink): Promise<Uint8Array> {
  const file = openNow(path, flags)
  try {
    if (!fstatSync(file).isFile()) throw notRegular(path)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** How a file comes under its name. */
export interface WriteFileOptions {
  /** Who may read and write it; by default whom the process lets. */
  readonly mode?: number
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Called when all is on the disk, before it is seen: what it throws leaves the old file in its place. */
  readonly check?: () => void | Promise<void>
  /** The disk is not waited for: a file that is compared with a checksum whenever it is read. */
  readonly unsynced?: true
}

/** Writes a file so that it appears under its name only when it is whole and on the disk. */
export async function writeFileAtomically(
  path: string,
  content: Uint8Array | string | Iterable<Uint8Array>,
  { mode, owner, check, unsynced }: WriteFileOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(beside, 'wx', mode === undefined ? 0o666 : 0o600)
    try {
      if (owner) await file.chown(owner.uid, owner.gid)
      if (mode !== undefined) await file.chmod(mode)
      for (const part of inParts(content)) await file.writeFile(part)
      if (!unsynced) await file.sync()
    } finally {
      await file.close()
    }
    await check?.()
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw unwritten(path, error)
  }
}

/** What is written at once, as the only part. */
export function inParts(content: Uint8Array | string | Iterable<Uint8Array>): Iterable<Uint8Array | string> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The checksum of a file of any size, which is read piece by piece. @throws what `openFile` throws, and the system's own error */
export async function fileChecksum(path: string): Promise<string> {
  const hash = createHash('sha256')
  const file = await openFile(path)
  for await (const piece of file.createReadStream({ highWaterMark: 2 ** 20 })) hash.update(piece)
  return hash.digest('hex')
}

/**
 * A folder with all that are above it.
 * @returns whether it was made; false when it was there
 * @throws QuotebookError USAGE for an empty name, ARCHIVE where a folder can not be
 */
export async function makeFolder(dir: string): Promise<boolean> {
  if (dir.trim() === '') throw new QuotebookError('USAGE', sentence`the name of the folder is empty`)
  try {
    return (await mkdir(resolve(dir), { recursive: true })) !== undefined
  } catch (cause) {
    const isFile = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const why = isFile
      ? sentence`${dir} is a file, not a folder`
      : sentence`the folder ${dir} can not be made: ${messageOf(cause)}`
    throw new QuotebookError('ARCHIVE', why, { cause })
  }
}

/** Files whose bytes were compared with a checksum, with what they were then. */
const checked = new Map<string, string>()

/** Changes when a file is replaced or written to. */
export async function fileStamp(path: string): Promise<string> {
  const { ino, mtimeNs, ctimeNs, size } = await stat(path, { bigint: true })
  return `${ino} ${mtimeNs} ${ctimeNs} ${size}`
}

/** Whether the file has been compared with this checksum, and has not been touched since. */
export function wasVerified(path: string, stamp: string, sum: string): boolean {
  return checked.get(path) === `${stamp} ${sum}`
}

/** Keeps that the bytes of a file are those of the checksum. @param stamp taken before they were read */
export function rememberVerified(path: string, stamp: string, sum: string): void {
  checked.set(path, `${stamp} ${sum}`)
}
