import type { Dataset } from '../../contract/dataset.js'
import { describeRange } from './box.js'
import { mostProbes, type QueryPlan } from './plan.js'

/** A plan in words. */
export interface Explanation {
  readonly dataset: string
  /** Requests that will be sent, at least. */
  readonly requests: number
  /** Whether that is all, short of retries: a reply at a cap is asked again in halves, pages go on to the end. */
  readonly exact: boolean
  /** Requests that may come in addition to show that nothing is missing, at most, as long as nothing is. */
  readonly probes?: number
  readonly lines: readonly string[]
}

const shown = 8

function counted(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`
}

function reason({ limit }: Dataset, { strategy, cap, limit: most }: QueryPlan): string {
  if (strategy === 'once') return 'as it is asked'
  if (strategy === 'pages')
    return `pages of ${most} until the rows are as many as the reply counts, and one that shows the end`
  if (limit.kind === 'newest') return `the newest ${most}; when there are as many, each source by itself`
  if (cap !== undefined) return `each reply below the cap of ${cap} rows; one at the cap is asked again in halves`
  return 'the contract states no limit'
}

/** What a plan is going to ask: how many requests, why, and the first of them. */
export function explainPlan(dataset: Dataset, plan: QueryPlan): Explanation {
  const { ranges, strategy } = plan
  const requests = ranges.length
  const exact = strategy === 'once' && dataset.limit.kind !== 'page'
  const head = `${dataset.name}: ${strategy === 'pages' ? 'at least ' : ''}${counted(requests)}; ${reason(dataset, plan)}`
  const probes = mostProbes(plan)
  const list = ranges.slice(0, shown).map((range, i) => `  ${i + 1}  ${describeRange(range)}`)
  const more = requests > shown ? [`  … and ${requests - shown} more`] : []
  const last = probes > 0 ? [`at most ${probes} more to show that nothing is missing`] : []
  return { dataset: dataset.name, requests, exact, probes, lines: [head, ...list, ...more, ...last] }
}
