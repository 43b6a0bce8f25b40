import { dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'

/** Dates from one to another, both included. `open`: no end is sent, and `to` is where the data are expected to end. */
export interface DateInterval {
  readonly from: string
  readonly to: string
  readonly open?: true
}

/** What one request covers. An axis that is absent is left to the service. */
export interface QueryRange {
  /** None of them: all codes, though the query names some. */
  readonly symbols?: readonly string[]
  readonly sources?: readonly string[]
  /** The one day, of an operation that answers one day a call or where the latest is known by now. */
  readonly day?: string
  readonly days?: DateInterval
  /** One bucket of minute bars. */
  readonly minute?: string
}

/** The trading days of a range of dates. */
export function daysIn({ days }: Pick<QueryRange, 'days'>): readonly string[] {
  return days ? daysBetween(days.from, days.to) : []
}

/** How far the first half of an open interval reaches whose expected end has passed. */
const step = 31
/** No data is of a later day: without an end to them, open intervals could be halved for ever. */
const lastYear = '2199'

/** Two intervals that touch: every date of the one before is in one of them, whether there is trading on it or not. */
function halfDays({ from, to, open }: DateInterval): readonly [DateInterval, DateInterval] | undefined {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  if (first >= last && (!open || from.slice(0, 4) > lastYear)) return undefined
  const middle = first < last ? Math.floor((first + last) / 2) : first + step
  const next = dateOf(middle + 1)
  const rest = open ? ({ from: next, to: to > next ? to : next, open } as const) : { from: next, to }
  return [{ from, to: dateOf(middle) }, rest]
}

/** Two ranges that are disjoint and together cover a range. */
export type RangePair = readonly [QueryRange, QueryRange]

/** A range in two, by two values of one of its axes. */
export function splitBy<A extends keyof QueryRange>(
  range: QueryRange,
  axis: A,
  parts: readonly [QueryRange[A], QueryRange[A]] | undefined,
): RangePair | undefined {
  return (
    parts && [
      { ...range, [axis]: parts[0] },
      { ...range, [axis]: parts[1] },
    ]
  )
}

/** A range in halves; undefined when it can not be split. Days before codes. */
export function splitRange(range: QueryRange): RangePair | undefined {
  const { days, symbols, sources = [] } = range
  const middle = Math.ceil(sources.length / 2)
  return (
    splitBy(range, 'days', days && halfDays(days)) ??
    splitBy(range, 'symbols', symbols && splitCodes(symbols)) ??
    splitBy(range, 'sources', sources.length > 1 ? [sources.slice(0, middle), sources.slice(middle)] : undefined)
  )
}

/** A range in words: `352 symbols, 20260701 to 20260729`. */
export function describeRange({ symbols, sources, day, days, minute }: QueryRange): Words {
  const list = (values: readonly string[], several: Words): Words =>
    values.length === 1 ? String(values[0]) : sentence`${several} from ${values[0]} to ${values.at(-1)}`
  const parts = [
    ...(symbols ? [list(symbols, sentence`${symbols.length} symbols`)] : []),
    ...(sources ? [list(sources, sentence`${sources.length} sources`)] : []),
    ...(day === undefined ? [] : [day]),
    ...(days
      ? [
          days.open
            ? sentence`from ${days.from} on`
            : days.from === days.to
              ? days.from
              : sentence`${days.from} to ${days.to}`,
        ]
      : []),
    ...(minute === undefined ? [] : [sentence`bucket ${minute}`]),
  ]
  return parts.slice(1).reduce((all, part) => sentence`${all}, ${part}`, parts[0] ?? sentence`all rows`)
}

/** ` of` and the range in words; nothing where it is all. */
export function describeOf(range: QueryRange): Words {
  return Object.keys(range).length === 0 ? '' : sentence` of ${describeRange(range)}`
}

/** A list in as few groups of at most `most` as will do, all of nearly the same size. */
function evenGroups<T>(list: readonly T[], most: number): (readonly T[])[] {
  const count = Math.max(1, Math.ceil(list.length / Math.max(1, most)))
  const bounds = Array.from({ length: count + 1 }, (_, i) => Math.round((i * list.length) / count))
  return Array.from({ length: count }, (_, i) => list.slice(bounds[i], bounds[i + 1]))
}

/** Codes once each, in one spelling, ascending; those that differ in nothing but the exchange stand side by side. */
export function distinctCodes(codes: readonly string[]): string[] {
  const named = codes.map((code) => {
    const { bare, exchange } = parseCode(code)
    return { bare, name: exchange === undefined ? bare : `${bare}.${exchange}` }
  })
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  named.sort((a, b) => order(a.bare, b.bare) || order(a.name, b.name))
  return [...new Set(named.map(({ name }) => name))]
}

/** Whether two neighbours may be answered by the same row: a code, and the same with its exchange. */
function isFamily(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && parseCode(a).bare === parseCode(b).bare
}

/** Where a list of codes is cut so that no two parts can be answered by the same row; at `at` or as little before it as will do. */
function cutBefore(codes: readonly string[], at: number): number {
  let cut = at
  while (cut > 0 && isFamily(codes[cut - 1], codes[cut])) cut--
  return cut
}

/** Groups of at most `most` codes, a family in one of them, all of nearly the same size. */
export function codeGroups(codes: readonly string[], most: number): (readonly string[])[] {
  const parts: (readonly string[])[] = []
  for (let from = 0; from < codes.length; ) {
    const left = Math.max(1, Math.ceil((codes.length - from) / Math.max(1, most)))
    const cut = cutBefore(codes, from + Math.ceil((codes.length - from) / left))
    const to = cut > from ? cut : afterFamily(codes, from)
    parts.push(codes.slice(from, to))
    from = to
  }
  return parts.length === 0 ? [[]] : parts
}

function afterFamily(codes: readonly string[], from: number): number {
  let to = from + 1
  while (isFamily(codes[to - 1], codes[to])) to++
  return to
}

/** Two parts of a list of codes that no row belongs to both of; undefined where there is one family only. */
export function splitCodes(codes: readonly string[]): readonly [readonly string[], readonly string[]] | undefined {
  const before = cutBefore(codes, Math.ceil(codes.length / 2))
  const cut = before > 0 ? before : afterFamily(codes, 0)
  return cut < codes.length ? [codes.slice(0, cut), codes.slice(cut)] : undefined
}

/** Consecutive intervals of at most `most` trading days each, which touch and together are the one given. */
export function splitInterval({ from, to, open }: DateInterval, most: number): DateInterval[] {
  const days = daysBetween(from, to)
  const parts = evenGroups(days, most)
  return parts.map((part, i) => {
    const isLast = i === parts.length - 1
    const first = i === 0 ? from : dateOf(dayNumber(String(parts[i - 1]?.at(-1))) + 1)
    if (isLast) return { from: first, to: to > first ? to : first, ...(open ? { open } : {}) }
    return { from: first, to: String(part.at(-1)) }
  })
}

/** How many codes and how many days a request takes so that the fewest requests keep every answer within `most` cells. */
export function requestShape(
  codes: number,
  days: number,
  most: number,
): { readonly codes: number; readonly days: number } {
  let best = { codes: Math.min(codes, most), days: 1, requests: Number.POSITIVE_INFINITY }
  for (let span = 1; span <= Math.min(days, most); span++) {
    const wide = Math.min(codes, Math.floor(most / span))
    const requests = Math.ceil(codes / wide) * Math.ceil(days / span)
    if (requests < best.requests) best = { codes: wide, days: span, requests }
  }
  return best
}
