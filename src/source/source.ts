import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'

export interface QueryOptions {
  /** Columns wanted, in the order wanted: names, or one comma-separated string. All when absent. */
  readonly fields?: string | readonly string[] | null
  /**
   * Every row that matches, past row caps and default limits; a `limit` or `offset` that is asked for still counts.
   * Without it the source answers as the service would, cap and all.
   */
  readonly whole?: boolean
  readonly signal?: AbortSignal
}

/** Where rows come from. The HTTP API, a local archive and memory all answer alike. */
export interface Source {
  /** A name for people: what was asked. Never holds a secret. */
  readonly name: string
  /**
   * The rows of a dataset that match, in the contract's order, with their provenance.
   * No matching rows is an empty table with all its columns.
   * @throws ParamsError for a request that the contract does not allow
   */
  query(dataset: Dataset, params?: unknown, options?: QueryOptions): Promise<Table>
}
