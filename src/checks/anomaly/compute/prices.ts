import { isDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { parseCode } from '../../../contract/symbol.js'
import { has, nullCounts, numbers, words } from '../../../frame/column.js'
import type { Data } from '../../../frame/data.js'
import { select } from '../../../frame/verb/select.js'
import { bucketRows } from '../../../table/group-rows.js'
import { type Board, boardOf } from '../rules.js'

export type Coded = ReturnType<typeof words>

/** Why a stock has no rows, and the day on which that first shows. */
export interface Fault {
  readonly date: string
  readonly why: string
}

/** One stock of the prices. */
export interface Stock {
  /** Six digits; as it was given where its board is not known. */
  readonly symbol: string
  readonly board: Board | undefined
  /** Its rows with a close on a day of the calendar, in order of days: a part of `Prices.rows`. */
  readonly from: number
  readonly to: number
  /** The first of its closes on a day that the calendar does not have. */
  readonly outside: string | undefined
}

/** Prices by stock and day. */
export interface Prices {
  readonly close: Float64Array
  /** Reference prices; undefined where the table has no `pre_close`. */
  readonly pre: Float64Array | undefined
  /** Cumulative factors; undefined where the table has `pre_close`, or no `adj_factor`. */
  readonly factor: Float64Array | undefined
  readonly name: Coded | undefined
  readonly listed: Coded | undefined
  /** Place in the calendar of each row; -1 outside it. */
  readonly day: Int32Array
  /** Rows with a close, by stock and then by day. */
  readonly rows: Int32Array
  /** By symbol. */
  readonly stocks: readonly Stock[]
  /** Place of the last day that any stock has a close on; -1 without any. */
  readonly last: number
}

export function refuse(message: string): never {
  throw new QuotebookError('INVALID_VALUE', `computeAnomalies: ${message}`)
}

/** 1 for each word that a row has. */
export function usedWords({ codes, words: list }: Coded): Uint8Array {
  const used = new Uint8Array(list.length)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code >= 0) used[code] = 1
  }
  return used
}

/** Days of listing; none where the column is missing, or has no value to tell its kind by. */
export function listedIn(data: Data, rows: number): Coded | undefined {
  if (!has(data, 'list_date')) return undefined
  const missing = nullCounts(select(data, 'list_date')).get('list_date')
  return missing === rows ? undefined : datesIn(data, 'prices', 'list_date')
}

/** Dates of a column as words, all of them real. */
export function datesIn(data: Data, table: string, column = 'tradedate'): Coded {
  const dates = words(data, column)
  const used = usedWords(dates)
  dates.words.forEach((word, code) => {
    if (used[code] === 1 && !isDate(word)) refuse(`${table} have '${word}' as ${column}; a day is written as 20260729`)
  })
  return dates
}

function checkWhole(codes: Int32Array, column: string): void {
  const row = codes.indexOf(-1)
  if (row >= 0) refuse(`prices, row ${row + 1}: ${column} is null`)
}

/** Words of two spellings of one stock (with suffix and without) under one number, in order of symbols. */
function stocksOf(symbols: Coded): {
  readonly of: Int32Array
  readonly symbols: string[]
  readonly boards: (Board | undefined)[]
} {
  const spelt = symbols.words.map((word) => {
    const board = boardOf(word)
    return { board, symbol: board ? parseCode(word).bare : word }
  })
  const distinct = [...new Map(spelt.map((one) => [one.symbol, one])).values()]
  distinct.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const placeOf = new Map(distinct.map(({ symbol }, place) => [symbol, place]))
  const ofWord = Int32Array.from(spelt, ({ symbol }) => placeOf.get(symbol) ?? -1)
  const of = new Int32Array(symbols.codes.length)
  for (let row = 0; row < of.length; row++) of[row] = ofWord[symbols.codes[row] as number] as number
  return { of, symbols: distinct.map(({ symbol }) => symbol), boards: distinct.map(({ board }) => board) }
}

/**
 * Reads the table of prices. A row without a close is no row.
 * @param placeOf place of a date in the calendar
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a null or malformed day or symbol
 */
export function readPrices(data: Data, dates: Coded, placeOf: ReadonlyMap<string, number>): Prices {
  const symbols = words(data, 'symbol')
  const close = numbers(data, 'close')
  checkWhole(dates.codes, 'tradedate')
  checkWhole(symbols.codes, 'symbol')
  const pre = has(data, 'pre_close') ? numbers(data, 'pre_close') : undefined
  const factor = !pre && has(data, 'adj_factor') ? numbers(data, 'adj_factor') : undefined
  const places = Int32Array.from(dates.words, (date) => placeOf.get(date) ?? -1)
  const { of, symbols: names, boards } = stocksOf(symbols)
  const day = new Int32Array(close.length)
  const outside = new Map<number, string>()
  let last = -1
  for (let row = 0; row < day.length; row++) {
    if (Number.isNaN(close[row])) {
      day[row] = -1
      of[row] = -1
      continue
    }
    const place = places[dates.codes[row] as number] as number
    day[row] = place
    if (place > last) last = place
    if (place >= 0) continue
    const [stock, date] = [of[row] as number, dates.words[dates.codes[row] as number] as string]
    const known = outside.get(stock)
    if (known === undefined || date < known) outside.set(stock, date)
  }
  const byDay = bucketRows(day, placeOf.size).rows
  const { rows, starts } = bucketsOfOrdered(of, names.length, byDay)
  const stocks = names.map((symbol, stock): Stock => {
    const [from, to] = [starts[stock] as number, starts[stock + 1] as number]
    return { symbol, board: boards[stock], from, to, outside: outside.get(stock) }
  })
  const name = has(data, 'name') ? words(data, 'name') : undefined
  const listed = listedIn(data, close.length)
  return { close, pre, factor, name, listed, day, rows, stocks, last }
}

/** Rows of an order by code, keeping the order within each. */
function bucketsOfOrdered(codes: Int32Array, size: number, order: Int32Array) {
  const picked = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) picked[i] = codes[order[i] as number] as number
  const { rows: places, starts } = bucketRows(picked, size)
  const rows = new Int32Array(places.length)
  for (let i = 0; i < rows.length; i++) rows[i] = order[places[i] as number] as number
  return { rows, starts }
}
