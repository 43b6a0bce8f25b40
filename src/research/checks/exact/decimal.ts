import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/**
 * Numbers as the decimals that were sent. A double that came from JSON stands for the shortest decimal that reads back
 * as that double, as Python's `Decimal(str(x))` has it; these functions compute with that decimal, never with the
 * binary fraction behind it.
 */
export interface Decimal {
  /** The value is `digits` x 10^-`scale`. */
  readonly digits: bigint
  readonly scale: number
}

/**
 * The decimal of a double.
 * @throws QuotebookError INVALID_VALUE for NaN and infinities, which are no decimals
 */
export function toDecimal(x: number): Decimal {
  if (Number.isSafeInteger(x)) return { digits: BigInt(x), scale: 0 }
  if (!Number.isFinite(x)) throw new QuotebookError('INVALID_VALUE', sentence`${x} is not a decimal number`)
  const [mantissa = '', exponent = '0'] = String(x).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** How many decimals a number carries: 2 for 12.25, 0 for 1e21. NaN carries none. */
export function decimalPlaces(x: number): number {
  if (Number.isSafeInteger(x) || !Number.isFinite(x)) return 0
  const [mantissa = '', exponent = '0'] = String(x).split('e')
  const point = mantissa.indexOf('.')
  return Math.max(0, (point < 0 ? 0 : mantissa.length - point - 1) - Number(exponent))
}

/** Whether so many decimals surely give a number. Powers of ten are exact as doubles up to 10^22, and so is the answer. */
function isExactly(x: number, places: number): boolean {
  return places <= 22 && Math.round(x * 10 ** places) / 10 ** places === x
}

/** The most decimals that any number of a column carries: the column's own precision. */
export function columnDecimalPlaces(column: ArrayLike<number>): number {
  let [most, power] = [0, 1]
  for (let i = 0; i < column.length; i++) {
    const x = column[i] as number
    // As isExactly has it, with the power kept.
    if (most <= 22 && Math.round(x * power) / power === x) continue
    most = Math.max(most, decimalPlaces(x))
    power = 10 ** most
  }
  return most
}

/** A decimal's digits at a finer scale. */
export function digitsAt({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale)
}

/** The double nearest to `digits` x 10^-`scale`. A quotient of two whole doubles that are exact is that double. */
export function decimalToNumber(digits: bigint, scale: number): number {
  const whole = Number(digits)
  if (Number.isSafeInteger(whole) && scale >= 0 && scale <= 22) return whole / 10 ** scale
  return Number(`${digits}e-${scale}`)
}

/** Integer quotient rounded half away from zero, the ROUND_HALF_UP of Python's decimal. */
export function quotientHalfUp(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const q = (2n * n + d) / (2n * d)
  return negative ? -q : q
}

/** A number rounded half up to so many decimals, exactly: 1.005 gives 1.01. NaN stays NaN. */
export function roundHalfUp(x: number, places: number): number {
  if (Number.isNaN(x) || (Number.isFinite(x) && isExactly(x, places))) return x
  const { digits, scale } = toDecimal(x)
  if (scale <= places) return x
  return decimalToNumber(quotientHalfUp(digits, 10n ** BigInt(scale - places)), places)
}

/** A number in units of 1 / `power` if it is so many whole ones, NaN otherwise. Exact: fifteen digits name their double alone. */
function unitsOf(x: number, power: number): number {
  const units = Math.round(x * power)
  return units / power === x && Math.abs(units) < 1e15 ? units : Number.NaN
}

/** A number as whole hundredths if it is exactly that, NaN otherwise. */
export const centsOf = (x: number): number => unitsOf(x, 100)

/** Units that money, prices and quotients are told in, the usual one first. */
const usualPowers = [100, 1e4, 1e6]

function sumExactly(terms: ArrayLike<number>): number {
  const decimals = Array.from(terms, toDecimal)
  const scale = decimals.reduce((most, decimal) => Math.max(most, decimal.scale), 0)
  return decimalToNumber(
    decimals.reduce((sum, decimal) => sum + digitsAt(decimal, scale), 0n),
    scale,
  )
}

/**
 * Sum of decimals without drift: the double nearest to the exact sum, so it is 0 only if the sum is exactly 0.
 * NaN, which is null, anywhere makes the sum NaN.
 */
export function sumDecimals(terms: ArrayLike<number>): number {
  for (let i = 0; i < terms.length; i++) if (Number.isNaN(terms[i])) return Number.NaN
  for (const power of usualPowers) {
    let [sum, size] = [0, 0]
    for (let i = 0; i < terms.length; i++) {
      const units = unitsOf(terms[i] as number, power)
      sum += units
      size += Math.abs(units)
    }
    if (size <= Number.MAX_SAFE_INTEGER) return sum / power
  }
  return sumExactly(terms)
}

/** a - b of decimals; NaN if either is. */
export function exactDifference(a: number, b: number): number {
  return sumDecimals([a, -b])
}

/** x times a power of ten as a decimal: 0.041 shifted by 3 is 41. NaN stays NaN. */
export function shifted(x: number, by: number): number {
  if (x === 0 || Number.isNaN(x)) return x
  const { digits, scale } = toDecimal(x)
  return Number(`${digits}e${by - scale}`)
}

/** (value / base - 1) x 100 rounded half up to so many decimals, exactly; NaN where either is NaN or the base is 0. */
export function percentOver(value: number, base: number, places: number): number {
  if (Number.isNaN(value) || Number.isNaN(base) || base === 0) return Number.NaN
  for (const power of usualPowers) {
    const [over, under] = [unitsOf(value, power), unitsOf(base, power)]
    const [whole, parts] = [Math.abs(over - under) * 100 * 10 ** places, Math.abs(under)]
    // Whole doubles below 2^53 are divided exactly, with their remainder; NaN is not below.
    if (!(whole < 2 ** 52)) continue
    const rest = whole % parts
    const quotient = (whole - rest) / parts + (2 * rest >= parts ? 1 : 0)
    const isBelow = quotient > 0 && over < under === under > 0
    return (isBelow ? -quotient : quotient) / 10 ** places
  }
  const [over, under] = [toDecimal(value), toDecimal(base)]
  const scale = Math.max(over.scale, under.scale)
  const [o, u] = [digitsAt(over, scale), digitsAt(under, scale)]
  return decimalToNumber(quotientHalfUp((o - u) * 100n * 10n ** BigInt(places), u), places)
}
