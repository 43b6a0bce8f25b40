import { dayNumber, isDate } from '../../contract/date.js'
import { daysBetween } from '../../contract/days.js'
import { QuotebookError } from '../../contract/error.js'

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
  if (wrong !== undefined) throw new QuotebookError('INVALID_VALUE', `a day must be YYYYMMDD, not '${wrong}'`)
  return dayNumber(next) - dayNumber(day) <= mostRests + 1 || daysBetween(day, next).length - 2 <= mostRests
}
