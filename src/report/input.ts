import type { Table } from 'apache-arrow'
import type { Flows } from '../analysis/southbound/flows.js'
import type { JoinedFlows } from '../analysis/southbound/join.js'
import type { LawResult } from '../checks/law.js'
import type { DatasetName } from '../contract/catalogue.js'
import { provenance } from '../table/provenance.js'

/** All that a report is made from. Nothing else enters it: no clock, no locale, no network. */
export interface ReportInput {
  readonly title?: string | undefined
  readonly source: {
    readonly name: string
    /** What a reader must know first: that the data is synthetic, say. */
    readonly about?: string
    /** sha256 of the archive state. */
    readonly state?: string | undefined
    /** The archive changed while it was read: there is no one state that all tables are of. */
    readonly changed?: boolean | undefined
    readonly inputs: readonly {
      readonly dataset: string
      readonly rows: number
      readonly sha256?: string | undefined
    }[]
  }
  /** Trading days that were asked for; there may be fewer. */
  readonly asked?: number | undefined
  /** The ranges that were loaded. Any may be missing or empty. */
  readonly tables: { readonly [N in DatasetName]?: Table | undefined }
  /** Further tables of datasets of which one is in `tables` already, of another period say. */
  readonly more?: readonly { readonly dataset: DatasetName; readonly table: Table }[] | undefined
  /** One day of the auction-tick files, as it was read. */
  readonly ticks?: { readonly day: string; readonly table: Table } | undefined
  /** Why there are none, where the source has some that can not be read. */
  readonly withoutTicks?: string | undefined
  /** Every law and what came of it, in reading order. */
  readonly checks: readonly LawResult[]
  /** Southbound flows, and beside an index, of the same day and of the next, where the source has it. */
  readonly flows?:
    | {
        readonly flows: Flows
        readonly sameDay?: JoinedFlows | undefined
        readonly nextDay?: JoinedFlows | undefined
      }
    | undefined
}

/** A table that is there and holds rows. */
export function filled(table: Table | undefined): Table | undefined {
  return table && table.numRows > 0 ? table : undefined
}

/** A dataset by name, with the period of its bars where its table was asked with one: `etf_minute, 15m`. */
export function titleOf(name: DatasetName, table: Table): string {
  const period = provenance(table)?.request.params.period
  return typeof period === 'string' ? `${name}, ${period}` : name
}
