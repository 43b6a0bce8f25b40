import { holidayOf, noticedCalendar, tradingDayAfter, tradingDayBefore } from './calendar.js'
import { dayNumber, weekday } from './date.js'
import { sentence, type Words } from './sentence.js'

function whyClosed(day: string): Words {
  const ofWeek = weekday(day)
  if (ofWeek === 6) return sentence`a Saturday`
  return ofWeek === 0 ? sentence`a Sunday` : (holidayOf(day) ?? sentence`a holiday`)
}

/** Days that the exchanges never rest on end. */
const longestRest = 20

/** Why the exchanges do not trade on any day from one to another, with the trading days beside them; undefined if they may. */
export function closedWords(from: string, to: string): Words | undefined {
  if (from > to || dayNumber(to) - dayNumber(from) > longestRest) return undefined
  if (noticedCalendar.between(from, to).length > 0) return undefined
  const [before, after] = [tradingDayBefore(from), tradingDayAfter(to)]
  const beside = before === undefined ? after : sentence`${before} and ${after}`
  return from === to
    ? sentence`${from} is no trading day: ${whyClosed(from)}; beside it are ${beside}`
    : sentence`${from} to ${to} has no trading day: ${whyClosed(from)}; beside it are ${beside}`
}
