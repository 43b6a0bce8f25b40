import type { Table } from 'apache-arrow'
import { checkFields } from '../../../contract/check-fields.js'
import { listOf, unlike, type Words } from '../../../contract/sentence.js'
import { toTable } from '../../../frame/table/arrow.js'
import {
  type Call,
  type Provenance,
  provenance,
  provenanceMetadata,
  weakestProof,
  withProvenance,
} from '../../../frame/table/provenance.js'
import { withSuspects } from '../../../frame/table/suspect-rows.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import { project, type RecordColumns } from '../../../frame/table/values.js'
import { queryOnDay } from '../../source/plan/query-plan.js'
import { joinChunks, missingKeys, sortUnique } from '../../source/reply/join-replies.js'
import type { CacheQuery } from './covered-query.js'

/** The requests behind tables, as one call. */
function callOf(tables: readonly Table[]): Call {
  const calls = tables.flatMap((table) => provenance(table)?.call ?? [])
  const sum = (of: (call: Call) => number): number => calls.reduce((total, call) => total + of(call), 0)
  return {
    requests: sum((call) => call.requests),
    splits: sum((call) => call.splits),
    probes: sum((call) => call.probes),
    retries: sum((call) => call.retries),
    nodes: [...new Set(calls.flatMap((call) => call.nodes))].sort(),
    bytes: sum((call) => call.bytes),
    milliseconds: sum((call) => call.milliseconds),
    at: calls.flatMap(({ at }) => at || []).sort()[0] ?? '',
  }
}

/** The same table with the requests behind tables that were asked for before it. */
export function withCalls(table: Table, asked: readonly Table[]): Table {
  const about = provenance(table)
  if (!about || asked.length === 0) return table
  return withProvenance(table, { ...about, call: callOf([...asked, table]) })
}

/** Rows of the cache and of the service as one answer to a query. */
export interface Answers {
  readonly cached: RecordColumns
  readonly fetched: readonly Table[]
  /** All that was asked for it. */
  readonly asked: readonly Table[]
  readonly notes: readonly Words[]
}

/** The rows of both in the contract's order, with where they came from, as the service alone would have answered. */
export function joinAnswers(cacheQuery: CacheQuery, source: string, { cached, fetched, asked, notes }: Answers): Table {
  const { dataset, query, fields, listed } = cacheQuery
  const names = checkFields(dataset, undefined, queryOnDay(dataset, query, listed?.[0]))
  const chunks = [cached, ...fetched.map(columnsOf)].map((columns) => project(columns, names))
  const columns = sortUnique(dataset, query, joinChunks(chunks, names))
  const abouts = fetched.map((table) => provenance(table))
  const complete = abouts.every((about) => about?.complete === true)
  // Rows were stored only when they had been proven whole, in one way or another.
  const ofCache = cached.length > 0 || fetched.length === 0 ? ['probes' as const] : []
  const proof = weakestProof([...abouts.map((about) => about?.proof), ...ofCache])
  const allNotes = unlike([...abouts.flatMap((about) => about?.note ?? []), ...notes])
  const without = missingKeys(dataset, query, listed, columns)
  const about: Provenance = {
    dataset: dataset.name,
    source,
    request: { params: query, fields, ...(listed ? { days: listed } : {}) },
    rows: columns.length,
    complete,
    ...(complete && proof ? { proof } : {}),
    ...(allNotes.length > 0 ? { note: listOf(allNotes) } : {}),
    ...(without ? { without } : {}),
    call: { ...callOf(asked), kept: cached.length },
  }
  const metadata = provenanceMetadata(withSuspects(dataset, columns, about))
  return toTable(project(columns, fields), dataset.columns, metadata)
}
