import { dateOf, dayNumber, isDate, weekday } from './date.js'
import { QuotebookError } from './error.js'

/**
 * Weekdays on which Shanghai, Shenzhen and Beijing are closed.
 * Source: the yearly closing notices of the exchanges, which follow the holiday notices of the State Council.
 */
const closed: Readonly<Record<string, string>> = {
  2022: '0103 0131-0204 0404-0405 0502-0504 0603 0912 1003-1007',
  2023: '0102 0123-0127 0405 0501-0503 0622-0623 0929 1002-1006',
  2024: '0101 0209 0212-0216 0404-0405 0501-0503 0610 0916-0917 1001-1004 1007',
  2025: '0101 0128-0131 0203-0204 0404 0501-0502 0505 0602 1001-1003 1006-1008',
  2026: '0101-0102 0216-0220 0223 0406 0501 0504-0505 0619 0925 1001-1002 1005-1007',
}

const years = Object.keys(closed)
/** First and last year that the calendar knows. */
export const calendarYears: readonly [number, number] = [Number(years[0]), Number(years.at(-1))]

function closedDays(year: string, spans: string): string[] {
  return spans.split(' ').flatMap((span) => {
    const [first = '', last = first] = span.split('-')
    const days: string[] = []
    for (let day = dayNumber(year + first); day <= dayNumber(year + last); day++) days.push(dateOf(day))
    return days
  })
}

/** Whether the calendar knows the year of a date. */
export function inCalendar(date: string): boolean {
  const year = Number(date.slice(0, 4))
  return year >= calendarYears[0] && year <= calendarYears[1]
}

const holidays = new Set(Object.entries(closed).flatMap(([year, spans]) => closedDays(year, spans)))

function checkDate(date: string): void {
  if (!isDate(date)) throw new QuotebookError('INVALID_VALUE', `a date must be YYYYMMDD, not '${date}'`)
}

/**
 * Whether the mainland exchanges trade on a date.
 * @throws QuotebookError INVALID_VALUE for a year outside the calendar: a guess would look like knowledge
 */
export function isTradingDay(date: string): boolean {
  checkDate(date)
  if (!Object.hasOwn(closed, date.slice(0, 4))) {
    throw new QuotebookError('INVALID_VALUE', `the trading calendar knows ${calendarYears.join(' to ')}, not ${date}`)
  }
  const day = weekday(date)
  return day !== 0 && day !== 6 && !holidays.has(date)
}

/** The trading day before a date; undefined where the calendar does not reach back so far. */
export function tradingDayBefore(date: string): string | undefined {
  checkDate(date)
  for (let day = dayNumber(date) - 1; inCalendar(dateOf(day)); day--) if (isTradingDay(dateOf(day))) return dateOf(day)
  return undefined
}

/** Trading days from one date to another, both included, ascending. */
export function tradingDays(from: string, to: string): string[] {
  checkDate(from)
  checkDate(to)
  const days: string[] = []
  for (let day = dayNumber(from); day <= dayNumber(to); day++) {
    const date = dateOf(day)
    if (isTradingDay(date)) days.push(date)
  }
  return days
}
