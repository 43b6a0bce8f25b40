import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { QuotebookError } from '../contract/error.js'

/** What opening a link, a socket or a device without a driver fails with. */
const notFiles = ['ELOOP', 'ENXIO', 'ENODEV', 'EISDIR', 'EOPNOTSUPP']

/** A link is not followed. Windows has no such flag. */
export const noLink = constants.O_NOFOLLOW ?? 0

/**
 * Opens a regular file. A pipe without a writer does not make anybody wait.
 * @param flags how, beside that it does not wait
 * @throws the system's own error; QuotebookError ARCHIVE for anything but a file
 */
export async function openFile(path: string, flags = constants.O_RDONLY | noLink): Promise<FileHandle> {
  const wrong = (cause?: unknown): QuotebookError =>
    new QuotebookError('ARCHIVE', `${path} is not a regular file`, { cause })
  const handle = await open(path, flags | (constants.O_NONBLOCK ?? 0)).catch((cause: NodeJS.ErrnoException) => {
    throw notFiles.includes(cause.code ?? '') ? wrong(cause) : cause
  })
  try {
    if ((await handle.stat()).isFile()) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  throw wrong()
}

/** The bytes of a regular file. @throws what `openFile` throws */
export async function readRegular(path: string, flags?: number): Promise<Uint8Array> {
  const handle = await openFile(path, flags)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
