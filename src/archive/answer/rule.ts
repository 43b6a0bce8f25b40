import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import type { Columns } from '../../frame/values.js'
import type { Shelf } from '../shelf.js'

/** What an operation's own rule yields: every matching row in any order, and what the reader should know. */
export interface Found {
  readonly columns: Columns
  readonly note?: string
  /** Rows that match, where the rule itself keeps fewer. */
  readonly matched?: number
}

/** How an operation finds its rows (section 4); the request is valid when it is called. */
export type Rule = (shelf: Shelf, dataset: Dataset, query: Query) => Promise<Found>
