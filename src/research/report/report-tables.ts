import type { Table } from 'apache-arrow'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { dateIn } from '../../contract/date.js'
import type { Language } from '../../contract/language.js'
import type { Words } from '../../contract/sentence.js'
import { dictionaryToRead, has, numbers, strings, usedWords } from '../../frame/read-columns.js'
import { provenance } from '../../frame/table/provenance.js'
import type { JoinedFlows } from '../analysis/southbound/index-join.js'
import type { Flows } from '../analysis/southbound/southbound-flows.js'
import type { CheckRuns } from '../checks/check.js'

/** The sections of a report, in reading order. */
export const sectionNames = [
  'indices',
  'convertible',
  'etf',
  'southbound',
  'hot',
  'anomaly',
  'financing',
  'documents',
  'auction',
  'appendix',
] as const
export type SectionName = (typeof sectionNames)[number]

/** All that a report is made from. Nothing else enters it: no clock, no locale, no network. */
export interface ReportInput {
  readonly title?: string | undefined
  /** English where it is not given. */
  readonly language?: Language | undefined
  /** Its charts answer, by a script of the page's own. */
  readonly interactive?: boolean | undefined
  /** The datasets that were asked for; all that can be loaded where it is not given. */
  readonly wanted?: readonly DatasetName[] | undefined
  /** The sections wanted; all where it is not given. */
  readonly sections?: readonly SectionName[] | undefined
  /** A line of each section in place of the section: a page of paper. */
  readonly brief?: boolean | undefined
  readonly source: {
    readonly name: string
    /** What a reader must know first: that the data is synthetic, say. */
    readonly about?: string
    /** sha256 of the archive state. */
    readonly state?: string | undefined
    /** The archive changed while it was read: there is no one state that all tables are of. */
    readonly changed?: boolean | undefined
  }
  /** Trading days that were asked for; there may be fewer. */
  readonly asked?: number | undefined
  /** The trading day that the report is of, and the last date of its news, announcements and answers. */
  readonly end?: string | undefined
  readonly until?: string | undefined
  /** Days that are only taken for trading days because they are weekdays of a year of which there is no notice. */
  readonly inferred?: readonly string[] | undefined
  /** The ranges that were loaded. Any may be missing or empty. */
  readonly tables: { readonly [N in DatasetName]?: Table | undefined }
  /** Further tables of datasets of which one is in `tables` already, of another period say. */
  readonly more?: readonly { readonly dataset: DatasetName; readonly table: Table }[] | undefined
  /** The trading days before those of the report that the means of the first screen reach back to. */
  readonly earlier?: Pick<ReportInput, 'tables' | 'flows'> | undefined
  /** One day of the auction-tick files, as it was read. */
  readonly ticks?: { readonly day: string; readonly table: Table } | undefined
  /** Why there are none, where the source has some that can not be read. */
  readonly withoutTicks?: Words | undefined
  /** Every law and what came of it, in reading order. */
  readonly checks: readonly CheckRuns[]
  /** Southbound flows, and beside an index, of the same day and of the next, where the source has it. */
  readonly flows?:
    | {
        readonly flows: Flows
        readonly sameDay?: JoinedFlows | undefined
        readonly nextDay?: JoinedFlows | undefined
      }
    | undefined
}

/** A dataset by name, with the period of its bars where its table was asked with one: `etf_minute, 15m`. */
export function titleOf(name: DatasetName, table: Table): string {
  const period = provenance(table)?.request.params.period
  return typeof period === 'string' ? `${name}, ${period}` : name
}

/** The distinct days of a table, ascending; none where its dataset has no day column. */
export function daysInTable(name: DatasetName, table: Table): readonly string[] {
  const column = datasetOf(name).day
  if (column === undefined || !has(table, column)) return []
  const coded = dictionaryToRead(table, column)
  const used = usedWords(coded)
  const days = coded.words.flatMap((word, code) => (used[code] ? (dateIn(word) ?? []) : []))
  return [...new Set(days)].sort()
}

/** Places of the rows of one day. */
export function rowsOn(table: Table, column: string, date: string): number[] {
  const { codes, words } = dictionaryToRead(table, column)
  const wanted = words.indexOf(date)
  const rows: number[] = []
  if (wanted >= 0) for (let row = 0; row < codes.length; row++) if (codes[row] === wanted) rows.push(row)
  return rows
}

/**
 * Rows of a table as records of some of its columns: empty texts and NaN where a cell is missing.
 * @throws QuotebookError MISSING_COLUMN for a column that is not there
 */
export function recordsOf<T extends string, N extends string = never>(
  table: Table,
  texts: readonly T[],
  figures: readonly N[] = [],
  rows: Iterable<number> = Array(table.numRows).keys(),
): (Readonly<Record<T, string>> & Readonly<Record<N, number>>)[] {
  const columns = [
    ...texts.map((name) => [name, strings(table, name).map((text) => text ?? '')] as const),
    ...figures.map((name) => [name, numbers(table, name)] as const),
  ]
  return Array.from(rows, (row) => Object.fromEntries(columns.map(([name, cells]) => [name, cells[row]])) as never)
}
