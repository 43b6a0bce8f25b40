import { toDecimal } from '../checks/exact/decimal.js'

/*
 * The account computes with whole numbers: prices in mills (thousandths of a yuan), money in fen. All of them are below
 * 2^52 for accounts of up to four trillion yuan, so doubles hold them exactly; where a product may not be, BigInt takes over.
 */

/** Fen that an account begins with at most, a trillion yuan, and that it may come to. */
export const [mostAtStart, mostFen] = [1e14, 4e14]

const exactBelow = 2 ** 52

/** Quotients by ten of less than this are exact enough for their floor. */
const floorsBelow = 2 ** 50

/** A price in mills; NaN where it is missing, or no whole number of mills. */
export function millsOf(price: number): number {
  const mills = Math.round(price * 1000)
  return mills / 1000 === price && Number.isSafeInteger(mills) ? mills : Number.NaN
}

/** Non-negative numerator / positive denominator, rounded half up. */
export function halfUpQuotient(numerator: number, denominator: number): number {
  if (2 * numerator + denominator < exactBelow) return Math.floor((2 * numerator + denominator) / (2 * denominator))
  return Number((2n * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)))
}

/** Fen of so many shares at a price in mills, half up. */
export function amountOf(shares: number, mills: number): number {
  const product = shares * mills
  if (product < floorsBelow) return Math.floor((product + 5) / 10)
  return Number((BigInt(shares) * BigInt(mills) + 5n) / 10n)
}

/** A rate as the decimal that was written: 0.00025 is 25 / 100000. */
export interface DecimalRate {
  readonly digits: number
  readonly divisor: number
}

export function rateOf(rate: number): DecimalRate {
  const { digits, scale } = toDecimal(rate)
  return { digits: Number(digits), divisor: 10 ** scale }
}

/** A rate of an amount in fen, half up. */
export function rateOfAmount(amount: number, { digits, divisor }: DecimalRate): number {
  if (digits === 0) return 0
  if (2 * amount * digits + divisor < exactBelow) return halfUpQuotient(amount * digits, divisor)
  return Number((2n * BigInt(amount) * BigInt(digits) + BigInt(divisor)) / (2n * BigInt(divisor)))
}

/** floor(value x weight / unit) of whole numbers and a weight as the decimal that was written. */
export function floorShare(value: number, weight: number, unit: number): number {
  const share = (value * weight) / unit
  const nearest = Math.round(share)
  if (Math.abs(share - nearest) > 1e-9 * Math.max(1, nearest)) return Math.floor(share)
  const { digits, scale } = toDecimal(weight)
  return Number((BigInt(value) * digits) / (BigInt(unit) * 10n ** BigInt(scale)))
}

/** Yuan as whole fen; nothing is 0. */
export const fenOf = (yuan = 0): number => Math.round(yuan * 100)
