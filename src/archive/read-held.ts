import { readFile } from 'node:fs/promises'
import { QuotebookError } from '../contract/error.js'
import { sha256 } from './write-whole.js'

/**
 * The bytes of a file, held against the checksum that a manifest states.
 * @throws QuotebookError ARCHIVE when they are not what was written; the system's own error when there is no such file
 */
export async function readHeld(path: string, sum: string): Promise<Uint8Array> {
  const bytes = await readFile(path)
  if (sha256(bytes) === sum) return bytes
  throw new QuotebookError('ARCHIVE', `${path} is damaged: its checksum is not that of the manifest`)
}
