import type { Table } from 'apache-arrow'
import { checkFields } from '../../contract/check-fields.js'
import { queryOnDay } from '../../source/plan/query-plan.js'
import { joinChunks, missingKeys, sortUnique } from '../../source/reply/join-replies.js'
import { toTable } from '../../table/arrow.js'
import { type Call, type Provenance, provenance, provenanceMetadata, weakestProof } from '../../table/provenance.js'
import { columnsOf } from '../../table/unwrap.js'
import { project, type RecordColumns } from '../../table/values.js'
import type { Wish } from './wish.js'

/** The requests that were sent, together. */
export function summed(calls: readonly Call[]): Call {
  const sum = (of: (call: Call) => number): number => calls.reduce((total, call) => total + of(call), 0)
  const sent = calls.filter(({ at }) => at !== '')
  return {
    requests: sum((call) => call.requests),
    splits: sum((call) => call.splits),
    probes: sum((call) => call.probes),
    retries: sum((call) => call.retries),
    nodes: [...new Set(calls.flatMap((call) => call.nodes))].sort(),
    bytes: sum((call) => call.bytes),
    milliseconds: sum((call) => call.milliseconds),
    at: sent.map(({ at }) => at).sort()[0] ?? '',
  }
}

function columnsWanted({ dataset, query, days }: Wish): readonly string[] {
  return checkFields(dataset, undefined, queryOnDay(dataset, query, days.way === 'list' ? days.days[0] : undefined))
}

/** Rows of the cache and of the service as one answer to a query. */
export interface Assembly {
  /** Rows of the cache. */
  readonly held: RecordColumns
  readonly fetched: readonly Table[]
  readonly calls: readonly Call[]
  readonly notes: readonly string[]
}

/** The rows of both in the contract's order, with where they came from, as the service alone would have answered. */
export function assembled(wish: Wish, source: string, { held, fetched, calls, notes }: Assembly): Table {
  const { dataset, query, fields, days } = wish
  const names = columnsWanted(wish)
  const pieces = [held, ...fetched.map(columnsOf)].filter(({ length }) => length > 0)
  const parts = (pieces.length > 0 ? pieces : [held]).map((columns) => project(columns, names))
  const columns = sortUnique(dataset, query, joinChunks(parts, names))
  const abouts = fetched.map((table) => provenance(table))
  const complete = abouts.every((about) => about?.complete === true)
  // Rows were kept only when they had been proven whole, in one way or another.
  const proof = weakestProof([
    ...abouts.map((about) => about?.proof),
    ...(held.length > 0 || fetched.length === 0 ? ['probes' as const] : []),
  ])
  const said = [...new Set([...abouts.flatMap((about) => about?.note ?? []), ...notes])]
  const listed = days.way === 'list' ? days.days : undefined
  const without = missingKeys(dataset, query, listed, columns)
  const about: Provenance = {
    dataset: dataset.name,
    source,
    request: { params: query, fields, ...(listed ? { days: listed } : {}) },
    rows: columns.length,
    complete,
    ...(complete && proof ? { proof } : {}),
    ...(said.length > 0 ? { note: said.join('; ') } : {}),
    ...(without ? { without } : {}),
    call: { ...summed(calls), kept: held.length },
  }
  return toTable(project(columns, fields), dataset.columns, provenanceMetadata(about))
}
