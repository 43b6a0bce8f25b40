import { type Bounds, bound, emptyBounds } from './bounds.js'
import { type Fraction, fractionOf, one, quotient, times } from './fraction.js'
import type { Prices } from './prices.js'

/** Half the distance of doubles at 1: what one operation, or the reading of a decimal, may be off by. */
const unit = 2 ** -53

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
  greatestInverse: number
  /** Inverses that intervals of each measure may begin with. */
  abnormal: Bounds
  severe: Bounds
  /**
   * Relative error of a growth `level[b] * inverse[a]`, and of a benchmark's growth made in the same way; both as
   * computed against the exact number of the decimals sent. See `errorOf`.
   */
  error: number
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
    greatestInverse: 0,
    abnormal: emptyBounds(size),
    severe: emptyBounds(size),
    error: 0,
  }
}

/**
 * A close read and inverted, another read, and their product: 4 units; a factor on either side: 4 more. An ex-right day
 * by pre_close: two prices read, a quotient, a product: 4, in both levels at worst, so 8. What is said of a difference,
 * sum or product of two growths then needs 4 more; 20 are given.
 */
function errorOf(exRights: number): number {
  return (8 * exRights + 20) * unit
}

/** The double of the reference price that the day after `before` has, NaN without a day before. */
export function referenceOf(prices: Prices, before: number, row: number): number {
  if (before < 0) return Number.NaN
  if (prices.pre) return prices.pre[row] as number
  const close = prices.close[before] as number
  return prices.factor ? (close * (prices.factor[before] as number)) / (prices.factor[row] as number) : close
}

/** The longest windows of the two measures, in days. */
export interface Windows {
  readonly abnormal: number
  readonly severe: number
}

/** Levels of all days, from rows, held rows and references that are there. */
export function addLevels(path: Path, prices: Prices, windows: Windows): void {
  const { close, pre, factor } = prices
  let [exRights, carried, greatest] = [0, 1, 0]
  for (let i = 0; i < path.length; i++) {
    const held = path.held[i] as number
    if (pre && i > 0 && path.row[i] !== -1) {
      const before = close[path.held[i - 1] as number] as number
      const reference = pre[held] as number
      if (before !== reference) {
        carried *= before / reference
        exRights++
      }
    }
    const level = (close[held] as number) * (factor ? (factor[held] as number) : carried)
    const inverse = 1 / level
    path.level[i] = level
    path.inverse[i] = inverse
    if (inverse > greatest) greatest = inverse
  }
  path.greatestInverse = greatest
  path.error = errorOf(exRights)
  bound(path.inverse, path.length, windows.abnormal, path.abnormal)
  bound(path.inverse, path.length, windows.severe, path.severe)
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
