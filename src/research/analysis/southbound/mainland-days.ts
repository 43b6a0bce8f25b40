import { inCalendar, isTradingDay } from '../../../contract/calendar.js'
import { dateOf, dayNumber, isDate } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { invalid } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/** Trading days of the mainland: those of the calendar, and days on which an index has a row whatever the calendar says. */
export function mainlandDays(traded: ReadonlySet<string>) {
  const known = new Map<string, boolean | undefined>()
  const look = (day: string): boolean | undefined => {
    if (traded.has(day)) return true
    return inCalendar(day) ? isTradingDay(day) : undefined
  }
  /** Undefined for a day of a year that the calendar does not know, and without a row. */
  const isOpen = (day: string): boolean | undefined => {
    if (!known.has(day)) known.set(day, look(day))
    return known.get(day)
  }
  /** The trading day that lies so many trading days after a day, or before it; undefined where the calendar ends first. */
  const step = (day: string, by: number): string | undefined => {
    if (!isDate(day)) throw invalid(sentence`a day must be YYYYMMDD, not '${day}'`)
    let at = dayNumber(day)
    let left = Math.abs(by)
    while (left > 0) {
      at += Math.sign(by)
      const date = dateOf(at)
      const isTrading = inCalendar(date) ? isOpen(date) : undefined
      if (isTrading === undefined) return undefined
      if (isTrading) left--
    }
    return dateOf(at)
  }
  return { isOpen, step }
}

export type MainlandDays = ReturnType<typeof mainlandDays>

/**
 * Hong Kong rests on some days of the mainland's trading: Good Friday and the Monday after, two days at Christmas, and now and
 * then a typhoon. Longer gaps are rows that are missing.
 */
const mostRests = 3

/**
 * Whether two days that follow each other in a table may be neighbours in southbound trading: not more than three trading
 * days of the mainland lie between them (weekdays, in a year that the calendar does not know).
 * @throws QuotebookError INVALID_VALUE for what is no date
 */
export function adjoin(day: string, next: string): boolean {
  const wrong = [day, next].find((one) => !isDate(one))
  if (wrong !== undefined) throw invalid(sentence`a day must be YYYYMMDD, not '${wrong}'`)
  return dayNumber(next) - dayNumber(day) <= mostRests + 1 || daysBetween(day, next).length - 2 <= mostRests
}
