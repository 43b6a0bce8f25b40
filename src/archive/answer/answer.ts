import type { Table } from 'apache-arrow'
import type { DatasetName } from '../../contract/catalogue.js'
import { checkFields } from '../../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { toTable } from '../../frame/arrow.js'
import { type Provenance, provenanceMetadata } from '../../frame/provenance.js'
import { type Columns, project } from '../../frame/values.js'
import type { QueryOptions } from '../../source/source.js'
import type { Shelf } from '../shelf.js'
import { announcement } from './announcement.js'
import { anomaly } from './anomaly.js'
import { daily, financing } from './daily.js'
import { hotstock } from './hotstock.js'
import { interactiveQa } from './interactive-qa.js'
import { minute } from './minute.js'
import { news } from './news.js'
import type { Rule } from './rule.js'
import { slice, sorted } from './scan.js'
import { share } from './share.js'
import { members, themeDetail } from './theme.js'

const rules: Readonly<Record<DatasetName, Rule>> = {
  news,
  theme_lib_detail_kp: themeDetail,
  hotstock,
  st: daily,
  convertible_minute: minute,
  etf_minute: minute,
  theme_daily: daily,
  convertible_daily: daily,
  transfer_financing: financing,
  thememembers_jx: members,
  southbound_top10: daily,
  anomaly_forecast: anomaly,
  file_download: share,
  finance_announcement: announcement,
  interactive_qa: interactiveQa,
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
  meta: Provenance['beside'],
) {
  if (dataset.limit.kind === 'page') return whole ? { total } : { limit: query.limit, offset: query.offset, total }
  return dataset.name === 'news' ? { count: rows, view: query.view, ...meta } : undefined
}

/** The params that were answered: when the whole was asked for, the defaults of limit and offset had no part in it. */
function requestOf(query: Query, asked: ReadonlySet<string>, whole: boolean): Query {
  const entries = Object.entries(query)
  return Object.fromEntries(
    entries.filter(([name]) => !whole || asked.has(name) || (name !== 'limit' && name !== 'offset')),
  )
}

/**
 * The answer of an archive state to a request: params and fields checked, the operation's rule applied, rows in the
 * contract's order, cut as the contract says, with the provenance that tells whether that is all.
 */
export async function answer(
  shelf: Shelf,
  dataset: Dataset,
  params: unknown,
  options: QueryOptions,
  source: string,
): Promise<Table> {
  const query = checkParams(dataset, params)
  const fields = checkFields(dataset, options.fields, query)
  const asked = givenIn(params)
  const whole = options.whole === true
  const sourceView = query.view === 'source'
  const unlimited = whole && sourceView && !asked.has('limit')
  const found = await rules[dataset.name as DatasetName](
    shelf,
    dataset,
    unlimited ? { ...query, limit: Infinity } : query,
  )
  options.signal?.throwIfAborted()
  const ordered = sorted(found.columns, sourceView ? ['source', ...dataset.order] : dataset.order)
  const total = found.matched ?? ordered.length
  const cut = cutOf(dataset, query, asked, { found: ordered.length, total }, whole)
  const columns: Columns = project(slice(ordered, cut.from, cut.to), fields)
  const beside = besideOf(
    dataset,
    query,
    whole && !asked.has('limit') && !asked.has('offset'),
    total,
    columns.length,
    shelf.beside(dataset.name),
  )
  const isPartial = shelf.isPartial(dataset.name)
  const note = cut.note ?? (isPartial ? 'some of its rows were imported from replies that had been cut' : found.note)
  const about: Provenance = {
    dataset: dataset.name,
    source,
    request: { params: requestOf(query, asked, whole), fields },
    rows: columns.length,
    complete: cut.complete && !isPartial,
    ...(note === undefined ? {} : { note }),
    total,
    ...(beside ? { beside } : {}),
    state: shelf.state,
  }
  return toTable(columns, { ...dataset.columns, ...dataset.stored }, provenanceMetadata(about))
}
