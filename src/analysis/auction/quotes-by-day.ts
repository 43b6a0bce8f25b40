import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { ownExchange, parseCode } from '../../contract/symbol.js'
import { isDataFrame, namesIn } from '../../frame/as-table.js'
import { has, namesOf, words } from '../../frame/column.js'
import type { Data } from '../../frame/data.js'
import { bucketRows } from '../../table/group-rows.js'
import { missingColumn } from '../../table/missing-column.js'
import { checkRanked, type Ranked, rankedBy } from './auctions.js'
import { pricesIn } from './tick-columns.js'

/** Rows of a table that stands beside ticks, by security, then by day. */
interface Beside {
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
function besideOf(what: string, data: Data): Beside {
  const code = words(data, codesIn(data))
  const date = words(data, 'tradedate')
  const dates = { type: 'dictionary', data: date.codes, dictionary: date.words } as const
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
function before(beside: Beside, rows: Int32Array, day: string): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (beside.dayOf(rows[middle] as number) < day) from = middle + 1
    else to = middle
  }
  return from
}

/** A security's rows of a day. */
function ofDay(beside: Beside, rows: Int32Array, day: string): Int32Array {
  const from = before(beside, rows, day)
  let to = from
  while (to < rows.length && beside.dayOf(rows[to] as number) === day) to++
  return rows.subarray(from, to)
}

/** @throws QuotebookError INVALID_VALUE: the rows of a security's day contradict each other */
function refuseTwice(what: string, symbol: string, day: string, rows: Int32Array): never {
  const list = [...rows].map((row) => row + 1).join(' and ')
  throw new QuotebookError('INVALID_VALUE', `${what}: rows ${list} are both of ${symbol} on ${day}`)
}

interface Close {
  /** Yuan. */
  readonly close: number
  readonly day: string
}

/** Closes by security and day. */
export interface Closes {
  /** The close of the last day before a day that has one; undefined when there is none. */
  before(symbol: string, day: string): Close | undefined
  /** The close of a day; NaN when there is none. */
  on(symbol: string, day: string): number
}

/**
 * Closes from a table with tradedate, code or symbol, and close. A close that is null or not above 0 is none.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a day that can't be read, and, when it is asked for, for a security with
 * two rows on a day
 */
export function closesOf(data: Data): Closes {
  const beside = besideOf('closes', data)
  const close = pricesIn(data, 'close')
  const one = (symbol: string, rows: Int32Array, day: string): number => {
    const own = ofDay(beside, rows, day)
    if (own.length > 1) refuseTwice('closes', symbol, day, own)
    const [row] = own
    return row === undefined ? Number.NaN : (close[row] as number)
  }
  return {
    before(symbol, day) {
      const rows = beside.of(symbol)
      for (let at = before(beside, rows, day) - 1; at >= 0; at--) {
        const own = beside.dayOf(rows[at] as number)
        const found = one(symbol, rows, own)
        if (!Number.isNaN(found)) return { close: found, day: own }
      }
      return undefined
    },
    on: (symbol, day) => one(symbol, beside.of(symbol), day),
  }
}

/** The first bar of a security's day. */
export interface FirstBar {
  /** Its minute, as the bars have it. */
  readonly minute: string
  /** open where there is one, else close, else vwap; NaN where the bar has none of them. Yuan. */
  readonly price: number
  /** Which of them it is. */
  readonly of: 'open' | 'close' | 'vwap' | null
  readonly low: number
  readonly high: number
}

const given = ['open', 'close', 'vwap'] as const

/**
 * First bars from a table as etf_minute and convertible_minute are: tradedate, symbol or code, trademin, and one of open,
 * close and vwap at least; low and high where they are there. A price that is null or not above 0 is none.
 * @returns a function of symbol and day; undefined where there is no bar
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a day or a minute that can't be read, and, when it is asked for, for
 * a day that has two first bars which differ
 */
export function firstBarsOf(data: Data): (symbol: string, day: string) => FirstBar | undefined {
  const beside = besideOf('bars', data)
  const minute = words(data, 'trademin')
  const odd = minute.codes.findIndex((code) => !/^([01]\d|2[0-3])[0-5]\d$/.test(minute.words[code] ?? ''))
  if (odd >= 0) {
    const has = minute.words[minute.codes[odd] as number]?.slice(0, 40) ?? 'null'
    throw new QuotebookError('INVALID_VALUE', `bars, row ${odd + 1}: trademin is ${has}, not a minute as 0930`)
  }
  if (!given.some((name) => has(data, name))) {
    const all = namesOf(data).join(', ')
    throw new QuotebookError('MISSING_COLUMN', `the bars need one of open, close and vwap; they have: ${all}`)
  }
  const none = new Float64Array(0)
  const column = (name: string): Float64Array => (has(data, name) ? pricesIn(data, name) : none)
  const prices = given.map((name) => ({ name, values: column(name) }))
  const [low, high] = [column('low'), column('high')]
  const priceAt = (values: Float64Array, row: number): number => values[row] ?? Number.NaN
  const barAt = (row: number): FirstBar => {
    const found = prices.find(({ values }) => !Number.isNaN(priceAt(values, row)))
    return {
      minute: minute.words[minute.codes[row] as number] ?? '',
      price: found ? priceAt(found.values, row) : Number.NaN,
      of: found?.name ?? null,
      low: priceAt(low, row),
      high: priceAt(high, row),
    }
  }
  return (symbol, day) => {
    const rows = ofDay(beside, beside.of(symbol), day)
    let first = ''
    for (const row of rows) {
      const own = minute.words[minute.codes[row] as number] ?? ''
      if (first === '' || own < first) first = own
    }
    const same = rows.filter((row) => minute.words[minute.codes[row] as number] === first)
    const [one, ...others] = [...same].map(barAt)
    const differs = others.some((other) =>
      (['price', 'of', 'low', 'high'] as const).some((key) => !Object.is(other[key], one?.[key])),
    )
    if (differs) refuseTwice('bars', symbol, `${day} ${first}`, same)
    return one
  }
}
