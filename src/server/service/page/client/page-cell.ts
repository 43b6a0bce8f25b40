import type { Column } from '../../../../contract/column.js'
import { isLongNumber } from './json-text.js'

/** A number as text: the digits that the service sent, or those of the double that holds them. */
export function numberText(value: unknown): string | undefined {
  if (isLongNumber(value)) return value.digits
  return typeof value === 'number' ? String(value) : undefined
}

/** JSON of a value; long numbers as text. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isLongNumber(part) ? part.digits : part)) ?? ''
}

/** Any other value as text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ')
  return jsonOf(value)
}

/** Digits after the point. */
export function decimalsOf(text: string): number {
  const point = text.indexOf('.')
  return point < 0 || text.includes('e') ? 0 : text.length - point - 1
}

/** Class of the cells of a column. */
export function cellClass(column: Column | undefined): string {
  if (!column) return 'word'
  if (column.kind === 'number' || column.kind === 'integer' || column.kind === 'long') return 'number'
  if (column.kind === 'text' || column.kind === 'texts' || column.kind === 'json') return 'prose'
  return column.kind === 'label' ? 'word' : 'code'
}
