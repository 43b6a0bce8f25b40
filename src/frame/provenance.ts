import { Schema, Table } from 'apache-arrow'
import { keepRich } from './show/keep-rich.js'

/** Where a table came from and whether it is whole; travels in its schema metadata, through Arrow IPC and Parquet. */
export interface Provenance {
  readonly dataset: string
  /** `archive`, `memory`, `file`, or the node that answered. */
  readonly source: string
  /** Canonical params and the fields asked for. */
  readonly request: { readonly params: Readonly<Record<string, unknown>>; readonly fields: readonly string[] }
  readonly rows: number
  /** Proven to hold every row that the source has and that matches. Of days that an archive does not hold it says nothing. */
  readonly complete: boolean
  /** Why it is not complete, or what the reader should know. */
  readonly note?: string
  /** Rows that match, where the source counts them. */
  readonly total?: number
  /** What stands beside the rows in a reply: limit, offset, count, view, meta. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** sha256 of the archive state that answered. */
  readonly state?: string
}

const key = 'quotebook'

export function provenanceMetadata(provenance: Provenance): Map<string, string> {
  return new Map([[key, JSON.stringify(provenance)]])
}

/** Where a table came from; undefined for a table that Quotebook did not make. */
export function provenance(table: Table): Provenance | undefined {
  const text = table.schema.metadata.get(key)
  return text === undefined ? undefined : (JSON.parse(text) as Provenance)
}

/** The same table under another provenance. */
export function withProvenance(table: Table, about: Provenance): Table {
  const metadata = new Map([...table.schema.metadata, ...provenanceMetadata(about)])
  return keepRich(table, new Table(new Schema(table.schema.fields, metadata), table.batches))
}
