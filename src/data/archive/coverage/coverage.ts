import type { Dataset } from '../../../contract/dataset.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { contractVersion } from '../manifest.js'
import type { DatasetEntry, KeptEntry, Manifest, PartEntry, WaitingDay } from '../manifest-entries.js'
import { type DayRanges, includes, intersection, rangesOfDays, union } from './day-ranges.js'
import { type AnsweredDays, daysOfScope, knownDays, type Ledger, type ScopeDays, withAnswer } from './ledger.js'

/** What is known of the days of a dataset and scope, as one manifest says it. */
export interface Coverage extends ScopeDays {
  /** Latest day that the service has shown. */
  readonly latest: string | undefined
  /** Closes of which it sends no bar. */
  readonly unsent: KeptEntry['unsent']
}

/** Days and codes that are covered from now on. */
export interface NewCoverage extends AnsweredDays {
  /** Latest day that the service has shown. */
  readonly latest: string | undefined
  /** Addresses of the service. */
  readonly from: readonly string[]
  /** Closes of which it sends no bar; absent where that is as it was. */
  readonly unsent?: KeptEntry['unsent']
}

/** The origin of rows that a service was asked for; those with another were imported. */
export const cachedOrigin = 'kept'

/** Whether what an entry says to be cached was written under the dataset's present declaration. */
function isCurrent(dataset: Dataset, entry: DatasetEntry | undefined): boolean {
  return entry?.kept?.contract === contractVersion(dataset)
}

/** What an entry says of the days of a scope; nothing when it was written under another declaration of the dataset. */
export function coverageOf(dataset: Dataset, entry: DatasetEntry | undefined, scope: string): Coverage {
  const isVoid = entry?.kept !== undefined && !isCurrent(dataset, entry)
  return {
    ...daysOfScope(isVoid ? [] : entry?.ledger, scope),
    latest: isVoid ? undefined : entry?.kept?.latest?.[scope],
    unsent: isVoid ? undefined : entry?.kept?.unsent,
  }
}

/** An entry without what it caches; rows that were imported stay. Undefined when nothing is left. */
export function withoutCached(entry: DatasetEntry): DatasetEntry | undefined {
  const { kept, parts, beside, partial } = entry
  if (!kept) return entry
  const rest = { ...(beside && { beside }), ...(partial && { partial }) }
  const left = parts.filter(({ origin }) => origin.some((name) => name !== cachedOrigin))
  return left.length === 0 && Object.keys(rest).length === 0 ? undefined : { ...rest, parts: left }
}

/** An entry under the dataset's present declaration: what was cached under another one is void. */
export function currentEntry(dataset: Dataset, entry: DatasetEntry | undefined): OpenEntry {
  const bare = entry && !isCurrent(dataset, entry) ? withoutCached(entry) : entry
  return { parts: [], ...bare }
}

/** An entry that is being changed. */
export type OpenEntry = { -readonly [K in keyof DatasetEntry]: DatasetEntry[K] }

/** Says which settled days wait, by scope: of these days those that are told, and no others. */
export function setWaiting(
  entry: OpenEntry,
  scope: string,
  days: DayRanges,
  told: Readonly<Record<string, WaitingDay>> = {},
): void {
  const { [scope]: before = {}, ...others } = entry.waiting ?? {}
  const left = Object.entries(before).filter(([day]) => !includes(days, day))
  const own = Object.fromEntries([...left, ...Object.entries(told)])
  const all = Object.keys(own).length > 0 ? { ...others, [scope]: own } : others
  if (Object.keys(all).length > 0) entry.waiting = all
  else delete entry.waiting
}

/** Replaces what an entry knows of its days. */
export function setLedger(entry: OpenEntry, ledger: Ledger): void {
  if (ledger.length > 0) entry.ledger = ledger
  else delete entry.ledger
}

/** The parts with days that could still change when they were asked for, or are settled, and that are settled or asked for again now. */
export function changingParts(
  { parts, ledger }: DatasetEntry,
  { scope, days, unproven = [], unsettled: again = {} }: NewCoverage,
): readonly PartEntry[] {
  const now = union(days, unproven)
  const own = [...daysOfScope(ledger, scope).unsettled.keys()].filter(
    (day) => includes(now, day) || Object.hasOwn(again, day),
  )
  const spans = union(intersection(now, knownDays(ledger, scope)), rangesOfDays(own))
  return parts.filter(({ from, to }) => from && to && intersection(spans, [[from, to]]).length > 0)
}

/** What the coverage of an entry rests on, with addresses that are asked from now on. */
function keptFrom(dataset: Dataset, { kept }: DatasetEntry, from: readonly string[]): KeptEntry {
  const before = kept ?? { contract: contractVersion(dataset), from: [] }
  return { ...before, from: [...new Set([...before.from, ...from])].sort() }
}

/** Says that a current entry covers more. */
export function addCoverage(dataset: Dataset, entry: OpenEntry, more: NewCoverage): void {
  const { scope, latest = '', from, unsent } = more
  setLedger(entry, withAnswer(entry.ledger ?? [], more))
  const kept = { ...keptFrom(dataset, entry, from), ...(unsent && { unsent }) }
  const newest = [kept.latest?.[scope] ?? '', latest].sort()[1] as string
  entry.kept = { ...kept, ...(newest !== '' && { latest: { ...kept.latest, [scope]: newest } }) }
}

/** Says of a current entry that a sync brings every day from one on. Days that it wanted before stay wanted. */
export function wantFrom(dataset: Dataset, entry: OpenEntry, from: readonly string[], since: string): void {
  const kept = keptFrom(dataset, entry, from)
  entry.kept = { ...kept, since: [kept.since ?? since, since].sort()[0] as string }
}

/** Whether an archive is a cache: it says so of at least one dataset. */
export function isCache(manifest: Manifest): boolean {
  return Object.values(manifest.datasets).some((entry) => entry.kept !== undefined)
}

/** The addresses that a source is asked at, of its name. */
export function addressesOf(name: string): readonly string[] {
  return name.split(', ')
}

/**
 * Holds a directory against the use as a cache: it is no archive of the user's own, and holds answers of the same service.
 * @throws QuotebookError USAGE
 */
export function checkCacheOf(name: string, dir: string, manifest: Manifest): void {
  const isEmpty = Object.keys(manifest.datasets).length === 0 && manifest.ticks.length === 0
  if (!isEmpty && !isCache(manifest)) {
    throw new QuotebookError('USAGE', sentence`${dir} is an archive of its own; give the cache a directory for itself`)
  }
  checkSameService(name, dir, manifest)
}

/** Holds a directory against another service than the one whose answers it keeps. @throws QuotebookError USAGE */
export function checkSameService(name: string, dir: string, manifest: Manifest): void {
  const from = Object.values(manifest.datasets).flatMap(({ kept }) => kept?.from ?? [])
  if (from.length === 0 || addressesOf(name).some((address) => from.includes(address))) return
  const asked = [...new Set(from)].sort().join(', ')
  throw new QuotebookError(
    'USAGE',
    sentence`the cache ${dir} holds answers of ${asked}, not of ${name}; give another directory, or drop what it holds`,
  )
}
