import type { ManifestPart } from '../snapshot.js'

/** First and last day that are meant; open ends are undefined. */
export interface OpenRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

interface Known {
  readonly latest: string | undefined
  /** Parts that hold one day and nothing else, by it; undefined when there are others. */
  readonly byDay: ReadonlyMap<string, ManifestPart> | undefined
}

const known = new WeakMap<readonly ManifestPart[], Known>()

function look(parts: readonly ManifestPart[]): Known {
  let latest: string | undefined
  const byDay = new Map<string, ManifestPart>()
  for (const part of parts) {
    const { from, to } = part
    if (to !== undefined && (latest === undefined || to > latest)) latest = to
    if (from !== undefined && from === to) byDay.set(from, part)
  }
  return { latest, byDay: byDay.size === parts.length ? byDay : undefined }
}

function knownOf(parts: readonly ManifestPart[]): Known {
  let about = known.get(parts)
  if (!about) {
    about = look(parts)
    known.set(parts, about)
  }
  return about
}

/** The latest day of some parts; undefined when they have none. */
export function latestIn(parts: readonly ManifestPart[]): string | undefined {
  return knownOf(parts).latest
}

/** The parts that can hold days from one to another; an end that is undefined is open. */
export function partsBetween(parts: readonly ManifestPart[], { from, to }: OpenRange): readonly ManifestPart[] {
  const { byDay } = knownOf(parts)
  if (byDay && from !== undefined && from === to) {
    const part = byDay.get(from)
    return part ? [part] : []
  }
  return parts.filter(
    (part) => (from === undefined || (part.to ?? from) >= from) && (to === undefined || (part.from ?? to) <= to),
  )
}
