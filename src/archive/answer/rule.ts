import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import type { Proof } from '../../table/provenance.js'
import type { Snapshot } from '../snapshot.js'
import type { RequiredDays } from './completeness.js'
import type { RowSlice } from './row-slices.js'

/** What an operation's own rule yields: every matching row; slices of several parts as the parts stand, and what the reader should know. */
export interface RuleResult {
  readonly slices: readonly RowSlice[]
  readonly note?: string
  /** Rows that match, where the rule itself keeps fewer. */
  readonly matched?: number
  /** The days that must be there; absent where the present state of something was asked for. */
  readonly requiredDays?: RequiredDays
  /** What is not there, though its day is. */
  readonly missing?: string | undefined
  /** What shows more than that every day has rows. */
  readonly proof?: Proof
}

/**
 * How an operation finds its rows (section 4); the request is valid when it is called. `allBars`: bars of all buckets where
 * neither codes nor a bucket are named.
 */
export type AnswerRule = (snapshot: Snapshot, dataset: Dataset, query: Query, allBars?: boolean) => Promise<RuleResult>
