import type { Table } from 'apache-arrow'
import { calendarYears, inCalendar, tradingDays } from '../../../../contract/calendar.js'
import { isDate } from '../../../../contract/date.js'
import { QuotebookError } from '../../../../contract/error.js'
import type { OptionKinds } from '../../../../contract/options.js'
import { sentence, type Words } from '../../../../contract/sentence.js'
import { parseCode } from '../../../../contract/symbol.js'
import { type Board, boardOf } from '../../../../contract/trading-rules.js'
import type { DataFrame } from '../../../../frame/danfo-types.js'
import type { Data } from '../../../../frame/data.js'
import { dictionary, has, nullCounts, numbers, usedWords } from '../../../../frame/read-columns.js'
import { bucketRows } from '../../../../frame/table/group-rows.js'
import { select } from '../../../../frame/verb/select.js'
import { isMarked } from '../candidates.js'

export type Coded = ReturnType<typeof dictionary>

/** Why a stock has no rows, and the day on which that first shows. */
export interface Fault {
  readonly date: string
  readonly why: Words
}

/** One stock of the prices. */
export interface PricedStock {
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
  readonly stocks: readonly PricedStock[]
  /** Place of the last day that any stock has a close on; -1 without any. */
  readonly last: number
}

export function refusePrices(message: Words): never {
  throw new QuotebookError('INVALID_VALUE', sentence`computeAnomalies: ${message}`)
}

/** Days of listing; none where the column is missing, or has no value to tell its kind by. */
export function listedIn(data: Data, rows: number): Coded | undefined {
  if (!has(data, 'list_date')) return undefined
  const missing = nullCounts(select(data, 'list_date')).get('list_date')
  return missing === rows ? undefined : dateWords(data, 'prices', 'list_date')
}

/** Dates of a column as words, all of them real. */
export function dateWords(data: Data, table: string, column = 'tradedate'): Coded {
  const dates = dictionary(data, column)
  const used = usedWords(dates)
  dates.words.forEach((word, code) => {
    if (used[code] === 1 && !isDate(word))
      refusePrices(sentence`${table} have '${word}' as ${column}; a day is written as 20260729`)
  })
  return dates
}

function checkWhole(codes: Int32Array, column: string): void {
  const row = codes.indexOf(-1)
  if (row >= 0) refusePrices(sentence`prices, row ${row + 1}: ${column} is null`)
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
  const symbols = dictionary(data, 'symbol')
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
  const stocks = names.map((symbol, stock): PricedStock => {
    const [from, to] = [starts[stock] as number, starts[stock + 1] as number]
    return { symbol, board: boards[stock], from, to, outside: outside.get(stock) }
  })
  const name = has(data, 'name') ? dictionary(data, 'name') : undefined
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

/** Trading days in order, and the place of each. */
export interface CalendarDays {
  readonly dates: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
}

/** @throws QuotebookError INVALID_VALUE for a calendar that is not ascending, or holds what is no date */
function check(dates: readonly string[]): void {
  dates.forEach((date, at) => {
    if (!isDate(date)) refusePrices(sentence`the calendar has '${date}'; a day is written as 20260729`)
    const before = dates[at - 1]
    if (before !== undefined && before >= date)
      refusePrices(sentence`the calendar is not ascending: ${date} comes after ${before}`)
  })
}

/**
 * The calendar given; else the built-in one from its first to its last year, with the days of the benchmarks in years that it
 * does not know. Those end with the last completed day, so that nothing is forecast there.
 * @param dates of the prices, any order
 */
export function daysFor(
  calendar: readonly string[] | undefined,
  dates: readonly string[],
  benchmarkDates: readonly string[],
): CalendarDays {
  if (calendar) check(calendar)
  const [first, last] = calendarYears
  const others = benchmarkDates.filter((date) => !inCalendar(date))
  const known = dates.some(inCalendar) ? tradingDays(`${first}0101`, `${last}1231`) : benchmarkDates
  const own = calendar ?? [...new Set([...known, ...others])].sort()
  return { dates: own, placeOf: new Map(own.map((date, place) => [date, place])) }
}

/** Which stocks are marked ST on which days. */
export interface Marks {
  /** By a row of prices and the rows of the table of marks. */
  isMarked(symbol: string, row: number): boolean
  /**
   * On the day after the last: by the name of the last day and the rows of that next day; where the table of marks has
   * none of it for any stock, those of the last day.
   */
  isMarkedNext(symbol: string, row: number): boolean
}

function rowsByStock(
  data: Data,
  days: CalendarDays,
): { readonly of: Map<string, Set<number>>; readonly known: Set<number> } {
  const [dates, symbols] = [dateWords(data, 'st'), dictionary(data, 'symbol')]
  const [of, known] = [new Map<string, Set<number>>(), new Set<number>()]
  const bare = symbols.words.map((word) => parseCode(word).bare)
  for (let row = 0; row < dates.codes.length; row++) {
    const place = days.placeOf.get(dates.words[dates.codes[row] ?? -1] ?? '')
    const symbol = bare[symbols.codes[row] ?? -1]
    if (place === undefined || symbol === undefined) continue
    known.add(place)
    const own = of.get(symbol)
    if (own) own.add(place)
    else of.set(symbol, new Set([place]))
  }
  return { of, known }
}

function namesMarked(name: Coded | undefined): (row: number) => boolean {
  if (!name) return () => false
  const marked = name.words.map(isMarked)
  return (row) => marked[name.codes[row] as number] ?? false
}

export function readMarks({ name, day, last }: Prices, st: Data | undefined, days: CalendarDays): Marks {
  const byName = namesMarked(name)
  if (!st) return { isMarked: (_, row) => byName(row), isMarkedNext: (_, row) => byName(row) }
  const { of, known } = rowsByStock(st, days)
  const next = known.has(last + 1) ? last + 1 : last
  return {
    isMarked: (symbol, row) => byName(row) || (of.get(symbol)?.has(day[row] as number) ?? false),
    isMarkedNext: (symbol, row) => byName(row) || (of.get(symbol)?.has(next) ?? false),
  }
}

/** A day on which a measure of a stock ended, so that it begins anew with the stock's next day. */
export interface AnomalyReset {
  readonly symbol: string
  readonly tradedate: string
  readonly measure: 'abnormal' | 'severe'
}

/** A stock and a day of a verification halt, on which it did not trade. */
export interface AnomalyHalt {
  readonly symbol: string
  readonly tradedate: string
}

/** Options of `computeAnomalies`. */
export interface ComputeAnomaliesOptions {
  /**
   * Which days a window counts; absent, as the rules have it for the board. `stock`: days on which the stock has a close.
   * `market`: all days of the calendar from the stock's first to its last; one that it was suspended on carries the close
   * on.
   */
  readonly days?: 'stock' | 'market'
  /**
   * Where intervals may not run across. `computed`: a movement ends the measure of its own rule (3, 10 or 30 days, or the
   * count), as after an exchange's announcement, and no other: the seven severe movements that were published of 688585
   * within 20 days (from 7.78 to 110.48 yuan) could not have happened if each had ended them all. Its 5 severe ones up to
   * 2025-07-28 come out only with a close below 66.94 on that day, and 603099 announced one of ten days on 2024-01-10 and
   * another on 01-17, 33.9 % higher: no reading that is known gives all that was published.
   * `none`: nothing ends a measure, a row stays triggered as long as the window holds the move. A list: those days only;
   * `severe` ends all severe measures. Either way movements whose intervals share a day count as one.
   */
  readonly resets?: 'computed' | 'none' | readonly AnomalyReset[]
  /**
   * Verification halts (停牌核查): a stock, and a day of the halt on which it did not trade; the first is enough. All
   * measures of the stock begin anew with its next close, which is counted from the last one before the halt. So an older
   * rule text says of halts for abnormal movement (异常波动指标自复牌之日起重新计算, as portals quote it), and so the
   * counts come out that 605255 published of its three blocks in 2025. An ordinary suspension restarts nothing, as no
   * text known says so; it does not belong here.
   */
  readonly halts?: readonly AnomalyHalt[]
  /** Days without price limit, but for those after listing: they lie outside every interval and have no rows. */
  readonly unlimited?: readonly { readonly symbol: string; readonly tradedate: string }[]
  /** Rows of dataset `st`: a stock is ST on the days that it has a row on. Names that hold "ST" count without it. */
  readonly st?: Table | DataFrame
}

/** The same, by name. */
export const anomalyKinds: OptionKinds<ComputeAnomaliesOptions> = {
  days: 'any',
  resets: 'text or an array',
  halts: 'an array',
  unlimited: 'an array',
  st: 'an object',
}

/** Days of the calendar by stock. One that the calendar does not have stands between its neighbours. */
type DaysBySymbol = ReadonlyMap<string, readonly number[]>

/** The place of a date in the calendar, or half a place after the last day before it. */
function placeOf(dates: readonly string[], date: string): number {
  const after = dates.findIndex((day) => day >= date)
  const place = after < 0 ? dates.length : after
  return dates[place] === date ? place : place - 0.5
}

function daysOf(
  list: readonly { readonly symbol: string; readonly tradedate: string }[],
  dates: readonly string[],
  option: string,
): DaysBySymbol {
  const found = new Map<string, number[]>()
  for (const { symbol, tradedate } of list) {
    if (!isDate(tradedate))
      refusePrices(sentence`option ${option} has the day '${tradedate}'; a day is written as 20260729`)
    const { bare } = parseCode(symbol)
    const place = placeOf(dates, tradedate)
    const own = found.get(bare)
    if (own) own.push(place)
    else found.set(bare, [place])
  }
  for (const days of found.values()) days.sort((a, b) => a - b)
  return found
}

export interface Chosen {
  /** As said for all boards. */
  readonly days: 'stock' | 'market' | undefined
  readonly resets: 'computed' | 'none' | { readonly abnormal: DaysBySymbol; readonly severe: DaysBySymbol }
  readonly unlimited: DaysBySymbol
  readonly halts: DaysBySymbol
}

/** @throws QuotebookError INVALID_VALUE for an option that is none */
export function readOptions(options: ComputeAnomaliesOptions, dates: readonly string[]): Chosen {
  const { days, resets = 'computed', unlimited = [], halts = [] } = options
  if (days !== undefined && days !== 'stock' && days !== 'market')
    refusePrices(sentence`option days is '${days}'; it takes 'stock' or 'market'`)
  if (typeof resets === 'string' && resets !== 'computed' && resets !== 'none') {
    refusePrices(sentence`option resets is '${resets}'; it takes 'computed', 'none' or a list`)
  }
  const list = typeof resets === 'string' ? [] : resets
  for (const { measure } of list) {
    if (measure !== 'abnormal' && measure !== 'severe')
      refusePrices(sentence`option resets has the measure '${measure}'`)
  }
  const of = (wanted: string): DaysBySymbol =>
    daysOf(
      list.filter(({ measure }) => measure === wanted),
      dates,
      'resets',
    )
  return {
    days,
    resets: typeof resets === 'string' ? resets : { abnormal: of('abnormal'), severe: of('severe') },
    unlimited: daysOf(unlimited, dates, 'unlimited'),
    halts: daysOf(halts, dates, 'halts'),
  }
}
