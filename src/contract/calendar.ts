import { closedYears, holidayWords } from './closed-days.js'
import { dateOf, dayNumber, isDate, weekday } from './date.js'
import { QuotebookError } from './error.js'
import { sentence, type Words } from './sentence.js'

/** First and last year that the calendar knows: those of which the exchanges have given notice. */
export const calendarYears: readonly [number, number] = [
  closedYears[0]?.year as number,
  closedYears.at(-1)?.year as number,
]

function closedDays(year: number, spans: string): string[] {
  return spans.split(' ').flatMap((span) => {
    const [first = '', last = first] = span.split('-')
    const from = dayNumber(year + first)
    return Array.from({ length: dayNumber(year + last) - from + 1 }, (_, i) => dateOf(from + i))
  })
}

/** Whether the calendar knows the year of a date. */
export function inCalendar(date: string): boolean {
  const year = Number(date.slice(0, 4))
  return year >= calendarYears[0] && year <= calendarYears[1]
}

/** What is celebrated on each weekday on which the exchanges are closed. */
const holidays = new Map(
  closedYears.flatMap(({ year, days }) =>
    Object.entries(days).flatMap(([name, spans]) =>
      closedDays(year, spans).map((day) => [day, holidayWords[name as keyof typeof holidayWords]] as const),
    ),
  ),
)

/** What is celebrated on a weekday on which the exchanges are closed; undefined on others. */
export const holidayOf = (date: string): Words | undefined => holidays.get(date)

function checkDate(date: string): void {
  if (!isDate(date)) throw new QuotebookError('INVALID_VALUE', sentence`a date must be YYYYMMDD, not '${date}'`)
}

/** The exchanges never trade at a weekend, also where the country works on it. */
function isWeekend(date: string): boolean {
  return weekday(date) % 6 === 0
}

/** Trading days as far as they are known, and how the others are taken. */
export interface TradingCalendar {
  /** Whether the mainland exchanges trade on a date; undefined where neither a notice nor what was learnt tells. */
  readonly isOpen: (date: string) => boolean | undefined
  /** Days from one to another, ascending, that are trading days or, being weekdays, may be. */
  readonly between: (from: string, to: string) => string[]
  /** Those of them that are only taken for trading days because they are weekdays. */
  readonly inferred: (from: string, to: string) => string[]
}

/**
 * The calendar of the notices with what a source's own rows show of other years. It depends on what is given and on nothing
 * else. A year of which there is notice stays as it was announced.
 * @param open days on which there was trading, such as those that have rows of statistical indices
 * @param shut weekdays of which the source was asked and has nothing
 */
export function learntCalendar(open: Iterable<string>, shut: Iterable<string> = []): TradingCalendar {
  const [traded, rested] = [new Set(open), new Set(shut)]
  const isOpen = (date: string): boolean | undefined => {
    if (isWeekend(date)) return false
    if (inCalendar(date)) return !holidays.has(date)
    return traded.has(date) ? true : rested.has(date) ? false : undefined
  }
  const filtered = (from: string, to: string, isMeant: (open: boolean | undefined) => boolean): string[] => {
    if (from === to) return isMeant(isOpen(from)) ? [from] : []
    const days: string[] = []
    const last = dayNumber(to)
    for (let day = dayNumber(from); day <= last; day++) {
      const date = dateOf(day)
      if (isMeant(isOpen(date))) days.push(date)
    }
    return days
  }
  return {
    isOpen,
    between: (from, to) => filtered(from, to, (is) => is !== false),
    inferred: (from, to) => filtered(from, to, (is) => is === undefined),
  }
}

/** The calendar of the notices alone. */
export const noticedCalendar: TradingCalendar = learntCalendar([])

/** Said of days that are taken for trading days because they are weekdays; undefined when there are none. */
export function inferredNote(days: readonly string[]): Words | undefined {
  const years = [...new Set(days.map((day) => day.slice(0, 4)))].sort()
  return years.length === 0 ? undefined : sentence`trading days of ${years.join(', ')} are inferred from weekdays`
}

/**
 * Whether the mainland exchanges trade on a date.
 * @throws QuotebookError INVALID_VALUE for a year outside the calendar: a guess would look like knowledge
 */
export function isTradingDay(date: string): boolean {
  checkDate(date)
  if (inCalendar(date)) return noticedCalendar.isOpen(date) === true
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`the trading calendar knows ${sentence`${calendarYears[0]} to ${calendarYears.at(-1)}`}, not ${date}`,
  )
}

/** The trading day before a date; undefined where the calendar does not reach back so far. */
export function tradingDayBefore(date: string): string | undefined {
  checkDate(date)
  for (let day = dayNumber(date) - 1; inCalendar(dateOf(day)); day--) if (isTradingDay(dateOf(day))) return dateOf(day)
  return undefined
}

/** The first day after one on which the exchanges trade, or in a year without notice a weekday. */
export function tradingDayAfter(day: string): string {
  const [next] = noticedCalendar.between(dateOf(dayNumber(day) + 1), dateOf(dayNumber(day) + 30))
  return next as string
}

/** Lists the trading days from one date to another, both included, ascending. */
export function tradingDays(from: string, to: string): string[] {
  checkDate(from)
  checkDate(to)
  const count = Math.max(0, dayNumber(to) - dayNumber(from) + 1)
  return Array.from({ length: count }, (_, i) => dateOf(dayNumber(from) + i)).filter(isTradingDay)
}
