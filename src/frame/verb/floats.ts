import { QuotebookError } from '../../contract/error.js'
import { described, wrongShape } from '../../table/shape.js'

/** Numbers of any array; null and undefined are missing. */
export type Numbers = Float64Array | ArrayLike<number | null | undefined>

/** Numbers with NaN for missing, to be read only. @throws QuotebookError INVALID_VALUE for anything that is no number */
export function floatsOf(x: Numbers, what: string): Float64Array {
  if (x instanceof Float64Array) return x
  if (typeof x !== 'object' || x === null || !Number.isSafeInteger(x.length))
    throw wrongShape(what, 'given an array of numbers', x)
  const out = new Float64Array(x.length)
  for (let row = 0; row < out.length; row++) {
    const value = x[row]
    if (typeof value === 'number') out[row] = value
    else if (value === null || value === undefined) out[row] = Number.NaN
    else throw new QuotebookError('INVALID_VALUE', `${what}, row ${row + 1}: ${described(value)} is not a number`)
  }
  return out
}

/** A whole number of at least `least`. @throws QuotebookError INVALID_VALUE */
export function wholeOf(value: number, least: number, what: string): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  const right = least === Number.NEGATIVE_INFINITY ? 'a whole number' : `a whole number of at least ${least}`
  throw new QuotebookError('INVALID_VALUE', `${what} must be ${right}, not ${described(value)}`)
}
