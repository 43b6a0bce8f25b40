import type { Words } from '../../contract/sentence.js'
import type { RecordColumns } from '../../frame/table/values.js'
import type { DatasetEntry } from './manifest-entries.js'

/** One file's worth of a dataset. */
export interface ManifestPart {
  readonly partition: string
  readonly rows: number
  /** First and last day inside, where the dataset has days. */
  readonly from?: string
  readonly to?: string
  /** Rows by day, by scope, see `PartEntry`. */
  readonly days?: Readonly<Record<string, string>>
}

/** A file of auction ticks. */
interface TickPart {
  readonly day: string
  readonly rows: number
  readonly bytes: number
}

/** Codes that a column is asked for, in any spelling. */
export interface AskedCodes {
  readonly column: string
  readonly codes: readonly string[]
}

/** Some rows of a part, or all of it. */
export type LoadedCodes = readonly RecordColumns[] | RecordColumns

/** What an archive holds at one moment; a query sees one and only one. */
export interface Snapshot {
  /** sha256 over all that it holds. */
  readonly state: string
  /** Parts of a dataset, ascending by partition; none when it holds none. */
  parts(dataset: string): readonly ManifestPart[]
  /** Rows of a part with the wire's columns and the stored ones, in the dataset's order. */
  load(dataset: string, part: ManifestPart): RecordColumns | Promise<RecordColumns>
  /** The rows of a part that have one of some codes, in the dataset's order, or all of its rows. */
  loadCodes?(dataset: string, part: ManifestPart, asked: AskedCodes): LoadedCodes | Promise<LoadedCodes>
  /** The same for a question about many days of a month: codes are read from the month's file by code, where it has one. */
  readonly ofManyDays?: Snapshot
  /** What is said of a dataset as a whole; undefined when it holds none. */
  entry(dataset: string): DatasetEntry | undefined
  /** Entries of datasets that this version does not have. */
  readonly unknown: Readonly<Record<string, DatasetEntry>>
  /** Why rows of a dataset may be missing, where that is so. */
  note?(dataset: string): Words | undefined
  /** Since when a dataset is known, where nothing of it was known yet. */
  notYet?(dataset: string): Words | undefined
  ticks(): readonly TickPart[]
}
