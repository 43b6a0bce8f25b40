import {
  calendarYears,
  inCalendar,
  inferredNote,
  learntCalendar,
  noticedCalendar,
  type TradingCalendar,
} from '../../../contract/calendar.js'
import { datasetOf } from '../../../contract/catalogue.js'
import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { listOf, sentence, type Words } from '../../../contract/sentence.js'
import { absentDaysNote } from '../../../frame/table/absent-days.js'
import type { Proof } from '../../../frame/table/provenance.js'
import { type Coverage, coverageOf } from '../coverage/coverage.js'
import { datesIn, includes } from '../coverage/day-ranges.js'
import { rowsOfPart } from '../part-days.js'
import { LostFileError } from '../part-file.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { latestIn, type OpenRange, partsBetween } from './day-conditions.js'
import { memoized } from './memoized.js'

/** The days that an archive must hold for an answer to be whole. */
export interface RequiredDays {
  /** An open end is that of the service's history, or the latest day of the archive. */
  readonly span: OpenRange
  /** What tells apart rows stored under one dataset: bars of a period, a hot list. */
  readonly scope?: string | undefined
}

/** What shows that an answer is whole, or why nothing does. */
export interface AnswerCompleteness {
  readonly proof?: Proof
  readonly note?: Words
  /** Trading days asked for that have no row. */
  readonly absentDays?: readonly string[]
}

/** First day that the calendar knows: a history without a beginning goes no further back. */
const firstDay = `${calendarYears[0]}0101`

/** The days of a part that have rows. */
async function presentDays(
  snapshot: Snapshot,
  dataset: Dataset,
  part: ManifestPart,
  scope = '',
): Promise<Iterable<string>> {
  return (await rowsOfPart(part, snapshot, dataset)).get(scope)?.keys() ?? []
}

/**
 * The calendar of an archive: of years without notice its statistical indices tell, which have rows on every trading day, and
 * what is covered of them: a covered weekday without rows is shut.
 */
const learntCalendarOf = memoized(async (parts: readonly ManifestPart[], snapshot: Snapshot) => {
  const indices: Dataset = datasetOf('theme_daily')
  const open = new Set<string>()
  for (const part of parts.filter(({ to = '', from = '' }) => !inCalendar(from) || !inCalendar(to))) {
    try {
      for (const day of await presentDays(snapshot, indices, part)) open.add(day)
    } catch (error) {
      // What can not be read teaches nothing, and is no fault of other datasets; a file that has gone is read in the next state.
      if (error instanceof LostFileError && error.isMissing) throw error
    }
  }
  const { all } = coverageOf(indices, snapshot.entry(indices.name), '')
  return learntCalendar(
    open,
    datesIn(all).filter((day) => !inCalendar(day) && !open.has(day)),
  )
})

/** The calendar of an archive for days from one to another. */
export function calendarOf(snapshot: Snapshot, from: string, to: string): TradingCalendar | Promise<TradingCalendar> {
  const isKnown = inCalendar(from) && inCalendar(to)
  return isKnown ? noticedCalendar : learntCalendarOf(snapshot.parts('theme_daily'), snapshot)
}

const yearOf = (day: string): number => Number(day.slice(0, 4))

/**
 * The days of a span that are counted one by one: from the year before the first that calendar or archive know to the year after the
 * last. The days of these two are absent, so that a span which goes on further never counts as whole.
 */
function countedDays(
  { since = '' }: Dataset,
  parts: readonly ManifestPart[],
  { from, to }: { readonly from: string; readonly to: string },
): { readonly start: string; readonly end: string } {
  const first = parts.reduce((least, part) => Math.min(least, yearOf(part.from ?? firstDay)), calendarYears[0])
  const last = Math.max(calendarYears[1], yearOf(latestIn(parts) ?? ''), yearOf(from))
  const [start = ''] = [from, since, `${Math.min(first, yearOf(to)) - 1}0101`.padStart(8, '0')].sort().slice(-1)
  const end = `${last + 1}1231`.padStart(8, '0')
  return { start, end: to > end && last < 9999 ? end : to }
}

/** Whether the archive says that it holds every row of a day that the query asks for; undefined where it says nothing of it. */
function coversDays({ all, codes }: Coverage, { symbols }: Query): ((day: string) => boolean) | undefined {
  if (all.length === 0 && codes.size === 0) return undefined
  const own = Array.isArray(symbols) ? (symbols as readonly string[]).map((code) => codes.get(code) ?? []) : undefined
  return (day) => includes(all, day) || (own?.every((spans) => includes(spans, day)) ?? false)
}

/** That rows are of a day which could still change when they were asked for. */
function unsettledNote(
  { unsettled }: Coverage,
  { from, to }: { readonly from: string; readonly to: string },
): string | undefined {
  const [day, asked] = [...unsettled].find(([day]) => day >= from && day <= to) ?? []
  return day === undefined ? undefined : `rows of ${day} are as they stood at ${asked}, not settled yet`
}

/**
 * What shows that an archive's answer is whole. The rule, for all datasets: every trading day that was asked for has rows, or
 * the manifest says that it is covered: a covered day without rows has none. A day that has rows counts as whole, because an import refuses replies that were cut;
 * in a cache of a service only what is covered does. What has no days is the present state.
 */
export async function proveComplete(
  snapshot: Snapshot,
  dataset: Dataset,
  query: Query,
  found: {
    readonly requiredDays?: RequiredDays
    readonly missing?: Words | undefined
    readonly proof?: Proof
    readonly untold?: Words | undefined
  },
): Promise<AnswerCompleteness> {
  const { requiredDays: required, missing, proof, untold } = found
  const notYet = snapshot.notYet?.(dataset.name)
  if (notYet !== undefined) return { note: notYet }
  if (untold !== undefined) return { note: untold }
  if (!required) return missing === undefined ? { proof: 'state' } : { note: missing }
  const parts = snapshot.parts(dataset.name)
  const from = required.span.from ?? dataset.since ?? firstDay
  const to = required.span.to ?? latestIn(parts)
  if (to === undefined) return { note: sentence`the archive holds nothing of ${dataset.name}` }
  const { start, end } = countedDays(dataset, parts, { from, to })
  const calendar = await calendarOf(snapshot, start, end)
  const days = calendar.between(start, end)
  const { scope } = required
  const coverage = coverageOf(dataset, snapshot.entry(dataset.name), scope ?? '')
  const changing = unsettledNote(coverage, { from: start, to: end })
  if (changing !== undefined) return { note: changing }
  const isCovered = coversDays(coverage, query)
  const open = isCovered ? days.filter((day) => !isCovered(day)) : days
  if (open.length === 0 && days.length > 0 && to === end) return { proof: 'calendar' }
  const present = new Set<string>()
  for (const part of partsBetween(parts, { from: start, to: end })) {
    for (const day of await presentDays(snapshot, dataset, part, scope)) present.add(day)
  }
  const absent = open.filter((day) => !present.has(day))
  if (absent.length > 0) {
    const inferred = inferredNote(absent.filter((day) => calendar.isOpen(day) === undefined))
    const note = absentDaysNote(dataset, absent, isCovered !== undefined)
    return { absentDays: absent, note: inferred === undefined ? note : listOf([note, inferred]) }
  }
  if (to > end) return { note: sentence`days after ${end} are not known` }
  if (open.length > 0 && snapshot.entry(dataset.name)?.kept) {
    return { note: sentence`rows of ${open[0]} may be missing: only what was asked for is kept` }
  }
  return missing === undefined ? { proof: proof ?? 'calendar' } : { note: missing }
}
