import { dateOf, dayNumber } from '../../contract/date.js'
import { splitCodes } from './cut.js'

/** Dates from one to another, both included. `open`: no end is sent, and `to` is where the data are expected to end. */
export interface DateInterval {
  readonly from: string
  readonly to: string
  readonly open?: true
}

/** What one request covers. An axis that is absent is left to the service. */
export interface QueryRange {
  readonly symbols?: readonly string[]
  readonly sources?: readonly string[]
  /** The one day, of an operation that answers one day a call or where the latest is known by now. */
  readonly day?: string
  readonly days?: DateInterval
  /** One bucket of minute bars. */
  readonly minute?: string
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

function half<T>(list: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

/** Two boxes that are disjoint and together cover the box; undefined when it can not be split. Days before codes. */
export function splitRange(range: QueryRange): readonly [QueryRange, QueryRange] | undefined {
  const days = range.days && halfDays(range.days)
  if (days)
    return [
      { ...range, days: days[0] },
      { ...range, days: days[1] },
    ]
  const symbols = range.symbols && splitCodes(range.symbols)
  if (symbols) {
    return [
      { ...range, symbols: symbols[0] },
      { ...range, symbols: symbols[1] },
    ]
  }
  if (range.sources && range.sources.length > 1) {
    const [left, right] = half(range.sources)
    return [
      { ...range, sources: left },
      { ...range, sources: right },
    ]
  }
  return undefined
}

/** A box in words: `352 symbols, 20260701 to 20260729`. */
export function describeRange({ symbols, sources, day, days, minute }: QueryRange): string {
  const list = (values: readonly string[], what: string): string =>
    values.length === 1 ? String(values[0]) : `${values.length} ${what} from ${values[0]} to ${values.at(-1)}`
  const parts = [
    ...(symbols ? [list(symbols, 'symbols')] : []),
    ...(sources ? [list(sources, 'sources')] : []),
    ...(day === undefined ? [] : [day]),
    ...(days
      ? [days.open ? `from ${days.from} on` : days.from === days.to ? days.from : `${days.from} to ${days.to}`]
      : []),
    ...(minute === undefined ? [] : [`bucket ${minute}`]),
  ]
  return parts.length === 0 ? 'all' : parts.join(', ')
}
