import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { ContractError } from '../../contract/error.js'
import { listOf, sentence, type Words } from '../../contract/sentence.js'
import { toTable } from '../../frame/table/arrow.js'
import { type Call, type Provenance, provenanceMetadata } from '../../frame/table/provenance.js'
import { withSuspects } from '../../frame/table/suspect-rows.js'
import { project, type RecordColumns } from '../../frame/table/values.js'
import { assessCompleteness, forecastNote } from './completeness/assess-completeness.js'
import type { QueryReplies } from './fetch-query.js'
import { daysDue, queryDays } from './plan/asked.js'
import { type PlannedQuery, queryOnDay } from './plan/query-plan.js'
import { requestFields } from './plan/request-params.js'
import type { QueryRequests } from './query-requests.js'
import { checkUnique, joinChunks, missingKeys, sortUnique } from './reply/join-replies.js'
import { distinctValues } from './reply/reply-chunk.js'
import { queryError } from './source-error.js'

function envelopeCounts({ replies, total }: QueryReplies, rows: number): Provenance['beside'] {
  if (total !== undefined) return { total }
  const beside = replies[0]?.chunk.beside ?? {}
  if (Object.keys(beside).length === 0) return undefined
  return replies.length > 1 && 'count' in beside ? { ...beside, count: rows } : beside
}

/** The params that were answered: where all was asked for, limit and offset had no part in it. */
function answeredParams({ query, given, plan }: PlannedQuery): Readonly<Record<string, unknown>> {
  const entries = Object.entries(query)
  return Object.fromEntries(
    entries.filter(([name]) => plan.strategy === 'once' || given.has(name) || (name !== 'limit' && name !== 'offset')),
  )
}

/** Columns that the contract does not know, as they came up. Those that it knows and nobody asked for are let go. */
function unknownColumns(
  { columns, stored }: Dataset,
  { columns: of }: RecordColumns,
  fields: readonly string[],
): string[] {
  const isKnown = (name: string): boolean => Object.hasOwn(columns, name) || Object.hasOwn(stored ?? {}, name)
  return [...of.keys()].filter((name) => !fields.includes(name) && !isKnown(name))
}

/** Candidates of the latest day, in several replies, are all of the same day and of the one after it. */
function checkLatest({ dataset, query, days }: PlannedQuery, columns: RecordColumns): void {
  if (days || !dataset.stored?.computed_on || !queryDays(dataset, query, {}).isLatest) return
  const found = distinctValues(columns, dataset.day ?? '')
  if (found.length <= 2) return
  const what = sentence`a new day began between two replies (${[...found].sort().join(', ')}); ask again, or give a date`
  throw queryError('UNSTABLE', { dataset, query }, what)
}

/** What the rows themselves tell, as an archive says it too. */
function noteIn({ dataset, query, days }: PlannedQuery, columns: RecordColumns): Words | undefined {
  if (days || !dataset.stored?.computed_on || dataset.day === undefined) return undefined
  return forecastNote(distinctValues(columns, dataset.day), query.tradedate)
}

/** The rows in order. A key that is there twice in several pages is more likely a row that moved from one to the next. */
function sortReplies(planned: PlannedQuery, { replies }: QueryReplies, rows: RecordColumns): RecordColumns {
  const { dataset, query, plan } = planned
  try {
    const sorted = sortUnique(dataset, query, rows)
    const isOnce = dataset.key.length === 0 && query.version !== 'all' && plan.strategy === 'pages'
    if (isOnce) checkUnique(dataset, [...sorted.columns.keys()], sorted)
    return sorted
  } catch (cause) {
    const isOfPages = plan.strategy === 'pages' && (replies.length > 1 || dataset.key.length === 0)
    if (!(cause instanceof ContractError && isOfPages)) throw cause
    throw queryError('UNSTABLE', planned, sentence`${cause.what}; rows moved between two pages, ask again`, { cause })
  }
}

/**
 * What came as one table: joined, ordered, compared with its key and its counts, with where it came from.
 * @throws ContractError for a key that is there twice; SourceError, TruncatedError for replies that contradict their counts
 */
export function answerTable(
  { planned, allowTruncated }: QueryRequests,
  results: QueryReplies,
  source: string,
  call: Call,
): Table {
  const { dataset, query, fields, days } = planned
  const completeness = assessCompleteness(planned, results, allowTruncated)
  const dated = queryOnDay(dataset, query, days?.[0])
  const joined = joinChunks(results.rows, requestFields(dataset, dated, fields) ?? fields)
  checkLatest(planned, joined)
  const columns = sortReplies(planned, results, joined)
  const extra = unknownColumns(dataset, columns, fields)
  const beside = envelopeCounts(results, columns.length)
  const bars = results.missing ?? []
  const keys = missingKeys(dataset, query, daysDue(planned, distinctValues(columns, dataset.day ?? '')), columns)
  const without = bars.length > 0 ? { ...keys, bars } : keys
  const notes = [completeness.note, noteIn(planned, columns)].flatMap((note) => note ?? [])
  const about: Provenance = {
    dataset: dataset.name,
    source,
    request: { params: answeredParams(planned), fields, ...(days ? { days } : {}) },
    rows: columns.length,
    ...completeness,
    ...(notes.length > 0 ? { note: listOf(notes) } : {}),
    ...(beside ? { beside } : {}),
    ...(extra.length > 0 ? { extra } : {}),
    ...(without ? { without } : {}),
    call,
  }
  const metadata = provenanceMetadata(withSuspects(dataset, columns, about))
  return toTable(project(columns, [...fields, ...extra]), dataset.columns, metadata)
}
