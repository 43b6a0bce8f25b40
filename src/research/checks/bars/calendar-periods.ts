import type { Table } from 'apache-arrow'
import { inCalendar, isTradingDay, tradingDays } from '../../../contract/calendar.js'
import { dateOf, dayNumber, isDate, weekday } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { dictionary } from '../../../frame/read-columns.js'

/** What days are put together to. */
export type DayPeriod = 'day' | 'week' | 'month'

/** The first and the last day of the calendar in the day, week (from Monday) or month of a date. */
function boundsOf(date: string, period: DayPeriod): readonly [string, string] {
  if (period === 'day') return [date, date]
  if (period === 'month') {
    const first = `${date.slice(0, 6)}01`
    return [first, dateOf(dayNumber(`${dateOf(dayNumber(first) + 31).slice(0, 6)}01`) - 1)]
  }
  const monday = dayNumber(date) - ((weekday(date) + 6) % 7)
  return [dateOf(monday), dateOf(monday + 6)]
}

/** Trading days in the period of a date; NaN where the calendar does not know all of its days. */
export function tradingDaysIn(date: string, period: DayPeriod): number {
  const [first, last] = boundsOf(date, period)
  return inCalendar(first) && inCalendar(last) ? tradingDays(first, last).length : Number.NaN
}

/**
 * For each day that the table has, the last day of its period that the table has.
 * @throws QuotebookError INVALID_VALUE for a day that the calendar knows not to be a trading day
 */
export function lastKnownDays(table: Table, period: DayPeriod): ReadonlyMap<string, string> {
  const { codes, words: list } = dictionary(table, 'tradedate')
  const days = [...new Set(codes)].flatMap((code) => list[code] ?? []).sort()
  const closed = days.find((day) => !isDate(day) || (inCalendar(day) && !isTradingDay(day)))
  if (closed !== undefined) throw new QuotebookError('INVALID_VALUE', sentence`'${closed}' is no trading day`)
  const lastIn = new Map(days.map((day) => [boundsOf(day, period)[0], day]))
  return new Map(days.map((day) => [day, lastIn.get(boundsOf(day, period)[0]) ?? day]))
}
