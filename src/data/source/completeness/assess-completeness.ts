import { closedWords } from '../../../contract/closed-words.js'
import type { Dataset } from '../../../contract/dataset.js'
import { daysBetween } from '../../../contract/day-list.js'
import { listOf, sentence, unlike, type Words } from '../../../contract/sentence.js'
import { type Proof, stateOf, weakestProof } from '../../../frame/table/provenance.js'
import type { QueryReplies } from '../fetch-query.js'
import { queryDays } from '../plan/asked.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { quotedWords } from '../reply/read-reply.js'
import { distinctValues, type ReplyChunk } from '../reply/reply-chunk.js'
import { queryError } from '../source-error.js'
import { countRows } from './reply-parts.js'
import type { RangeReply } from './reply-sizes.js'

/** Whether all of it came, what shows it, and what the reader should know. */
interface Completeness {
  readonly complete: boolean
  readonly total?: number
  readonly proof?: Proof
  readonly note?: Words
  /** The state of the archive that all rows are of, where the replies tell it. */
  readonly state?: string
}

function describeRows(from: number, to: number, total: number): Words {
  if (to <= from) return sentence`no rows of ${total} after row ${from}`
  return from + 1 === to ? sentence`row ${to} of ${total}` : sentence`rows ${from + 1} to ${to} of ${total}`
}

function countIn(beside: ReplyChunk['beside'] | undefined, name: string): number | undefined {
  const value = beside?.[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/**
 * Compares a single page with its counts: it begins where it was asked to, and holds as many rows as it was asked for or as
 * are left.
 */
function checkPage(planned: PlannedQuery, { columns, node, beside }: ReplyChunk, allowTruncated: boolean): void {
  const { query, plan } = planned
  const rows = columns.length
  const from = Number(query.offset ?? 0)
  const [echoed, total] = [countIn(beside, 'offset'), countIn(beside, 'total')]
  const refuse = (what: Words): never => {
    throw queryError('ENVELOPE', planned, sentence`${node} ${what}`, { node })
  }
  if (echoed !== undefined && echoed !== from && rows > 0)
    refuse(sentence`answers from row ${echoed + 1} where row ${from + 1} was asked for`)
  if (total === undefined) return
  const left = Math.max(0, total - from)
  if (rows > left) refuse(sentence`counts ${total} rows and sends rows ${from + 1} to ${from + rows}`)
  const expected = Math.min(left, Number(plan.limit))
  if (rows > expected) refuse(sentence`sends ${rows} rows where at most ${expected} were asked for`)
  if (rows === expected || allowTruncated) return
  const what = sentence`${node} sends ${rows} rows where ${expected} were due (${total} match); ask for fewer at a time, or take what came (allowTruncated)`
  throw queryError('TRUNCATED', planned, what, { node })
}

function assessPages(
  planned: PlannedQuery,
  { replies, total: counted }: QueryReplies,
  allowTruncated: boolean,
): Completeness {
  const [first] = replies
  const rows = countRows(replies)
  const from = Number(planned.query.offset ?? 0)
  if (counted === undefined && first) checkPage(planned, first.chunk, allowTruncated)
  const total = counted ?? countIn(first?.chunk.beside, 'total') ?? (rows === 0 && from === 0 ? 0 : undefined)
  if (total === undefined) return { complete: false, note: sentence`the reply has no total` }
  if (from === 0 && rows >= total) return { complete: true, proof: 'total', total }
  return { complete: false, total, note: describeRows(from, from + rows, total) }
}

/** A list of the newest rows is of the view that was asked for, and no longer than it. */
function checkNewest(planned: PlannedQuery, { chunk, counts }: RangeReply): void {
  const { query, plan } = planned
  const { node, beside } = chunk
  const view = beside.view ?? query.view
  const refuse = (what: Words): never => {
    throw queryError('ENVELOPE', planned, sentence`${node} ${what}`, { node })
  }
  if (view !== query.view) refuse(sentence`answers with the view ${String(view)} where ${query.view} was asked for`)
  if (plan.limit !== undefined && counts.rows > plan.limit)
    refuse(sentence`sends ${counts.rows} rows where at most ${plan.limit} were asked for`)
}

function assessNewest(planned: PlannedQuery, { replies }: QueryReplies): Completeness {
  const { query, plan, given } = planned
  const [first] = replies
  const limit = plan.limit ?? 0
  for (const reply of replies) checkNewest(planned, reply)
  if (plan.strategy === 'once' && first !== undefined && first.counts.rows >= limit) {
    const which = query.view === 'source' ? sentence`the newest ${limit} of each source` : sentence`the newest ${limit}`
    const why = given.has('limit') ? '' : sentence`, as many as come without a limit`
    return { complete: false, note: sentence`${which}${why}; there may be older ones` }
  }
  const count = replies.length === 1 && query.view !== 'source' ? countIn(first?.chunk.beside, 'count') : undefined
  const rows = first?.chunk.columns.length ?? 0
  if (count !== undefined && count > rows)
    return { complete: false, note: sentence`the reply counts ${count} rows and holds ${rows}` }
  return assessParts(replies)
}

/** What all parts together rest on, or why they are not known to be whole. */
function assessParts(replies: QueryReplies['replies']): Completeness {
  const gaps = replies.flatMap(({ unproven }) => unproven ?? [])
  const proof = weakestProof(replies.map((part) => part.proof))
  if (gaps.length > 0) return { complete: false, note: firstNote(gaps) }
  return proof ? { complete: true, proof } : { complete: false }
}

function assessCapped({ plan }: PlannedQuery, { replies }: QueryReplies): Completeness {
  const cap = plan.cap ?? Number.POSITIVE_INFINITY
  const isFull = plan.strategy === 'once' && replies.some(({ chunk }) => chunk.columns.length >= cap)
  return isFull ? { complete: false, note: sentence`cut at the cap of ${cap} rows a call` } : assessParts(replies)
}

function firstNote(texts: readonly Words[]): Words {
  const [first = '', ...more] = texts
  return more.length > 0 ? sentence`${first} (and ${more.length} more such replies)` : first
}

function assessRows(planned: PlannedQuery, results: QueryReplies, allowTruncated: boolean): Completeness {
  const { replies, total } = results
  const truncated = replies.flatMap((part) => part.truncated ?? [])
  if (truncated.length > 0) {
    return { complete: false, note: firstNote(truncated), ...(total === undefined ? {} : { total }) }
  }
  switch (planned.dataset.limit.kind) {
    case 'none':
      return assessParts(replies)
    case 'page':
      return assessPages(planned, results, allowTruncated)
    case 'cap':
      return assessCapped(planned, results)
    case 'newest':
      return assessNewest(planned, results)
  }
}

/** That no day asked for is a trading day, if nothing came. */
function closedNote({ dataset, query, days }: PlannedQuery, { replies }: QueryReplies): Words | undefined {
  if (days || dataset.openRange || replies.some(({ chunk }) => chunk.columns.length > 0)) return undefined
  const { day, from = day, to = day } = queryDays(dataset, query, {})
  return from === undefined || to === undefined ? undefined : closedWords(from, to)
}

/**
 * What can be said of the rows that came: by themselves, by what the service says of its sources, and by what the replies
 * tell of the archive behind them (its state when all are of the same, and that rows of the dataset are missing there
 * already).
 * @throws SourceError ENVELOPE for a page that contradicts its own counts; TruncatedError for one that is shorter than it
 * should be, unless `allowTruncated`
 */
export function assessCompleteness(
  planned: PlannedQuery,
  results: QueryReplies,
  allowTruncated: boolean,
): Completeness {
  const { dataset } = planned
  const chunks = results.replies.map(({ chunk }) => chunk)
  const { complete, proof, note, total } = assessRows(planned, results, allowTruncated)
  const said = complete
    ? chunks.flatMap(({ more }) =>
        more === undefined ? [] : [sentence`the reply says that there are more rows (${more})`],
      )
    : []
  const upstream = unlike([...said, ...chunks.flatMap(({ beside }) => upstreamNote(beside) ?? [])])
  const isPartial = chunks.some(({ archive }) => archive?.partial?.includes(dataset.name))
  const archived = isPartial ? [partialNote] : unprovenIn(dataset, results.replies)
  const { state, note: changed } = stateOf(
    chunks.map(({ archive }) => (archive?.state === undefined ? {} : { state: archive.state })),
  )
  const isWholeReply = complete && upstream.length === 0
  const doubts = [...archived, ...(results.doubt === undefined ? [] : [results.doubt])]
  const isComplete = isWholeReply && doubts.length === 0
  const reasons = isWholeReply && !isComplete ? doubts : [...upstream, note]
  const notes = [...reasons, changed, closedNote(planned, results)].filter((text) => text !== undefined)
  return {
    complete: isComplete,
    ...(total === undefined ? {} : { total }),
    ...(proof && isComplete ? { proof } : {}),
    ...(notes.length > 0 ? { note: listOf(notes) } : {}),
    ...(state === undefined ? {} : { state }),
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
export function upstreamNote(beside: ReplyChunk['beside'] | undefined): Words | undefined {
  const meta = (beside?.meta ?? {}) as Readonly<Record<string, unknown>>
  const stale = textsIn(meta.upstream_stale_sources)
  const [status = 'complete'] = textsIn(meta.upstream_status)
  const notes = [
    ...(stale.length > 0 ? [sentence`stale at the source: ${stale.join(', ')}`] : []),
    ...(status === 'complete' ? [] : [sentence`the source was collected with the status ${status}, not complete`]),
  ]
  return notes.length > 0 ? quotedWords(listOf(notes), '') : undefined
}

/** What an archive says of rows that came from cut replies; a service over it says the same. */
export const partialNote = sentence`some of its rows were imported from replies that had been cut`

/**
 * Why archives do not know rows to be all. A range without an end goes to the latest day with rows: a part that has rows on
 * every trading day up to it lacks none.
 */
function unprovenIn({ day = '' }: Dataset, parts: readonly RangeReply[]): Words[] {
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
  return unlike(notes)
}

/**
 * What is said of candidates that bring a forecast along: rows of a later day than the one asked for, or, of the latest day,
 * than the earliest there is. Undefined where the rows do not show it.
 */
export function forecastNote(days: readonly string[], tradedate: unknown): Words | undefined {
  const [first, ...later] = [...days].sort()
  const day = typeof tradedate === 'string' ? tradedate : later.length > 0 ? first : undefined
  if (day === undefined || !days.some((one) => one > day)) return undefined
  return sentence`${day} and the forecast for the next trading day`
}
