import { checkLengths, type Numbers, toFloats } from './array-statistics.js'
import { type NumberArray, numberArray } from './number-array.js'
import { type WindowOptions, windowSize } from './rolling.js'

/*
 * Pairs of a window without subtraction, in the two blocks of rolling.ts: Welford's recurrence within a block, Chan's
 * formula across two.
 */

const fields = 6

/** Count, means, squares and products of pairs. Means are distances from the first pair, so that small variations of great numbers lose nothing. */
class Pairs {
  count = 0
  originX = 0
  originY = 0
  meanX = 0
  meanY = 0
  squaresX = 0
  squaresY = 0
  products = 0

  clear(): void {
    this.count = this.meanX = this.meanY = this.squaresX = this.squaresY = this.products = 0
  }

  /** A pair with a missing part is none. */
  add(x: number, y: number): void {
    if (Number.isNaN(x) || Number.isNaN(y)) return
    if (this.count++ === 0) {
      this.originX = x
      this.originY = y
    }
    const ownX = x - this.originX
    const ownY = y - this.originY
    const offX = ownX - this.meanX
    const offY = ownY - this.meanY
    this.meanX += offX / this.count
    this.meanY += offY / this.count
    this.squaresX += offX * (ownX - this.meanX)
    this.squaresY += offY * (ownY - this.meanY)
    this.products += offX * (ownY - this.meanY)
  }

  /** All but the origin, which those of one block share. */
  save(into: Float64Array, place: number): void {
    into.set([this.count, this.meanX, this.meanY, this.squaresX, this.squaresY, this.products], place * fields)
  }

  load(from: Float64Array, place: number): void {
    const at = place * fields
    this.count = from[at] as number
    this.meanX = from[at + 1] as number
    this.meanY = from[at + 2] as number
    this.squaresX = from[at + 3] as number
    this.squaresY = from[at + 4] as number
    this.products = from[at + 5] as number
  }

  /** The pairs of both. */
  join(one: Pairs, two: Pairs): void {
    const [most, least] = one.count >= two.count ? [one, two] : [two, one]
    this.count = most.count + least.count
    this.originX = most.originX
    this.originY = most.originY
    const share = least.count === 0 ? 0 : least.count / this.count
    const apartX = share === 0 ? 0 : least.meanX - most.meanX + (least.originX - most.originX)
    const apartY = share === 0 ? 0 : least.meanY - most.meanY + (least.originY - most.originY)
    const weight = share * most.count
    this.meanX = most.meanX + apartX * share
    this.meanY = most.meanY + apartY * share
    this.squaresX = most.squaresX + least.squaresX + apartX * apartX * weight
    this.squaresY = most.squaresY + least.squaresY + apartY * apartY * weight
    this.products = most.products + least.products + apartX * apartY * weight
  }
}

/** Calls `use` with the pairs of each window of `n` rows that ends at a row. */
function eachWindow(x: Float64Array, y: Float64Array, n: number, use: (row: number, pairs: Pairs) => void): void {
  const { length } = x
  const size = Math.min(n, length)
  const [head, tail, pairs] = [new Pairs(), new Pairs(), new Pairs()]
  const tails = new Float64Array((size + 1) * fields)
  for (let base = 0; base < length; base += n) {
    const end = Math.min(base + n, length)
    head.clear()
    for (let row = base; row < end; row++) {
      head.add(x[row] as number, y[row] as number)
      tail.load(tails, base === 0 ? size : row - base + 1)
      pairs.join(head, tail)
      use(row, pairs)
    }
    if (end === length) break
    tail.clear()
    for (let at = n - 1; at > 0; at--) {
      tail.add(x[base + at] as number, y[base + at] as number)
      tail.save(tails, at)
    }
  }
}

/** Arrays for results, and a walk over the windows that have at least `minPeriods` pairs. */
function windowsOf(x: Numbers, y: Numbers, n: number, options: WindowOptions, what: string) {
  const { size, least } = windowSize(n, options, what)
  const [one, two] = [toFloats(x, `${what}: x`), toFloats(y, `${what}: y`)]
  checkLengths(one, two, what)
  const made = (): NumberArray => numberArray(new Float64Array(one.length).fill(Number.NaN))
  const each = (use: (row: number, pairs: Pairs) => void): void =>
    eachWindow(one, two, size, (row, pairs) => {
      if (pairs.count >= least) use(row, pairs)
    })
  return { made, each }
}

/** Pearson's correlation; NaN when one of the two does not vary. */
function correlationOf({ squaresX, squaresY, products }: Pairs): number {
  if (squaresX === 0 || squaresY === 0) return Number.NaN
  return Math.min(1, Math.max(-1, products / Math.sqrt(squaresX) / Math.sqrt(squaresY)))
}

/**
 * Computes Pearson's correlation of two arrays in a window of `n` rows that ends at each row; pairs with a missing part
 * are skipped. Returns a new array of the same length, NaN if the window has fewer than `minPeriods` pairs (default:
 * `n`; at least two), if one of the two does not vary, and if a number of the window is infinite.
 * @throws QuotebookError INVALID_VALUE if the lengths differ, or `n` or `minPeriods` is not a whole number in its range
 */
export function rollingCorrelation(x: Numbers, y: Numbers, n: number, options: WindowOptions = {}): NumberArray {
  const { made, each } = windowsOf(x, y, n, options, 'rollingCorrelation')
  const out = made()
  each((row, pairs) => {
    out[row] = correlationOf(pairs)
  })
  return out
}

/** Lines through the pairs of each window, row by row; NaN for missing. */
export interface RollingRegression {
  /** In units of y to one of x. */
  readonly slope: NumberArray
  /** Where the line is at x = 0, in the unit of y. */
  readonly intercept: NumberArray
  /** The share of the variance of y that the line explains, from 0 to 1; missing if y does not vary. */
  readonly rSquared: NumberArray
}

/**
 * Fits the line y = intercept + slope x by least squares in a window of `n` rows that ends at each row:
 * `{ beta: (c) => rollingRegression(c.indexReturn, c.return, 60).slope }`. Pairs with a missing part are skipped. NaN
 * if the window has fewer than `minPeriods` pairs (default: `n`; at least two), if x does not vary, and if a number of
 * the window is infinite.
 * @throws QuotebookError INVALID_VALUE if the lengths differ, or `n` or `minPeriods` is not a whole number in its range
 */
export function rollingRegression(x: Numbers, y: Numbers, n: number, options: WindowOptions = {}): RollingRegression {
  const { made, each } = windowsOf(x, y, n, options, 'rollingRegression')
  const [slope, intercept, rSquared] = [made(), made(), made()]
  each((row, pairs) => {
    const { squaresX, products, originX, originY, meanX, meanY } = pairs
    const own = products / squaresX
    slope[row] = own
    intercept[row] = originY + (meanY - own * meanX) - own * originX
    rSquared[row] = correlationOf(pairs) ** 2
  })
  return { slope, intercept, rSquared }
}
