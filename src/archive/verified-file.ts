import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { messageOf, QuotebookError } from '../contract/error.js'
import { openFile, readRegular } from './open-file.js'
import { sha256 } from './write-file.js'

/** A file that a manifest names is not there, or not what was written. */
export class LostFileError extends QuotebookError {
  /** Without what to do. */
  readonly what: string
  readonly isMissing: boolean
  constructor(dir: string, what: string, cause?: unknown) {
    super('ARCHIVE', `${what}; quotebook archive repair ${dir} says what is lost and lets go of it`, { cause })
    this.what = what
    this.isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  }
}

/** What a file of an archive that can not be opened or read means. */
function unread(dir: string, path: string, cause: unknown): QuotebookError {
  if (cause instanceof QuotebookError) return new LostFileError(dir, messageOf(cause), cause)
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') return new LostFileError(dir, `${path} is missing`, cause)
  if (code === 'EIO') return new LostFileError(dir, `${path} can not be read from its disk`, cause)
  return new QuotebookError('ARCHIVE', `${path} can not be read: ${messageOf(cause)}`, { cause })
}

function damaged(dir: string, path: string): LostFileError {
  return new LostFileError(dir, `${path} is damaged: its checksum is not that of the manifest`)
}

/**
 * The bytes of a file of an archive, held against the checksum that its manifest states.
 * @throws LostFileError when they are not what was written; QuotebookError ARCHIVE when they can not be read
 */
export async function readVerified(dir: string, file: string, sum: string): Promise<Uint8Array> {
  const path = join(dir, file)
  const bytes = await readRegular(path).catch((cause: unknown) => {
    throw unread(dir, path, cause)
  })
  if (sha256(bytes) !== sum) throw damaged(dir, path)
  return bytes
}

/** The same for a file of any size, whose bytes are not wanted. @throws what `readHeld` throws */
export async function verifyFile(dir: string, file: string, sum: string): Promise<void> {
  const path = join(dir, file)
  const hash = createHash('sha256')
  try {
    const handle = await openFile(path)
    for await (const piece of handle.createReadStream()) hash.update(piece)
  } catch (cause) {
    throw unread(dir, path, cause)
  }
  if (hash.digest('hex') !== sum) throw damaged(dir, path)
}
