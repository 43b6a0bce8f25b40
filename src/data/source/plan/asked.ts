import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { dayParam, daysBetween } from '../../../contract/day-list.js'
import { bucketCloses } from '../../../contract/session.js'
import { type DateInterval, distinctCodes, type QueryRange } from './query-range.js'

/** Of which days a request speaks (section 4.0). */
export interface QueryDays {
  /** One day. */
  readonly day?: string | undefined
  /** A range, either end of which may be open. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The latest so many. */
  readonly recent?: number | undefined
  /** No date was given, and that means the latest day. */
  readonly isLatest: boolean
}

const roles = new WeakMap<Dataset, ReadonlyMap<string | undefined, string>>()

/** Name of the param with a role; of several the first. */
export function paramWithRole(dataset: Dataset, role: string): string | undefined {
  let names = roles.get(dataset)
  if (!names) {
    names = new Map(
      Object.entries(dataset.params)
        .map(([name, param]) => [param.role, name] as const)
        .reverse(),
    )
    roles.set(dataset, names)
  }
  return names.get(role)
}

/** The param that names one day: its own, or the end of a range, which alone means that day. */
export function oneDayParam(dataset: Dataset): string | undefined {
  return dayParam(dataset) ?? paramWithRole(dataset, 'day') ?? paramWithRole(dataset, 'to')
}

/** The days that a range of a query speaks of. */
export function queryDays(dataset: Dataset, query: Query, range: QueryRange): QueryDays {
  if (range.day !== undefined) return { day: range.day, isLatest: false }
  if (range.days) return { from: range.days.from, to: range.days.open ? undefined : range.days.to, isLatest: false }
  const own = dayParam(dataset)
  const of = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : query[name]
    return typeof value === 'string' ? value : undefined
  }
  const day = of(own) ?? of(paramWithRole(dataset, 'day'))
  const [from, to] = [of(paramWithRole(dataset, 'from')), of(paramWithRole(dataset, 'to'))]
  const recent = query[paramWithRole(dataset, 'recent') ?? '']
  if (day !== undefined) return { day, isLatest: false }
  if (recent !== undefined) return { recent: Number(recent), isLatest: false }
  if (dataset.openRange) return { from, to, isLatest: false }
  if (from === undefined && to !== undefined) return { day: to, isLatest: false }
  return { from, to, isLatest: dataset.day !== undefined && from === undefined }
}

/** What is asked for on the axes that tell rows apart. An axis that nobody named is absent. */
export interface Asked {
  /** Codes, once each. */
  readonly codes?: readonly string[] | undefined
  /** Trading days, ascending: those that an operation of one day a call is run over, or those of a range. */
  readonly days?: readonly string[] | undefined
  /** Closing minutes of bars. */
  readonly closes?: readonly string[] | undefined
}

/** The range of dates of a query with a start; undefined for a single day, for none, and where both ends may be open. */
export function intervalOf(dataset: Dataset, query: Query, today: string): DateInterval | undefined {
  const [from, to] = ['from', 'to'].map((role) => query[paramWithRole(dataset, role) ?? ''])
  if (dataset.openRange || typeof from !== 'string') return undefined
  if (typeof to === 'string') return { from, to }
  return { from, to: today > from ? today : from, open: true }
}

/** The column of the codes that a query can name; undefined where it can't. */
export function symbolColumn({ params }: Dataset): string | undefined {
  return params.symbols?.role === 'match' ? params.symbols.columns?.[0] : undefined
}

/** The codes that a query matches rows with, once each; undefined for all. */
export function matchedCodes(dataset: Dataset, { symbols }: Query): readonly string[] | undefined {
  return symbolColumn(dataset) !== undefined && Array.isArray(symbols) ? distinctCodes(symbols) : undefined
}

function closesOf({ period, trademin }: Query): readonly string[] | undefined {
  if (typeof trademin === 'string') return [trademin]
  return period === '15m' || period === '30m' ? bucketCloses[period] : undefined
}

/** The trading days of dates from one to another since a dataset has any. */
function tradingDays({ since = '' }: Dataset, { from, to }: Pick<DateInterval, 'from' | 'to'>): readonly string[] {
  return daysBetween(from, to).filter((day) => day >= since)
}

/** @param days those that it is run over; @param today where the data of a range without an end are expected to end */
export function planAsked(dataset: Dataset, query: Query, days: readonly string[] | undefined, today: string): Asked {
  const interval = intervalOf(dataset, query, today)
  return {
    codes: matchedCodes(dataset, query),
    days: days ?? (interval && tradingDays(dataset, interval)),
    closes: closesOf(query),
  }
}

/** A query with what it asks for. */
interface AskedQuery {
  readonly dataset: Dataset
  readonly query: Query
  readonly asked: Asked
  readonly today: string
}

/** What a range of a query asks for. @param shown days that its answer has, ascending: of the latest day, and of a range without an end */
export function askedIn({ dataset, query, asked }: AskedQuery, range: QueryRange, shown: readonly string[]): Asked {
  const { symbols: codes, days: interval, minute } = range
  const closes = minute === undefined ? asked.closes : [minute]
  const last = shown.at(-1) ?? ''
  if (interval) {
    const to = interval.open && last > interval.to ? last : interval.to
    return { codes, days: tradingDays(dataset, { from: interval.from, to }), closes }
  }
  const { day, isLatest } = queryDays(dataset, query, range)
  if (day !== undefined) return { codes, days: [day], closes }
  return { codes, days: isLatest && shown.length > 0 ? shown : undefined, closes }
}

/**
 * Days that an answer is to have rows of: those that it was run over, or the trading days of its range that have come. A range
 * without an end goes to the latest day with rows. Undefined where no days were asked for.
 */
export function daysDue(
  { dataset, query, asked, today }: AskedQuery,
  present: readonly string[],
): readonly string[] | undefined {
  const interval = intervalOf(dataset, query, today)
  if (!interval) return asked.days
  const last = interval.open ? ([...present].sort().at(-1) ?? '') : interval.to
  return asked.days?.filter((day) => day <= last && day <= today)
}
