import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { ownExchange, parseCode } from '../../contract/symbol.js'
import { isDataFrame, namesIn } from '../../frame/as-table.js'
import { words } from '../../frame/column.js'
import type { Data } from '../../frame/data.js'
import { bucketRows } from '../../table/group-rows.js'
import { missingColumn } from '../../table/missing-column.js'
import { checkRanked, type Ranked, rankedBy } from './rows.js'

/** Rows of a table that stands beside ticks, by security, then by day. */
export interface Beside {
  /** Row numbers of a security in order of day; empty when it has none. A code may lack its suffix on either side. */
  of(symbol: string): Int32Array
  /** The day of a row. */
  dayOf(row: number): string
}

/** One text for all spellings of a code: `000001` is `000001.SZ`, and never the index `000001.SH`. */
function securityOf(code: string): string {
  const parsed = parseCode(code)
  return `${parsed.bare}.${ownExchange(parsed) ?? ''}`
}

/** @throws QuotebookError MISSING_COLUMN */
function codesIn(data: Data): string {
  const names = namesIn(data)
  const found = ['code', 'symbol'].find((name) => names.includes(name))
  if (found === undefined) throw missingColumn('symbol', names, isDataFrame(data))
  return found
}

/**
 * @param what the table, for errors
 * @throws QuotebookError MISSING_COLUMN without tradedate, or without both code and symbol; INVALID_VALUE for a day that is
 * missing or not `YYYYMMDD`, which would compare with no other
 */
export function besideOf(what: string, data: Data): Beside {
  const code = words(data, codesIn(data))
  const date = words(data, 'tradedate')
  const dates = { form: 'codes', data: date.codes, words: date.words } as const
  const days: Ranked = rankedBy(dates, (word) => (isDate(word) ? word : undefined))
  checkRanked(what, 'tradedate', dates, days, 'a day as 20260729')
  const places = new Map<string, number>()
  const placeOf = code.words.map((word) => {
    const security = securityOf(word)
    const place = places.get(security) ?? places.size
    places.set(security, place)
    return place
  })
  const securities = code.codes.map((at) => placeOf[at] ?? -1)
  const { rows, starts } = bucketRows(securities, places.size, bucketRows(days.codes, days.words.length).rows)
  return {
    of(symbol) {
      const place = places.get(securityOf(symbol))
      return place === undefined ? rows.subarray(0, 0) : rows.subarray(starts[place], starts[place + 1])
    },
    dayOf: (row) => days.words[days.codes[row] as number] ?? '',
  }
}

/** How many of a security's rows are of days before a day. */
export function before(beside: Beside, rows: Int32Array, day: string): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (beside.dayOf(rows[middle] as number) < day) from = middle + 1
    else to = middle
  }
  return from
}

/** A security's rows of a day. */
export function ofDay(beside: Beside, rows: Int32Array, day: string): Int32Array {
  const from = before(beside, rows, day)
  let to = from
  while (to < rows.length && beside.dayOf(rows[to] as number) === day) to++
  return rows.subarray(from, to)
}

/** @throws QuotebookError INVALID_VALUE: the rows of a security's day contradict each other */
export function refuseTwice(what: string, symbol: string, day: string, rows: Int32Array): never {
  const list = [...rows].map((row) => row + 1).join(' and ')
  throw new QuotebookError('INVALID_VALUE', `${what}: rows ${list} are both of ${symbol} on ${day}`)
}
