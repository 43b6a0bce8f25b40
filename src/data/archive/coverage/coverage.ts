import type { Dataset } from '../../../contract/dataset.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { contractVersion } from '../manifest.js'
import type { Covered, DatasetEntry, KeptEntry, Manifest, PartEntry, WaitingDay } from '../manifest-entries.js'
import { knownDays } from '../revision/observations.js'
import { type DayRanges, daysWithout, includes, intersection, rangesOfDays, union } from './day-ranges.js'

/** What is known to be cached of a dataset and scope, as one manifest says it. */
export interface Coverage {
  /** Days of which every row is there. */
  readonly all: DayRanges
  /** Days of which every row of a code is there, by the code as it was asked for. */
  readonly codes: ReadonlyMap<string, DayRanges>
  /** Latest day that the service has shown. */
  readonly latest: string | undefined
}

/** Days and codes that are covered from now on. */
export interface NewCoverage extends Covered {
  /** Latest day that the service has shown. */
  readonly latest: string | undefined
  /** Addresses of the service. */
  readonly from: readonly string[]
  /** Days whose rows may still change, and when they were asked for. */
  readonly unsettled?: Readonly<Record<string, string>> | undefined
  /** Days that can no longer change, and that nothing shows to be whole. */
  readonly unproven?: DayRanges | undefined
  /** When the answer was there, Beijing time: since then its rows are known. */
  readonly observedAt?: string | undefined
}

/** The origin of rows that a service was asked for; those with another were imported. */
export const cachedOrigin = 'kept'

/** What is covered of a scope: days of all rows, and days of each code. */
export function daysOfScope(covered: readonly Covered[], scope: string): Pick<Coverage, 'all' | 'codes'> {
  let all: DayRanges = []
  const codes = new Map<string, DayRanges>()
  for (const { symbols, days } of covered.filter((part) => part.scope === scope)) {
    if (symbols === 'all') all = union(all, days)
    else for (const code of symbols) codes.set(code, union(codes.get(code) ?? [], days))
  }
  return { all, codes }
}

/** Whether what an entry says to be cached was written under the dataset's present declaration. */
function isCurrent(dataset: Dataset, entry: DatasetEntry | undefined): boolean {
  return entry?.kept?.contract === contractVersion(dataset)
}

/** What an entry covers; nothing when it was written under another declaration of the dataset. */
export function coverageOf(dataset: Dataset, entry: DatasetEntry | undefined, scope: string): Coverage {
  const isVoid = entry?.kept !== undefined && !isCurrent(dataset, entry)
  const { covered = [], latest } = isVoid ? {} : (entry ?? {})
  return { ...daysOfScope(covered, scope), latest: latest?.[scope] }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What days rest on, as one text. */
function groundOf({ asked = '', proof = '' }: Pick<Covered, 'asked' | 'proof'>): string {
  return JSON.stringify([asked, proof])
}

/** Days of one code, or of all, by what they rest on. */
type Grounds = Map<string, DayRanges>

/** The days with more of them: those that are asked for again rest on the later asking, if it says on what. */
function withDays(grounds: Grounds, days: DayRanges, ground: string): void {
  const isSilent = ground === groundOf({})
  const others = [...grounds].filter(([other]) => other !== ground)
  const known = others.reduce<DayRanges>((sum, [, own]) => union(sum, own), [])
  grounds.set(ground, union(grounds.get(ground) ?? [], isSilent ? daysWithout(days, known) : days))
  if (!isSilent) for (const [other, own] of others) grounds.set(other, daysWithout(own, days))
}

/** The list of what is covered with more days of one scope: codes that share their days and what these rest on stand in one list. */
export function extendCoverage(covered: readonly Covered[], more: Covered): readonly Covered[] {
  const { scope, days: added } = more
  if (added.length === 0) return covered
  const byCode = new Map<string, Grounds>()
  for (const { symbols, days, ...ground } of [...covered.filter((part) => part.scope === scope), more]) {
    for (const code of symbols === 'all' ? [''] : symbols) {
      const grounds = byCode.get(code) ?? new Map()
      byCode.set(code, grounds)
      withDays(grounds, days, groundOf(ground))
    }
  }
  const lists = new Map<string, Omit<Covered, 'symbols'> & { symbols: 'all' | string[] }>()
  for (const [code, grounds] of [...byCode].sort(([a], [b]) => compareTexts(a, b))) {
    for (const [ground, days] of [...grounds].sort(([a], [b]) => compareTexts(a, b))) {
      const [asked, proof] = JSON.parse(ground) as [string, string]
      const name = `${code === ''} ${ground} ${days.join(' ')}`
      const list = lists.get(name)
      if (list && list.symbols !== 'all') list.symbols.push(code)
      else if (days.length > 0) {
        const about = { ...(asked === '' ? {} : { asked }), ...(proof === '' ? {} : { proof }) }
        lists.set(name, { scope, symbols: code === '' ? 'all' : [code], days, ...about })
      }
    }
  }
  const others = covered.filter((part) => part.scope !== scope)
  return [...others, ...lists.values()].sort((a, b) => compareTexts(a.scope, b.scope))
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
type ByScope = Required<Pick<DatasetEntry, 'unsettled' | 'unproven' | 'seen' | 'waiting'>>

/** Sets what an entry says of a scope; what is empty goes. */
export function setScope<K extends keyof ByScope>(
  entry: OpenEntry,
  name: K,
  scope: string,
  value: ByScope[K][string],
): void {
  const { [scope]: _, ...others }: Readonly<Record<string, object>> = entry[name] ?? {}
  const all = Object.keys(value).length > 0 ? { ...others, [scope]: value } : others
  if (Object.keys(all).length > 0) Object.assign(entry, { [name]: all })
  else delete entry[name]
}

/** Says which settled days wait, by scope: of these days those that are told, and no others. */
export function setWaiting(
  entry: OpenEntry,
  scope: string,
  days: DayRanges,
  told: Readonly<Record<string, WaitingDay>> = {},
): void {
  const others = Object.entries(entry.waiting?.[scope] ?? {}).filter(([day]) => !includes(days, day))
  const all = [...others, ...Object.entries(told)].sort(([a], [b]) => compareTexts(a, b))
  setScope(entry, 'waiting', scope, Object.fromEntries(all))
}

/** The parts with days that could still change when they were asked for, or are settled, and that are settled or asked for again now. */
export function changingParts(
  { parts, unsettled, seen }: DatasetEntry,
  { scope, days, unproven = [], unsettled: again = {} }: NewCoverage,
): readonly PartEntry[] {
  const now = union(days, unproven)
  const own = Object.keys(unsettled?.[scope] ?? {}).filter((day) => includes(now, day) || Object.hasOwn(again, day))
  const spans = union(intersection(now, knownDays(seen?.[scope])), rangesOfDays(own))
  return parts.filter(({ from, to }) => from && to && intersection(spans, [[from, to]]).length > 0)
}

/** What the coverage of an entry rests on, with addresses that are asked from now on. */
function keptFrom(dataset: Dataset, { kept }: DatasetEntry, from: readonly string[]): KeptEntry {
  const before = kept ?? { contract: contractVersion(dataset), from: [], rows: {} }
  return { ...before, from: [...new Set([...before.from, ...from])].sort() }
}

/** Says that a current entry covers more. `rows`: how many more rows it caches. */
export function addCoverage(dataset: Dataset, entry: OpenEntry, more: NewCoverage, rows: number): void {
  const { scope, symbols, days, asked, proof, latest = '', from, unsettled = {}, unproven = [] } = more
  const isAll = symbols === 'all'
  // Of days that may still change those go that are settled by now, and of days that nothing shows to be whole those covered.
  const before = Object.entries(entry.unsettled?.[scope] ?? {})
  const open = before.filter(([day]) => !isAll || !includes(union(days, unproven), day))
  setScope(entry, 'unsettled', scope, { ...Object.fromEntries(open), ...unsettled })
  setScope(entry, 'unproven', scope, daysWithout(union(entry.unproven?.[scope] ?? [], unproven), isAll ? days : []))
  const own = { scope, symbols, days, ...(asked && { asked }), ...(proof && { proof }) }
  entry.covered = extendCoverage(entry.covered ?? [], own)
  const newest = [entry.latest?.[scope] ?? '', latest].sort()[1] as string
  entry.latest = { ...entry.latest, ...(newest === '' ? {} : { [scope]: newest }) }
  const kept = keptFrom(dataset, entry, from)
  entry.kept = { ...kept, rows: { ...kept.rows, [scope]: Math.max(0, (kept.rows[scope] ?? 0) + rows) } }
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
