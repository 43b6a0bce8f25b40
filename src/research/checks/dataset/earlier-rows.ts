import { isDate } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { rankWords } from '../../../frame/table/sort-rows.js'

interface Text {
  readonly codes: Int32Array
  readonly words: readonly string[]
}

/** How the rows of each thing (a bond, an index) follow one another in time. */
export interface Before {
  /** Row of the same thing on the latest earlier date of the table; -1 where there is none. */
  readonly row: Int32Array
  /** 1 for a second row of one thing and date. */
  readonly twice: Uint8Array
}

/** Dates in another form do not sort with these, and say nothing of the trading days between them. */
function mustBeDate(text: string): void {
  if (!isDate(text)) throw new QuotebookError('INVALID_VALUE', sentence`a day must be YYYYMMDD, not '${text}'`)
}

/**
 * For each row, the row of the same thing before it; rows may come in any order. Of equal dates the first row counts. A row
 * without a date, or of nothing that is known, has none before it and is before none.
 * @throws QuotebookError INVALID_VALUE for a date that is none
 */
export function rowsBefore(thing: Text, date: Text): Before {
  for (const code of new Set(date.codes)) if (code >= 0) mustBeDate(date.words[code] as string)
  const ranked = ({ codes, words }: Text): Int32Array => {
    const ranks = rankWords(words)
    return codes.map((code) => ranks[code] ?? -1)
  }
  const rows = thing.codes.length
  const order = Uint32Array.from({ length: rows }, (_, row) => row)
  const [things, dates] = [ranked(thing), ranked(date)]
  const at = (column: Int32Array, row: number): number => column[row] as number
  order.sort((a, b) => at(things, a) - at(things, b) || at(dates, a) - at(dates, b) || a - b)
  const before = new Int32Array(rows).fill(-1)
  const twice = new Uint8Array(rows)
  let [latest, earlier] = [-1, -1]
  for (const row of order) {
    if (at(things, row) < 0 || at(dates, row) < 0) continue
    if (latest < 0 || things[row] !== things[latest]) [latest, earlier] = [row, -1]
    else if (dates[row] === dates[latest]) twice[row] = 1
    else [latest, earlier] = [row, latest]
    before[row] = earlier
  }
  return { row: before, twice }
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

/** `1 day`, `3 days`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
