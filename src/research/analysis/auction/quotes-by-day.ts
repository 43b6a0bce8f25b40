import type { Table } from 'apache-arrow'
import { isDate } from '../../../contract/date.js'
import { invalid, QuotebookError } from '../../../contract/error.js'
import { allOf, sentence } from '../../../contract/sentence.js'
import { ownExchange, parseCode } from '../../../contract/symbol.js'
import { columnNames, dictionary, has } from '../../../frame/read-columns.js'
import { bucketRows } from '../../../frame/table/group-rows.js'
import { missingColumn } from '../../../frame/table/shape.js'
import { sortRows } from '../../../frame/table/sort-rows.js'
import { checkWords } from './auctions.js'
import { positivePrices } from './tick-columns.js'

/** One text for all spellings of a code: `000001` is `000001.SZ`, and never the index `000001.SH`. */
function fullCode(code: string): string {
  const parsed = parseCode(code)
  return `${parsed.bare}.${ownExchange(parsed) ?? ''}`
}

/**
 * The rows of a table of quotes by security and day.
 * @param what the table, for errors
 * @throws QuotebookError MISSING_COLUMN without tradedate, or without both code and symbol; INVALID_VALUE for a day that is
 * missing or not `YYYYMMDD`, which would compare with no other
 */
function securityDays(what: string, table: Table) {
  const column = ['code', 'symbol'].find((name) => has(table, name))
  if (column === undefined) throw missingColumn('symbol', columnNames(table), false)
  const [code, date] = [dictionary(table, column), dictionary(table, 'tradedate')]
  const dates = { type: 'dictionary', data: date.codes, dictionary: date.words } as const
  checkWords(what, 'tradedate', dates, isDate, sentence`a day as 20260729`)
  const places = new Map<string, number>()
  const placeOf = code.words.map((word) => {
    const security = fullCode(word)
    const place = places.get(security) ?? places.size
    places.set(security, place)
    return place
  })
  const byDay = sortRows([{ name: 'tradedate', values: dates, descending: false }], date.codes.length)
  const securities = code.codes.map((at) => placeOf[at] ?? -1)
  const { rows, starts } = bucketRows(securities, places.size, byDay)
  const rowsOf = (symbol: string): Int32Array => {
    const place = places.get(fullCode(symbol)) ?? starts.length
    return rows.subarray(starts[place] ?? rows.length, starts[place + 1])
  }
  const dayOf = (row: number): string => date.words[date.codes[row] as number] ?? ''
  /** How many of the rows are of days before one, or up to it. */
  const countTo = (rows: Int32Array, day: string, isIncluded: boolean): number => {
    let [from, to] = [0, rows.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const own = dayOf(rows[middle] as number)
      if (own < day || (isIncluded && own === day)) from = middle + 1
      else to = middle
    }
    return from
  }
  /** Row numbers of a security before a day, in order of day. A code may lack its suffix on either side. */
  const rowsBefore = (symbol: string, day: string): Int32Array => {
    const own = rowsOf(symbol)
    return own.subarray(0, countTo(own, day, false))
  }
  const rowsOn = (symbol: string, day: string): Int32Array => {
    const own = rowsOf(symbol)
    return own.subarray(countTo(own, day, false), countTo(own, day, true))
  }
  return { dayOf, rowsBefore, rowsOn }
}

function refuseDuplicate(what: string, symbol: string, day: string, rows: Int32Array): never {
  const list = allOf([...rows].map((row) => row + 1))
  throw invalid(sentence`${what}: rows ${list} are both of ${symbol} on ${day}`)
}

/**
 * Closes from a table with tradedate, code or symbol, and close. A close that is null or not above 0 is none.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a day that can't be read, and, when it is asked for, for a security with
 * two rows on a day
 */
export function closesByDay(table: Table) {
  const quotes = securityDays('closes', table)
  const close = positivePrices(table, 'close')
  /** The close of a day; NaN when there is none. */
  const on = (symbol: string, day: string): number => {
    const rows = quotes.rowsOn(symbol, day)
    if (rows.length > 1) refuseDuplicate('closes', symbol, day, rows)
    const [row] = rows
    return row === undefined ? Number.NaN : (close[row] as number)
  }
  /** The close of the last day before a day that has one, in yuan; undefined when there is none. */
  const before = (symbol: string, limit: string) => {
    const earlier = quotes.rowsBefore(symbol, limit)
    for (let at = earlier.length - 1; at >= 0; at--) {
      const day = quotes.dayOf(earlier[at] as number)
      const found = on(symbol, day)
      if (!Number.isNaN(found)) return { close: found, day }
    }
    return undefined
  }
  return { on, before }
}

export type ClosesByDay = ReturnType<typeof closesByDay>

const priceColumns = ['open', 'close', 'vwap'] as const

/**
 * First bars from a table as etf_minute and convertible_minute are: tradedate, symbol or code, trademin, and one of open,
 * close and vwap at least; low and high where they are there. A price that is null or not above 0 is none.
 * @returns a function of symbol and day; undefined where there is no bar
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a day or a minute that can't be read, and, when it is asked for, for
 * a day that has two first bars which differ
 */
export function firstBars(table: Table) {
  const quotes = securityDays('bars', table)
  const minute = dictionary(table, 'trademin')
  const minuteOf = (row: number): string => minute.words[minute.codes[row] as number] ?? ''
  const odd = minute.codes.findIndex((_, row) => !/^([01]\d|2[0-3])[0-5]\d$/.test(minuteOf(row)))
  if (odd >= 0) {
    const found = minute.words[minute.codes[odd] as number]?.slice(0, 40) ?? 'null'
    throw invalid(sentence`bars, row ${odd + 1}: trademin is ${found}, not a minute as 0930`)
  }
  if (!priceColumns.some((name) => has(table, name))) {
    const all = columnNames(table).join(', ')
    throw new QuotebookError('MISSING_COLUMN', sentence`the bars need one of open, close and vwap; they have: ${all}`)
  }
  const column = (name: string): Float64Array | undefined =>
    has(table, name) ? positivePrices(table, name) : undefined
  const prices = priceColumns.map((name) => ({ name, values: column(name) }))
  const [low, high] = [column('low'), column('high')]
  const barAt = (row: number) => {
    const price = prices.find(({ values }) => (values?.[row] ?? 0) > 0)
    return {
      minute: minuteOf(row),
      /** open where there is one, else close, else vwap; NaN where the bar has none of them. Yuan. */
      price: price?.values?.[row] ?? Number.NaN,
      of: price?.name ?? null,
      low: low?.[row] ?? Number.NaN,
      high: high?.[row] ?? Number.NaN,
    }
  }
  return (symbol: string, day: string) => {
    const rows = quotes.rowsOn(symbol, day)
    const [first = ''] = [...rows].map(minuteOf).sort()
    const same = rows.filter((row) => minuteOf(row) === first)
    const [one, ...others] = [...same].map(barAt)
    const differs = others.some((other) =>
      (['price', 'of', 'low', 'high'] as const).some((key) => !Object.is(other[key], one?.[key])),
    )
    if (differs) refuseDuplicate('bars', symbol, `${day} ${first}`, same)
    return one
  }
}
