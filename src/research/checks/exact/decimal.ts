import { QuotebookError } from '../../../contract/error.js'

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
  if (!Number.isFinite(x)) throw new QuotebookError('INVALID_VALUE', `${x} is not a decimal number`)
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

/** A number as whole hundredths if it is exactly that, NaN otherwise. Exact: fifteen digits name their double alone. */
export function centsOf(x: number): number {
  const cents = Math.round(x * 100)
  return cents / 100 === x && Math.abs(cents) < 1e15 ? cents : Number.NaN
}

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
  let cents = 0
  let size = 0
  let exact = true
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as number
    if (Number.isNaN(term)) return term
    const c = centsOf(term)
    if (Number.isNaN(c)) exact = false
    cents += c
    size += Math.abs(c)
  }
  return exact && size <= Number.MAX_SAFE_INTEGER ? cents / 100 : sumExactly(terms)
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
  const [over, under] = [toDecimal(value), toDecimal(base)]
  const scale = Math.max(over.scale, under.scale)
  const [o, u] = [digitsAt(over, scale), digitsAt(under, scale)]
  return decimalToNumber(quotientHalfUp((o - u) * 100n * 10n ** BigInt(places), u), places)
}
