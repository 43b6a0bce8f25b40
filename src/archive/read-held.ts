import { join } from 'node:path'
import { messageOf, QuotebookError } from '../contract/error.js'
import { readRegular } from './open-file.js'
import { sha256 } from './write-whole.js'

/** A file that a manifest names is not there, or not what was written. */
export class LostFileError extends QuotebookError {
  readonly isMissing: boolean
  constructor(dir: string, what: string, cause?: unknown) {
    super('ARCHIVE', `${what}; quotebook archive repair ${dir} says what is lost and lets go of it`, { cause })
    this.isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  }
}

/**
 * The bytes of a file of an archive, held against the checksum that its manifest states.
 * @throws LostFileError when they are not what was written; QuotebookError ARCHIVE when they can not be read
 */
export async function readHeld(dir: string, file: string, sum: string): Promise<Uint8Array> {
  const path = join(dir, file)
  let bytes: Uint8Array
  try {
    bytes = await readRegular(path)
  } catch (cause) {
    if (cause instanceof QuotebookError) throw new LostFileError(dir, messageOf(cause), cause)
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw new LostFileError(dir, `${path} is missing`, cause)
    throw new QuotebookError('ARCHIVE', `${path} can not be read: ${messageOf(cause)}`, { cause })
  }
  if (sha256(bytes) === sum) return bytes
  throw new LostFileError(dir, `${path} is damaged: its checksum is not that of the manifest`)
}
