import { beijingMoment, dayNumber, isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { fillArray, freshFloats, freshInts } from '../table/fresh-array.js'
import { gatherFloats } from '../table/gather-cells.js'
import { bucketRows, encodeKeys, type RowBuckets } from '../table/group-rows.js'
import { isBlank } from '../table/present-cells.js'
import { checkChoice, described } from '../table/shape.js'
import { sortNumbers } from '../table/sort-rows.js'
import { type ColumnData, floatsIn, textIn } from '../table/values.js'
import { firstPlace } from './first-place.js'
import { addRightColumns, checkSpelling, checkSuffix, keyColumns, keyPairs } from './join-keys.js'
import { readInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { ColumnsIn, Data, Joined, NameOf, On, RightKey, SameForm } from './verb-types.js'

/** What words can tell of time; `unit`: how many points make one of the tolerance (a day, a minute, a second). */
const scales = {
  date: { unit: 1, read: (word: string) => (isDate(word) ? dayNumber(word) : Number.NaN) },
  minute: { unit: 1, read: minuteOf },
  clock: { unit: 1000, read: clockOf },
  moment: { unit: 1000, read: momentOf },
} as const

const scaleWords = {
  date: sentence`a date`,
  minute: sentence`a minute`,
  clock: sentence`a clock`,
  moment: sentence`a moment`,
  number: sentence`a number`,
  none: 'none',
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
interface TimePoints {
  /** `none`: no cell tells it. */
  readonly scale: keyof typeof scales | 'number' | 'none'
  readonly points: Float64Array
  /** Points to one of the tolerance's unit. */
  readonly unit: number
}

/**
 * Numbers, or words that are all dates `YYYYMMDD`, all minutes `HHmm`, all clocks `HH:mm:ss` or all moments.
 * @throws QuotebookError INVALID_VALUE for anything else
 */
function timePoints(values: ColumnData, name: string): TimePoints {
  if (isBlank(values)) return { scale: 'none', points: new Float64Array(values.data.length).fill(Number.NaN), unit: 1 }
  const numbers = floatsIn(values)
  if (numbers) return { scale: 'number', points: numbers, unit: 1 }
  const text = textIn(values)
  if (!text) throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' holds neither numbers nor times`)
  const used = new Set(text.data)
  let wrong = ''
  for (const [scale, { read, unit }] of Object.entries(scales)) {
    const points = text.dictionary.map((word, code) => (used.has(code) ? read(word) : Number.NaN))
    const bad = text.dictionary.findIndex((_, code) => used.has(code) && Number.isNaN(points[code]))
    if (bad < 0) {
      const line = fillArray(freshFloats(text.data.length), (row) => points[text.data[row] as number] ?? Number.NaN)
      return { scale: scale as TimePoints['scale'], points: line, unit }
    }
    if (wrong === '' || bad > 0) wrong = text.dictionary[bad] ?? ''
  }
  const right = sentence`dates YYYYMMDD, minutes HHmm, clocks HH:mm:ss or moments`
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`column '${name}' holds text that is not all ${right}: ${JSON.stringify(wrong)}`,
  )
}

/** Options of `asofJoin`. */
export interface AsofOptions<D, E, O, B, S extends string> {
  /** The column of time (or of numbers): `'trademin'`, or `{ left: 'right' }` if the names differ. */
  readonly on: O & ((NameOf<D> & NameOf<E>) | { readonly [N in NameOf<D>]?: NameOf<E> })
  /** Key columns that must be equal, as in `join`. */
  readonly by?: B
  /** Which row of the right: the last one not after (default), the first one not before, or the nearest. */
  readonly direction?: 'backward' | 'forward' | 'nearest'
  /** No partner farther away than this: calendar days between dates, minutes between `HHmm`, seconds between clocks and moments. */
  readonly tolerance?: number
  /** False: a partner at the very same time does not count. Default true. */
  readonly exact?: boolean
  /** What the right's columns get whose name is taken. Default `_right`. */
  readonly suffix?: S
}

interface Rule {
  readonly direction: 'backward' | 'forward' | 'nearest'
  readonly tolerance: number
  readonly exact: boolean
}

/** Rows of the right in order of time within their keys, those without a time left out. */
interface PointsByKey extends RowBuckets {
  readonly points: Float64Array
}

function pointsByKey(line: TimePoints, codes: Int32Array, size: number): PointsByKey {
  const known = codes.map((code, row) => (Number.isNaN(line.points[row]) ? -1 : code))
  const { rows, starts } = bucketRows(known, size, sortNumbers(line.points))
  return { rows, starts, points: gatherFloats(line.points, rows, false) }
}

/** How far a place lies from a point; NaN where that is too far. */
function distanceAt({ points }: PointsByKey, at: number, point: number, tolerance: number): number {
  const other = points[at] as number
  const distance = other === point ? 0 : Math.abs(other - point)
  return distance <= tolerance ? distance : Number.NaN
}

function nearestRow(byKey: PointsByKey, code: number, point: number, { direction, tolerance, exact }: Rule): number {
  const { points, starts, rows } = byKey
  const from = starts[code] as number
  const to = starts[code + 1] as number
  const before = direction === 'forward' ? -1 : firstPlace(points, from, to, point, exact) - 1
  const after = direction === 'backward' ? to : firstPlace(points, from, to, point, !exact)
  const back = before < from ? Number.NaN : distanceAt(byKey, before, point, tolerance)
  const ahead = after >= to ? Number.NaN : distanceAt(byKey, after, point, tolerance)
  if (Number.isNaN(back) && Number.isNaN(ahead)) return -1
  return rows[back <= ahead || Number.isNaN(ahead) ? before : after] as number
}

/**
 * Joins each row of the left to the one row of the right that was current at its time.
 *
 * Both sides may be in any order; rows keep the order of the left, and every row of the left appears once. `backward`
 * takes the last row of the right not after it, and of several at one time the last in the order of the rows; `forward`
 * the first not before it, of several the first; `nearest` the closer of the two, the earlier if they are equally
 * close. Missing times and missing keys match nothing. Times are numbers, or text that is all dates `YYYYMMDD`, minutes
 * `HHmm`, clocks `HH:mm:ss` or moments, the same on both sides. Minutes and clocks have no day: put the date into `by`.
 * @returns the form of the left; the right's `by` columns, and its `on` if it has the same name, are not repeated
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for text that is not a time, times of two kinds, keys in two
 * spellings, a negative tolerance
 */
export function asofJoin<
  D extends Data,
  E extends Data,
  const O extends On<D, E>,
  const B extends On<D, E> = never,
  S extends string = '_right',
>(
  left: D,
  right: E,
  options: AsofOptions<D, E, O, B, S>,
): SameForm<D, Joined<ColumnsIn<D>, ColumnsIn<E>, RightKey<B> | Extract<O, string>, S>> {
  const [own, other] = [readInput(left), readInput(right)]
  const any = 'any'
  const kinds = { on: any, by: any, direction: any, tolerance: any, exact: 'true or false', suffix: 'text' } as const
  checkOptions<AsofOptions<D, E, O, B, S>>(options, kinds, 'asofJoin')
  const { direction = 'backward', tolerance, exact = true, suffix = '_right' } = options
  checkChoice(direction, ['backward', 'forward', 'nearest'], 'direction')
  if (tolerance !== undefined && !(typeof tolerance === 'number' && tolerance >= 0))
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`tolerance must be a number of at least 0, not ${described(tolerance)}`,
    )
  checkSuffix(suffix)
  const on = keyPairs(own, other, options.on)
  const [time = '', otherTime = ''] = [on.left[0], on.right[0]]
  if (on.left.length !== 1)
    throw new QuotebookError('INVALID_VALUE', sentence`\`on\` must be one column; put the others into \`by\``)
  const [line, otherLine] = [timePoints(own.cells(time), time), timePoints(other.cells(otherTime), otherTime)]
  if (new Set([line.scale, otherLine.scale, 'none']).size === 3) {
    const wrong = sentence`'${time}' holds ${scaleWords[line.scale]} and '${otherTime}' of the right ${scaleWords[otherLine.scale]}`
    throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; both must be of one kind`)
  }
  const by = options.by === undefined ? { left: [], right: [] } : keyPairs(own, other, options.by)
  const keys = keyColumns(own, other, by)
  checkSpelling(keys)
  const { sides, size } =
    keys.length > 0
      ? encodeKeys(keys, 'never')
      : { sides: [new Int32Array(own.length), new Int32Array(other.length)], size: 1 }
  const byKey = pointsByKey(otherLine, sides[1] as Int32Array, size)
  const rule: Rule = { direction, exact, tolerance: (tolerance ?? Number.POSITIVE_INFINITY) * line.unit }
  const codes = sides[0] as Int32Array
  const rows = freshInts(codes.length)
  for (let row = 0; row < rows.length; row++) {
    const code = codes[row] as number
    const point = line.points[row] as number
    rows[row] = code < 0 || Number.isNaN(point) ? -1 : nearestRow(byKey, code, point, rule)
  }
  const output = new VerbOutput(own.length)
  for (const name of own.names) output.copy(own, name)
  addRightColumns(output, other, rows, time === otherTime ? [...by.right, otherTime] : by.right, suffix)
  return output.inFormOf(own) as SameForm<D, Joined<ColumnsIn<D>, ColumnsIn<E>, RightKey<B> | Extract<O, string>, S>>
}
