import { type Fraction, fractionOf, hundred, minus, quotient, times } from './fraction.js'
import { cellPlaces } from './precision.js'

/** Decimals by which a number of a column is judged, as `cellPlaces` says; quick where the usual ones give it. */
export function placesIn(x: number, usual: number): number {
  return Math.round(x * 10 ** usual) / 10 ** usual === x ? usual : cellPlaces(x, usual)
}

/**
 * Whether a number is another within half a unit of the last of so many decimals. Doubles decide only farther from the
 * edge than 10^-12 of the terms, a thousand times the error of the operations that made `value` of them.
 * @param size sum of the terms
 */
function isRounded(given: number, value: number, size: number, places: number, exact: () => Fraction): boolean {
  const half = 0.5 * 10 ** -places
  const off = Math.abs(given - value)
  const margin = 1e-12 * size
  if (off < half - margin) return true
  if (off > half + margin) return false
  const { over, under } = minus(fractionOf(given), exact())
  return 2n * 10n ** BigInt(places) * (over < 0n ? -over : over) <= under
}

/** Whether a number is a - b rounded to so many decimals, whichever way ties go; exact for decimals as sent. */
export function isDifference(given: number, a: number, b: number, places: number): boolean {
  if (![given, a, b].every(Number.isFinite)) return false
  const size = Math.abs(a) + Math.abs(b) + Math.abs(given) + 1
  return isRounded(given, a - b, size, places, () => minus(fractionOf(a), fractionOf(b)))
}

/**
 * Whether a number is (a / b - 1) x 100 rounded to so many decimals, whichever way ties go; exact for decimals as sent.
 * False where b is 0.
 */
export function isPercentChange(given: number, a: number, b: number, places: number): boolean {
  if (![given, a, b].every(Number.isFinite) || b === 0) return false
  const size = Math.abs((a / b) * 100) + Math.abs(given) + 100
  return isRounded(given, ((a - b) / b) * 100, size, places, () => {
    const base = fractionOf(b)
    return times(quotient(minus(fractionOf(a), base), base), hundred)
  })
}
