import { type Decimal, digitsAt, toDecimal } from './decimal.js'
import { cellPlaces } from './precision.js'

/** Decimals by which a number of a column is judged, as `cellPlaces` says; quick where the usual ones give it. */
export function placesIn(x: number, usual: number): number {
  return Math.round(x * 10 ** usual) / 10 ** usual === x ? usual : cellPlaces(x, usual)
}

/** |given - numerator / denominator| <= half a unit of the last of so many decimals, in integers. */
function isNear(given: Decimal, numerator: Decimal, denominator: Decimal, places: number): boolean {
  const scale = Math.max(given.scale + denominator.scale, numerator.scale)
  const product = { digits: given.digits * denominator.digits, scale: given.scale + denominator.scale }
  const off = digitsAt(product, scale) - digitsAt(numerator, scale)
  const due = digitsAt(denominator, scale)
  return 2n * 10n ** BigInt(places) * (off < 0n ? -off : off) <= (due < 0n ? -due : due)
}

function minus(a: number, b: number): Decimal {
  const [x, y] = [toDecimal(a), toDecimal(b)]
  const scale = Math.max(x.scale, y.scale)
  return { digits: digitsAt(x, scale) - digitsAt(y, scale), scale }
}

const one: Decimal = { digits: 1n, scale: 0 }

/**
 * Whether a number is a - b rounded to so many decimals, whichever way ties go; exact for decimals as sent.
 * Doubles decide only farther from the edge than 10^-12 of the terms, a thousand times the error of the two subtractions.
 */
export function isDifference(given: number, a: number, b: number, places: number): boolean {
  if (![given, a, b].every(Number.isFinite)) return false
  const half = 0.5 * 10 ** -places
  const off = Math.abs(given - (a - b))
  const margin = 1e-12 * (Math.abs(a) + Math.abs(b) + Math.abs(given) + 1)
  if (off < half - margin) return true
  if (off > half + margin) return false
  return isNear(toDecimal(given), minus(a, b), one, places)
}

/**
 * Whether a number is (a / b - 1) x 100 rounded to so many decimals, whichever way ties go; exact for decimals as sent.
 * Doubles decide only farther from the edge than 10^-12 of the terms. False where b is 0.
 */
export function isPercentChange(given: number, a: number, b: number, places: number): boolean {
  if (![given, a, b].every(Number.isFinite) || b === 0) return false
  const half = 0.5 * 10 ** -places
  const due = ((a - b) / b) * 100
  const off = Math.abs(given - due)
  const margin = 1e-12 * (Math.abs((a / b) * 100) + Math.abs(given) + 100)
  if (off < half - margin) return true
  if (off > half + margin) return false
  const { digits, scale } = minus(a, b)
  return isNear(toDecimal(given), { digits: digits * 100n, scale }, toDecimal(b), places)
}
