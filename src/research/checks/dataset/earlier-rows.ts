import { isDate } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { gap, mismatch, type RowFinding } from '../findings.js'

/**
 * For each row, the row of the same thing (a bond, an index) on the latest earlier date of the table, -1 where there is none; rows
 * may come in any order. Of equal dates the first row counts. A row without a date, or of nothing that is known, has none before it and
 * is before none.
 */
export function rowsBefore(things: readonly (string | null)[], dates: readonly (string | null)[]): Int32Array {
  const before = new Int32Array(things.length).fill(-1)
  const known = [...things.keys()].filter((row) => things[row] !== null && dates[row] !== null)
  const date = (row: number): string => dates[row] as string
  for (const rows of groupItems(known, (row) => things[row]).values()) {
    rows.sort((a, b) => (date(a) < date(b) ? -1 : date(a) > date(b) ? 1 : a - b))
    let [earlier, latest] = [-1, -1]
    for (const row of rows) {
      if (latest < 0 || date(row) !== date(latest)) [earlier, latest] = [latest, row]
      before[row] = earlier
    }
  }
  return before
}

/** Dates in another form say nothing of the trading days between them. */
function mustBeDate(text: string): void {
  if (!isDate(text)) throw new QuotebookError('INVALID_VALUE', sentence`a day must be YYYYMMDD, not '${text}'`)
}

/**
 * How many days on which there may have been trading lie between two dates, both excluded; remembers what it was asked.
 * In a year that the calendar does not know every weekday may be one.
 * @throws QuotebookError INVALID_VALUE for what is no date
 */
export function daysInside(): (from: string, to: string) => number {
  const known = new Map<string, number>()
  return (from, to) => {
    const key = from + to
    const found = known.get(key)
    if (found !== undefined) return found
    mustBeDate(from)
    mustBeDate(to)
    const days = daysBetween(from, to).filter((day) => day !== from && day !== to).length
    known.set(key, days)
    return days
  }
}

/** `1 trading day`, `3 trading days`. */
export function tradingDayCount(count: number): Words {
  return count === 1 ? sentence`1 trading day` : sentence`${count} trading days`
}

/**
 * A row that does not follow from the one before it: a contradiction, or a gap where trading days lie between.
 * @param lacking what those days have not
 */
export function chainFinding(
  row: number,
  rule: string,
  why: Words,
  [given, due]: readonly [number, number],
  days: number,
  lacking: Words,
): RowFinding {
  if (days === 0) return mismatch(row, rule, why, given, due)
  return gap(row, rule, [why, sentence`${tradingDayCount(days)} between without ${lacking}`], given, due)
}
