import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noLink, openFile, readRegular } from '../../archive/file-access.js'
import type { OpenedFile } from '../share/file-share.js'

/** Where files come in, inside the archive that they are for. */
export const stagingFolder = '.fetch'

/** What a share says of a file that it has opened. */
export type StagedIdentity = Pick<OpenedFile, 'size' | 'etag' | 'modified' | 'strongModified'>

/** A file that comes in. */
export interface StagedFile {
  readonly path: string
  readonly identity: StagedIdentity
  readonly handle: FileHandle
  /** Bytes of it that are there; it grows. */
  length: number
}

const block = 4096
const chunk = 2 ** 20
const zeros = new Uint8Array(block)

/** Whether a share can prove that a part is of the same file. */
export function canResume({ etag, strongModified }: StagedIdentity): boolean {
  return strongModified !== undefined || etag?.startsWith('"') === true
}

function notePath(dir: string, day: string): string {
  return join(dir, stagingFolder, `${day}.json`)
}

/** The bytes of a file lie under a name of its own, so that they are never taken for those of another. */
function partPath(dir: string, day: string, { etag, size, modified, strongModified }: StagedIdentity): string {
  const mark = createHash('sha256')
    .update(JSON.stringify([etag, size, modified, strongModified]))
    .digest('hex')
  return join(dir, stagingFolder, `${day}.${mark.slice(0, 12)}.part`)
}

/** What was noted of a part; undefined where the note was cut off. */
function readNote(text: string): StagedIdentity | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a whole block is empty: what a machine that went down leaves where it had not written yet. */
function hasHole(bytes: Uint8Array): boolean {
  for (let at = 0; at + block <= bytes.length; at += block) {
    if (Buffer.compare(bytes.subarray(at, at + block), zeros) === 0) return true
  }
  return false
}

/** Bytes that are there; 0 when they can not be what came. */
async function lengthOf(handle: FileHandle, signal: AbortSignal | undefined): Promise<number> {
  const bytes = new Uint8Array(chunk)
  for (let at = 0; ; ) {
    signal?.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, 0, chunk, at)
    if (bytesRead === 0) return at
    if (hasHole(bytes.subarray(0, bytesRead))) return 0
    at += bytesRead
  }
}

/** Removes what is staged of a day. */
export async function removeStaged(dir: string, day: string): Promise<void> {
  const folder = join(dir, stagingFolder)
  const names = await readdir(folder).catch(() => [])
  for (const name of names) if (name.startsWith(`${day}.`)) await rm(join(folder, name), { force: true })
}

/** Begins the file of a day anew. What the share says is on the disk before the first byte of the file. */
export async function createStaged(dir: string, day: string, identity: StagedIdentity): Promise<StagedFile> {
  await removeStaged(dir, day)
  await mkdir(join(dir, stagingFolder), { recursive: true })
  const path = partPath(dir, day, identity)
  await writeFile(notePath(dir, day), JSON.stringify(identity))
  return { path, identity, handle: await open(path, 'w+'), length: 0 }
}

/**
 * What an earlier run has left of a day's file; undefined where there is nothing that can be gone on with.
 * @throws the signal's reason
 */
export async function reopenStaged(
  dir: string,
  day: string,
  signal: AbortSignal | undefined,
): Promise<StagedFile | undefined> {
  const note = await readRegular(notePath(dir, day)).catch(() => undefined)
  const identity = note && readNote(Buffer.from(note).toString())
  if (!identity || !canResume(identity)) return undefined
  const path = partPath(dir, day, identity)
  const handle = await openFile(path, constants.O_RDWR | noLink).catch(() => undefined)
  if (!handle) return undefined
  let length = 0
  try {
    length = await lengthOf(handle, signal)
    if (length > (identity.size ?? length)) length = 0
    return length > 0 ? { path, identity, handle, length } : undefined
  } finally {
    if (length === 0) await handle.close()
  }
}

/** Bytes that are staged of some days. */
export async function stagedBytes(dir: string, days: ReadonlySet<string>): Promise<number> {
  const folder = join(dir, stagingFolder)
  let sum = 0
  for (const name of await readdir(folder).catch(() => [])) {
    if (days.has(name.slice(0, 8))) sum += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0
  }
  return sum
}

/** Removes the note of a day whose file is in its place. */
export async function removeStagedNote(dir: string, day: string): Promise<void> {
  await rm(notePath(dir, day), { force: true })
}

/** Removes the stage with all that is left in it. */
export async function removeStagingFolder(dir: string): Promise<void> {
  await rm(join(dir, stagingFolder), { recursive: true, force: true })
}
