import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'

/** Errors of a disk that is full, read-only, of somebody else, or at its end. */
const unwritable = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE']

/** Why an answer that is whole was not stored, where that is no reason to withhold it; undefined for any other failure. */
export function whyNotStored(dir: string, error: unknown): Words | undefined {
  if (error instanceof QuotebookError && (error.code === 'ARCHIVE_BUSY' || error.code === 'ARCHIVE_CHANGED')) {
    return sentence`not kept: another process was writing the cache`
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    if (unwritable.includes(code)) return sentence`not kept: the cache ${dir} can not be written: ${messageOf(cause)}`
  }
  return undefined
}

/** A failure of the cache itself, in words that say what to do; anything else as it is. */
export function cacheError(dir: string, error: unknown): unknown {
  if (!(error instanceof QuotebookError) || (error.code !== 'ARCHIVE' && error.code !== 'FILE')) return error
  return new QuotebookError(
    'ARCHIVE',
    sentence`the cache ${dir} can not be used: ${messageOf(error)}. Drop it (delete the directory) and it is filled anew`,
    { cause: error },
  )
}
