import { checkFields } from '../../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { partialNote, upstreamNote } from '../../source/completeness/assess-completeness.js'
import type { QueryOptions } from '../../source/source.js'
import { orderedRows } from '../../table/check-table.js'
import { gatherRows } from '../../table/gather-rows.js'
import type { Proof } from '../../table/provenance.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'
import { dayColumn } from '../merge-rows.js'
import type { Snapshot } from '../snapshot.js'
import { answerRules } from './answer-rules.js'
import { type AnswerCompleteness, proveComplete } from './completeness.js'
import { countSliceRows, joinSlices, type RowSlice, sliceLength, sliceRows, wholeSlice } from './row-slices.js'

const known = new WeakMap<RecordColumns, boolean>()

/** Whether all rows of a part stand in the order of the contract, within their bar period; looked at once for each part. */
function isOrdered(dataset: Dataset, columns: RecordColumns): boolean {
  let ordered = known.get(columns)
  if (ordered === undefined) {
    const scope = dataset.stored?.period?.key ? ['period'] : []
    ordered = orderedRows(columns, [...scope, ...dataset.order]) === undefined
    known.set(columns, ordered)
  }
  return ordered
}

/** Whether the first rows of each slice come after the last ones of the slice before, by the column that leads the order. */
function isApart(slices: readonly RowSlice[], name: string, sign: 1 | -1): boolean {
  const at = ({ columns, rows }: RowSlice, last: boolean): string => {
    const row = rows instanceof Int32Array ? rows.at(last ? -1 : 0) : last ? rows.to - 1 : rows.from
    return String(cellOf(columns.columns.get(name) as ColumnData, row as number))
  }
  return slices.every((slice, i) => {
    const before = slices[i - 1]
    if (!before) return true
    const [a, b] = [at(before, true), at(slice, false)]
    return sign > 0 ? a < b : a > b
  })
}

/**
 * Pieces in the order of the contract, where rows that were picked from parts, ascending in each, already are in it; undefined
 * where they must be sorted. Parts come by day: several are in order, or turned round, when the order begins with that day.
 * One period a query is the rule of the bars.
 */
function storedOrder(dataset: Dataset, slices: readonly RowSlice[]): readonly RowSlice[] | undefined {
  const some = slices.filter((slice) => sliceLength(slice) > 0)
  if (!some.every(({ columns }) => isOrdered(dataset, columns))) return undefined
  if (some.length < 2) return slices
  const [first = ''] = dataset.order
  const isFalling = first.startsWith('-')
  const name = isFalling ? first.slice(1) : first
  if (name !== dayColumn(dataset)) return undefined
  const ordered = isFalling ? some.toReversed() : some
  return isApart(ordered, name, isFalling ? -1 : 1) ? ordered : undefined
}

/** An answer before any cell is copied: which rows of which parts, in their order. */
export interface SelectedRows {
  readonly query: Query
  /** Names of the params that the caller gave. */
  readonly asked: ReadonlySet<string>
  /** Columns, in the order wanted. */
  readonly fields: readonly string[]
  readonly slices: readonly RowSlice[]
  readonly rows: number
  /** Rows that match. */
  readonly total: number
  readonly complete: boolean
  readonly proof?: Proof
  readonly note?: string
  /** Trading days asked for that have no row. */
  readonly without?: { readonly days: readonly string[] }
  /** What stands beside the rows in a reply. */
  readonly beside?: Readonly<Record<string, unknown>>
  readonly state: string
}

interface Cut {
  readonly from: number
  readonly to: number
  readonly complete: boolean
  readonly note?: string
}

/** Which of the rows found come back. `asked`: the params as the caller gave them, without defaults. */
function cutOf(
  dataset: Dataset,
  query: Query,
  asked: ReadonlySet<string>,
  { found, total }: { found: number; total: number },
  whole: boolean,
): Cut {
  const { limit } = dataset
  if (limit.kind === 'none') return { from: 0, to: total, complete: true }
  if (limit.kind === 'cap') {
    if (whole || total <= limit.rows) return { from: 0, to: total, complete: true }
    return { from: 0, to: limit.rows, complete: false, note: `the first ${limit.rows} of ${total} rows` }
  }
  const from = asked.has('offset') ? Number(query.offset) : 0
  if (query.view === 'source')
    return {
      from,
      to: found,
      complete: found === total,
      ...(found === total ? {} : { note: `at most ${query.limit} of each source` }),
    }
  const to = whole && !asked.has('limit') ? total : Math.max(from, Math.min(total, from + Number(query.limit)))
  const complete = from === 0 && to >= total
  return { from, to, complete, ...(complete ? {} : { note: `rows ${from + 1} to ${to} of ${total}` }) }
}

function besideOf(
  dataset: Dataset,
  query: Query,
  whole: boolean,
  total: number,
  rows: number,
  meta: SelectedRows['beside'],
): SelectedRows['beside'] {
  if (dataset.limit.kind === 'page') return whole ? { total } : { limit: query.limit, offset: query.offset, total }
  return dataset.limit.kind === 'newest' ? { count: rows, view: query.view, ...meta } : undefined
}

/** Pieces whose rows stand in the order of the contract: parts hold theirs in it, and days follow each other. */
function inOrder(dataset: Dataset, slices: readonly RowSlice[], order: readonly string[]): readonly RowSlice[] {
  const stored = order === dataset.order ? storedOrder(dataset, slices) : undefined
  if (stored) return stored
  const columns = joinSlices(dataset, slices)
  const rows = orderedRows(columns, order)
  return [wholeSlice(rows ? gatherRows(columns, rows) : columns)]
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
  options: Pick<QueryOptions, 'fields' | 'whole' | 'signal'> & { readonly allBars?: boolean },
): Promise<SelectedRows> {
  const query = checkParams(dataset, params)
  const fields = checkFields(dataset, options.fields, query)
  const asked = givenIn(params)
  const all = options.whole === true
  const sourceView = query.view === 'source'
  const unlimited = all && sourceView && !asked.has('limit')
  const found = await answerRules[dataset.archiveRule](
    snapshot,
    dataset,
    unlimited ? { ...query, limit: Infinity } : query,
    options.allBars === true,
  )
  options.signal?.throwIfAborted()
  const ordered = inOrder(dataset, found.slices, sourceView ? ['source', ...dataset.order] : dataset.order)
  const length = countSliceRows(ordered)
  const total = found.matched ?? length
  const cut = cutOf(dataset, query, asked, { found: length, total }, all)
  const slices = sliceRows(ordered, cut.from, cut.to)
  const rows = countSliceRows(slices)
  const isWhole = all && !asked.has('limit') && !asked.has('offset')
  const entry = snapshot.entry(dataset.name)
  const beside = besideOf(dataset, query, isWhole, total, rows, entry?.beside)
  const upstream = upstreamNote(beside)
  const shown: AnswerCompleteness = cut.complete
    ? await proveComplete(snapshot, dataset, query, found)
    : { note: cut.note as string }
  const why = [entry?.partial && cut.complete ? partialNote : undefined, shown.note, upstream]
  const unproven = why.filter((note) => note !== undefined)
  const proof = unproven.length === 0 ? shown.proof : undefined
  const note = unproven.length === 0 ? found.note : unproven.join('; ')
  return {
    query,
    asked,
    fields,
    slices,
    rows,
    total,
    complete: proof !== undefined,
    ...(proof === undefined ? {} : { proof }),
    ...(note === undefined ? {} : { note }),
    ...(shown.absentDays ? { without: { days: shown.absentDays } } : {}),
    ...(beside ? { beside } : {}),
    state: snapshot.state,
  }
}
