import { newsSources } from '../contract/catalogue/news.js'
import type { Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import { dateOf, dayNumber } from '../contract/date.js'
import type { Proof } from '../table/provenance.js'
import { limitedRows, type ReplyCounts } from './completeness/reply-sizes.js'
import { oneDayParam, queryDays } from './plan/query-days.js'
import type { QueryPlan } from './plan/query-plan.js'
import { describeRange, type QueryRange, splitCodes, splitRange } from './plan/query-range.js'
import { distinctValues, firstContradictedRow, type ReplyChunk } from './reply/reply-chunk.js'
import { SourceError, TruncatedError } from './source-error.js'

/** The reply to a range, and what shows that it is whole or why that is not known. */
export interface RangeReply {
  readonly range: QueryRange
  readonly chunk: ReplyChunk
  /** Rows are missing, or may be, which can not be asked for. */
  readonly truncated?: string
  /** Why nothing shows that no row is missing. */
  readonly doubt?: string
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
  const isAll = chunk.archive?.total === chunk.columns.length
  return !isAll && limitedRows(chunk, query) >= (plan.cap ?? Number.POSITIVE_INFINITY)
}

/** The day that an answer about the latest one is of: its halves are asked for that same day. */
export function latestDayOf(dataset: Dataset, query: Query, range: QueryRange, chunk: ReplyChunk): string | undefined {
  if (dataset.stored?.computed_on || oneDayParam(dataset) === undefined) return undefined
  return queryDays(dataset, query, range).isLatest ? distinctValues(chunk.columns, dataset.day ?? '')[0] : undefined
}

function splitOf(
  range: QueryRange,
  chunk: ReplyChunk,
  { dataset, query }: FetchContext,
): readonly [QueryRange, QueryRange] | undefined {
  if (range.sources) return splitBySource(range, query, chunk)
  const day = latestDayOf(dataset, query, range, chunk)
  return splitRange(day === undefined ? range : { ...range, day })
}

function ofBox(range: QueryRange): string {
  return Object.keys(range).length === 0 ? '' : ` of ${describeRange(range)}`
}

function unsplit(range: QueryRange, chunk: ReplyChunk, gathering: FetchContext): RangeReply {
  const { dataset, plan, query, allowTruncated } = gathering
  const rows = chunk.columns.length
  const what = `${dataset.name}: ${rows} rows${ofBox(range)}`
  const full = `${what}, as many as a reply holds`
  if (allowTruncated) return { range, chunk, truncated: `${full}; there may be more` }
  const strategy =
    dataset.limit.kind === 'newest' ? `give a limit of at most ${plan.cap} to take the newest` : 'narrow the query'
  throw new TruncatedError(`${full}, and no strategy to split them: ${strategy}, or take what came (allowTruncated)`, {
    request: { dataset: dataset.name, params: { ...query, ...range } },
    node: chunk.node,
  })
}

export function countRows(parts: readonly RangeReply[]): number {
  return parts.reduce((sum, { chunk }) => sum + chunk.columns.length, 0)
}

export function contradictionError(
  range: QueryRange,
  chunk: ReplyChunk,
  found: number,
  other: number | undefined,
  { dataset, query }: FetchContext,
): SourceError {
  const rows = chunk.columns.length
  const what = found < rows ? `only ${found}` : `other cells than in row ${(other ?? 0) + 1}`
  const message = `${dataset.name}: ${rows} rows${ofBox(range)}, and ${what} when its halves are asked; the answers do not go together, try again`
  return new SourceError('UNSTABLE', message, {
    request: { dataset: dataset.name, params: { ...query, ...range } },
    node: chunk.node,
    retryable: true,
  })
}

/**
 * The parts of a range, in order: its reply, or those of its halves when the reply is at the cap. Halves hold at least as
 * many rows as the whole did.
 * @throws TruncatedError when a range that can not be split is at the cap, unless `allowTruncated`; SourceError UNSTABLE when
 * halves hold fewer rows, time after time
 */
export async function fetchRange(range: QueryRange, gathering: FetchContext): Promise<readonly RangeReply[]> {
  for (let round = 1; ; round++) {
    const chunk = await gathering.send(range)
    if (!isFull(chunk, gathering)) return [{ range, chunk }]
    const two = splitOf(range, chunk, gathering)
    if (!two) return [unsplit(range, chunk, gathering)]
    gathering.onSplit(two.length)
    const parts = (await Promise.all(two.map((half) => fetchRange(half, gathering)))).flat()
    const found = countRows(parts)
    const other = firstContradictedRow(
      chunk.columns,
      parts.map((part) => part.chunk.columns),
    )
    if (found >= chunk.columns.length && other === undefined) return parts
    if (round === rounds) throw contradictionError(range, chunk, found, other, gathering)
  }
}

/**
 * The parts of all ranges, in order. About the latest day one range is asked first, and the others for the day that it shows:
 * they are all of one day, whatever begins meanwhile.
 */
export async function fetchRanges(gathering: FetchContext): Promise<readonly RangeReply[]> {
  const { plan, dataset, query } = gathering
  const { ranges } = plan
  const [first] = ranges
  if (ranges.length < 2 || !first || !queryDays(dataset, query, first).isLatest) {
    return (await Promise.all(ranges.map((range) => fetchRange(range, gathering)))).flat()
  }
  let day: string | undefined
  let known: readonly RangeReply[] = []
  let at = 0
  while (at < ranges.length && day === undefined) {
    known = await fetchRange(ranges[at++] as QueryRange, gathering)
    const [shown] = known.filter(({ chunk }) => chunk.columns.length > 0)
    day = shown && distinctValues(shown.chunk.columns, dataset.day ?? '')[0]
  }
  if (day === undefined) return known
  const dated = { day }
  const all = ranges.map((range, i) => (i === at - 1 ? known : fetchRange({ ...range, ...dated }, gathering)))
  return (await Promise.all(all)).flat()
}

/** Two ranges that are disjoint and together cover a range, each with some of the rows that its reply had; undefined for one that can't be split. */
export function splitByRows(
  range: QueryRange,
  { days, isThere }: ReplyCounts,
  query: Query,
  chunk: ReplyChunk,
): readonly [QueryRange, QueryRange] | undefined {
  const middle = range.days && days.length > 1 ? days[days.length >> 1] : undefined
  if (range.days && middle !== undefined) {
    const { from, to, open } = range.days
    const before = dateOf(dayNumber(middle) - 1)
    return [
      { ...range, days: { from, to: before } },
      { ...range, days: { from: middle, to, ...(open ? { open } : {}) } },
    ]
  }
  if (range.symbols) {
    const second = splitCodes(range.symbols.filter(isThere))?.[1][0]
    if (second === undefined) return undefined
    const cut = range.symbols.indexOf(second)
    return [
      { ...range, symbols: range.symbols.slice(0, cut) },
      { ...range, symbols: range.symbols.slice(cut) },
    ]
  }
  return range.sources ? splitBySource(range, query, chunk) : undefined
}

/** Halving by source would lose the rows of a source that the contract does not know. */
export function splitBySource(
  range: QueryRange,
  query: Query,
  chunk: ReplyChunk,
): readonly [QueryRange, QueryRange] | undefined {
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  return distinctValues(chunk.columns, 'source').every((source) => known.includes(source))
    ? splitRange(range)
    : undefined
}
