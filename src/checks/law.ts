import type { Table } from 'apache-arrow'
import type { DatasetName } from '../contract/catalogue.js'
import type { Check } from './check.js'

/** What a verdict says of a row. */
export interface Meaning {
  /** sound: confirmed. open: neither confirmed nor contradicted. wrong: contradicted. */
  readonly grade: 'sound' | 'open' | 'wrong'
  readonly text: string
}

export const sound = (text: string): Meaning => ({ grade: 'sound', text })
export const open = (text: string): Meaning => ({ grade: 'open', text })
export const wrong = (text: string): Meaning => ({ grade: 'wrong', text })

/**
 * Tables that laws are held against, by dataset. `etf_minute` may be there twice, of 15 and of 30 minutes, so each
 * dataset has a list; two tables of one dataset are of different periods or questions, those of 15 and of 30 minutes in the same order.
 */
export type LawTables = { readonly [N in DatasetName]?: readonly Table[] | undefined }

/** One run of a law: what was looked at, and what was found. */
export interface LawRun {
  /** Dataset, and the period of its bars where that tells two runs apart: `etf_minute, 15m`. */
  readonly of: string
  readonly check: Check<string>
}

/** Something that must hold of a dataset's rows, and the function that looks whether it does. */
export interface Law {
  /** One lowercase word or two: `financing`, `hot list`. */
  readonly name: string
  /** The same in a phrase, for a list. */
  readonly brief: string
  /** The dataset whose rows get the verdicts. */
  readonly dataset: DatasetName
  /** Further datasets that it is held against. */
  readonly beside?: readonly DatasetName[]
  /** What is recomputed or held against what, in one or two sentences for a reader who knows the field. */
  readonly rule: string
  /** Every verdict of the check. */
  readonly meanings: Readonly<Record<string, Meaning>>
  /** What a confirmed row is, in a few words: `recomputed to the same number`. */
  readonly confirmedAs: string
  /** A confirmed row is only one that nothing contradicts: what it was made from is not in the data. */
  readonly partial?: true
  /** One run for each table that the law can be held against; none where its datasets are missing or empty. */
  readonly runs: (tables: LawTables) => readonly LawRun[]
}

/** A law and what came of it. */
export interface LawResult {
  readonly law: Law
  readonly runs: readonly LawRun[]
}
