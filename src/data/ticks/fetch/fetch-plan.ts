import type { TickEntry } from '../../archive/manifest-entries.js'
import { type ListedFile, tagOf } from '../share/file-share.js'

/** A file that is listed, and what an archive has of its day. */
export interface PlannedFile {
  readonly listed: ListedFile
  readonly entry: TickEntry | undefined
  /** `unsure`: the listing does not show whether they are the same, the file itself has to be asked. */
  readonly state: 'missing' | 'changed' | 'complete' | 'unsure'
}

export function isToFetch({ state }: PlannedFile): boolean {
  return state === 'missing' || state === 'changed'
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
 * Holds a listing against what an archive has of the same year; ascending by day.
 * @param listing each day once
 * @param entries each day once
 */
export function planFetch(listing: readonly ListedFile[], entries: readonly TickEntry[]): PlannedFile[] {
  const known = new Map(entries.map((entry) => [entry.day, entry]))
  const planned = listing.map((listed): PlannedFile => {
    const entry = known.get(listed.day)
    const same = entry && isSameFile(listed, entry)
    const state = entry === undefined ? 'missing' : same === undefined ? 'unsure' : same ? 'complete' : 'changed'
    return { listed, entry, state }
  })
  return planned.sort((one, other) => (one.listed.day < other.listed.day ? -1 : 1))
}
