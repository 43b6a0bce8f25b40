import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** How a file comes under its name. */
export interface WriteFileOptions {
  /** Who may read and write it; by default whom the process lets. */
  readonly mode?: number
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Called when all is on the disk, before it is seen: what it throws leaves the old file in its place. */
  readonly check?: () => void | Promise<void>
}

/** Writes a file so that it appears under its name only when it is whole and on the disk. */
export async function writeFileAtomically(
  path: string,
  bytes: Uint8Array | string,
  { mode, owner, check }: WriteFileOptions = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(beside, 'wx', mode === undefined ? 0o666 : 0o600)
    try {
      if (owner) await file.chown(owner.uid, owner.gid)
      if (mode !== undefined) await file.chmod(mode)
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await check?.()
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
