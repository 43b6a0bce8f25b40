/** A Parquet file of a dataset. A name is never given twice: a file never changes under its name. */
export interface PartEntry {
  readonly partition: string
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** First and last key inside. */
  readonly first: readonly unknown[]
  readonly last: readonly unknown[]
  readonly from?: string
  readonly to?: string
  /** Rows by day, by scope: `20260701:12 20260702:9`; absent where the part is of one day and nothing tells its rows apart. */
  readonly days?: Readonly<Record<string, string>>
  /** The declaration that the file was written under. */
  readonly contract: string
  /** Where the rows came from: the files imported, or the sample's seed. */
  readonly origin: readonly string[]
  /** Files whose import left these bytes, by the checksum of file and options; of each, how many parts it has rows in. */
  readonly imports?: Readonly<Record<string, number>>
}

/** Bars of a month of some codes, in each period those of a code side by side: what the files of its days have, once more. */
export interface CodesEntry extends Pick<PartEntry, 'partition' | 'file' | 'rows' | 'bytes' | 'sha256'> {
  /** The codes that it has all bars of: from one to another. */
  readonly codes: readonly [first: string, last: string]
  /** Checksum over the files of the month's days, of which it was made. */
  readonly of: string
}

export interface TickEntry {
  readonly day: string
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** Columns in one line, as far as the file was looked at: `tradedate string, symbol string, m_price double`. */
  readonly schema?: string
  readonly rowGroups?: number
  /** First and last `time` inside, where the file tells. */
  readonly from?: string
  readonly to?: string
  /** Entity tag and Last-Modified of the file that it was fetched from, as its share tells them. */
  readonly etag?: string
  readonly modified?: string
}

/** Days of a dataset, and what is known of them. Moments are Beijing time, ISO 8601. No two records of a scope and a code share a day. */
export interface DayRecord {
  /** Tells apart what is stored under one dataset: a bar period, a hot list; '' where nothing does. */
  readonly scope: string
  /** The codes asked for, as they were spelt; `all`: the whole of each day. */
  readonly symbols: 'all' | readonly string[]
  /** Dates from one to another, both included, ascending, apart. */
  readonly days: readonly (readonly [from: string, to: string])[]
  /** When the sync began that settled them, or, while they may still change, when they were asked for; absent where nobody said. */
  readonly asked?: string
  /** From which moment on their rows are known: when the first answer with them was there. */
  readonly at?: string
  /** The same of their settled rows; absent while they may still change. Of an import the moment that it states. */
  readonly settled?: string
  /** When the last sync began that asked for them again, though they were settled. */
  readonly again?: string
  /**
   * What shows that these are all rows, in a word: `total`, `cap`, `stated` by whoever imported them; `none`: they can no longer
   * change, and nothing does. Absent while they may still change.
   */
  readonly proof?: string
}

/** Days of which every row is there: a covered day without rows has none. */
export type Covered = Pick<DayRecord, 'scope' | 'symbols' | 'days' | 'asked' | 'proof'>

/** A settled day of which a later answer lacked something: that stays until an answer of another day lacks the same. */
export interface WaitingDay {
  /** The date on which it was last asked for. */
  readonly asked: string
  /** Rows that were lacking, and values of others. */
  readonly rows: number
  readonly cells: number
  /** A checksum of what these were; absent where the answer was not shown to have the whole day. */
  readonly sum?: string
}

/** What the coverage of a dataset rests on. */
export interface KeptEntry {
  /** The declaration that it was written under; it is void under another. */
  readonly contract: string
  /** Addresses of the service that was asked. */
  readonly from: readonly string[]
  /** First day that a sync brings. */
  readonly since?: string
  /** Latest day that the service has shown, by scope: days before it can no longer change. */
  readonly latest?: Readonly<Record<string, string>>
  /** Closes at which the service had no bar of any code, with their period (`15m 0930`), and the date on which that showed. */
  readonly unsent?: Readonly<Record<string, string>>
}

export interface DatasetEntry {
  readonly parts: readonly PartEntry[]
  /** What stands beside the rows in a reply. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** Some of its rows come from replies that were cut. */
  readonly partial?: true
  /** What is known of its days. */
  readonly ledger?: readonly DayRecord[]
  /** There when the archive keeps answers of a service. */
  readonly kept?: KeptEntry
  /** Settled days that a later answer had less of, by scope: they are asked for again. */
  readonly waiting?: Readonly<Record<string, Readonly<Record<string, WaitingDay>>>>
  /** Rows that gave way to others, and rows that were not there yet, with the moments of it. */
  readonly revised?: readonly PartEntry[]
  /** Whole months of bars by code, beside their days. */
  readonly byCode?: readonly CodesEntry[]
}

export interface Manifest {
  readonly format: number
  /** What a reader should know first: that an archive is synthetic, say. */
  readonly about?: string
  /** Declarations of the datasets that are none of the vendor's, each as JSON: its columns keep their order. */
  readonly own?: readonly string[]
  readonly datasets: Readonly<Record<string, DatasetEntry>>
  /** Entries of datasets that this version does not have: they stay as they are. In the file they stand among the others. */
  readonly unknown?: Readonly<Record<string, DatasetEntry>>
  readonly ticks: readonly TickEntry[]
}
