import { indexNames } from '../../contract/catalogue/theme-daily.js'
import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { daysBetween } from '../../contract/day-list.js'
import type { Proof } from '../../table/provenance.js'
import type { QueryRange } from '../plan/box.js'
import { queryDays } from '../plan/dated.js'
import { barsPerDay } from '../plan/plan.js'
import { type ReplyCounts, symbolColumn } from './shown.js'

/** The codes and days that a reply has to answer for; absent where nobody named them. */
export interface ExpectedKeys {
  readonly codes?: readonly string[] | undefined
  readonly days?: readonly string[] | undefined
}

/** What a reply to a box has to answer for. The days of a range without an end go to where data is expected to end. */
export function expectedKeys(dataset: Dataset, query: Query, range: QueryRange, counts: ReplyCounts): ExpectedKeys {
  const { symbols: codes, days: interval } = range
  const last = counts.days.at(-1)
  if (interval) {
    const to = interval.open && last !== undefined && last > interval.to ? last : interval.to
    return { codes, days: daysBetween(interval.from, to).filter((day) => day >= (dataset.since ?? '')) }
  }
  const { day, isLatest } = queryDays(dataset, query, range)
  if (day !== undefined) return { codes, days: [day] }
  return { codes, days: isLatest && counts.days.length > 0 ? counts.days : undefined }
}

/** Rows of a day of all codes, where there can be no more than these: one, ten of each channel, the indices in use. */
function mostOfDay({ name, key, day }: Dataset, { market_type: channels }: Query): number | undefined {
  if (key.length === 1 && key[0] === day) return 1
  if (name === 'theme_daily') return indexNames.length
  if (name === 'southbound_top10') return 10 * (Array.isArray(channels) ? new Set(channels).size : 2)
  return undefined
}

/** Rows of a day of so many codes, where there can be no more than these. */
function mostOfCodes(dataset: Dataset, query: Query, codes: number): number | undefined {
  if (dataset.columns.trademin) return codes * barsPerDay(query)
  const column = symbolColumn(dataset)
  const isOne = dataset.key.length === 2 && column !== undefined && dataset.day !== undefined
  return isOne && dataset.key.includes(dataset.day) ? codes : undefined
}

/** What shows that a reply holds all rows that there can be; undefined when some of them are not there. */
export function proofByCount(
  dataset: Dataset,
  query: Query,
  due: ExpectedKeys,
  counts: ReplyCounts,
): Proof | undefined {
  const { rows, symbols, perDay } = counts
  if (dataset.shape === 'object' && rows === 1) return 'total'
  if (query.recentdays !== undefined) return rows === Number(query.recentdays) ? 'calendar' : undefined
  if (Array.isArray(query.theme_symbols) && query.symbols === undefined) {
    return rows === new Set(query.theme_symbols).size ? 'grid' : undefined
  }
  if (!due.days) return undefined
  const daily = due.codes ? mostOfCodes(dataset, query, due.codes.length) : mostOfDay(dataset, query)
  if (daily === undefined || rows !== daily * due.days.length) return undefined
  if (due.codes && rows > 0 && (symbols.length !== due.codes.length || !due.codes.every(counts.isThere)))
    return undefined
  if (!due.days.every((day) => (perDay.get(day) ?? 0) === daily)) return undefined
  return dataset.columns.trademin ? 'grid' : 'calendar'
}
