import { daysIn, type QueryRange } from './query-range.js'

/** Ranges that share a code or a day with the one before, where that takes no further request. */
export interface Overlap {
  /** The ranges as they are asked, in the order of those given. */
  readonly asked: readonly QueryRange[]
  /** What two of them have in common, each once. */
  readonly shared: readonly QueryRange[]
}

/** How large requests may be, and what they are expected to bring. */
export interface RangeSize {
  /** Rows that a reply may have. */
  readonly most: number
  /** Rows of one code on one day. */
  readonly bars: number
  /** Rows of a day of all codes. */
  readonly daily: number
}

/** A range as it is asked, and what it then shares with the one before. */
type SharedRange = readonly [asked: QueryRange, shared: QueryRange]

function sharedCode(before: QueryRange, range: QueryRange, { most, bars }: RangeSize): SharedRange | undefined {
  const code = before.symbols?.at(-1)
  const isBeside = before.day === range.day && before.minute === range.minute && before.days?.from === range.days?.from
  if (code === undefined || !range.symbols || !isBeside || before.days?.to !== range.days?.to) return undefined
  const cells = (range.symbols.length + 1) * Math.max(1, daysIn(range).length)
  if (cells * bars > most || range.symbols.includes(code)) return undefined
  const symbols = [code]
  return [
    { ...range, symbols: [...symbols, ...range.symbols] },
    { ...range, symbols },
  ]
}

function sharedDay(before: QueryRange, range: QueryRange, { most, bars, daily }: RangeSize): SharedRange | undefined {
  const isSame = before.symbols?.join() === range.symbols?.join()
  const last = daysIn(before).at(-1)
  if (!range.days || !before.days || last === undefined || !isSame || before.days.to >= range.days.from)
    return undefined
  const perDay = range.symbols ? range.symbols.length * bars : daily
  if ((daysIn(range).length + 1) * perDay > most) return undefined
  return [
    { ...range, days: { ...range.days, from: last } },
    { ...range, days: { from: last, to: last } },
  ]
}

/** Replies that overlap show whether they are of one state of the service. */
export function overlapping(ranges: readonly QueryRange[], room: RangeSize): Overlap {
  const pairs = ranges.map((range, i) => {
    const before = ranges[i - 1]
    return before && (sharedCode(before, range, room) ?? sharedDay(before, range, room))
  })
  return {
    asked: ranges.map((range, i) => pairs[i]?.[0] ?? range),
    shared: pairs.flatMap((pair) => pair?.[1] ?? []),
  }
}
