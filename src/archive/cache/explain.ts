import { daysBetween } from '../../contract/day-list.js'
import type { Explanation } from '../../source/plan/query-plan.js'
import type { Source } from '../../source/source.js'
import { servedDates } from './held.js'
import { isOpenQuestion } from './probe.js'
import { requestFor } from './request.js'
import type { Split } from './split.js'
import type { Wish } from './wish.js'

function counted(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/** Where the answer to a query would come from: how many days from the cache, and how the rest would be asked. */
export async function explained(
  inner: Source,
  wish: Wish,
  { lots, needs }: Split,
  latest: string | undefined,
): Promise<Explanation> {
  const { dataset, isFiltered } = wish
  const days = servedDates(lots).reduce((sum, [from, to]) => sum + daysBetween(from, to).length, 0)
  const lines = [`${dataset.name}: ${counted(days)} from the cache`]
  let requests = 0
  let exact = true
  if (!isFiltered && isOpenQuestion(wish, latest)) {
    lines.push('1 request for the latest day: what can no longer change is kept')
    requests++
    exact = false
  }
  for (const need of needs) {
    const request = requestFor(wish, need)
    const plan = await inner.explain?.(dataset, request.params, { whole: true, days: request.days })
    requests += plan?.requests ?? 1
    exact &&= plan?.exact ?? false
    lines.push(...(plan?.lines ?? [`${dataset.name}: asked of ${inner.name}`]))
  }
  if (needs.length === 0) lines.push('nothing else is asked')
  return { dataset: dataset.name, requests, exact, lines }
}
