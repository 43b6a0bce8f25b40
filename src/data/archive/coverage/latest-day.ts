import type { Table } from 'apache-arrow'
import { calendarYears } from '../../../contract/calendar.js'
import { dateIn, dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { ContractError } from '../../../contract/error.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import { textCells } from '../../../frame/table/values.js'
import type { QueryOptions, Source } from '../../source/source.js'
import { SourceError } from '../../source/source-error.js'
import { type CacheQuery, lastSettled } from './covered-query.js'
import { dayAfter, endOfDays } from './day-ranges.js'

/** Days within which trading goes on. */
const longestRest = 31

/**
 * The completed day behind candidates, or one before it: the first of two days, and the day before a single one, which may
 * be a forecast alone. The years that the calendar does not know show nothing.
 */
export function completedDay(days: readonly string[]): string | undefined {
  const [only, ...more] = days
  if (only === undefined || more.length > 0) return only
  const first = dateOf(dayNumber(only) - longestRest)
  if (Number(first.slice(0, 4)) < calendarYears[0] || Number(only.slice(0, 4)) > calendarYears[1]) return undefined
  return daysBetween(first, dateOf(dayNumber(only) - 1)).at(-1)
}

/** The latest day with rows in an answer; undefined when it has none, or not the column. */
export function latestDayIn({ dataset, rule }: CacheQuery, table: Table): string | undefined {
  const name = rule.shown ?? dataset.day ?? ''
  const days = [...new Set(textCells(columnsOf(table.select([name])), name))]
    .flatMap((word) => dateIn(word ?? '') ?? [])
    .sort()
  return rule.latest === 'completed' ? completedDay(days) : days.at(-1)
}

/** Whether the query has days of which nobody knows yet that they are past. */
export function mayBeUnsettled({ dates, rule, isFiltered }: CacheQuery, latest: string | undefined): boolean {
  const last = dates.at(-1)?.[1]
  if (isFiltered || last === undefined || last < (rule.since ?? '')) return false
  return latest === undefined || last > lastSettled(rule, latest)
}

/**
 * The params of the smallest query that shows a day: where the latest answer does not say of which day it is, those of the
 * trading day after the last one of the query, whose rows show that the others are past. Undefined when there is none.
 */
function smallestParams({ rule, dataset, query, dates }: CacheQuery): Record<string, unknown> | undefined {
  const names = Object.keys(dataset.params).filter((name) => dataset.params[name]?.required || name === rule.scope)
  const params = Object.fromEntries(names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))
  if (rule.latest !== 'next') return params
  const last = dates.at(-1)?.[1] ?? endOfDays
  if (last >= endOfDays) return undefined
  const [tradedate] = daysBetween(dayAfter(last), dateOf(dayNumber(last) + longestRest))
  return tradedate === undefined ? undefined : { ...params, tradedate }
}

/**
 * Asks the service for its latest day of a dataset, in one small request.
 * @returns undefined when the answer does not tell, or the service refuses this request, which it may not do with the query
 */
export async function askLatestDay(
  service: Source,
  query: CacheQuery,
  { signal, seen }: QueryOptions,
): Promise<Table | undefined> {
  const params = smallestParams(query)
  if (params === undefined) return undefined
  try {
    return await service.query(query.dataset, params, { fields: [query.dataset.day as string], signal, seen })
  } catch (error) {
    const isRefused = error instanceof SourceError && !error.retryable && error.code !== 'FORBIDDEN'
    if (!signal?.aborted && (isRefused || error instanceof ContractError)) return undefined
    throw error
  }
}
