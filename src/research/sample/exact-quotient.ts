import { quotientHalfUp } from '../checks/exact/decimal.js'

/**
 * Decimals made of whole numbers. Everything priced lives as ticks or cents; a quotient is rounded by whole-number
 * division and only then becomes a double, so that the shortest text of the double is the decimal itself.
 */

/** numerator / denominator, halves away from zero (ROUND_HALF_UP). Whole numbers; exact at any size. */
export function divideHalfUp(numerator: number, denominator: number): number {
  const size = Math.abs(numerator)
  const twice = size * 2 + denominator
  if (!Number.isSafeInteger(twice) || !Number.isSafeInteger(denominator * 2)) {
    return Number(quotientHalfUp(BigInt(numerator), BigInt(denominator)))
  }
  const divisor = denominator * 2
  const quotient = (twice - (twice % divisor)) / divisor
  return numerator < 0 && quotient > 0 ? -quotient : quotient
}

/** Rounded towards plus infinity. The denominator is positive. */
export function bigCeil(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return quotient * denominator < numerator ? quotient + 1n : quotient
}

/** Rounded towards minus infinity. The denominator is positive. */
export function bigFloor(numerator: bigint, denominator: bigint): bigint {
  return -bigCeil(-numerator, denominator)
}

/** (value / base - 1) x 100, ROUND_HALF_UP to 4 decimals; both in the same whole unit. */
export function percentChange(value: number, base: number): number {
  return divideHalfUp((value - base) * 1_000_000, base) / 10_000
}
