import type { Table } from 'apache-arrow'
import { calendarYears } from '../../contract/calendar.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { ContractError } from '../../contract/error.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import type { Source } from '../../source/source.js'
import { SourceError } from '../../source/source-error.js'
import { columnsOf } from '../../table/unwrap.js'
import { dayAfter, endOfDays } from './day-ranges.js'
import { datesOf, type Wish } from './wish.js'

/** Days within which trading goes on. */
const longestRest = 31

/**
 * The completed day behind candidates, or one before it: the first of two days, and the day before a single one, which may
 * be a forecast alone. The years that the calendar does not know show nothing.
 */
function completedIn(days: readonly string[]): string | undefined {
  const [only, ...more] = days
  if (only === undefined || more.length > 0) return only
  const first = dateOf(dayNumber(only) - longestRest)
  if (Number(first.slice(0, 4)) < calendarYears[0] || Number(only.slice(0, 4)) > calendarYears[1]) return undefined
  return daysBetween(first, dateOf(dayNumber(only) - 1)).at(-1)
}

/** The latest day with rows in an answer; undefined when it has none, or not the column. */
export function latestIn({ dataset, rule }: Wish, table: Table): string | undefined {
  const days = [...distinctValues(columnsOf(table), dataset.day ?? '')].sort()
  return rule.latest === 'completed' ? completedIn(days) : days.at(-1)
}

/** Whether days are asked for of which nobody knows yet that they are past. */
export function isOpenQuestion(wish: Wish, latest: string | undefined): boolean {
  const last = datesOf(wish).at(-1)?.[1]
  if (last === undefined || last < (wish.rule.since ?? '')) return false
  return latest === undefined || last >= latest
}

/** The trading day after the last one asked for, where its rows are what shows that the others are past. */
function nextDay(wish: Wish): string | undefined {
  const last = datesOf(wish).at(-1)?.[1]
  if (last === undefined || last >= endOfDays) return undefined
  return daysBetween(dayAfter(last), dateOf(dayNumber(last) + longestRest))[0]
}

/** The smallest question that shows a day; undefined when there is none. */
function question({ rule, query, dataset }: Wish, next: string | undefined): Record<string, unknown> | undefined {
  const required = Object.entries(dataset.params).filter(([, param]) => param.required)
  const base = Object.fromEntries(
    [...required.map(([name]) => name), rule.scope ?? ''].flatMap((name) =>
      query[name] === undefined ? [] : [[name, query[name]]],
    ),
  )
  if (rule.latest !== 'next') return base
  return next === undefined ? undefined : { ...base, tradedate: next }
}

/** What the service can not say now, it may say in answer to the question itself. */
function isOwnFault(error: unknown): boolean {
  if (error instanceof ContractError) return true
  return error instanceof SourceError && !error.retryable && error.code !== 'FORBIDDEN'
}

/**
 * Asks the service for its latest day of a dataset, in one small request.
 * @returns undefined when the answer does not tell
 */
export async function probe(inner: Source, wish: Wish, signal: AbortSignal | undefined): Promise<Table | undefined> {
  const { dataset, rule } = wish
  const params = question(wish, rule.latest === 'next' ? nextDay(wish) : undefined)
  if (params === undefined) return undefined
  try {
    return await inner.query(dataset, params, { fields: [dataset.day as string], signal })
  } catch (error) {
    if (signal?.aborted || !isOwnFault(error)) throw error
    return undefined
  }
}
