import { createHash } from 'node:crypto'

/** Source of a strategy: its members by name, functions as they are written. */
export function sourceOf(strategy: unknown): string {
  return JSON.stringify(strategy, (_, value: unknown) => {
    if (typeof value === 'function') return String(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

export function sha256Text(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
