import { sentence } from '../../../../contract/sentence.js'
import { codeMatcher } from '../../../../contract/symbol.js'
import type { Data } from '../../../../frame/data.js'
import { dictionary, numbers, usedWords } from '../../../../frame/read-columns.js'
import { type Fraction, fractionOf, one, quotient, times } from './fraction.js'
import { type CalendarDays, dateWords, type Prices, refusePrices } from './price-table.js'

/**
 * The days of one stock that count, in order, and its adjusted growth over them. With `days: 'market'` a day without a
 * close stands there too and carries the last one on.
 */
export interface Path {
  length: number
  /** Place of each day in the calendar. */
  day: Int32Array
  /** Row of `prices` of the day; -1 on a day that carries a close on. */
  row: Int32Array
  /** Row of the last close up to the day. */
  held: Int32Array
  /** Reference price of the day: what its return and its limit prices are taken from. NaN on the first day. */
  reference: Float64Array
  /** 1 on a day without price limit. */
  free: Uint8Array
  /** Adjusted close, up to a factor that is the stock's. */
  level: Float64Array
  inverse: Float64Array
}

export function emptyPath(size: number): Path {
  return {
    length: 0,
    day: new Int32Array(size),
    row: new Int32Array(size),
    held: new Int32Array(size),
    reference: new Float64Array(size),
    free: new Uint8Array(size),
    level: new Float64Array(size),
    inverse: new Float64Array(size),
  }
}

/** The double of the reference price that the day after `before` has, NaN without a day before. */
export function referenceOf(prices: Prices, before: number, row: number): number {
  if (before < 0) return Number.NaN
  if (prices.pre) return prices.pre[row] as number
  const close = prices.close[before] as number
  return prices.factor ? (close * (prices.factor[before] as number)) / (prices.factor[row] as number) : close
}

/** Levels of all days, from rows, held rows and references that are there. */
export function addLevels(path: Path, prices: Prices): void {
  const { close, pre, factor } = prices
  let carried = 1
  for (let i = 0; i < path.length; i++) {
    const held = path.held[i] as number
    if (pre && i > 0 && path.row[i] !== -1) {
      const before = close[path.held[i - 1] as number] as number
      const reference = pre[held] as number
      if (before !== reference) carried *= before / reference
    }
    const level = (close[held] as number) * (factor ? (factor[held] as number) : carried)
    path.level[i] = level
    path.inverse[i] = 1 / level
  }
}

/** The stock's growth from one of its days to a later one, exactly. */
export function exactGrowth(path: Path, prices: Prices, from: number, to: number): Fraction {
  const { close, pre, factor } = prices
  const [base, last] = [path.held[from] as number, path.held[to] as number]
  let growth = quotient(fractionOf(close[last] as number), fractionOf(close[base] as number))
  if (factor) {
    growth = times(growth, quotient(fractionOf(factor[last] as number), fractionOf(factor[base] as number)))
  }
  if (!pre) return growth
  for (let i = from + 1; i <= to; i++) {
    if (path.row[i] === -1) continue
    const [before, reference] = [close[path.held[i - 1] as number] as number, pre[path.row[i] as number] as number]
    if (before !== reference) growth = times(growth, quotient(fractionOf(before), fractionOf(reference)))
  }
  return growth
}

/** The reference price of a day but the first, exactly. */
export function exactReference(path: Path, prices: Prices, at: number): Fraction {
  const row = path.row[at] as number
  if (prices.pre) return fractionOf(prices.pre[row] as number)
  const before = path.held[at - 1] as number
  const close = fractionOf(prices.close[before] as number)
  if (!prices.factor) return close
  return times(close, quotient(fractionOf(prices.factor[before] as number), fractionOf(prices.factor[row] as number)))
}

/** The growth of one day against its reference price, exactly; 1 in a forecast, whose day has no close yet. */
export function exactDay(path: Path, prices: Prices, at: number, forecast: boolean): Fraction {
  if (forecast) return one
  return quotient(fractionOf(prices.close[path.row[at] as number] as number), exactReference(path, prices, at))
}

/** Closes of the benchmarks by day of the calendar, NaN where missing. */
export interface Indices {
  /** The closes of a code. One that the table does not have at all is missing on every day. */
  closesOf(code: string): Float64Array
  readonly dates: readonly string[]
}

/** @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a close that is not above 0, and for a code and day twice */
export function readIndices(data: Data): { readonly dates: readonly string[]; at: (days: CalendarDays) => Indices } {
  const dates = dateWords(data, 'benchmarks')
  const codes = dictionary(data, 'code')
  const closes = numbers(data, 'close')
  const used = usedWords(dates)
  return {
    dates: dates.words.filter((_, code) => used[code] === 1),
    at: (days) => {
      const known = new Map<string, Float64Array>()
      return {
        dates: days.dates,
        closesOf(wanted) {
          const found = known.get(wanted)
          if (found) return found
          const isWanted = codeMatcher([wanted])
          const matching = codes.words.map(isWanted)
          const made = new Float64Array(days.dates.length).fill(Number.NaN)
          for (let row = 0; row < closes.length; row++) {
            if (!matching[codes.codes[row] ?? -1]) continue
            const close = closes[row] as number
            const date = dates.words[dates.codes[row] ?? -1]
            const place = days.placeOf.get(date ?? '')
            if (Number.isNaN(close) || place === undefined) continue
            if (!(close > 0 && close < Number.POSITIVE_INFINITY))
              refusePrices(sentence`the close of ${wanted} on ${date} is ${close}`)
            if (!Number.isNaN(made[place])) refusePrices(sentence`benchmarks have ${wanted} on ${date} twice`)
            made[place] = close
          }
          known.set(wanted, made)
          return made
        },
      }
    },
  }
}

/** A benchmark over the days of one stock. */
export interface IndexPath {
  readonly code: string
  readonly close: Float64Array
  readonly inverse: Float64Array
  /** Latest day up to each that has no close; -1 for none. */
  readonly missing: Int32Array
}

export function emptyIndexPath(code: string, size: number): IndexPath {
  return {
    code,
    close: new Float64Array(size),
    inverse: new Float64Array(size),
    missing: new Int32Array(size),
  }
}

/** Lays a benchmark's closes along a stock's days. */
export function follow(path: IndexPath, closes: Float64Array, day: Int32Array, length: number): void {
  let missing = -1
  for (let i = 0; i < length; i++) {
    const close = closes[day[i] as number] as number
    if (Number.isNaN(close)) missing = i
    path.close[i] = close
    path.inverse[i] = 1 / close
    path.missing[i] = missing
  }
}
