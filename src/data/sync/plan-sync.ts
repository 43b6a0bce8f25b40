import type { CacheRule } from '../../contract/dataset.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import {
  type DayRanges,
  datesIn,
  dayAfter,
  daysWithout,
  endOfDays,
  includes,
  intersection,
  rangesOfDays,
  union,
} from '../archive/coverage/day-ranges.js'
import { dateAsked, type Ledger } from '../archive/coverage/ledger.js'
import type { WaitingDay } from '../archive/manifest-entries.js'
import { paramWithRole } from '../source/plan/asked.js'
import { planQuery } from '../source/plan/query-plan.js'
import type { SyncSeries } from './sync-series.js'

/** One question of a sync, answered and stored as one. */
export interface SyncRequest {
  readonly series: SyncSeries
  readonly params: Readonly<Record<string, string>>
  /** The day, where the operation answers one day a call. */
  readonly days?: readonly [day: string]
  /** The answer without a day is asked too: it has columns that those of a day lack. */
  readonly withLatest?: true
  /** What it brings: dates that were not covered; up to the end of days where the range is open. */
  readonly dates: DayRanges
  /** Dates of these that are covered, and asked again because they are due to be. */
  readonly again?: DayRanges
  /** Requests that it takes, at least. */
  readonly requests: number
}

/** What is known before a sync: the days wanted, and what an archive has of a series. */
export interface SyncState {
  /** First day wanted. */
  readonly from: string
  /** Latest day that the source has shown. */
  readonly latest: string
  /** Beijing day on which it is asked. */
  readonly today: string
  readonly covered: DayRanges
  /** Dates of these that are due to be asked again. */
  readonly again?: DayRanges
}

/** Calendar days of a question that is answered page by page, so that little is lost when it is interrupted. */
const daysOfPages = 31

type Span = readonly [from: string, to: string]

/** Spans of at most so many days each, those without trading left out; where every date counts, calendar days. */
function cut([from, to]: Span, most: number, isEveryDate: boolean): Span[] {
  const days = isEveryDate ? datesIn([[from, to]]) : daysBetween(from, to)
  const spans: Span[] = []
  for (let at = 0; at < days.length; at += most) {
    const isLast = at + most >= days.length
    const start = at === 0 ? from : dayAfter(spans.at(-1)?.[1] as string)
    spans.push([start, isLast ? to : (days[at + most - 1] as string)])
  }
  return spans
}

/** The params of a first and a last day. */
export function rangeParams({ dataset }: SyncSeries): readonly [string, string] {
  const named = (dataset.cache as CacheRule).range
  return named ?? [paramWithRole(dataset, 'from') as string, paramWithRole(dataset, 'to') as string]
}

/** Trading days whose rows a request may hold; all where the contract states no cap. */
function daysOfRequest({ dataset: { limit } }: SyncSeries): number {
  return limit.kind === 'cap'
    ? Math.max(1, Math.floor((limit.rows - 1) / (limit.daily ?? 1)))
    : Number.POSITIVE_INFINITY
}

function request(
  series: SyncSeries,
  dates: DayRanges,
  more: Pick<SyncRequest, 'params' | 'days'>,
  today: string,
): SyncRequest {
  const { plan } = planQuery(series.dataset, more.params, { whole: true, days: more.days }, today)
  return { series, ...more, dates, requests: plan.ranges.length }
}

/** Spans of a range without an end: cut up to the latest day, the last of them open. */
function openSpans([from]: Span, latest: string, most: number, isEveryDate: boolean): Span[] {
  const spans = cut([from, from > latest ? from : latest], most, isEveryDate)
  return spans.map((span, i) => (i === spans.length - 1 ? [span[0], endOfDays] : span))
}

/** Questions for ranges. Where no cap cuts them, the last one is open: it shows the latest day by itself. */
function ranges(series: SyncSeries, from: string, { latest, today, covered }: SyncState): SyncRequest[] {
  const [start, end] = rangeParams(series)
  const isPaged = series.way === 'pages'
  const most = isPaged ? daysOfPages : daysOfRequest(series)
  const missing = daysWithout([[from, series.dataset.limit.kind === 'cap' ? latest : endOfDays]], covered)
  const spans = missing.flatMap((span) =>
    span[1] === endOfDays ? openSpans(span, latest, most, isPaged) : cut(span, most, isPaged),
  )
  return spans.map(([first, last]) => {
    const params = { ...series.params, [start]: first, ...(last === endOfDays ? {} : { [end]: last }) }
    return request(series, [[first, last]], { params }, today)
  })
}

/**
 * The questions that bring a series up to a source, the newest first: it shows which of the others are settled. Pure. No
 * date that is covered is asked for but those that are due again; the latest day always is, since it is never covered.
 */
export function planSeries(series: SyncSeries, { again = [], ...state }: SyncState): SyncRequest[] {
  const due = intersection(again, state.covered)
  const plan = newDays(series, { ...state, covered: daysWithout(state.covered, due) })
  return plan.map((request) => {
    const own = intersection(request.dates, due)
    return own.length > 0 ? { ...request, again: own } : request
  })
}

/** The questions for all that is not covered. */
function newDays(series: SyncSeries, state: SyncState): SyncRequest[] {
  const { latest, today, covered } = state
  const { dataset, params, way } = series
  if (way === 'snapshot') {
    return includes(covered, today) ? [] : [request(series, [[today, today]], { params }, today)]
  }
  const from = [state.from, dataset.since ?? '', dataset.cache?.since ?? ''].sort().at(-1) as string
  if (from > latest) return []
  if (way !== 'day') return ranges(series, from, state).reverse()
  const days = daysWithout([[from, latest]], covered).flatMap((span) => daysBetween(...span))
  const asked = days.map((day) => {
    // Candidates of the latest day come under no date: which day that is they say themselves.
    const isNow = day === latest && dataset.cache?.latest === 'completed'
    return request(series, [[day, day]], isNow ? { params } : { params, days: [day] }, today)
  })
  const [newest, ...earlier] = asked.reverse()
  const isModal = Object.values(dataset.columns).some(({ mode }) => mode === 'latest')
  if (!newest || !isModal || newest.dates[0]?.[0] !== latest) return asked
  return [{ ...newest, withLatest: true, requests: newest.requests + 1 }, ...earlier]
}

/** Ages in calendar days at which a settled day is asked for again: ranges cost a request, a day of bars or a list one each. */
const ages = { range: [1, 7, 30], pages: [1, 7, 30], day: [7], snapshot: [] } as const

/** The days that lacked something when they were last asked for: they are due on another date. */
export function waitingDays(waiting: Readonly<Record<string, WaitingDay>> = {}, today: string): DayRanges {
  return rangesOfDays(Object.entries(waiting).flatMap(([day, { asked }]) => (asked < today ? [day] : [])))
}

/** The days that a sync settled and that have since come to an age at which they are asked for again. Imports never are. */
export function dueForRecheck({ way }: SyncSeries, records: Ledger, today: string): DayRanges {
  const daysBefore = (date: string, days: number): string => dateOf(dayNumber(date) - days)
  return records.reduce<DayRanges>((sum, record) => {
    const told = dateAsked(record)
    // A clock that was ahead told a day that is still to come.
    const last = told !== undefined && told > today ? daysBefore(today, 1) : told
    if (last === undefined || last >= today) return sum
    const due = ages[way].map((age): DayRanges[number] => [daysBefore(last, age - 1), daysBefore(today, age)])
    return due.reduce((all, span) => union(all, intersection(record.days, [span])), sum)
  }, [])
}
