import { inCalendar, isTradingDay, tradingDays } from '../../contract/calendar.js'
import { isDate } from '../../contract/date.js'

/** Whether a text is a date of a year that the trading calendar knows. */
export function isKnown(date: string): boolean {
  return isDate(date) && inCalendar(date)
}

/** First number of days that the calendar does not know, and how far they are kept apart: further than any window. */
const [unknown, apart] = [1_000_000, 1000]

/**
 * Numbers of days: of trading days counted from some day before the first of the dates; of dates outside the calendar's
 * years numbers that no other day is near; NaN for a date on which nobody trades.
 */
export function dayNumbers(dates: readonly (string | null)[]): (date: string) => number {
  const distinct = [...new Set(dates)].filter((date) => date !== null).sort()
  const inside = distinct.filter(isKnown)
  const [first = '', end = ''] = [inside[0], inside.at(-1)]
  const numbers = new Map(first === '' ? [] : tradingDays(first, end).map((day, number) => [day, number]))
  const outside = distinct.filter((date) => isDate(date) && !isKnown(date))
  outside.forEach((date, i) => {
    numbers.set(date, unknown + i * apart)
  })
  const before = (date: string): number =>
    first !== '' && isKnown(date) && date < first && isTradingDay(date)
      ? 1 - tradingDays(date, first).length
      : Number.NaN
  return (date) => numbers.get(date) ?? before(date)
}

/**
 * The latest day that is over: as said, else the latest trading day that any row has a change of. A day of rows without
 * change right behind a day with changes is the forecast, even if a few rows bear a later date by mistake. '' when
 * there is none.
 */
export function completedDay(
  dates: readonly (string | null)[],
  change: Float64Array,
  dayOf: (date: string) => number,
  said: string | undefined,
): string {
  if (said !== undefined) return said
  const quoted = new Map<string, number>()
  const silent = new Map<string, number>()
  dates.forEach((date, row) => {
    if (date === null) return
    const side = Number.isNaN(change[row]) ? silent : quoted
    side.set(date, (side.get(date) ?? 0) + 1)
  })
  const known = [...quoted.keys()].filter((date) => !isKnown(date) || !Number.isNaN(dayOf(date))).sort()
  const latest = known.at(-1) ?? ''
  for (const [date, rows] of silent) {
    if (quoted.has(date) || date > latest) continue
    const before = known.filter((one) => one < date)
    const later = known.slice(before.length).reduce((sum, one) => sum + (quoted.get(one) ?? 0), 0)
    const last = before.at(-1)
    if (last !== undefined && dayOf(last) === dayOf(date) - 1 && later <= rows) return last
  }
  return latest
}
