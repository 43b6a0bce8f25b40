import type { Dataset } from './dataset.js'
import { beijingMoment } from './date.js'
import { QuotebookError } from './error.js'

/**
 * When a row could first be known, Beijing time, `YYYY-MM-DDTHH:MM:SS`; undefined for data without history,
 * which is known only when it was fetched.
 * @throws QuotebookError MISSING_COLUMN when the row lacks the column that tells
 */
export function knownAt(dataset: Dataset, row: Readonly<Record<string, unknown>>): string | undefined {
  const { knownAt: rule } = dataset
  if ('fetched' in rule) return undefined
  const cell = (name: string, or?: string): string => {
    const value = row[name] ?? (or === undefined ? undefined : row[or])
    if (typeof value !== 'string' || value === '') {
      throw new QuotebookError('MISSING_COLUMN', `${dataset.name}: knownAt needs ${name}, and the row has none`)
    }
    return value
  }
  if ('moment' in rule) {
    const at = beijingMoment(cell(rule.moment, rule.or))
    if (at === undefined)
      throw new QuotebookError('INVALID_VALUE', `${dataset.name}: ${rule.moment} is no point in time`)
    return later(at, rule.delayMinutes ?? 0)
  }
  const day = cell(rule.day, 'or' in rule ? rule.or : undefined)
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`
  if ('at' in rule) return `${date}T${rule.at}`
  const minute = cell(rule.minute)
  return `${date}T${minute.slice(0, 2)}:${minute.slice(2)}:00`
}

function later(moment: string, minutes: number): string {
  return new Date(Date.parse(`${moment}Z`) + minutes * 60_000).toISOString().slice(0, 19)
}
