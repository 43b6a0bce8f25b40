import { inCalendar, isTradingDay } from './calendar.js'
import { beijingDay, beijingTime, dateOf, dayNumber, weekday } from './date.js'

/** The two halves of a session, Beijing time: from the opening auction to the midday break, and to the close. */
const halves = [
  ['09:15:00', '11:30:00'],
  ['13:00:00', '15:00:00'],
] as const

/** Of a year that the calendar does not know every weekday may be a trading day: to ask in vain costs little. */
export function mayTrade(date: string): boolean {
  return inCalendar(date) ? isTradingDay(date) : weekday(date) % 6 !== 0
}

/** Whether the mainland exchanges are in session: from 09:15, when the opening auction begins, to 15:00 without midday. @param time ms since 1970 */
export function inSession(time: number): boolean {
  const at = beijingTime(time).slice(11, 19)
  return halves.some(([from, to]) => at >= from && at <= to) && mayTrade(beijingDay(time))
}

/** When a half of a session next begins: at this moment or after it, ms since 1970. */
export function nextOpening(time: number): number {
  for (let day = dayNumber(beijingDay(time)); ; day++) {
    const date = dateOf(day)
    const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
    const opening = halves.map(([from]) => Date.parse(`${iso}T${from}+08:00`)).find((one) => one >= time)
    if (opening !== undefined && mayTrade(date)) return opening
  }
}
