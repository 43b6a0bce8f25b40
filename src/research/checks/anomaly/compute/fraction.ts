import { quotientHalfUp, toDecimal } from '../../exact/decimal.js'

/** An exact number. `under` is above 0. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

export const one: Fraction = { over: 1n, under: 1n }

/** A double as the decimal that was sent. */
export function fractionOf(x: number): Fraction {
  const { digits, scale } = toDecimal(x)
  return { over: digits, under: 10n ** BigInt(scale) }
}

/** A percentage as a share of 1. */
export function shareOf(percent: number): Fraction {
  return times(fractionOf(percent), { over: 1n, under: 100n })
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under }
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under - b.over * a.under, under: a.under * b.under }
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under }
}

/** a / b of a b above 0. */
export function quotient(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under, under: a.under * b.over }
}

/** Below 0, 0 or above 0 as a is below, at or above b. */
export function compare(a: Fraction, b: Fraction): number {
  const gap = a.over * b.under - b.over * a.under
  return gap < 0n ? -1 : gap > 0n ? 1 : 0
}

/** Halves away from zero, towards plus infinity, or towards minus infinity. */
export type Rounding = 'half up' | 'up' | 'down'

/** The number in units of 10^-`places`, rounded. */
export function unitsOf({ over, under }: Fraction, places: number, rounding: Rounding): bigint {
  const scaled = over * 10n ** BigInt(places)
  if (rounding === 'half up') return quotientHalfUp(scaled, under)
  const whole = scaled / under
  const rest = scaled - whole * under
  if (rounding === 'up') return rest > 0n ? whole + 1n : whole
  return rest < 0n ? whole - 1n : whole
}
