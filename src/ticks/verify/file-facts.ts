import type { FooterColumn } from '../../table/parquet-file/footer.js'
import type { Pages } from '../../table/parquet-file/pages.js'

/** What the worker is asked to look at. */
export interface InspectTask {
  /** Path of the file. */
  readonly path: string
  /** The day that its name says. */
  readonly day: string
}

/** A number of rows, and the first of them in words. */
export interface RowCount {
  readonly rows: number
  readonly first: string
}

export interface ColumnFacts {
  readonly name: string
  /** As the decoder gives it: `Utf8`, `Float64` … */
  readonly type: string
  /** Why its cells were not looked at. */
  readonly unread: string | undefined
  readonly nulls: number
  readonly nan: number
  readonly infinite: number
}

/** A check of one column: not made, for a reason, or what it found. */
export type Attempted<T> = { readonly notMade: string } | T

export interface KeyFacts {
  /** Columns of the key: `tradedate, symbol, time`, or without the first. */
  readonly columns: readonly string[]
  /** First row, from 1, that is not in the order of (symbol, time); undefined when all are. */
  readonly unsorted: number | undefined
  /** All rows are in the order of (time, symbol). */
  readonly byTime: boolean
  /** Rows with the key of an earlier one, equal to it in all columns. */
  readonly repeated: RowCount | undefined
  /** Rows with the key of an earlier one, and other cells. */
  readonly differing: RowCount | undefined
}

export interface TimeFacts {
  /** Ways in which times are written. */
  readonly forms: readonly string[]
  readonly wrong: RowCount | undefined
  /** Times that are of another day. */
  readonly elsewhere: RowCount | undefined
}

export interface DayFacts {
  readonly other: RowCount | undefined
}

/** What was found out about a file, as far as the reading came. Every part is reported as soon as it is known. */
export interface FileFacts {
  readonly bytes?: number
  readonly sha256?: string
  readonly magic?: { readonly head: boolean; readonly tail: boolean }
  /** What is wrong with the footer; null when nothing is. */
  readonly footer?: string | null
  readonly groups?: number
  /** Rows that the footer counts. */
  readonly counted?: number
  readonly schema?: readonly FooterColumn[]
  readonly pages?: Pages
  /** The row group that is being decoded, from 1: a decoder that broke down did so there. */
  readonly at?: number
  /** Row groups that can not be decoded, and what the first of them says. */
  readonly broken?: { readonly groups: number; readonly first: string | undefined }
  /** Rows that were decoded. */
  readonly decoded?: number
  readonly columns?: readonly ColumnFacts[]
  /** Columns whose cells lie outside the bounds or counts that the footer gives them. */
  readonly bounds?: { readonly wrong: readonly string[]; readonly checked: number }
  readonly day?: Attempted<DayFacts>
  readonly time?: Attempted<TimeFacts>
  readonly key?: Attempted<KeyFacts>
}
