import { beijingMoment, dayNumber, isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { isBlank } from '../../table/present-cells.js'
import { type ColumnData, floatsIn, textIn } from '../../table/values.js'

/** What words can tell of time; `parts`: how many points make one of the tolerance (a day, a minute, a second). */
const scales = {
  date: { parts: 1, read: (word: string) => (isDate(word) ? dayNumber(word) : Number.NaN) },
  minute: { parts: 1, read: minuteOf },
  clock: { parts: 1000, read: clockOf },
  moment: { parts: 1000, read: momentOf },
} as const

function minuteOf(word: string): number {
  const match = /^([01]\d|2[0-3])([0-5]\d)$/.exec(word)
  return match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN
}

function clockOf(word: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/.exec(word)
  if (!match) return Number.NaN
  const [, hours, minutes, seconds, part = ''] = match
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(part.padEnd(3, '0'))
}

function momentOf(word: string): number {
  const moment = beijingMoment(word)
  if (moment === undefined || isDate(word)) return Number.NaN
  return Date.parse(`${moment}Z`)
}

/** A column as points on a line; NaN where missing. */
export interface Line {
  /** `none`: no cell tells it. */
  readonly scale: keyof typeof scales | 'number' | 'none'
  readonly points: Float64Array
  /** Points to one of the tolerance's unit. */
  readonly parts: number
}

/**
 * Numbers, or words that are all dates `YYYYMMDD`, all minutes `HHmm`, all clocks `HH:mm:ss` or all moments.
 * @throws QuotebookError INVALID_VALUE for anything else
 */
export function lineOf(values: ColumnData, name: string): Line {
  if (isBlank(values)) return { scale: 'none', points: new Float64Array(values.data.length).fill(Number.NaN), parts: 1 }
  const numbers = floatsIn(values)
  if (numbers) return { scale: 'number', points: numbers, parts: 1 }
  const text = textIn(values)
  if (!text) throw new QuotebookError('INVALID_VALUE', `column '${name}' holds neither numbers nor times`)
  const used = new Set(text.data)
  let wrong = ''
  for (const [scale, { read, parts }] of Object.entries(scales)) {
    const points = text.dictionary.map((word, code) => (used.has(code) ? read(word) : Number.NaN))
    const bad = text.dictionary.findIndex((_, code) => used.has(code) && Number.isNaN(points[code]))
    if (bad < 0) {
      const line = Float64Array.from(text.data, (code) => (code < 0 ? Number.NaN : (points[code] as number)))
      return { scale: scale as Line['scale'], points: line, parts }
    }
    if (wrong === '' || bad > 0) wrong = text.dictionary[bad] ?? ''
  }
  const right = 'dates YYYYMMDD, minutes HHmm, clocks HH:mm:ss or moments'
  throw new QuotebookError(
    'INVALID_VALUE',
    `column '${name}' holds text that is not all ${right}: ${JSON.stringify(wrong)}`,
  )
}
