import type { Dataset } from '../../contract/dataset.js'
import { contractVersion, type DatasetEntry, type KeptEntry, type Manifest, type PartEntry } from '../manifest.js'
import { extended, isCurrent } from './coverage.js'
import type { DayRanges } from './day-ranges.js'

/** The origin of rows that a service was asked for; those with another were imported. */
export const keptOrigin = 'kept'

/** Days and codes that are covered from now on. */
export interface Covering {
  readonly scope: string
  readonly symbols: 'all' | readonly string[]
  readonly days: DayRanges
  /** Latest day that the service has shown. */
  readonly latest: string | undefined
  /** Addresses of the service. */
  readonly from: readonly string[]
}

/** Whether a file holds nothing but what can be asked for again. */
function isOnlyKept({ origin }: PartEntry): boolean {
  return origin.every((name) => name === keptOrigin)
}

/** Whether an archive is a cache: it says so of at least one dataset. */
export function isCache(manifest: Manifest): boolean {
  return Object.values(manifest.datasets).some((entry) => entry.kept !== undefined)
}

/** An entry without what it keeps; rows that were imported stay. Undefined when nothing is left. */
export function withoutKept(entry: DatasetEntry): DatasetEntry | undefined {
  const { covered: _, latest: __, kept, parts, ...rest } = entry
  if (!kept) return entry
  const left = parts.filter((part) => !isOnlyKept(part))
  return left.length === 0 && Object.keys(rest).length === 0 ? undefined : { ...rest, parts: left }
}

/** An entry under the dataset's present declaration: what was kept under another one is void. */
export function current(dataset: Dataset, entry: DatasetEntry | undefined): DatasetEntry {
  const bare = entry && !isCurrent(dataset, entry) ? withoutKept(entry) : entry
  return bare ?? { parts: [] }
}

/** A later day, of two. */
function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a > b ? a : b
}

/** A current entry that covers more. `rows`: how many more rows it keeps. */
export function covering(dataset: Dataset, entry: DatasetEntry, more: Covering, rows: number): DatasetEntry {
  const { scope, symbols, days, latest, from } = more
  const before: KeptEntry = entry.kept ?? { contract: contractVersion(dataset), from: [], rows: {} }
  const newest = later(entry.latest?.[scope], latest)
  return {
    ...entry,
    covered: extended(entry.covered ?? [], scope, symbols, days),
    latest: { ...entry.latest, ...(newest === undefined ? {} : { [scope]: newest }) },
    kept: {
      ...before,
      from: [...new Set([...before.from, ...from])].sort(),
      rows: { ...before.rows, [scope]: Math.max(0, (before.rows[scope] ?? 0) + rows) },
    },
  }
}
