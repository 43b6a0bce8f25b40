import { columnDecimalPlaces, decimalPlaces, quotientHalfUp, toDecimal } from '../checks/exact/decimal.js'

/** What stands for a missing value. */
export const missingDash = '—'

function grouped(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * A number with a fixed count of decimals and `,` between thousands, rounded half away from zero on its decimal form
 * (ROUND_HALF_UP, as `Decimal(str(x))` would be).
 * @param value NaN and null give a dash; so does an infinity, which no input may hold
 * @param digits decimals shown
 * @param power the number is shown divided by 10^power, exactly
 */
export function fixed(value: number | null | undefined, digits: number, power = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missingDash
  const decimal = toDecimal(value)
  const scale = decimal.scale + power
  const scaled =
    scale <= digits
      ? decimal.digits * 10n ** BigInt(digits - scale)
      : quotientHalfUp(decimal.digits, 10n ** BigInt(scale - digits))
  const text = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0')
  const whole = grouped(text.slice(0, text.length - digits))
  const sign = scaled < 0n ? '-' : ''
  return digits === 0 ? sign + whole : `${sign}${whole}.${text.slice(text.length - digits)}`
}

/** A number with all the decimals it was sent with, and `,` between thousands. */
export function plain(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missingDash
  return fixed(value, decimalPlaces(value))
}

/** The numbers of a column with as many decimals as the finest of them carries, six at most, so that their points align. */
export function aligned(column: ArrayLike<number>): (value: number | undefined) => string {
  const places = Math.min(columnDecimalPlaces(column), 6)
  return (value) => fixed(value, places)
}

/** A count. */
export function formatCount(value: number): string {
  return fixed(value, 0)
}

/** A change or a flow: as `fixed`, with a plus sign where it is above zero. */
export function formatSigned(value: number | null | undefined, digits: number, power = 0): string {
  const text = fixed(value, digits, power)
  return value && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** `20260701` → `2026-07-01`; any other text is left alone. */
export function day(date: string | null | undefined): string {
  if (!date) return missingDash
  return /^\d{8}$/.test(date) ? `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}` : date
}

/** A count with its noun: `1 row`, `2 rows`. */
export function many(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
