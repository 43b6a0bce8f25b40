import { newsSources } from '../../../contract/catalogue/news.js'
import { dateOf, dayNumber } from '../../../contract/date.js'
import { sentence } from '../../../contract/sentence.js'
import { oneDayParam, queryDays } from '../plan/asked.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { describeOf, type RangePair, splitBy, splitCodes, splitRange } from '../plan/query-range.js'
import { distinctValues } from '../reply/reply-chunk.js'
import { queryError, type SourceError } from '../source-error.js'
import type { RangeReply } from './reply-sizes.js'

export function countRows(parts: readonly RangeReply[]): number {
  return parts.reduce((sum, { chunk }) => sum + chunk.columns.length, 0)
}

/** The day that an answer about the latest one is of: its halves are asked for that same day. */
export function latestDayOf({ dataset, query }: PlannedQuery, { range, counts }: RangeReply): string | undefined {
  if (dataset.stored?.computed_on || oneDayParam(dataset) === undefined) return undefined
  return queryDays(dataset, query, range).isLatest ? counts.days[0] : undefined
}

/** A reply that its parts contradict: by fewer rows, or by a row that none of them holds. */
export function contradictionError(
  { range, chunk }: RangeReply,
  found: number,
  other: number | undefined,
  planned: PlannedQuery,
): SourceError {
  const rows = chunk.columns.length
  const differs = found < rows ? sentence`only ${found}` : sentence`other cells than in row ${(other ?? 0) + 1}`
  const what = sentence`${rows} rows${describeOf(range)}, and ${differs} when its halves are asked; the answers do not go together, try again`
  return queryError('UNSTABLE', planned, what, { range, node: chunk.node })
}

/** A range in two, each with some of the rows that its reply had; undefined for one that can't be split. */
export function splitByRows(reply: RangeReply, planned: PlannedQuery): RangePair | undefined {
  const { range, counts } = reply
  const { days } = counts
  const middle = range.days && days.length > 1 ? days[days.length >> 1] : undefined
  if (range.days && middle !== undefined) {
    const before = { from: range.days.from, to: dateOf(dayNumber(middle) - 1) }
    return splitBy(range, 'days', [before, { ...range.days, from: middle }])
  }
  if (range.symbols) {
    const second = splitCodes(range.symbols.filter(counts.isThere))?.[1][0]
    if (second === undefined) return undefined
    const cut = range.symbols.indexOf(second)
    return splitBy(range, 'symbols', [range.symbols.slice(0, cut), range.symbols.slice(cut)])
  }
  return range.sources ? splitBySource(reply, planned) : undefined
}

/** Halving by source would lose the rows of a source that the contract does not know. */
export function splitBySource({ range, chunk }: RangeReply, { query }: PlannedQuery): RangePair | undefined {
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  const isKnown = distinctValues(chunk.columns, 'source').every((source) => known.includes(source))
  return isKnown ? splitRange(range) : undefined
}
