import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { freshFloats, freshInts } from '../table/fresh-array.js'
import { described } from '../table/shape.js'
import { sortNumbers } from '../table/sort-rows.js'
import { type Numbers, toFloats, wholeNumber } from './array-statistics.js'
import { firstPlace } from './first-place.js'
import { type NumberArray, numberArray } from './number-array.js'

/*
 * Windows without subtraction. The rows are cut into blocks of the window's length; a window is the end of one block and
 * the beginning of the next, and both are summed by adding only. So nothing drifts, and what has left a window, infinity
 * included, has left no trace. What each addition rounds away is kept (Knuth's two-sum).
 */

/** Sums of each window of `n` rows that ends at a row, of numbers without NaN. */
function denseSums(x: Float64Array, n: number): Float64Array {
  const { length } = x
  const sum = new Float64Array(length)
  const size = Math.min(n, length)
  const [tail, tailLost] = [new Float64Array(size + 1), new Float64Array(size + 1)]
  for (let base = 0; base < length; base += n) {
    const end = Math.min(base + n, length)
    let [s, lost] = [0, 0]
    for (let row = base; row < end; row++) {
      const value = x[row] as number
      const next = s + value
      const part = next - s
      lost += s - (next - part) + (value - part)
      s = next
      const at = base === 0 ? size : row - base + 1
      const other = tail[at] as number
      const all = s + other
      const added = all - s
      const whole = all + (lost + (tailLost[at] as number) + (s - (all - added)) + (other - added))
      sum[row] = Number.isFinite(all) ? whole : all
    }
    if (end === length) break
    s = 0
    lost = 0
    for (let at = n - 1; at > 0; at--) {
      const value = x[base + at] as number
      const next = s + value
      const part = next - s
      lost += s - (next - part) + (value - part)
      s = next
      tail[at] = s
      tailLost[at] = lost
    }
  }
  return sum
}

/** Numbers that are there in each window of `n` rows that ends at a row. */
function windowCounts(x: Float64Array, n: number): Int32Array {
  const out = new Int32Array(x.length)
  let there = 0
  for (let row = 0; row < x.length; row++) {
    if (!Number.isNaN(x[row])) there++
    if (row >= n && !Number.isNaN(x[row - n])) there--
    out[row] = there
  }
  return out
}

/** Numbers there and the sum of their squared distances from their mean, of each window of `n` rows. */
interface WindowSquares {
  readonly count: Int32Array
  readonly squares: Float64Array
}

/** The first finite number from a row towards another; 0 where there is none. */
function originOf(x: Float64Array, from: number, to: number): number {
  const step = from <= to ? 1 : -1
  for (let row = from; row !== to + step; row += step) if (Number.isFinite(x[row])) return x[row] as number
  return 0
}

/** Of the rows of a block from each to its last: the numbers there, their mean less an origin, their squared distances from it. */
interface Tails extends WindowSquares {
  readonly mean: Float64Array
}

/**
 * Welford's recurrence within a block, Chan's formula across two. Means are kept as distances from a number that is in
 * the window itself, the block's first or last, so that small variations of great numbers lose nothing.
 */
function windowSquares(x: Float64Array, n: number): WindowSquares {
  const { length } = x
  const made = { count: freshInts(length), squares: freshFloats(length) }
  const size = Math.min(n, length) + 1
  const tails = { count: new Int32Array(size), mean: new Float64Array(size), squares: new Float64Array(size) }
  let last = 0
  for (let base = 0; base < length; base += n) {
    const end = Math.min(base + n, length)
    const origin = originOf(x, base, end - 1)
    putSquares(x, base, end, origin, tails, origin - last, made)
    if (end === length) break
    last = originOf(x, end - 1, base)
    putTails(x, base, n, last, tails)
  }
  return made
}

/* One block each: as functions of their own they are compiled as a whole, with their numbers unboxed. */

/** Joins the beginning of a block up to each row with the tail of the block before, whose origin is `between` away. */
function putSquares(
  x: Float64Array,
  base: number,
  end: number,
  origin: number,
  tails: Tails,
  between: number,
  { count, squares }: WindowSquares,
): void {
  const { count: tailCount, mean: tailMean, squares: tailSquares } = tails
  let there = 0
  let mean = 0
  let m2 = 0
  for (let row = base; row < end; row++) {
    const value = x[row] as number
    if (!Number.isNaN(value)) {
      const off = value - origin - mean
      mean += off / ++there
      m2 += off * (value - origin - mean)
    }
    const at = row - base + 1
    const before = tailCount[at] as number
    const all = there + before
    count[row] = all
    if (before === 0) squares[row] = m2
    else if (there === 0) squares[row] = tailSquares[at] as number
    else {
      const apart = mean - (tailMean[at] as number) + between
      squares[row] = m2 + (tailSquares[at] as number) + (apart * apart * there * before) / all
    }
  }
}

function putTails(x: Float64Array, base: number, n: number, origin: number, { count, mean, squares }: Tails): void {
  let there = 0
  let own = 0
  let m2 = 0
  for (let at = n - 1; at > 0; at--) {
    const value = x[base + at] as number
    if (!Number.isNaN(value)) {
      const off = value - origin - own
      own += off / ++there
      m2 += off * (value - origin - own)
    }
    mean[at] = own
    squares[at] = m2
    count[at] = there
  }
}

/** The least (or the greatest, with `sign` -1) number of each window of `n` rows; infinite where it has none. */
function windowLeast(x: Float64Array, n: number, sign: 1 | -1): Float64Array {
  const out = new Float64Array(x.length)
  const rows = new Int32Array(x.length)
  let [head, tail] = [0, 0]
  for (let row = 0; row < x.length; row++) {
    const value = sign * (x[row] as number)
    if (!Number.isNaN(value)) {
      while (tail > head && sign * (x[rows[tail - 1] as number] as number) >= value) tail--
      rows[tail++] = row
    }
    if (head < tail && (rows[head] as number) <= row - n) head++
    out[row] = head < tail ? (x[rows[head] as number] as number) : sign * Number.POSITIVE_INFINITY
  }
  return out
}

/** Which of the numbers of a window are in it, by their places in the order of all: a Fenwick tree of counts. */
class Places {
  readonly #tree: Int32Array
  readonly #top: number

  constructor(size: number) {
    this.#tree = new Int32Array(size + 1)
    let top = 1
    while (top * 2 <= size) top *= 2
    this.#top = top
  }

  add(place: number, by: 1 | -1): void {
    const tree = this.#tree
    for (let at = place + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] as number) + by
  }

  /** The place of the one that has `before` others before it. */
  at(before: number): number {
    const tree = this.#tree
    let [at, left] = [0, before]
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = at + step
      if (next < tree.length && (tree[next] as number) <= left) {
        at = next
        left -= tree[next] as number
      }
    }
    return at
  }
}

/** Up to this many numbers are moved along faster than a tree is walked. */
const shortWindow = 500

/** The median of each short window of `n` rows, whose numbers are kept in order; of equal ones the earlier row is first. */
function shortMedian(x: Float64Array, n: number): Float64Array {
  const out = freshFloats(x.length)
  const sorted = new Float64Array(n + 1)
  let count = 0
  for (let row = 0; row < x.length; row++) {
    const value = x[row] as number
    const gone = row >= n ? (x[row - n] as number) : Number.NaN
    if (!Number.isNaN(gone)) {
      const at = firstPlace(sorted, 0, count, gone, false)
      for (let to = at; to + 1 < count; to++) sorted[to] = sorted[to + 1] as number
      count--
    }
    if (!Number.isNaN(value)) {
      const at = firstPlace(sorted, 0, count, value, true)
      for (let to = count; to > at; to--) sorted[to] = sorted[to - 1] as number
      sorted[at] = value
      count++
    }
    const upper = sorted[count >> 1] as number
    if (count === 0) out[row] = Number.NaN
    else out[row] = count % 2 === 1 ? upper : ((sorted[(count >> 1) - 1] as number) + upper) / 2
  }
  return out
}

/** The median of each window of `n` rows; NaN where it has no number. */
function windowMedian(x: Float64Array, n: number): Float64Array {
  const order = sortNumbers(x)
  const place = new Int32Array(x.length)
  for (let at = 0; at < order.length; at++) place[order[at] as number] = at
  const there = new Places(x.length)
  const out = new Float64Array(x.length)
  const numberAt = (before: number): number => x[order[there.at(before)] as number] as number
  let count = 0
  for (let row = 0; row < x.length; row++) {
    if (!Number.isNaN(x[row])) {
      there.add(place[row] as number, 1)
      count++
    }
    if (row >= n && !Number.isNaN(x[row - n])) {
      there.add(place[row - n] as number, -1)
      count--
    }
    if (count === 0) out[row] = Number.NaN
    else if (count % 2 === 1) out[row] = numberAt(count >> 1)
    else out[row] = (numberAt((count >> 1) - 1) + numberAt(count >> 1)) / 2
  }
  return out
}

/** What is made of the numbers of a window. `std` and `var` divide by their count less one. */
export type WindowOperation = 'sum' | 'mean' | 'min' | 'max' | 'count' | 'median' | 'std' | 'var'

/** Options of `rolling` and `expanding`. */
export interface WindowOptions {
  /** Fewer numbers than this in a window, missing ones not counted, give a missing result. */
  readonly minPeriods?: number
}

function made(x: Float64Array, n: number, operation: WindowOperation, missing: boolean): Float64Array {
  switch (operation) {
    case 'sum':
    case 'mean':
      return denseSums(missing ? x.map((value) => (Number.isNaN(value) ? 0 : value)) : x, n)
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
      return n <= shortWindow ? shortMedian(x, n) : windowMedian(x, n)
    case 'count':
      return new Float64Array(windowCounts(x, n))
    default: {
      const known = 'sum, mean, min, max, count, median, std, var'
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`unknown window operation ${described(operation)}; there are ${known}`,
      )
    }
  }
}

function windows(x: Float64Array, n: number, operation: WindowOperation, least: number): NumberArray {
  const missing = x.includes(Number.NaN)
  const out = made(x, n, operation, missing)
  const count = missing ? windowCounts(x, n) : undefined
  const mean = operation === 'mean'
  const changed = missing || mean ? out.length : Math.min(least - 1, out.length)
  for (let row = 0; row < changed; row++) {
    const there = count ? (count[row] as number) : Math.min(row + 1, n)
    if (there < least) out[row] = Number.NaN
    else if (mean) out[row] = (out[row] as number) / there
  }
  return numberArray(out)
}

/** Rows of a window, and the numbers that it needs: as many as rows where nothing is said, but for counts. */
export function windowSize(n: number, options: WindowOptions, what: string, isCount = false) {
  const { minPeriods } = checkOptions(options, { minPeriods: 'any' }, what)
  const size = wholeNumber(n, 1, `${what}: n`)
  const least = wholeNumber(minPeriods ?? (isCount ? 0 : size), isCount ? 0 : 1, `${what}: minPeriods`)
  if (least > size)
    throw new QuotebookError('INVALID_VALUE', sentence`${what}: minPeriods ${least} is more than n ${size}`)
  return { size, least }
}

/**
 * Applies `operation` to the numbers in a window of `n` rows that ends at each row; missing ones are skipped. Returns a
 * new array of the same length, NaN if the window has fewer than `minPeriods` numbers (default: `n`, and 0 for
 * `count`).
 *
 * Results do not drift, however long the array: sums are compensated and never subtracted from, and an infinity leaves
 * with its row. Windows ignore symbols: use `rolling` within `derive(…, { by: 'symbol', order: 'tradedate' })`.
 * @throws QuotebookError INVALID_VALUE if `n` or `minPeriods` is not a whole number in its range
 */
export function rolling(x: Numbers, n: number, operation: WindowOperation, options: WindowOptions = {}): NumberArray {
  const isCount = operation === 'count'
  const { size, least } = windowSize(n, options, 'rolling', isCount)
  return windows(toFloats(x, 'rolling'), size, operation, least)
}

/**
 * Applies `operation` to the numbers of all rows up to each row, like `rolling`. `minPeriods` is 1 by default, and 0
 * for `count`.
 */
export function expanding(x: Numbers, operation: WindowOperation, options: WindowOptions = {}): NumberArray {
  checkOptions(options, { minPeriods: 'any' }, 'expanding')
  const own = toFloats(x, 'expanding')
  const count = operation === 'count'
  const least = wholeNumber(options.minPeriods ?? (count ? 0 : 1), count ? 0 : 1, 'expanding: minPeriods')
  return windows(own, Math.max(own.length, 1), operation, least)
}
