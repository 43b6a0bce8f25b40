import type { Table } from 'apache-arrow'
import { checkFields } from '../../contract/check-fields.js'
import { toTable } from '../../frame/arrow.js'
import { type Call, type Proof, type Provenance, provenance, provenanceMetadata } from '../../frame/provenance.js'
import { columnsOf } from '../../frame/unwrap.js'
import { type Columns, project } from '../../frame/values.js'
import { absent } from '../../source/answer/absent.js'
import { joinPieces } from '../../source/answer/merge.js'
import { orderedAndUnique } from '../../source/answer/order.js'
import { onDay } from '../../source/intent.js'
import type { Wish } from './wish.js'

/** The requests that were sent, together. */
export function summed(calls: readonly Call[]): Call {
  const sum = (of: (call: Call) => number): number => calls.reduce((total, call) => total + of(call), 0)
  const sent = calls.filter(({ at }) => at !== '')
  return {
    requests: sum((call) => call.requests),
    splits: sum((call) => call.splits),
    retries: sum((call) => call.retries),
    nodes: [...new Set(calls.flatMap((call) => call.nodes))].sort(),
    bytes: sum((call) => call.bytes),
    milliseconds: sum((call) => call.milliseconds),
    at: sent.map(({ at }) => at).sort()[0] ?? '',
  }
}

/** What the least of several answers rests on. */
function weakest(proofs: readonly (Proof | undefined)[]): Proof | undefined {
  if (proofs.includes(undefined)) return undefined
  const order: readonly Proof[] = ['contract', 'cap', 'total']
  return order.find((proof) => proofs.includes(proof))
}

/** Rows were kept only when they were proven whole, by the means of the dataset. */
function proofOfKept({ dataset }: Wish): Proof {
  return dataset.limit.kind === 'cap' ? 'cap' : 'contract'
}

function columnsWanted({ dataset, query, days }: Wish): readonly string[] {
  return checkFields(dataset, undefined, onDay(dataset, query, days.way === 'list' ? days.days[0] : undefined))
}

/** Rows of the cache and of the service as one answer to a query. */
export interface Assembly {
  /** Rows of the cache. */
  readonly held: Columns
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
  const columns = orderedAndUnique(dataset, query, joinPieces(parts, names))
  const abouts = fetched.map((table) => provenance(table))
  const complete = abouts.every((about) => about?.complete === true)
  const proof = weakest([
    ...abouts.map((about) => about?.proof),
    ...(held.length > 0 || fetched.length === 0 ? [proofOfKept(wish)] : []),
  ])
  const said = [...new Set([...abouts.flatMap((about) => about?.note ?? []), ...notes])]
  const listed = days.way === 'list' ? days.days : undefined
  const without = absent(dataset, query, listed, columns)
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
