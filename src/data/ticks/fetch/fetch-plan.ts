import type { TickEntry } from '../../archive/manifest-entries.js'
import { type ListedFile, tagOf } from '../share/file-share.js'

/** What fetching a year takes; every day in one place, ascending. */
export interface FetchPlan {
  /** Listed, and not in the archive. */
  readonly missing: readonly ListedFile[]
  /** In the archive, with another size, tag or date. */
  readonly changed: readonly ListedFile[]
  /** In the archive as they are listed. */
  readonly complete: readonly ListedFile[]
  /** In the archive, and the listing does not show whether they are the same: the file itself has to be asked. */
  readonly unsure: readonly ListedFile[]
  /** In the archive, and not listed any more. They are kept. */
  readonly gone: readonly TickEntry[]
}

/** What is known of a file, by a listing or by the file itself. */
export type FileIdentity = Pick<ListedFile, 'size' | 'etag' | 'modified'>

/** The sha256 that a strong entity tag is: our own service names the bytes. */
export function sha256InTag(etag: string | undefined): string | undefined {
  return /^"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1]
}

/** Whether a file is that of an entry; undefined where nothing says so. */
export function isSameFile(file: FileIdentity, entry: TickEntry): boolean | undefined {
  const sum = sha256InTag(file.etag)
  if (sum !== undefined) return sum === entry.sha256
  if (file.size !== undefined && file.size !== entry.bytes) return false
  if (file.etag !== undefined && entry.etag !== undefined) return tagOf(file.etag) === tagOf(entry.etag)
  if (file.modified !== undefined && entry.modified !== undefined) return file.modified === entry.modified
  return file.size === undefined ? undefined : true
}

/**
 * Holds a listing against what an archive has of the same year.
 * @param listing each day once
 * @param entries each day once
 */
export function planFetch(listing: readonly ListedFile[], entries: readonly TickEntry[]): FetchPlan {
  const known = new Map(entries.map((entry) => [entry.day, entry]))
  const listed = new Set(listing.map(({ day }) => day))
  const of = {
    missing: [] as ListedFile[],
    changed: [] as ListedFile[],
    complete: [] as ListedFile[],
    unsure: [] as ListedFile[],
  }
  for (const file of [...listing].sort((one, other) => (one.day < other.day ? -1 : 1))) {
    const entry = known.get(file.day)
    const same = entry && isSameFile(file, entry)
    const place = entry === undefined ? 'missing' : same === undefined ? 'unsure' : same ? 'complete' : 'changed'
    of[place].push(file)
  }
  return { ...of, gone: entries.filter(({ day }) => !listed.has(day)) }
}
