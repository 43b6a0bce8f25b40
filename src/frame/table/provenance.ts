import { Schema, Table } from 'apache-arrow'
import type { Suspect } from '../../contract/row-laws.js'
import { fact, isFact, received, sent, type Words } from '../../contract/sentence.js'
import { madeTable } from './on-table-made.js'

/** The particulars of a reply from a service over HTTP. They differ from call to call, so files do not contain them. */
export interface Call {
  readonly requests: number
  /** Times that a reply which was cut, or may have been, was asked again in parts. */
  readonly splits: number
  /** Requests, of all, that only had to show that nothing is missing. */
  readonly probes: number
  readonly retries: number
  /** Nodes that answered. */
  readonly nodes: readonly string[]
  /** Bytes received, as they came over the wire. */
  readonly bytes: number
  readonly milliseconds: number
  /** When the first request went out, Beijing time, ISO 8601; empty when none was needed. */
  readonly at: string
  /** Rows that came from a local cache of earlier answers, if there is one. */
  readonly kept?: number
}

/**
 * What `complete` rests on. `total`: the rows are as many as the source counts. `grid`: every bar of the session's grid is
 * there. `calendar`: every trading day has as many rows as there can be. `probes`: what was missing was asked for again and
 * its absence confirmed, and a reply of another size showed that this one was not cut. `state`: one state of an archive was
 * read, whose every byte is named.
 */
export type Proof = (typeof proofs)[number]

/** From the weakest. */
const proofs = ['probes', 'calendar', 'grid', 'total', 'state'] as const

/** What several answers together rest on: the weakest of their proofs; undefined when one of them has none. */
export function weakestProof(all: readonly (Proof | undefined)[]): Proof | undefined {
  return all.includes(undefined) ? undefined : proofs.find((proof) => all.includes(proof))
}

/** Symbols, days, and cells of the grid, which were asked for and have no row. */
export interface Absence {
  readonly symbols?: readonly string[]
  readonly days?: readonly string[]
  /** Bars or days that a symbol lacks between others; `closes` is absent where a day is one row. */
  readonly bars?: readonly MissingBars[]
}

/** The bars of a symbol and day without a row, by their closing minutes. */
export interface MissingBars {
  readonly symbol: string
  readonly day: string
  readonly closes?: readonly string[]
}

/**
 * The origin of a table, and whether it is complete. It is part of the schema metadata and travels through Arrow IPC
 * and Parquet.
 */
export interface Provenance {
  readonly dataset: string
  /** `archive`, `memory`, `file`, or the nodes that were asked. */
  readonly source: string
  /** Canonical params and the fields asked for; the days, if an operation of one day a call was run over several. */
  readonly request: {
    readonly params: Readonly<Record<string, unknown>>
    readonly fields: readonly string[]
    readonly days?: readonly string[]
  }
  readonly rows: number
  /** Proven to hold every row that the source has and that matches. Of days that an archive does not hold it says nothing. */
  readonly complete: boolean
  readonly proof?: Proof
  /** Why it is not complete, or what the reader should know. */
  readonly note?: Words
  /** Rows that match, if the source counts them. */
  readonly total?: number
  /** What stands beside the rows in a reply: limit, offset, count, view, meta. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** sha256 of the archive state that answered; absent when rows are of several. */
  readonly state?: string
  /** Columns that came and are not in the contract. */
  readonly extra?: readonly string[]
  /** What was asked for and has no row. */
  readonly without?: Absence
  /** Rows that break a law of such data, by law; absent if none does. They are in the table, as they came. */
  readonly suspect?: readonly Suspect[]
  /** Settled days of which a later answer lacked rows or values: the rows are those before. They are suspect too. */
  readonly waiting?: readonly string[]
  readonly call?: Call
}

/** Said of rows that were not read from one state of an archive. */
export const changedNote = fact('ARCHIVE_CHANGED', 'rows of different states of the archive, which changed meanwhile')

/** The state that all parts are of; where they are of several, no state, and a note. */
export function stateOf(parts: readonly Pick<Provenance, 'note' | 'state'>[]): Pick<Provenance, 'note' | 'state'> {
  const states = new Set(parts.map(({ state }) => state))
  const [first] = states
  const isMixed = [...states].filter((state) => state !== undefined).length > 1
  if (isMixed || parts.some(({ note }) => isFact(note) && note.code === changedNote.code)) return { note: changedNote }
  return states.size === 1 && first !== undefined ? { state: first } : {}
}

const key = 'quotebook'
const callKey = 'quotebook.call'
const noteKey = 'quotebook.note'

export function provenanceMetadata({ call, ...about }: Provenance): Map<string, string> {
  const metadata = new Map([[key, JSON.stringify(about)]])
  if (call) metadata.set(callKey, JSON.stringify(call))
  if (isFact(about.note)) metadata.set(noteKey, JSON.stringify(sent(about.note)))
  return metadata
}

function read(metadata: ReadonlyMap<string, string>): Provenance | undefined {
  const [text, call, note] = [key, callKey, noteKey].map((one) => metadata.get(one))
  if (text === undefined) return undefined
  return {
    ...(JSON.parse(text) as Provenance),
    ...(call !== undefined && { call: JSON.parse(call) as Call }),
    ...(note !== undefined && { note: received(JSON.parse(note)) }),
  }
}

const ofFrames = new WeakMap<object, Provenance>()

/**
 * Returns where a table, or a DataFrame made by a loader, came from; undefined for data that Quotebook did not load.
 */
export function provenance(data: object): Provenance | undefined {
  const known = ofFrames.get(data)
  if (known) return known
  const { schema } = data as { readonly schema?: { readonly metadata: ReadonlyMap<string, string> } }
  return schema?.metadata instanceof Map ? read(schema.metadata) : undefined
}

/** Keeps for a frame where the data that it was made of came from. */
export function keepProvenance(frame: object, data: object): void {
  const about = provenance(data)
  if (about) ofFrames.set(frame, about)
}

function withMetadata(table: Table, metadata: Map<string, string>): Table {
  return madeTable(new Table(new Schema(table.schema.fields, metadata), table.batches))
}

/** The same table under another provenance. */
export function withProvenance(table: Table, about: Provenance): Table {
  const { metadata } = table.schema
  const kept = [...metadata].filter(([name]) => name !== key && name !== callKey && name !== noteKey)
  return withMetadata(table, new Map([...kept, ...provenanceMetadata(about)]))
}

/** The same table as it is written into a file: the same answer is the same bytes, however it came about. */
export function asWritten(table: Table): Table {
  const { metadata } = table.schema
  if (!metadata.has(callKey) && !metadata.has(noteKey)) return table
  return withMetadata(table, new Map([...metadata].filter(([name]) => name !== callKey && name !== noteKey)))
}
