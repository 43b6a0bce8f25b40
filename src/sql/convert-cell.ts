import { dateOf } from '../contract/date.js'
import { exactDouble } from '../table/exact.js'

/** Why a cell can not be told exactly, and what to write instead. */
export class InexactCellError extends Error {}

const eightHours = 8 * 3_600_000

/** A whole number as a double. */
export function wholeOf(value: unknown): number {
  const number = Number(value)
  if (typeof value === 'bigint' && BigInt(number) !== value) {
    throw new InexactCellError(
      `${value} has no exact double; write ::double to round it or ::varchar to keep its digits`,
    )
  }
  return number
}

/** A decimal as the double that prints as its digits. */
export function decimalOf(value: unknown): number {
  const text = String(value)
  const number = exactDouble(text)
  if (number !== undefined) return number
  throw new InexactCellError(`${text} has no exact double; write ::double to round it or ::varchar to keep its digits`)
}

/** Days since 1970-01-01 of 0001-01-01 and 9999-12-31. */
const [firstDay, lastDay] = [-719_162, 2_932_896]

/** `YYYYMMDD`. */
export function dayOf(value: unknown): string {
  const { days } = value as { readonly days: number }
  if (days < firstDay || days > lastDay)
    throw new InexactCellError(`the date ${value} is not between the years 1 and 9999`)
  return dateOf(days)
}

/** `HH:MM:SS`, with a fraction where there is one. */
export function timeOf(value: unknown): string {
  return withoutZeros(String(value))
}

/** `YYYY-MM-DDTHH:MM:SS`, with a fraction where there is one. */
export function momentOf(value: unknown): string {
  const text = String(value)
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text)) {
    throw new InexactCellError(`the moment ${text} is not between the years 1 and 9999`)
  }
  return withoutZeros(text.replace(' ', 'T'))
}

/** Beijing time with its offset, `2026-07-01T09:30:00+08:00`. */
export function zonedOf(value: unknown): string {
  const { micros } = value as { readonly micros: bigint }
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n)
  const fraction = String(micros - seconds * 1_000_000n).padStart(6, '0')
  const milliseconds = Number(seconds) * 1000 + eightHours
  if (!(milliseconds >= firstDay * 86_400_000 && milliseconds < (lastDay + 1) * 86_400_000)) {
    throw new InexactCellError(`the moment ${value} is not between the years 1 and 9999`)
  }
  const local = new Date(milliseconds).toISOString().slice(0, 19)
  return `${withoutZeros(`${local}.${fraction}`)}+08:00`
}

function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}

interface Nested {
  readonly items?: readonly unknown[]
  readonly entries?: readonly { readonly key: unknown; readonly value: unknown }[] | Readonly<Record<string, unknown>>
  readonly days?: number
  readonly scale?: number
}

/** A nested value as JSON text: numbers with all their digits, a date `YYYYMMDD`, a map as pairs, NaN as null. */
export function jsonOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'null' : fail(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const { items, entries, days, scale } = value as Nested
  if (Array.isArray(items)) return `[${items.map(jsonOf).join(',')}]`
  if (Array.isArray(entries))
    return `[${entries.map(({ key, value: of }) => `[${jsonOf(key)},${jsonOf(of)}]`).join(',')}]`
  if (entries) {
    const pairs = Object.entries(entries).map(([name, of]) => `${JSON.stringify(name)}:${jsonOf(of)}`)
    return `{${pairs.join(',')}}`
  }
  if (typeof scale === 'number') return String(value)
  return JSON.stringify(typeof days === 'number' && !('months' in value) ? dayOf(value) : String(value))
}

function fail(value: number): never {
  throw new InexactCellError(`${value} has no form in JSON; write nullif or ::varchar`)
}
