import type { Say } from '../../contract/say.js'
import { counted, type Fact } from '../../contract/sentence.js'
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

/** A change with a sign and two decimals: of percent, or yuan to the fen. */
export const signedTwo = (value: number | undefined): string => formatSigned(value, 2)

/** `20260701` → `2026-07-01`; any other text is left alone. */
export function day(date: string | null | undefined): string {
  if (!date) return missingDash
  return /^\d{8}$/.test(date) ? `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}` : date
}

/** A count with its noun: `1 row`, `2 rows`. */
export function many(value: number, noun: string, plural?: string): Fact {
  return counted(value, noun, formatCount(value), plural)
}

/** `a`, `a and b`, `a, b and c`, in the language of a page. */
export const enumerated = (words: readonly string[], say: Say): string =>
  say.language === 'zh' ? words.join('、') : listed(words)

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** How the numbers of an axis are written, as plain data: the page and its script write them alike. */
export interface NumberForm {
  /** Decimals on the axis (default: all that a value has). */
  readonly digits?: number
  /** Decimals where a value is read off (default: as on the axis). */
  readonly exact?: number
  /** Shown divided by 10^power. */
  readonly power?: number
  /** Of 1: as percent. */
  readonly percent?: boolean
  /** With a plus sign above zero. */
  readonly signed?: boolean
  /** `year`: no comma below 10,000. `clock`: seconds of a day. `log`: the natural logarithm of a hundredth. */
  readonly as?: 'year' | 'clock' | 'log'
}

function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}`
}

/** A number in its form; `isRead`: with the decimals of a value that is read off. */
export function writeNumber(value: number | null | undefined, form: NumberForm = {}, isRead = false): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missingDash
  const { as, percent, signed } = form
  if (as === 'clock') return clockText(value)
  if (as === 'log') return levelText(100 * Math.exp(value), form, isRead)
  const power = (form.power ?? 0) - (percent ? 2 : 0)
  const digits = (isRead ? form.exact : undefined) ?? form.digits
  // Sums of doubles have an end that nobody means.
  const own = isRead && digits === undefined ? Number(value.toPrecision(12)) : value
  const text = fixed(own, digits ?? Math.max(0, decimalPlaces(own) + power), power)
  const short = digits === undefined && power > 0 ? text.replace(/\.?0+$/, '') : text
  const whole = as === 'year' && Math.abs(value) < 10_000 ? short.replace(',', '') : short
  return `${signed && value > 0 && /[1-9]/.test(whole) ? '+' : ''}${whole}${percent ? '%' : ''}`
}

/** A level, of which a logarithmic axis may show some far below 1. */
function levelText(level: number, { digits = 0, exact = digits }: NumberForm, isRead: boolean): string {
  return level < 10 ? plain(Number(level.toPrecision(2))) : fixed(level, isRead ? exact : digits)
}

/** Days as days and the clock below its own day: `07-01 09:30`, then `10:00`; `before` is the label before it. */
export function timeLabel(place: string, before?: string): string {
  const [date = '', clock] = place.split(/[ T]/)
  const time = clock?.replace(/^(\d\d)(\d\d)$/, '$1:$2')
  const [dateBefore = ''] = before?.split(/[ T]/) ?? []
  if (time !== undefined && date === dateBefore) return time
  if (/^\d{4}$/.test(date)) return `${date.slice(0, 2)}:${date.slice(2)}`
  const whole = day(date)
  const short = dateBefore.slice(0, 4) === date.slice(0, 4) && /^\d{4}-\d\d-\d\d$/.test(whole) ? whole.slice(5) : whole
  return [short, time].filter((part) => part !== undefined).join(' ')
}
