import { newsSources } from '../contract/catalogue/news.js'
import type { Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import { dateOf, dayNumber } from '../contract/date.js'
import type { Proof } from '../table/provenance.js'
import { limitedRows, type ReplyCounts } from './completeness/reply-sizes.js'
import { oneDayParam, queryDays } from './plan/query-days.js'
import type { QueryPlan } from './plan/query-plan.js'
import { describeRange, type QueryRange, type RangePair, splitBy, splitCodes, splitRange } from './plan/query-range.js'
import { distinctValues, firstContradictedRow, type ReplyChunk } from './reply/reply-chunk.js'
import { SourceError, type SourceErrorDetails, TruncatedError } from './source-error.js'

/** The reply to a range, and what shows that it is whole or why that is not known. */
export interface RangeReply {
  readonly range: QueryRange
  readonly chunk: ReplyChunk
  /** Rows are missing, or may be, which can not be asked for. */
  readonly truncated?: string
  /** Why nothing shows that no row is missing. */
  readonly unproven?: string
  /** What shows that no row is missing. */
  readonly proof?: Proof
}

export interface FetchContext {
  readonly dataset: Dataset
  readonly query: Query
  readonly plan: QueryPlan
  readonly allowTruncated: boolean
  readonly send: (range: QueryRange) => Promise<ReplyChunk>
  /** Called before the parts of a range are asked in its place. */
  readonly onSplit: (parts: number) => void
}

/** Times that a range is asked whose halves hold fewer rows than it, or others. */
const rounds = 2

function isFull(chunk: ReplyChunk, { query, plan }: FetchContext): boolean {
  if (chunk.more !== undefined) return true
  const isAll = chunk.archive?.total === chunk.columns.length
  return !isAll && limitedRows(chunk, query) >= (plan.cap ?? Number.POSITIVE_INFINITY)
}

/** The day that an answer about the latest one is of: its halves are asked for that same day. */
export function latestDayOf(dataset: Dataset, query: Query, range: QueryRange, chunk: ReplyChunk): string | undefined {
  if (dataset.stored?.computed_on || oneDayParam(dataset) === undefined) return undefined
  return queryDays(dataset, query, range).isLatest ? distinctValues(chunk.columns, dataset.day ?? '')[0] : undefined
}

function splitReply(range: QueryRange, chunk: ReplyChunk, { dataset, query }: FetchContext): RangePair | undefined {
  if (range.sources) return splitBySource(range, query, chunk)
  const day = latestDayOf(dataset, query, range, chunk)
  return splitRange(day === undefined ? range : { ...range, day })
}

/** ` of` and the range in words; nothing where it is all. */
export function describeOf(range: QueryRange): string {
  return Object.keys(range).length === 0 ? '' : ` of ${describeRange(range)}`
}

/** The request for a range and the node that answered, for errors. */
function errorDetails(range: QueryRange, { node }: ReplyChunk, { dataset, query }: FetchContext): SourceErrorDetails {
  return { request: { dataset: dataset.name, params: { ...query, ...range } }, node }
}

/** A reply at the cap to a range that can't be split. @throws TruncatedError unless `allowTruncated` */
function fullReply(range: QueryRange, chunk: ReplyChunk, context: FetchContext): RangeReply {
  const { dataset, plan, allowTruncated } = context
  const { more } = chunk
  const why = more === undefined ? ', as many as a reply holds' : `; the reply says that there are more (${more})`
  const full = `${dataset.name}: ${chunk.columns.length} rows${describeOf(range)}${why}`
  if (allowTruncated) return { range, chunk, truncated: `${full}; there may be more` }
  const advice =
    dataset.limit.kind === 'newest' ? `give a limit of at most ${plan.cap} to take the newest` : 'narrow the query'
  const message = `${full}, and no strategy to split them: ${advice}, or take what came (allowTruncated)`
  throw new TruncatedError(message, errorDetails(range, chunk, context))
}

function countAll(chunks: readonly ReplyChunk[]): number {
  return chunks.reduce((sum, { columns }) => sum + columns.length, 0)
}

export function countRows(parts: readonly RangeReply[]): number {
  return countAll(parts.map(({ chunk }) => chunk))
}

export function contradictionError(
  range: QueryRange,
  chunk: ReplyChunk,
  found: number,
  other: number | undefined,
  context: FetchContext,
): SourceError {
  const rows = chunk.columns.length
  const what = found < rows ? `only ${found}` : `other cells than in row ${(other ?? 0) + 1}`
  const message = `${context.dataset.name}: ${rows} rows${describeOf(range)}, and ${what} when its halves are asked; the answers do not go together, try again`
  return new SourceError('UNSTABLE', message, { ...errorDetails(range, chunk, context), retryable: true })
}

/**
 * The parts of a range, in order: its reply, or those of its halves when the reply is at the cap. Halves hold at least as
 * many rows as the whole did.
 * @throws TruncatedError when a range that can not be split is at the cap, unless `allowTruncated`; SourceError UNSTABLE when
 * halves hold fewer rows, time after time
 */
export async function fetchRange(
  range: QueryRange,
  context: FetchContext,
  first?: ReplyChunk,
): Promise<readonly RangeReply[]> {
  for (let round = 1; ; round++) {
    const chunk = (round === 1 ? first : undefined) ?? (await context.send(range))
    if (!isFull(chunk, context)) return [{ range, chunk }]
    const two = splitReply(range, chunk, context)
    if (!two) return [fullReply(range, chunk, context)]
    context.onSplit(two.length)
    const halves = await Promise.all(two.map(context.send))
    const isNoWord = halves.every(({ more }) => more !== undefined) && countAll(halves) <= chunk.columns.length
    if (chunk.more !== undefined && isNoWord) return [fullReply(range, chunk, context)]
    const parts = (await Promise.all(two.map((half, i) => fetchRange(half, context, halves[i])))).flat()
    const found = countRows(parts)
    const other = firstContradictedRow(
      chunk.columns,
      parts.map((part) => part.chunk.columns),
    )
    if (found >= chunk.columns.length && other === undefined) return parts
    if (round === rounds) throw contradictionError(range, chunk, found, other, context)
  }
}

/**
 * The parts of all ranges, in order. About the latest day one range is asked first, and the others for the day that it shows:
 * they are all of one day, whatever begins meanwhile.
 */
export async function fetchRanges(context: FetchContext): Promise<readonly RangeReply[]> {
  const { plan, dataset, query } = context
  const ranges = plan.overlap?.asked ?? plan.ranges
  const [first] = ranges
  if (ranges.length < 2 || !first || !queryDays(dataset, query, first).isLatest) {
    return (await Promise.all(ranges.map((range) => fetchRange(range, context)))).flat()
  }
  for (const [at, range] of ranges.entries()) {
    const known = await fetchRange(range, context)
    const filled = known.find(({ chunk }) => chunk.columns.length > 0)
    const day = filled && distinctValues(filled.chunk.columns, dataset.day ?? '')[0]
    if (day === undefined && at < ranges.length - 1) continue
    if (day === undefined) return known
    const all = ranges.map((other, i) => (i === at ? known : fetchRange({ ...other, day }, context)))
    return (await Promise.all(all)).flat()
  }
  return []
}

/** A range in two, each with some of the rows that its reply had; undefined for one that can't be split. */
export function splitByRows(
  range: QueryRange,
  { days, isThere }: ReplyCounts,
  query: Query,
  chunk: ReplyChunk,
): RangePair | undefined {
  const middle = range.days && days.length > 1 ? days[days.length >> 1] : undefined
  if (range.days && middle !== undefined) {
    const before = { from: range.days.from, to: dateOf(dayNumber(middle) - 1) }
    return splitBy(range, 'days', [before, { ...range.days, from: middle }])
  }
  if (range.symbols) {
    const second = splitCodes(range.symbols.filter(isThere))?.[1][0]
    if (second === undefined) return undefined
    const cut = range.symbols.indexOf(second)
    return splitBy(range, 'symbols', [range.symbols.slice(0, cut), range.symbols.slice(cut)])
  }
  return range.sources ? splitBySource(range, query, chunk) : undefined
}

/** Halving by source would lose the rows of a source that the contract does not know. */
function splitBySource(range: QueryRange, query: Query, chunk: ReplyChunk): RangePair | undefined {
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  const isKnown = distinctValues(chunk.columns, 'source').every((source) => known.includes(source))
  return isKnown ? splitRange(range) : undefined
}
