import { dateOf, dayNumber } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import type { FetchContext } from '../gather.js'
import type { QueryRange } from '../plan/box.js'
import { paramWithRole } from '../plan/dated.js'
import type { ExpectedKeys } from './due.js'
import type { ObservedSizes, ReplyCounts } from './shown.js'

/** Trading days that a request is made longer by, where the contract states no cap. */
const longer = 20
/** Calendar days in which there are at least so many trading days. */
const calendarDays = (trading: number): number => 2 * trading + 12

/** A request like that of a reply, over more days; `back`: so many trading days before it. Undefined where there is none. */
export function longerRange(
  { range, due, counts }: { readonly range: QueryRange; readonly due: ExpectedKeys; readonly counts: ReplyCounts },
  { dataset, plan, sizes }: Pick<FetchContext, 'dataset' | 'plan'> & { readonly sizes: ObservedSizes },
  back: number,
): QueryRange | undefined {
  const [first, last] = [due.days?.[0], due.days?.at(-1)]
  if (dataset.openRange || paramWithRole(dataset, 'from') === undefined || !first || !last) return undefined
  const days = due.days?.length ?? 1
  const cap = Math.min(plan.cap ?? Number.POSITIVE_INFINITY, sizes.cap)
  const room = Math.floor((cap - 1) / (counts.rows / Math.max(1, counts.days.length))) - days
  const more = Math.max(1, Math.min(room, Math.max(longer, days)))
  const before = daysBetween(dateOf(dayNumber(first) - calendarDays(more + back)), dateOf(dayNumber(first) - 1))
  const from = before.slice(-(more + back)).find((day) => day >= (dataset.since ?? ''))
  const to = back === 0 ? last : before.at(-back)
  if (from === undefined || to === undefined || from > to) return undefined
  const { day: _, ...rest } = range
  return { ...rest, days: { from, to } }
}
