import { QuotebookError } from '../../contract/error.js'
import { described, namedIn } from '../../table/shape.js'
import { floatsOf, type Numbers, wholeOf } from './floats.js'
import { windowLeast, windowMedian } from './window-order.js'
import { windowCounts, windowSums } from './window-sum.js'
import { windowSquares } from './window-variance.js'

/** What is made of the numbers of a window. `std` and `var` divide by their count less one. */
export type WindowOperation = 'sum' | 'mean' | 'min' | 'max' | 'count' | 'median' | 'std' | 'var'

export interface WindowOptions {
  /** Fewer numbers than this in a window, missing ones not counted, give a missing result. */
  readonly minPeriods?: number
}

function made(x: Float64Array, n: number, operation: WindowOperation, missing: boolean): Float64Array {
  switch (operation) {
    case 'sum':
    case 'mean':
      return windowSums(x, n, missing)
    case 'std':
    case 'var': {
      const { count, squares } = windowSquares(x, n)
      for (let row = 0; row < squares.length; row++) {
        const there = count[row] as number
        const variance = there > 1 ? (squares[row] as number) / (there - 1) : Number.NaN
        squares[row] = operation === 'std' ? Math.sqrt(variance) : variance
      }
      return squares
    }
    case 'min':
      return windowLeast(x, n, 1)
    case 'max':
      return windowLeast(x, n, -1)
    case 'median':
      return windowMedian(x, n)
    case 'count':
      return Float64Array.from(windowCounts(x, n))
    default: {
      const known = 'sum, mean, min, max, count, median, std, var'
      throw new QuotebookError('INVALID_VALUE', `unknown window operation ${described(operation)}; there are ${known}`)
    }
  }
}

function hasMissing(x: Float64Array): boolean {
  for (let row = 0; row < x.length; row++) if (Number.isNaN(x[row])) return true
  return false
}

function windows(x: Float64Array, n: number, operation: WindowOperation, least: number): Float64Array {
  const missing = hasMissing(x)
  const out = made(x, n, operation, missing)
  const count = missing ? windowCounts(x, n) : undefined
  const mean = operation === 'mean'
  for (let row = 0; row < out.length; row++) {
    const there = count ? (count[row] as number) : Math.min(row + 1, n)
    if (there < least) out[row] = Number.NaN
    else if (mean) out[row] = (out[row] as number) / there
  }
  return out
}

/**
 * A window of `n` rows that ends at each row, and what `operation` makes of the numbers in it; missing ones are skipped.
 * A new array of the same length, NaN where fewer than `minPeriods` numbers are there: by default `n`, and 0 for `count`.
 *
 * Nothing drifts, however long the array: sums are compensated and never subtracted from; an infinity is gone with its
 * row. Windows do not know of symbols: use it within `derive(…, { by: 'symbol', order: 'tradedate' })`.
 * @throws QuotebookError INVALID_VALUE when `n` or `minPeriods` is no whole number in its range
 */
export function rolling(x: Numbers, n: number, operation: WindowOperation, options: WindowOptions = {}): Float64Array {
  namedIn(options, 'options of rolling', '{ minPeriods: 3 }')
  const size = wholeOf(n, 1, 'rolling: n')
  const count = operation === 'count'
  const least = wholeOf(options.minPeriods ?? (count ? 0 : size), count ? 0 : 1, 'rolling: minPeriods')
  if (least > size) throw new QuotebookError('INVALID_VALUE', `rolling: minPeriods ${least} is more than n ${size}`)
  return windows(floatsOf(x, 'rolling'), size, operation, least)
}

/**
 * All rows up to each row, and what `operation` makes of the numbers in them, as `rolling` does. `minPeriods` is 1 when
 * not given, and 0 for `count`.
 */
export function expanding(x: Numbers, operation: WindowOperation, options: WindowOptions = {}): Float64Array {
  namedIn(options, 'options of expanding', '{ minPeriods: 3 }')
  const own = floatsOf(x, 'expanding')
  const count = operation === 'count'
  const least = wholeOf(options.minPeriods ?? (count ? 0 : 1), count ? 0 : 1, 'expanding: minPeriods')
  return windows(own, Math.max(own.length, 1), operation, least)
}
