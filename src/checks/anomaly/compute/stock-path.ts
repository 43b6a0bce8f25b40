import { type Fraction, fractionOf, quotient, times } from '../../exact/fraction.js'
import type { BenchmarkCloses, Prices } from './price-table.js'

/** The longest windows of the two measures, in days. */
export interface Windows {
  readonly abnormal: number
  readonly severe: number
}

/** Greatest and least of the numbers that stand up to some places before each place; the first has none. */
export interface Bounds {
  readonly greatest: Float64Array
  readonly least: Float64Array
}

/** Bounds from the beginning of a block up to each place, and from each place to the end of its block; written anew. */
let ahead = new Float64Array(0)
let behind = new Float64Array(0)

/**
 * Greatest numbers (of `sign` 1; least of -1) over the `window` places before each place; what is no number is passed
 * over. A window is the end of one block of its own length and the beginning of the next (van Herk, Gil and Werman), so
 * each place costs the same for any window.
 */
function boundOf(values: Float64Array, window: number, sign: 1 | -1): Float64Array {
  const { length } = values
  if (ahead.length < length) {
    ahead = new Float64Array(length)
    behind = new Float64Array(length)
  }
  for (let from = 0; from < length; from += window) {
    const end = Math.min(from + window, length)
    let bound = -sign * Number.POSITIVE_INFINITY
    for (let at = from; at < end; at++) {
      const value = values[at] as number
      if (sign * value > sign * bound) bound = value
      ahead[at] = bound
    }
    bound = -sign * Number.POSITIVE_INFINITY
    for (let at = end - 1; at >= from; at--) {
      const value = values[at] as number
      if (sign * value > sign * bound) bound = value
      behind[at] = bound
    }
  }
  const bounds = new Float64Array(length).fill(Number.NaN, 0, 1)
  for (let at = 1; at < length; at++) {
    const later = ahead[at - 1] as number
    const earlier = at > window ? (behind[at - window] as number) : later
    bounds[at] = sign * earlier > sign * later ? earlier : later
  }
  return bounds
}

/** What growth is taken from: numbers by day, one over them, and the bounds of that over the windows of the measures. */
interface Levels {
  readonly level: Float64Array
  readonly inverse: Float64Array
  readonly abnormal: Bounds
  readonly severe: Bounds
}

function levelsOf(level: Float64Array, windows: Windows): Levels {
  const inverse = level.map((number) => 1 / number)
  const bounds = (window: number): Bounds => ({
    greatest: boundOf(inverse, window, 1),
    least: boundOf(inverse, window, -1),
  })
  return { level, inverse, abnormal: bounds(windows.abnormal), severe: bounds(windows.severe) }
}

/** Half the distance of doubles at 1: what one operation, or the reading of a decimal, may be off by. */
const unit = 2 ** -53

/**
 * The days of one stock that count, in order, and its adjusted growth over them; `level` is the adjusted close, up to a
 * factor that is the stock's. With `days: 'market'` a day without a close stands there too and carries the last one on.
 */
export interface Path extends Levels {
  readonly length: number
  /** Place of each day in the calendar. */
  readonly day: Int32Array
  /** Row of `prices` of the day; -1 on a day that carries a close on. */
  readonly row: Int32Array
  /** Row of the last close up to the day. */
  readonly closeRow: Int32Array
  /** Reference price of the day: what its return and its limit prices are taken from. NaN on the first day. */
  readonly reference: Float64Array
  /**
   * Relative error of a growth `level[b] * inverse[a]`, and of a benchmark's growth made in the same way; both as
   * computed against the exact number of the decimals sent.
   */
  readonly error: number
}

/** The double of the reference price of a row whose last close before it is that of row `before`. */
function referenceOf({ close, pre, factor }: Prices, before: number, row: number): number {
  if (pre) return pre[row] as number
  const last = close[before] as number
  return factor ? (last * (factor[before] as number)) / (factor[row] as number) : last
}

/** @param row of each day, -1 for a day that carries the close before it on */
export function stockPathOf(prices: Prices, day: Int32Array, row: Int32Array, windows: Windows): Path {
  const { close, pre, factor } = prices
  const { length } = day
  const closeRow = row.slice()
  const [reference, level] = [new Float64Array(length).fill(Number.NaN), new Float64Array(length)]
  let [exRights, carried] = [0, 1]
  for (let at = 0; at < length; at++) {
    const before = at === 0 ? -1 : (closeRow[at - 1] as number)
    if (row[at] === -1) closeRow[at] = before
    else if (before !== -1) reference[at] = referenceOf(prices, before, row[at] as number)
    if (pre && before !== -1 && row[at] !== -1 && close[before] !== reference[at]) {
      carried *= (close[before] as number) / (reference[at] as number)
      exRights++
    }
    const own = closeRow[at] as number
    level[at] = (close[own] as number) * (factor ? (factor[own] as number) : carried)
  }
  // A close read and inverted, another read, and their product: 4 units; a factor on either side: 4 more. An ex-right
  // day by pre_close: two prices read, a quotient, a product: 4, in both levels at worst, so 8. What is said of a
  // difference, sum or product of two growths then needs 4 more; 20 are given.
  const error = (8 * exRights + 20) * unit
  return { length, day, row, closeRow, reference, error, ...levelsOf(level, windows) }
}

/** The stock's growth from one of its days to a later one, exactly. */
export function exactGrowth(path: Path, { close, pre, factor }: Prices, from: number, to: number): Fraction {
  const ratio = (values: Float64Array, over: number, under: number): Fraction =>
    quotient(fractionOf(values[over] as number), fractionOf(values[under] as number))
  const [base, last] = [path.closeRow[from] as number, path.closeRow[to] as number]
  let growth = ratio(close, last, base)
  if (factor) growth = times(growth, ratio(factor, last, base))
  if (!pre) return growth
  for (let at = from + 1; at <= to; at++) {
    if (path.row[at] === -1) continue
    const [before, reference] = [close[path.closeRow[at - 1] as number] as number, path.reference[at] as number]
    if (before !== reference) growth = times(growth, quotient(fractionOf(before), fractionOf(reference)))
  }
  return growth
}

/** The reference price of a day but the first, exactly. */
export function exactReference(path: Path, { close, pre, factor }: Prices, at: number): Fraction {
  const [row, before] = [path.row[at] as number, path.closeRow[at - 1] as number]
  if (pre) return fractionOf(pre[row] as number)
  const last = fractionOf(close[before] as number)
  return factor ? times(last, quotient(fractionOf(factor[before] as number), fractionOf(factor[row] as number))) : last
}

/** A benchmark's closes over the days of one stock. */
export interface IndexPath extends Levels {
  readonly code: string
  /** Latest day up to each that has no close; -1 for none. */
  readonly missing: Int32Array
}

export function indexPathOf(code: string, closesOf: BenchmarkCloses, { day }: Path, windows: Windows): IndexPath {
  const closes = closesOf(code)
  const level = Float64Array.from(day, (place) => closes[place] as number)
  let latest = -1
  const missing = Int32Array.from(level, (close, at) => {
    if (Number.isNaN(close)) latest = at
    return latest
  })
  return { code, missing, ...levelsOf(level, windows) }
}
