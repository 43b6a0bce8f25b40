import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { dayParam, daysBetween } from '../../../contract/day-list.js'
import type { QueryRange } from './query-range.js'

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

/** A query as far as its days go. */
interface DatedQuery {
  readonly dataset: Dataset
  readonly query: Query
  readonly days: readonly string[] | undefined
  readonly today: string
}

/**
 * Days that an answer is to have rows of: those that it was run over, or the trading days of its range that have come. A range
 * without an end goes to the latest day with rows. Undefined where no days were asked for.
 */
export function daysDue(
  { dataset, query, days, today }: DatedQuery,
  present: readonly string[],
): readonly string[] | undefined {
  const { from = '', to } = queryDays(dataset, query, {})
  if (days || from === '' || dataset.openRange) return days
  const last = to ?? [...present].sort().at(-1) ?? ''
  if (last < from) return []
  return daysBetween(from, last < today ? last : today).filter((day) => day >= (dataset.since ?? ''))
}
