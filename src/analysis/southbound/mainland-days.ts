import { inCalendar, isTradingDay } from '../../contract/calendar.js'
import { dateOf, dayNumber, isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'

/** Trading days of the mainland: those of the calendar, and days on which an index has a row whatever the calendar says. */
export interface MainlandDays {
  /** Undefined for a day of a year that the calendar does not know, and without a row. */
  readonly isOpen: (day: string) => boolean | undefined
  /** The trading day that lies so many trading days after a day, or before it; undefined where the calendar ends first. */
  readonly step: (day: string, by: number) => string | undefined
}

export function mainlandDays(traded: ReadonlySet<string>): MainlandDays {
  const known = new Map<string, boolean | undefined>()
  const look = (day: string): boolean | undefined => {
    if (traded.has(day)) return true
    return inCalendar(day) ? isTradingDay(day) : undefined
  }
  const isOpen = (day: string): boolean | undefined => {
    if (!known.has(day)) known.set(day, look(day))
    return known.get(day)
  }
  const step = (day: string, by: number): string | undefined => {
    if (!isDate(day)) throw new QuotebookError('INVALID_VALUE', `a day must be YYYYMMDD, not '${day}'`)
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
