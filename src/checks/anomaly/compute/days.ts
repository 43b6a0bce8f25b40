import { calendarYears, tradingDays } from '../../../contract/calendar.js'
import { isDate } from '../../../contract/date.js'
import { refuse } from './prices.js'

/** Trading days in order, and the place of each. */
export interface Days {
  readonly dates: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
}

/** @throws QuotebookError INVALID_VALUE for a calendar that is not ascending, or holds what is no date */
function check(dates: readonly string[]): void {
  dates.forEach((date, at) => {
    if (!isDate(date)) refuse(`the calendar has '${date}'; a day is written as 20260729`)
    const before = dates[at - 1]
    if (before !== undefined && before >= date) refuse(`the calendar is not ascending: ${date} comes after ${before}`)
  })
}

/**
 * The calendar given; else the built-in one from its first to its last year, where it knows the years of all dates; else
 * the days of the benchmarks, which end with the last completed day, so that nothing is forecast.
 * @param dates of the prices, any order
 */
export function daysFor(
  calendar: readonly string[] | undefined,
  dates: readonly string[],
  benchmarkDates: readonly string[],
): Days {
  if (calendar) check(calendar)
  const [first, last] = [String(calendarYears[0]), String(calendarYears[1])]
  const isKnown = dates.every((date) => date.slice(0, 4) >= first && date.slice(0, 4) <= last)
  const own = calendar ?? (isKnown ? tradingDays(`${first}0101`, `${last}1231`) : [...new Set(benchmarkDates)].sort())
  return { dates: own, placeOf: new Map(own.map((date, place) => [date, place])) }
}
