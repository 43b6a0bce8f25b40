import { dateIn, dateOf, dayNumber } from '../../contract/date.js'
import { type DayRanges, intersection, union } from '../archive/coverage/day-ranges.js'
import type { Observation } from '../archive/manifest-entries.js'
import type { SyncSeries } from './sync-series.js'

/** Ages in calendar days at which a settled day is asked for again: ranges cost a request, a day of bars or a list one each. */
const ages = { range: [1, 7, 30], pages: [1, 7, 30], day: [7], snapshot: [] } as const

/** The days that a sync settled and that have since come to an age at which they are asked for again. Imports never are. */
export function dueForRecheck({ way }: SyncSeries, seen: readonly Observation[], today: string): DayRanges {
  const daysBefore = (date: string, days: number): string => dateOf(dayNumber(date) - days)
  return seen.reduce<DayRanges>((sum, { asked, again, days }) => {
    const last = again ?? dateIn(asked ?? '')
    if (last === undefined || last >= today) return sum
    const due = ages[way].map((age): DayRanges[number] => [daysBefore(last, age - 1), daysBefore(today, age)])
    return due.reduce((all, span) => union(all, intersection(days, [span])), sum)
  }, [])
}
