import type { Dataset } from '../../contract/dataset.js'
import { daysBetween } from '../../contract/day-list.js'
import { type Proof, stateOf, weakestProof } from '../../table/provenance.js'
import type { RangeReply } from '../fetch-range.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import type { QueryReplies } from '../query-run.js'
import { quotable } from '../reply/read-reply.js'
import { distinctValues, type ReplyChunk } from '../reply/reply-chunk.js'
import { SourceError, TruncatedError } from '../source-error.js'
import { limitedRows } from './reply-sizes.js'

/** Whether all of it came, what shows it, and what the reader should know. */
export interface Completeness {
  readonly complete: boolean
  readonly proof?: Proof
  readonly note?: string
  readonly total?: number
}

function span(from: number, to: number, total: number): string {
  if (to <= from) return `no rows of ${total} after row ${from}`
  return from + 1 === to ? `row ${to} of ${total}` : `rows ${from + 1} to ${to} of ${total}`
}

function ofPages({ query }: PlannedQuery, rows: number, total: number): Completeness {
  const from = Number(query.offset ?? 0)
  const to = from + rows
  if (from === 0 && to >= total) return { complete: true, proof: 'total', total }
  return { complete: false, total, note: span(from, to, total) }
}

function countIn(chunk: ReplyChunk | undefined, name: string): number | undefined {
  const value = chunk?.beside[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/**
 * Holds a single page against its counts: it begins where it was asked to, and holds as many rows as it was asked for or as
 * are left.
 */
function checkPage({ dataset, query, plan }: PlannedQuery, chunk: ReplyChunk, allowTruncated: boolean): void {
  const { node } = chunk
  const request = { dataset: dataset.name, params: query }
  const from = Number(query.offset ?? 0)
  const echoed = countIn(chunk, 'offset')
  if (echoed !== undefined && echoed !== from && chunk.columns.length > 0) {
    const message = `${dataset.name}: ${node} answers from row ${echoed + 1} where row ${from + 1} was asked for`
    throw new SourceError('ENVELOPE', message, { request, node })
  }
  const total = countIn(chunk, 'total')
  if (total === undefined) return
  const rows = chunk.columns.length
  const left = Math.max(0, total - from)
  if (rows > left) {
    const message = `${dataset.name}: ${node} counts ${total} rows and sends rows ${from + 1} to ${from + rows}`
    throw new SourceError('ENVELOPE', message, { request, node })
  }
  const due = Math.min(left, Number(plan.limit))
  if (rows > due) {
    const message = `${dataset.name}: ${node} sends ${rows} rows where at most ${due} were asked for`
    throw new SourceError('ENVELOPE', message, { request, node })
  }
  if (rows === due || allowTruncated) return
  const message = `${dataset.name}: ${node} sends ${rows} rows where ${due} were due (${total} match); ask for fewer at a time, or take what came (allowTruncated)`
  throw new TruncatedError(message, { request, node })
}

function ofPage(
  planned: PlannedQuery,
  { replies, total }: QueryReplies,
  rows: number,
  allowTruncated: boolean,
): Completeness {
  const [first] = replies
  if (total !== undefined) return ofPages(planned, rows, total)
  if (first) checkPage(planned, first.chunk, allowTruncated)
  const known = countIn(first?.chunk, 'total')
  if (known !== undefined) return ofPages(planned, rows, known)
  if (rows === 0 && Number(planned.query.offset ?? 0) === 0) return { complete: true, proof: 'total', total: 0 }
  return { complete: false, note: 'the reply has no total' }
}

/** A list of the newest rows is of the view that was asked for, and no longer than it. */
function checkNewest({ dataset, query, plan }: PlannedQuery, chunk: ReplyChunk): void {
  const { node, beside } = chunk
  const request = { dataset: dataset.name, params: query }
  const view = beside.view ?? query.view
  if (view !== query.view) {
    const message = `${dataset.name}: ${node} answers with the view ${String(view)} where ${query.view} was asked for`
    throw new SourceError('ENVELOPE', message, { request, node })
  }
  const rows = limitedRows(chunk, query)
  if (plan.limit === undefined || rows <= plan.limit) return
  const message = `${dataset.name}: ${node} sends ${rows} rows where at most ${plan.limit} were asked for`
  throw new SourceError('ENVELOPE', message, { request, node })
}

function ofNewest(planned: PlannedQuery, { replies }: QueryReplies): Completeness {
  const { query, plan, given } = planned
  const [first] = replies
  const limit = plan.limit ?? 0
  for (const { chunk } of replies) checkNewest(planned, chunk)
  const isFull = plan.strategy === 'once' && first !== undefined && limitedRows(first.chunk, query) >= limit
  if (isFull) {
    const which = query.view === 'source' ? `the newest ${limit} of each source` : `the newest ${limit}`
    const why = given.has('limit') ? '' : `, as many as come without a limit`
    return { complete: false, note: `${which}${why}; there may be older ones` }
  }
  const count = replies.length === 1 && query.view !== 'source' ? countIn(first?.chunk, 'count') : undefined
  const rows = first?.chunk.columns.length ?? 0
  if (count !== undefined && count > rows)
    return { complete: false, note: `the reply counts ${count} rows and holds ${rows}` }
  return ofParts(replies)
}

/** What all parts together rest on, or why they are not known to be whole. */
function ofParts(replies: QueryReplies['replies']): Completeness {
  const doubts = replies.flatMap(({ doubt }) => doubt ?? [])
  const proof = weakestProof(replies.map((part) => part.proof))
  if (doubts.length > 0 || !proof) return { complete: false, ...(doubts.length > 0 ? { note: noteOf(doubts) } : {}) }
  return { complete: true, proof }
}

/** The last buckets of the replies of each day: replies of a running day may be of different moments. */
function uneven({ replies }: QueryReplies): string | undefined {
  const lasts = new Map<string, Set<string>>()
  for (const { chunk } of replies) {
    const [day] = distinctValues(chunk.columns, 'tradedate')
    const last = [...distinctValues(chunk.columns, 'trademin')].sort().at(-1)
    if (day !== undefined && last !== undefined) lasts.set(day, (lasts.get(day) ?? new Set()).add(last))
  }
  const found = [...lasts].find(([, minutes]) => minutes.size > 1)
  if (!found) return undefined
  return `the replies of ${found[0]} end at different buckets (${[...found[1]].sort().join(', ')}): they may be of different moments`
}

function ofCap({ plan }: PlannedQuery, results: QueryReplies): Completeness {
  const cap = plan.cap ?? Number.POSITIVE_INFINITY
  const isFull = plan.strategy === 'once' && results.replies.some(({ chunk }) => chunk.columns.length >= cap)
  if (isFull) return { complete: false, note: `cut at the cap of ${cap} rows a call` }
  const found = ofParts(results.replies)
  const note = uneven(results)
  return note === undefined ? found : { ...found, note: found.note === undefined ? note : `${found.note}; ${note}` }
}

function noteOf(texts: readonly string[]): string {
  const more = texts.length > 1 ? ` (and ${texts.length - 1} more such replies)` : ''
  return `${texts[0]}${more}`
}

/**
 * What can be said of the rows that came.
 * @throws SourceError ENVELOPE for a page that contradicts its own counts; TruncatedError for one that is shorter than it
 * should be, unless `allowTruncated`
 */
export function assessCompleteness(
  planned: PlannedQuery,
  results: QueryReplies,
  rows: number,
  allowTruncated: boolean,
): Completeness {
  const truncated = results.replies.flatMap((part) => part.truncated ?? [])
  if (truncated.length > 0) {
    const { total } = results
    return { complete: false, note: noteOf(truncated), ...(total === undefined ? {} : { total }) }
  }
  switch (planned.dataset.limit.kind) {
    case 'none':
      return ofParts(results.replies)
    case 'page':
      return ofPage(planned, results, rows, allowTruncated)
    case 'cap':
      return ofCap(planned, results)
    case 'newest':
      return ofNewest(planned, results)
  }
}

/** A value as texts: those of a list, or it alone; none where it is missing. */
function textsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((text) =>
    typeof text === 'string' ? text : JSON.stringify(text),
  )
}

/** What the `meta` of news says against its rows: that sources are stale, or that they were not collected whole. */
export function upstreamNote(beside: ReplyChunk['beside'] | undefined): string | undefined {
  const meta = (beside?.meta ?? {}) as Readonly<Record<string, unknown>>
  const stale = textsIn(meta.upstream_stale_sources)
  const [status = 'complete'] = textsIn(meta.upstream_status)
  const notes = [
    ...(stale.length > 0 ? [`stale at the source: ${stale.join(', ')}`] : []),
    ...(status === 'complete' ? [] : [`the source was collected with the status ${status}, not complete`]),
  ]
  return notes.length > 0 ? quotable(notes.join('; '), '') : undefined
}

/** A completeness on rows of which the service itself says that they are stale or not whole. */
export function withUpstream(completeness: Completeness, chunks: readonly ReplyChunk[]): Completeness {
  const said = [...new Set(chunks.flatMap(({ beside }) => upstreamNote(beside) ?? []))]
  if (said.length === 0) return completeness
  const { proof: _, note, ...rest } = completeness
  return { ...rest, complete: false, note: [...said, ...(note === undefined ? [] : [note])].join('; ') }
}

/** What an archive says of rows that came from cut replies; a service over it says the same. */
export const partialNote = 'some of its rows were imported from replies that had been cut'

/**
 * Why archives do not know rows to be all. A range without an end goes to the latest day with rows: a part that has rows on
 * every trading day up to it lacks none.
 */
function unprovenIn({ day = '' }: Dataset, parts: readonly RangeReply[]): string[] {
  const isOpen = parts.some(({ range }) => range.days?.open)
  const latest = isOpen
    ? parts
        .flatMap(({ chunk }) => distinctValues(chunk.columns, day))
        .sort()
        .at(-1)
    : undefined
  const isAllToLatest = ({ range, chunk }: RangeReply): boolean => {
    if (latest === undefined || !range.days || range.days.to <= latest) return false
    const there = new Set(distinctValues(chunk.columns, day))
    return daysBetween(range.days.from, latest).every((one) => there.has(one))
  }
  const notes = parts.flatMap((part) => (isAllToLatest(part) ? [] : (part.chunk.archive?.unproven ?? [])))
  return [...new Set(notes)]
}

/**
 * What the replies tell of the archive behind them, where they tell it: its state when all are of the same, and that rows
 * of the dataset are missing there already.
 */
export function withOrigin(
  completeness: Completeness,
  dataset: Dataset,
  parts: readonly RangeReply[],
): Completeness & { readonly state?: string } {
  const origins = parts.map(({ chunk }) => chunk.archive)
  const { state, note: changed } = stateOf(
    origins.map((archive) => ({ ...(archive?.state === undefined ? {} : { state: archive.state }) })),
  )
  const isPartial = origins.some((archive) => archive?.partial?.includes(dataset.name))
  const own = isPartial ? [partialNote] : unprovenIn(dataset, parts)
  const isUnproven = own.length > 0
  const said = isUnproven && completeness.complete ? own : completeness.note === undefined ? [] : [completeness.note]
  const note = [...said, ...(changed === undefined ? [] : [changed])].join('; ')
  const { proof, note: _, ...rest } = completeness
  return {
    ...rest,
    complete: completeness.complete && !isUnproven,
    ...(proof && !isUnproven ? { proof } : {}),
    ...(note === '' ? {} : { note }),
    ...(state === undefined ? {} : { state }),
  }
}

/**
 * What is said of candidates that bring a forecast along: rows of a later day than the one asked for, or, of the latest day,
 * than the earliest there is. Undefined where the rows do not show it.
 */
export function forecastNote(days: readonly string[], asked: unknown): string | undefined {
  const [first, ...later] = [...days].sort()
  const day = typeof asked === 'string' ? asked : later.length > 0 ? first : undefined
  if (day === undefined || !days.some((one) => one > day)) return undefined
  return `${day} and the forecast for the next trading day`
}
