import type { TickEntry } from '../../archive/manifest.js'
import type { Resource } from './multistatus.js'
import { nameOf, published } from './published.js'
import type { Verifier } from './verifier.js'
import type { Window } from './window.js'

/** The files of a share, by date. */
export type Listing =
  | { readonly entries: readonly TickEntry[]; readonly files: readonly Resource[] }
  /** Seconds after which every file should be known. */
  | { readonly retryAfter: number }

/**
 * The files of some days that are what the manifest says. While one is not known there is no listing at all: who mirrors a
 * folder would take a part of it for the whole.
 */
export async function listing(
  ticks: readonly TickEntry[],
  window: Window,
  href: string,
  verifier: Verifier,
  patience: number,
): Promise<Listing> {
  const entries = published(ticks, window)
  const standings = await verifier.settle(entries, patience)
  if (entries.some((entry) => standings.get(entry) === 'unknown')) return { retryAfter: verifier.remaining() }
  const sound = entries.filter((entry) => standings.get(entry) === 'sound')
  return { entries: sound, files: sound.map((entry) => resourceOf(entry, href, verifier)) }
}

/** A sound file under the address of its folder. */
export function resourceOf(entry: TickEntry, href: string, verifier: Verifier): Resource {
  const name = nameOf(entry)
  const file = { size: entry.bytes, etag: `"${entry.sha256}"` }
  return { href: href + name, name, modified: verifier.modified(entry), file }
}

/** The folder itself; it is named after the year. */
export function folderOf({ from }: Window, href: string, files: readonly Resource[]): Resource {
  const dates = files.flatMap(({ modified }) => modified ?? [])
  const modified = dates.length === 0 ? undefined : Math.max(...dates)
  return { href, name: from.slice(0, 4), modified, file: undefined }
}
