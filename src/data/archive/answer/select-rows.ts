import { checkFields } from '../../../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { listOf, sentence, type Words } from '../../../contract/sentence.js'
import { orderedRows } from '../../../frame/table/check-table.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import type { Proof } from '../../../frame/table/provenance.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../frame/table/values.js'
import { partialNote, upstreamNote } from '../../source/completeness/assess-completeness.js'
import type { QueryOptions } from '../../source/source.js'
import { dayColumn } from '../merge-rows.js'
import type { Snapshot } from '../snapshot.js'
import { answerRules, type RuleOptions, type RuleResult } from './answer-rules.js'
import { type AnswerCompleteness, proveComplete } from './completeness.js'
import { emptyWords } from './empty-answer.js'
import { memoized, memoizedLast } from './memoized.js'
import { countSliceRows, joinSlices, type RowSlice, sliceRows, wholeSlice } from './row-slices.js'

/** Whether all rows of a part stand in the order of the contract, within their bar period. */
const isOrdered = memoized((columns: RecordColumns, { stored, order }: Dataset): boolean => {
  const scope = stored?.period?.key ? ['period'] : []
  return orderedRows(columns, [...scope, ...order]) === undefined
})

/** The word of a column in the first and in the last row of a slice. */
function endsOf({ columns, rows }: RowSlice, name: string): readonly [string, string] {
  const ends = rows instanceof Int32Array ? [rows.at(0), rows.at(-1)] : [rows.from, rows.to - 1]
  const values = columns.columns.get(name) as ColumnData
  return ends.map((row) => String(cellOf(values, row as number))) as [string, string]
}

/**
 * Slices in the order of the contract, where rows that were picked from parts, ascending in each, already are in it; undefined
 * where they must be sorted. Parts come by day: several are in order, or turned round, when the order begins with that day.
 * One period a query is the rule of the bars.
 */
function storedOrder(dataset: Dataset, slices: readonly RowSlice[]): readonly RowSlice[] | undefined {
  if (!slices.every(({ columns }) => isOrdered(columns, dataset))) return undefined
  if (slices.length < 2) return slices
  const [first = ''] = dataset.order
  const name = first.replace(/^-/, '')
  if (name !== dayColumn(dataset)) return undefined
  const isFalling = name !== first
  const ordered = isFalling ? slices.toReversed() : slices
  const ends = ordered.map((slice) => endsOf(slice, name))
  const isApart = ends.every(([start], i) => {
    const before = ends[i - 1]?.[1]
    return before === undefined || (isFalling ? before > start : before < start)
  })
  return isApart ? ordered : undefined
}

/** Slices whose rows stand in an order: as they are stored, or sorted. */
function inOrder(dataset: Dataset, slices: readonly RowSlice[], order: readonly string[]): readonly RowSlice[] {
  const stored = order === dataset.order ? storedOrder(dataset, slices) : undefined
  if (stored) return stored
  const columns = joinSlices(dataset, slices)
  const rows = orderedRows(columns, order)
  return [wholeSlice(rows ? gatherRows(columns, rows) : columns)]
}

interface OrderedAnswer {
  readonly found: RuleResult
  readonly ordered: readonly RowSlice[]
}

async function findInOrder(
  snapshot: Snapshot,
  dataset: Dataset,
  query: Query,
  more: RuleOptions,
): Promise<OrderedAnswer> {
  const found = await answerRules[dataset.archiveRule](snapshot, dataset, query, more)
  const order = query.view === 'source' ? ['source', ...dataset.order] : dataset.order
  return { found, ordered: inOrder(dataset, found.slices, order) }
}

/** Rows of an answer that is kept for its other pages. */
const mostKept = 500_000
const lastPaged = memoizedLast<Snapshot, OrderedAnswer>(({ ordered }) => countSliceRows(ordered) <= mostKept)

/** The same for who turns pages: the rows are found and brought into order for the first page, and kept until another query is asked. */
function findForPages(snapshot: Snapshot, dataset: Dataset, query: Query, more: RuleOptions): Promise<OrderedAnswer> {
  const key = JSON.stringify([dataset.name, { ...query, limit: 0, offset: 0 }])
  return lastPaged(snapshot, key, () => findInOrder(snapshot, dataset, query, more))
}

/** An answer before any cell is copied: which rows of which parts, in their order. */
export interface SelectedRows {
  readonly query: Query
  /** Names of the params that the caller gave. */
  readonly given: ReadonlySet<string>
  /** Columns, in the order of the request. */
  readonly fields: readonly string[]
  readonly slices: readonly RowSlice[]
  readonly rows: number
  readonly complete: boolean
  readonly proof?: Proof
  readonly note?: Words
  /** Rows that match. */
  readonly total: number
  /** Trading days asked for that have no row. */
  readonly without?: { readonly days: readonly string[] }
  /** What stands beside the rows in a reply. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly state: string
}

/** Which of the rows found come back, and why not all, where rows are cut. `given`: params as the caller gave them. */
function cutRows(
  { limit }: Dataset,
  query: Query,
  given: ReadonlySet<string>,
  { found, total }: { readonly found: number; readonly total: number },
  whole: boolean,
): { readonly from: number; readonly to: number; readonly note?: Words } {
  if (limit.kind === 'none' || (limit.kind === 'cap' && (whole || total <= limit.rows))) return { from: 0, to: total }
  if (limit.kind === 'cap') return { from: 0, to: limit.rows, note: sentence`the first ${limit.rows} of ${total} rows` }
  const from = given.has('offset') ? Number(query.offset) : 0
  if (query.view === 'source') {
    return { from, to: found, ...(found === total ? {} : { note: sentence`at most ${query.limit} of each source` }) }
  }
  const to = whole && !given.has('limit') ? total : Math.max(from, Math.min(total, from + Number(query.limit)))
  return { from, to, ...(from === 0 && to >= total ? {} : { note: sentence`rows ${from + 1} to ${to} of ${total}` }) }
}

/**
 * The rows that a request is answered with: params and fields checked, the operation's rule applied, rows in the contract's
 * order, cut as the contract says.
 * @throws ParamsError for a request that the contract does not allow
 */
export async function selectRows(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  options: Pick<QueryOptions, 'fields' | 'whole' | 'signal'> & RuleOptions,
): Promise<SelectedRows> {
  const query = checkParams(dataset, params)
  const fields = checkFields(dataset, options.fields, query)
  const given = givenIn(params)
  const whole = options.whole === true
  const limited = whole && query.view === 'source' && !given.has('limit') ? { ...query, limit: Infinity } : query
  const find = dataset.limit.kind === 'page' && !whole ? findForPages : findInOrder
  const { found, ordered } = await find(snapshot, dataset, limited, options)
  options.signal?.throwIfAborted()
  const length = countSliceRows(ordered)
  const total = found.matched ?? length
  const cut = cutRows(dataset, query, given, { found: length, total }, whole)
  const slices = sliceRows(ordered, cut.from, cut.to)
  const rows = countSliceRows(slices)
  const entry = snapshot.entry(dataset.name)
  const isPaged = !whole || given.has('limit') || given.has('offset')
  const besides = {
    none: undefined,
    cap: undefined,
    page: isPaged ? { limit: query.limit, offset: query.offset, total } : { total },
    newest: { count: rows, view: query.view, ...entry?.beside },
  }
  const beside = besides[dataset.limit.kind]
  const completeness: AnswerCompleteness =
    cut.note === undefined ? await proveComplete(snapshot, dataset, query, found) : { note: cut.note }
  const partial = entry?.partial && cut.note === undefined ? partialNote : undefined
  const unproven = [partial, snapshot.note?.(dataset.name), completeness.note, upstreamNote(beside)].filter(
    (note) => note !== undefined,
  )
  const proof = unproven.length === 0 ? completeness.proof : undefined
  const why = total === 0 ? await emptyWords(snapshot, dataset, query) : undefined
  const notes = [...(unproven.length === 0 ? [found.note] : unproven), why].filter((one) => one !== undefined)
  return {
    query,
    given,
    fields,
    slices,
    rows,
    complete: proof !== undefined,
    ...(proof === undefined ? {} : { proof }),
    ...(notes.length === 0 ? {} : { note: listOf(notes) }),
    total,
    ...(completeness.absentDays ? { without: { days: completeness.absentDays } } : {}),
    ...(beside ? { beside } : {}),
    state: snapshot.state,
  }
}
