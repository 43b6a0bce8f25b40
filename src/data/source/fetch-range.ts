import { newsSources } from '../../contract/catalogue/news.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { sentence } from '../../contract/sentence.js'
import type { RangeReply } from './completeness/reply-sizes.js'
import { oneDayParam, queryDays } from './plan/asked.js'
import type { PlannedQuery } from './plan/query-plan.js'
import { describeOf, type QueryRange, type RangePair, splitBy, splitCodes, splitRange } from './plan/query-range.js'
import type { QueryRequests } from './query-requests.js'
import { distinctValues, firstContradictedRow } from './reply/reply-chunk.js'
import { queryError, type SourceError } from './source-error.js'

/** Times that a range is asked whose halves hold fewer rows than it, or others. */
const rounds = 2

function isFull({ chunk, counts }: RangeReply, { plan }: PlannedQuery): boolean {
  if (chunk.more !== undefined) return true
  return chunk.archive?.total !== chunk.columns.length && counts.rows >= (plan.cap ?? Number.POSITIVE_INFINITY)
}

/** The day that an answer about the latest one is of: its halves are asked for that same day. */
export function latestDayOf({ dataset, query }: PlannedQuery, { range, counts }: RangeReply): string | undefined {
  if (dataset.stored?.computed_on || oneDayParam(dataset) === undefined) return undefined
  return queryDays(dataset, query, range).isLatest ? counts.days[0] : undefined
}

function splitReply(reply: RangeReply, planned: PlannedQuery): RangePair | undefined {
  const { range } = reply
  if (range.sources) return splitBySource(reply, planned)
  const day = latestDayOf(planned, reply)
  return splitRange(day === undefined ? range : { ...range, day })
}

/** A reply at the cap to a range that can't be split. @throws TruncatedError unless `allowTruncated` */
function fullReply(reply: RangeReply, { planned, allowTruncated }: QueryRequests): RangeReply {
  const { dataset, plan } = planned
  const { range, chunk } = reply
  const { more, node } = chunk
  const why =
    more === undefined ? sentence`, as many as a reply holds` : sentence`; the reply says that there are more (${more})`
  const full = sentence`${chunk.columns.length} rows${describeOf(range)}${why}`
  if (allowTruncated) return { ...reply, truncated: sentence`${dataset.name}: ${full}; there may be more` }
  const advice =
    dataset.limit.kind === 'newest'
      ? sentence`give a limit of at most ${plan.cap} to take the newest`
      : sentence`narrow the query`
  const what = sentence`${full}, and no strategy to split them: ${advice}, or take what came (allowTruncated)`
  throw queryError('TRUNCATED', planned, what, { range, node })
}

export function countRows(parts: readonly RangeReply[]): number {
  return parts.reduce((sum, { chunk }) => sum + chunk.columns.length, 0)
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

/**
 * The parts of a range, in order: its reply, or those of its halves when the reply is at the cap. Halves hold at least as
 * many rows as their range did.
 * @throws TruncatedError when a range that can not be split is at the cap, unless `allowTruncated`; SourceError UNSTABLE when
 * halves hold fewer rows, time after time
 */
export async function fetchRange(
  range: QueryRange,
  requests: QueryRequests,
  first?: RangeReply,
): Promise<readonly RangeReply[]> {
  const { planned, send } = requests
  for (let round = 1; ; round++) {
    const reply = (round === 1 ? first : undefined) ?? (await send(range))
    const { chunk } = reply
    if (!isFull(reply, planned)) return [reply]
    const two = splitReply(reply, planned)
    if (!two) return [fullReply(reply, requests)]
    requests.split(two.length)
    const halves = await Promise.all(two.map(send))
    const isNoWord = halves.every((half) => half.chunk.more !== undefined) && countRows(halves) <= chunk.columns.length
    if (chunk.more !== undefined && isNoWord) return [fullReply(reply, requests)]
    const parts = (await Promise.all(two.map((half, i) => fetchRange(half, requests, halves[i])))).flat()
    const found = countRows(parts)
    const columns = parts.map((part) => part.chunk.columns)
    const other = firstContradictedRow(chunk.columns, columns)
    if (found >= chunk.columns.length && other === undefined) return parts
    if (round === rounds) throw contradictionError(reply, found, other, planned)
  }
}

/**
 * The parts of all ranges of a plan, in order. About the latest day one range is asked first, and the others for the day that
 * it shows: they are all of one day, whatever begins meanwhile.
 */
export async function fetchRanges(requests: QueryRequests): Promise<readonly RangeReply[]> {
  const { dataset, query, plan } = requests.planned
  if (plan.strategy === 'once') return Promise.all(plan.ranges.map(requests.send))
  const ranges = plan.overlap?.asked ?? plan.ranges
  const [first] = ranges
  const isLatest = first !== undefined && ranges.length > 1 && queryDays(dataset, query, first).isLatest
  let known: readonly RangeReply[] = []
  for (const [at, range] of isLatest ? ranges.entries() : []) {
    known = await fetchRange(range, requests)
    const day = known.find(({ counts }) => counts.days.length > 0)?.counts.days[0]
    if (day === undefined) continue
    const all = ranges.map((other, i) => (i === at ? known : fetchRange({ ...other, day }, requests)))
    return (await Promise.all(all)).flat()
  }
  return isLatest ? known : (await Promise.all(ranges.map((range) => fetchRange(range, requests)))).flat()
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
function splitBySource({ range, chunk }: RangeReply, { query }: PlannedQuery): RangePair | undefined {
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  const isKnown = distinctValues(chunk.columns, 'source').every((source) => known.includes(source))
  return isKnown ? splitRange(range) : undefined
}
