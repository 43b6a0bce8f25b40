import { sentence } from '../../contract/sentence.js'
import { contradictionError, countRows, latestDayOf, splitBySource } from './completeness/reply-parts.js'
import type { RangeReply } from './completeness/reply-sizes.js'
import { queryDays } from './plan/asked.js'
import type { PlannedQuery } from './plan/query-plan.js'
import { describeOf, type QueryRange, type RangePair, splitRange } from './plan/query-range.js'
import type { QueryRequests } from './query-requests.js'
import { firstContradictedRow } from './reply/reply-chunk.js'
import { queryError } from './source-error.js'

/** Times that a range is asked whose halves hold fewer rows than it, or others. */
const rounds = 2

function isFull({ chunk, counts }: RangeReply, { plan }: PlannedQuery): boolean {
  if (chunk.more !== undefined) return true
  return chunk.archive?.total !== chunk.columns.length && counts.rows >= (plan.cap ?? Number.POSITIVE_INFINITY)
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
