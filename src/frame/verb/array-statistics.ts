import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { freshFloats } from '../table/fresh-array.js'
import { presentNumbers, quantileWithin } from '../table/quantiles.js'
import { described, wrongShape } from '../table/shape.js'

/** Numbers of any array; null and undefined are missing. */
export type Numbers = Float64Array | ArrayLike<number | null | undefined>

/** Numbers with NaN for missing as a plain Float64Array, to be read only. @throws QuotebookError INVALID_VALUE for anything that is no number */
export function toFloats(x: Numbers, what: Words): Float64Array {
  if (x instanceof Float64Array)
    return x.constructor === Float64Array ? x : new Float64Array(x.buffer, x.byteOffset, x.length)
  if (typeof x !== 'object' || x === null || !Number.isSafeInteger(x.length))
    throw wrongShape(what, sentence`given an array of numbers`, x)
  const out = new Float64Array(x.length)
  for (let row = 0; row < out.length; row++) {
    const value = x[row]
    if (typeof value === 'number') out[row] = value
    else if (value === null || value === undefined) out[row] = Number.NaN
    else
      throw new QuotebookError('INVALID_VALUE', sentence`${what}, row ${row + 1}: ${described(value)} is not a number`)
  }
  return out
}

/** @throws QuotebookError INVALID_VALUE unless two arrays have as many rows */
export function checkLengths(x: ArrayLike<unknown>, y: ArrayLike<unknown>, what: string): void {
  if (x.length === y.length) return
  throw new QuotebookError('INVALID_VALUE', sentence`${what}: the arrays have ${x.length} and ${y.length} rows`)
}

/** A whole number of at least `least`. @throws QuotebookError INVALID_VALUE */
export function wholeNumber(value: number, least: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  const right =
    least === Number.NEGATIVE_INFINITY ? sentence`a whole number` : sentence`a whole number of at least ${least}`
  throw new QuotebookError('INVALID_VALUE', sentence`${what} must be ${right}, not ${described(value)}`)
}

/**
 * Computes the number below which a share `q` of the numbers lies, linear between neighbours as in pandas; missing ones
 * are skipped. NaN without any number.
 * @throws QuotebookError INVALID_VALUE if `q` is not within 0 and 1
 */
export function quantile(x: Numbers, q: number): number {
  if (!(typeof q === 'number' && q >= 0 && q <= 1))
    throw new QuotebookError('INVALID_VALUE', sentence`quantile: q must be within 0 and 1, not ${described(q)}`)
  return quantileWithin(presentNumbers(toFloats(x, 'quantile')), q)
}

/** A sum, of products with the others where they are given, that keeps what each addition rounds away (Neumaier). */
export function exactSum(x: ArrayLike<number>, others?: ArrayLike<number>): number {
  let [sum, lost] = [0, 0]
  for (let row = 0; row < x.length; row++) {
    const value = others ? (x[row] as number) * (others[row] as number) : (x[row] as number)
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return Number.isFinite(sum) ? sum + lost : sum
}

/** The rows of which both numbers are there, in arrays of their own. */
export function bothPresent(x: Float64Array, y: Float64Array): readonly [Float64Array, Float64Array] {
  const [a, b] = [freshFloats(x.length), freshFloats(x.length)]
  let count = 0
  for (let row = 0; row < x.length; row++) {
    a[count] = x[row] as number
    b[count] = y[row] as number
    if (!Number.isNaN(x[row]) && !Number.isNaN(y[row])) count++
  }
  return [a.subarray(0, count), b.subarray(0, count)]
}

/** Takes the mean from each. */
function centre(x: Float64Array): void {
  const mean = exactSum(x) / x.length
  for (let row = 0; row < x.length; row++) x[row] = (x[row] as number) - mean
}

function varies(x: Float64Array): boolean {
  return x.some((value) => value !== x[0])
}

/**
 * Computes Pearson's correlation of two arrays row by row; rows with a missing part are skipped. NaN below two rows,
 * and if one of the two does not vary.
 * @throws QuotebookError INVALID_VALUE if the lengths differ
 */
export function correlation(x: Numbers, y: Numbers): number {
  const [one, two] = [toFloats(x, 'correlation: x'), toFloats(y, 'correlation: y')]
  checkLengths(one, two, 'correlation')
  const [a, b] = bothPresent(one, two)
  if (a.length < 2 || !varies(a) || !varies(b)) return Number.NaN
  centre(a)
  centre(b)
  const [sum, sa, sb] = [exactSum(a, b), exactSum(a, a), exactSum(b, b)]
  const product = sa * sb
  const tame = product > 1e-200 && product < 1e200
  const scale = tame ? Math.sqrt(product) : Math.sqrt(sa) * Math.sqrt(sb)
  return Math.min(1, Math.max(-1, sum / scale))
}
