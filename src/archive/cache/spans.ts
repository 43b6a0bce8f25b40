import { dateOf, dayNumber } from '../../contract/date.js'

/** Dates from one to another, both included. */
export type Span = readonly [from: string, to: string]

/** Dates as spans that neither touch nor overlap, ascending: a year is one of them. */
export type Spans = readonly Span[]

/** Last date that there is. */
export const endOfDays = '99991231'

/** The date after; after the last one, a text that is later than any date. */
export function dayAfter(date: string): string {
  return date >= endOfDays ? '99991232' : dateOf(dayNumber(date) + 1)
}

export function dayBefore(date: string): string {
  return dateOf(dayNumber(date) - 1)
}

/** Spans in any order as they are kept: ascending, those that touch joined. */
export function joined(spans: Iterable<Span>): Spans {
  const sorted = [...spans].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const out: [string, string][] = []
  for (const [from, to] of sorted) {
    const last = out.at(-1)
    if (!last || from > dayAfter(last[1])) out.push([from, to])
    else if (to > last[1]) last[1] = to
  }
  return out
}

export function spansOf(days: Iterable<string>): Spans {
  return joined([...days].map((day): Span => [day, day]))
}

export function union(a: Spans, b: Spans): Spans {
  if (a.length === 0) return b
  return b.length === 0 ? a : joined([...a, ...b])
}

/** The dates of `a` that are not in `b`. */
export function minus(a: Spans, b: Spans): Spans {
  const out: Span[] = []
  for (const [from, to] of a) {
    let start = from
    for (const [cutFrom, cutTo] of b) {
      if (cutTo < start) continue
      if (cutFrom > to) break
      if (cutFrom > start) out.push([start, dayBefore(cutFrom)])
      start = dayAfter(cutTo)
    }
    if (start <= to) out.push([start, to])
  }
  return out
}

export function both(a: Spans, b: Spans): Spans {
  return minus(a, minus(a, b))
}

export function includes(spans: Spans, day: string): boolean {
  let [low, high] = [0, spans.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = spans[middle] as Span
    if (day < from) high = middle - 1
    else if (day > to) low = middle + 1
    else return true
  }
  return false
}

/** Every date of the spans, ascending. */
export function datesIn(spans: Spans): string[] {
  return spans.flatMap(([from, to]) => {
    const dates: string[] = []
    for (let day = dayNumber(from); day <= dayNumber(to); day++) dates.push(dateOf(day))
    return dates
  })
}
