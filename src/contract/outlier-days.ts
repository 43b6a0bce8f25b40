import { dayNumber } from './date.js'

/** Days, or spans of days, with how many rows they have. */
export interface DayRows {
  readonly from: string
  readonly to: string
  readonly rows: number
}

/** No closing of the exchanges lasts so many days; a year. */
const [longGap, yearGap] = [31, 366]

/**
 * The spans at the end that a mistyped date explains better than trading does, ascending: rows far after all others, and hardly
 * any. Far is more than 31 days after some twenty days or more, and hardly any then is fewer than a tenth of the rows of their
 * average day; or more than 366 days after, and then at most one row to twenty before. They are rows like others and
 * are answered when they are asked for, but none of them is the latest day.
 * @param spans apart
 * @param enough how many days show how many rows a day has
 */
export function outlierDays<T extends DayRows>(spans: readonly T[], enough = 20): readonly T[] {
  const all = [...spans].sort((a, b) => (a.from < b.from ? -1 : 1))
  let rows = 0
  let days = 0
  const before = all.map(({ from, to, rows: own }) => {
    const sofar = { rows, days }
    rows += own
    // Of a span only its ends are known: five days of seven are weekdays.
    days += Math.max(1, Math.round(((dayNumber(to) - dayNumber(from) + 1) * 5) / 7))
    return sofar
  })
  const at = all.findIndex((span, i) => {
    const last = all[i - 1]
    const sofar = before[i]
    if (last === undefined || sofar === undefined) return false
    const gap = dayNumber(span.from) - dayNumber(last.to)
    const [late, lateDays] = [rows - sofar.rows, days - sofar.days]
    if (gap > yearGap && late * 20 <= sofar.rows) return true
    return gap > longGap && sofar.days >= enough && (late / lateDays) * 10 < sofar.rows / sofar.days
  })
  return at < 0 ? [] : all.slice(at)
}
