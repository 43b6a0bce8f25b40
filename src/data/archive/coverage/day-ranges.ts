import { dateOf, dayNumber } from '../../../contract/date.js'

/** Dates from one to another, both included. */
type DayRange = readonly [from: string, to: string]

/** Dates as spans that neither touch nor overlap, ascending: a year is one of them. */
export type DayRanges = readonly DayRange[]

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
export function joinRanges(spans: Iterable<DayRange>): DayRanges {
  const sorted = [...spans].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const out: [string, string][] = []
  for (const [from, to] of sorted) {
    const last = out.at(-1)
    if (!last || from > dayAfter(last[1])) out.push([from, to])
    else if (to > last[1]) last[1] = to
  }
  return out
}

export function rangesOfDays(days: Iterable<string>): DayRanges {
  return joinRanges([...days].map((day): DayRange => [day, day]))
}

export function union(a: DayRanges, b: DayRanges): DayRanges {
  if (a.length === 0) return b
  return b.length === 0 ? a : joinRanges([...a, ...b])
}

/** The dates of `a` that are not in `b`. */
export function daysWithout(a: DayRanges, b: DayRanges): DayRanges {
  const out: DayRange[] = []
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

export function intersection(a: DayRanges, b: DayRanges): DayRanges {
  return daysWithout(a, daysWithout(a, b))
}

export function includes(spans: DayRanges, day: string): boolean {
  let [low, high] = [0, spans.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = spans[middle] as DayRange
    if (day < from) high = middle - 1
    else if (day > to) low = middle + 1
    else return true
  }
  return false
}

/** Every date of the spans, ascending. */
export function datesIn(spans: DayRanges): string[] {
  return spans.flatMap(([from, to]) => {
    const dates: string[] = []
    for (let day = dayNumber(from); day <= dayNumber(to); day++) dates.push(dateOf(day))
    return dates
  })
}

/** Days as ranges: those that stand side by side in a list of days are one. @param all a list that holds the days, ascending as they are */
export function rangesAmong(days: readonly string[], all: readonly string[]): DayRanges {
  const place = new Map(all.map((day, i) => [day, i]))
  const ranges: [string, string][] = []
  for (const day of days) {
    const last = ranges.at(-1)
    if (last && place.get(day) === (place.get(last[1]) as number) + 1) last[1] = day
    else ranges.push([day, day])
  }
  return ranges
}
