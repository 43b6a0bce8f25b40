import { type DayRanges, union } from '../archive/cache/day-ranges.js'
import type { SeenDays } from '../archive/manifest-entries.js'
import { dateIn, dateOf, dayNumber } from '../contract/date.js'
import type { SyncSeries } from './sync-series.js'

/** Calendar days after which a settled day is asked again: ranges cost a request, a day of bars or a list one each. */
const daysUntilAgain = { range: [1, 7, 30], pages: [1, 7, 30], day: [7], snapshot: [] } as const

/** The days that a sync settled so long ago that they are due to be asked again. Imports never are. */
export function dueAgain({ way }: SyncSeries, seen: readonly SeenDays[], today: string): DayRanges {
  const isDue = ({ asked, again }: SeenDays): boolean => {
    const first = dateIn(asked ?? '')
    if (first === undefined) return false
    const last = again ?? first
    const steps = daysUntilAgain[way].map((days) => dateOf(dayNumber(first) + days))
    return steps.some((step) => last < step && step <= today)
  }
  return seen.filter(isDue).reduce<DayRanges>((sum, { days }) => union(sum, days), [])
}
