import { QuotebookError } from '../../contract/error.js'
import type { Manifest } from '../manifest.js'
import { isCache } from './entry.js'

/** The addresses that a source is asked at, of its name. */
export function addressesOf(name: string): readonly string[] {
  return name.split(', ')
}

function known(manifest: Manifest): readonly string[] {
  return Object.values(manifest.datasets).flatMap(({ kept }) => kept?.from ?? [])
}

/**
 * Holds a directory against the use as a cache: it is no archive of the user's own, and holds answers of the same service.
 * @throws QuotebookError USAGE
 */
export function checkOwn(dir: string, { datasets, ticks, ...rest }: Manifest, name: string): void {
  const isEmpty = Object.keys(datasets).length === 0 && ticks.length === 0
  const manifest: Manifest = { ...rest, datasets, ticks }
  if (!isEmpty && !isCache(manifest)) {
    throw new QuotebookError('USAGE', `${dir} is an archive of its own; give the cache a directory for itself`)
  }
  const from = known(manifest)
  if (from.length === 0 || addressesOf(name).some((address) => from.includes(address))) return
  const asked = [...new Set(from)].sort().join(', ')
  throw new QuotebookError(
    'USAGE',
    `the cache ${dir} holds answers of ${asked}, not of ${name}; give another directory, or drop what it holds`,
  )
}

/** Errors of a disk that is full, read-only, of somebody else, or at its end. */
const unwritable = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE']

/** Why an answer that is whole was not kept, where that is no reason to withhold it; undefined for any other failure. */
export function whyNotKept(dir: string, error: unknown): string | undefined {
  if (error instanceof QuotebookError && (error.code === 'ARCHIVE_BUSY' || error.code === 'ARCHIVE_CHANGED')) {
    return 'not kept: another process was writing the cache'
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    if (unwritable.includes(code)) return `not kept: the cache ${dir} can not be written: ${cause.message}`
  }
  return undefined
}

/** A failure of the cache itself, in words that say what to do; anything else as it is. */
export function ofCache(dir: string, error: unknown): unknown {
  if (!(error instanceof QuotebookError) || (error.code !== 'ARCHIVE' && error.code !== 'FILE')) return error
  return new QuotebookError(
    'ARCHIVE',
    `the cache ${dir} can not be used: ${error.message}. Drop it (delete the directory) and it is filled anew`,
    { cause: error },
  )
}
