import { calendarYears, isTradingDay, tradingDays } from '../../contract/calendar.js'
import { dateOf, dayNumber, isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'

/** A trading day and its number, counted from the first trading day that the calendar knows. */
export interface Day {
  readonly date: string
  readonly t: number
}

/** Last day of a sample that names no start. */
const defaultEnd = '20260729'

const firstKnown = `${calendarYears[0]}0101`

function refuse(message: Words): never {
  throw new QuotebookError('INVALID_VALUE', message)
}

/** All known trading days up to a date. */
function daysTo(date: string): Day[] {
  return tradingDays(firstKnown, date).map((known, t) => ({ date: known, t }))
}

/**
 * The days of a sample, ascending: `count` from the first trading day on or after `start`, or the `count` that end
 * on 20260729.
 * @throws QuotebookError INVALID_VALUE for days that the trading calendar does not know
 */
export function sampleDays(count: number, start: string | undefined): Day[] {
  if (start !== undefined && !isDate(start)) refuse(sentence`start must be a date YYYYMMDD, not '${start}'`)
  if (start !== undefined && start < firstKnown) refuse(sentence`the trading calendar begins with ${calendarYears[0]}`)
  const all = daysTo(start === undefined ? defaultEnd : `${calendarYears[1]}1231`)
  const from = start === undefined ? all.length - count : all.findIndex((day) => day.date >= start)
  if (from < 0 || from + count > all.length) {
    const span = start === undefined ? sentence`ending ${defaultEnd}` : sentence`from ${start}`
    refuse(
      sentence`the trading calendar (${sentence`${calendarYears[0]} to ${calendarYears.at(-1)}`}) does not know ${count} days ${span}`,
    )
  }
  return all.slice(from, from + count)
}

/** The trading day after another. */
export function nextDay(day: Day): Day {
  let at = dayNumber(day.date) + 1
  while (!isTradingDay(dateOf(at))) at++
  return { date: dateOf(at), t: day.t + 1 }
}

/** The trading days between two dates, both included, with their numbers. */
export function sampleDaysBetween(from: string, to: string): Day[] {
  return daysTo(to).filter((day) => day.date >= from)
}

/** `20260701` as `2026-07-01`. */
export function dashed(date: string): string {
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
}

/** Seconds of a day as `HH:mm:ss`. */
export function clock(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
