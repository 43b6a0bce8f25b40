import { calendarYears, tradingDays } from '../../../contract/calendar.js'
import { isDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { codeMatcher, parseCode } from '../../../contract/symbol.js'
import type { Data } from '../../../frame/data.js'
import { has, nullCounts, numbers, words } from '../../../frame/read-columns.js'
import { select } from '../../../frame/verb/select.js'
import { bucketRows } from '../../../table/group-rows.js'
import { type Board, boardOf } from '../anomaly-rules.js'

export type Coded = ReturnType<typeof words>

/** Dates of a column as words. */
export interface DateWords extends Coded {
  /** Those that a row has. */
  readonly used: readonly string[]
}

/** One stock of the prices. */
export interface PricedStock {
  /** Six digits; as it was given where its board is not known. */
  readonly symbol: string
  readonly board: Board | undefined
  /** Its rows with a close on a day of the calendar, in order of days. */
  readonly rows: Int32Array
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
  /** Place in the calendar of each row; -1 outside it, and without a close. */
  readonly day: Int32Array
  /** By symbol. */
  readonly stocks: readonly PricedStock[]
  /** Place of the last day that any stock has a close on; -1 without any. */
  readonly last: number
}

/** Trading days in order, and the place of each. */
export interface CalendarDays {
  readonly dates: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
}

export function refusePrices(message: string): never {
  throw new QuotebookError('INVALID_VALUE', `computeAnomalies: ${message}`)
}

/** Whether a number may be a price or a factor. */
export function isPrice(x: number): boolean {
  return x > 0 && x < Number.POSITIVE_INFINITY
}

/** Days of listing; none where the column is missing, or has no value to tell its kind by. */
export function listedIn(data: Data, rows: number): Coded | undefined {
  if (!has(data, 'list_date')) return undefined
  const missing = nullCounts(select(data, 'list_date')).get('list_date')
  return missing === rows ? undefined : dateWords(data, 'prices', 'list_date')
}

/** Dates of a column as words, all of them real. */
export function dateWords(data: Data, table: string, column = 'tradedate'): DateWords {
  const coded = words(data, column)
  const isUsed = new Uint8Array(coded.words.length)
  for (let row = 0; row < coded.codes.length; row++) {
    const code = coded.codes[row] as number
    if (code >= 0) isUsed[code] = 1
  }
  const used = coded.words.filter((_, code) => isUsed[code] === 1)
  const wrong = used.find((word) => !isDate(word))
  if (wrong !== undefined) refusePrices(`${table} have '${wrong}' as ${column}; a day is written as 20260729`)
  return { ...coded, used }
}

/**
 * The calendar given; else the built-in one from its first to its last year, where it knows the years of all dates; else
 * the days of the benchmarks, which end with the last completed day, so that nothing is forecast.
 * @param dates of the prices, any order
 * @throws QuotebookError INVALID_VALUE for a calendar that is not ascending, or holds what is no date
 */
export function daysFor(
  calendar: readonly string[] | undefined,
  dates: readonly string[],
  benchmarkDates: readonly string[],
): CalendarDays {
  calendar?.forEach((date, at) => {
    if (!isDate(date)) refusePrices(`the calendar has '${date}'; a day is written as 20260729`)
    const before = calendar[at - 1]
    if (before !== undefined && before >= date)
      refusePrices(`the calendar is not ascending: ${date} comes after ${before}`)
  })
  const [first, last] = [String(calendarYears[0]), String(calendarYears[1])]
  const isKnown = dates.every((date) => date.slice(0, 4) >= first && date.slice(0, 4) <= last)
  const own = calendar ?? (isKnown ? tradingDays(`${first}0101`, `${last}1231`) : [...new Set(benchmarkDates)].sort())
  return { dates: own, placeOf: new Map(own.map((date, place) => [date, place])) }
}

/** The place of a date in the calendar, or half a place before the first day after it. */
export function placeIn({ dates, placeOf }: CalendarDays, date: string): number {
  const place = placeOf.get(date)
  if (place !== undefined) return place
  const after = dates.findIndex((other) => other > date)
  return (after < 0 ? dates.length : after) - 0.5
}

function checkPresent(codes: Int32Array, column: string): void {
  const row = codes.indexOf(-1)
  if (row >= 0) refusePrices(`prices, row ${row + 1}: ${column} is null`)
}

/** The stocks of the prices, in order of symbols; two spellings of one stock (with suffix and without) are one. */
function readStocks(symbols: Coded, close: Float64Array, day: Int32Array, dates: Coded, size: number): PricedStock[] {
  const spellings = symbols.words.map((word) => {
    const board = boardOf(word)
    return { board, symbol: board ? parseCode(word).bare : word }
  })
  const distinct = [...new Map(spellings.map((one) => [one.symbol, one])).values()]
  distinct.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  const placeOf = new Map(distinct.map(({ symbol }, place) => [symbol, place]))
  const stockOfWord = Int32Array.from(spellings, ({ symbol }) => placeOf.get(symbol) ?? -1)
  const stockOf = symbols.codes.map((code) => stockOfWord[code] as number)
  const outside = new Map<number, string>()
  for (let row = 0; row < day.length; row++) {
    if (day[row] !== -1 || Number.isNaN(close[row])) continue
    const [stock, date] = [stockOf[row] as number, dates.words[dates.codes[row] as number] as string]
    const earliest = outside.get(stock)
    if (earliest === undefined || date < earliest) outside.set(stock, date)
  }
  const byDay = bucketRows(day, size).rows
  const stocksByDay = byDay.map((row) => stockOf[row] as number)
  const buckets = bucketRows(stocksByDay, distinct.length)
  const rows = buckets.rows.map((place) => byDay[place] as number)
  const { starts } = buckets
  return distinct.map(({ symbol, board }, stock) => {
    return { symbol, board, rows: rows.subarray(starts[stock], starts[stock + 1]), outside: outside.get(stock) }
  })
}

/**
 * Reads the table of prices. A row without a close is no row.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a null or malformed day or symbol
 */
export function readPrices(data: Data, dates: DateWords, { placeOf }: CalendarDays): Prices {
  const symbols = words(data, 'symbol')
  const close = numbers(data, 'close')
  checkPresent(dates.codes, 'tradedate')
  checkPresent(symbols.codes, 'symbol')
  const pre = has(data, 'pre_close') ? numbers(data, 'pre_close') : undefined
  const factor = !pre && has(data, 'adj_factor') ? numbers(data, 'adj_factor') : undefined
  const places = Int32Array.from(dates.words, (date) => placeOf.get(date) ?? -1)
  const day = dates.codes.map((code, row) => (Number.isNaN(close[row]) ? -1 : (places[code] as number)))
  const stocks = readStocks(symbols, close, day, dates, placeOf.size)
  const name = has(data, 'name') ? words(data, 'name') : undefined
  const last = day.reduce((latest, place) => Math.max(latest, place), -1)
  return { close, pre, factor, name, listed: listedIn(data, close.length), day, stocks, last }
}

/** The closes of a benchmark by day of the calendar, NaN where missing. */
export type BenchmarkCloses = (code: string) => Float64Array

/**
 * Reads the table of benchmarks. One that the table does not have at all is missing on every day.
 * @throws QuotebookError MISSING_COLUMN; by code INVALID_VALUE for a close that is not above 0, and for a day twice
 */
export function readBenchmarks(data: Data, dates: DateWords, { placeOf }: CalendarDays): BenchmarkCloses {
  const codes = words(data, 'code')
  const closes = numbers(data, 'close')
  const read = (benchmark: string): Float64Array => {
    const isBenchmark = codes.words.map(codeMatcher([benchmark]))
    const byDay = new Float64Array(placeOf.size).fill(Number.NaN)
    for (let row = 0; row < closes.length; row++) {
      const close = closes[row] as number
      if (!isBenchmark[codes.codes[row] ?? -1] || Number.isNaN(close)) continue
      const date = dates.words[dates.codes[row] ?? -1] ?? ''
      const place = placeOf.get(date)
      if (place === undefined) continue
      if (!isPrice(close)) refusePrices(`the close of ${benchmark} on ${date} is ${close}`)
      if (!Number.isNaN(byDay[place])) refusePrices(`benchmarks have ${benchmark} on ${date} twice`)
      byDay[place] = close
    }
    return byDay
  }
  const known = new Map<string, Float64Array>()
  return (benchmark) => {
    const closesOfDays = known.get(benchmark) ?? read(benchmark)
    known.set(benchmark, closesOfDays)
    return closesOfDays
  }
}
