import type { Dataset } from './dataset.js'
import { beijingMoment, dateIn } from './date.js'
import { QuotebookError } from './error.js'
import { sentence } from './sentence.js'

/**
 * The time that a row itself carries, Beijing: a moment, the close of its bar, or `YYYY-MM-DD` where it has a day alone;
 * undefined where it has none, as in data without history.
 * @param cell the text of a cell; undefined where the row has none
 */
export function rowMoment(
  { knownAt: rule }: Dataset,
  cell: (column: string) => string | undefined,
): string | undefined {
  if ('fetched' in rule) return undefined
  const or = 'or' in rule ? rule.or : undefined
  const text = cell('moment' in rule ? rule.moment : rule.day) ?? (or && cell(or)) ?? ''
  if ('moment' in rule) return beijingMoment(text)
  const date = dateIn(text)?.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')
  const minute = 'minute' in rule ? cell(rule.minute) : undefined
  return date && minute ? `${date}T${minute.slice(0, 2)}:${minute.slice(2)}:00` : date
}

/**
 * When a row could first be known, Beijing time, `YYYY-MM-DDTHH:MM:SS`; undefined where its cells do not tell, and for data without history.
 * @param cell as `rowMoment` takes it
 */
export function knownMoment(dataset: Dataset, cell: (column: string) => string | undefined): string | undefined {
  const { knownAt: rule } = dataset
  const own = rowMoment(dataset, cell)
  if (own === undefined || 'fetched' in rule) return undefined
  if ('at' in rule) return `${own}T${rule.at}`
  if ('minute' in rule) return own.includes('T') ? own : undefined
  return later(own, rule.delayMinutes ?? 0)
}

/**
 * Returns when a row first became known, Beijing time, `YYYY-MM-DDTHH:MM:SS`; undefined for data without history, which
 * is known only from the time of its download.
 * @throws QuotebookError MISSING_COLUMN if the row lacks the column with the time, INVALID_VALUE if that cell holds no
 * time
 */
export function knownAt(dataset: Dataset, row: Readonly<Record<string, unknown>>): string | undefined {
  const { knownAt: rule } = dataset
  if ('fetched' in rule) return undefined
  const cell = (name: string): string | undefined =>
    typeof row[name] === 'string' && row[name] !== '' ? row[name] : undefined
  const column = 'moment' in rule ? rule.moment : rule.day
  const needed = 'minute' in rule ? [column, rule.minute] : [column]
  const lacking = needed.find((name) => cell(name) === undefined && !('or' in rule && rule.or && cell(rule.or)))
  if (lacking !== undefined)
    throw new QuotebookError(
      'MISSING_COLUMN',
      sentence`${dataset.name}: knownAt needs ${lacking}, and the row has none`,
    )
  const moment = knownMoment(dataset, cell)
  if (moment !== undefined) return moment
  throw new QuotebookError('INVALID_VALUE', sentence`${dataset.name}: ${column} is no point in time`)
}

function later(moment: string, minutes: number): string {
  return new Date(Date.parse(`${moment}Z`) + minutes * 60_000).toISOString().slice(0, 19)
}
