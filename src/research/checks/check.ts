import type { Table } from 'apache-arrow'
import type { DatasetName } from '../../contract/catalogue.js'
import type { Language } from '../../contract/language.js'
import { wordsIn } from '../../contract/say.js'
import type { Words } from '../../contract/sentence.js'
import { fact, sentence } from '../../contract/sentence.js'
import { shownLanguage } from '../../contract/shown-language.js'
import type { Data } from '../../frame/data.js'
import { displayCheck } from '../../frame/show/show-data.js'
import { floatsIn } from '../../frame/table/values.js'
import { type CheckColumns, type LabelBuilder, labelColumn, resultTable } from './check-columns.js'
import { type ReasonBuilder, type ReasonFacts, readableRows, verdictIn } from './reasons.js'

/** What a verdict says of a row. */
export interface VerdictMeaning {
  /** `open`: neither confirmed nor contradicted. */
  readonly grade: 'confirmed' | 'open' | 'contradicted'
  readonly meaning: Words
}

export const passes = (meaning: Words): VerdictMeaning => ({ grade: 'confirmed', meaning })
export const leavesOpen = (meaning: Words): VerdictMeaning => ({ grade: 'open', meaning })
export const fails = (meaning: Words): VerdictMeaning => ({ grade: 'contradicted', meaning })

export interface Named {
  /** One lowercase word or two: `financing`, `hot list`. */
  readonly name: string
}

/** A check under the name that it has for readers. */
export const nameIn = ({ name }: Named, language: Language): string => wordsIn(fact('CHECK', name), language)

/** The same with what it was run over: `vwap (etf_minute, 15m)`. */
export const titleIn = (one: Named, of: Words, language: Language): string =>
  wordsIn(sentence`${fact('CHECK', one.name)} (${of})`, language)

/**
 * Tables or DataFrames to check, by dataset. `etf_minute` may appear twice, of 15 and of 30 minutes, so each dataset
 * has a list; two tables of one dataset are of different periods or queries, those of 15 and of 30 minutes in the same
 * order.
 */
export type CheckTables<D extends Data = Data> = { readonly [N in DatasetName]?: readonly D[] | undefined }

/** One run of a check: what was looked at, and what was found. */
export interface CheckRun {
  /** Dataset, and the period of its bars where that tells two runs apart: `etf_minute, 15m`. */
  readonly label: Words
  readonly result: CheckResult<string>
}

/** A rule on the rows of a dataset, and the function that checks it. */
export interface Check extends Named {
  /** The same in a phrase, for a list. */
  readonly summary: Words
  /** The dataset whose rows get the verdicts. */
  readonly dataset: DatasetName
  /** Further datasets that it is compared with. */
  readonly alsoNeeds?: readonly DatasetName[]
  /** What is recomputed or compared with what, in one or two sentences for a reader who knows the field. */
  readonly rule: string
  /** Every verdict of the check, the worst last. */
  readonly verdicts: Readonly<Record<string, VerdictMeaning>>
  /** What a confirmed row is, in a few words: `recomputed to the same number`. */
  readonly confirmedAs: string
  /** A confirmed row is only one that nothing contradicts: what it was made from is not in the data. */
  readonly partial?: true
  /**
   * One run for each table that the check applies to; none if its datasets are missing or empty.
   * @param options of `qa`: `whole`, whether the table has every revision of its questions. The others take none.
   */
  readonly runs: (tables: CheckTables, options?: { readonly whole?: boolean }) => readonly CheckRun[]
}

/** A check and its results. */
export interface CheckRuns {
  readonly check: Check
  readonly runs: readonly CheckRun[]
}

/** The findings of a check of a dataset's own numbers. */
export interface CheckResult<V extends string> extends Named {
  /** Rows that were looked at. */
  readonly rows: number
  /** Rows by verdict; every verdict is there, with 0 if need be. */
  readonly counts: Readonly<Record<V, number>>
  /** No row contradicts the rules. A row that could not be verified does not: look at `counts` for how much was. */
  readonly ok: boolean
  /** One row for each row checked, in the order of the input, with its verdict and the reason. */
  readonly table: Table
  /** Up to 20 rows of `table`, worst first: by verdict, then by size of the difference. */
  readonly worst: Table
  /** What the texts of the column `why` were made of. */
  readonly reasons: ReasonFacts
  /** By row of `table`, the columns that a contradiction is about; a contradicted row that is not here is doubted as a whole. */
  readonly doubted: ReadonlyMap<number, readonly string[]>
}

/** 0 sound, 1 worth knowing, 2 and more contradicts the rules. */
export type Severities<V extends string> = Readonly<Record<V, number>>

/** What a check is concluded by: its names, and its verdicts from the best to the worst. */
export interface Concluded<V extends string> extends Named {
  readonly verdicts: Readonly<Record<V, VerdictMeaning>>
}

function severitiesOf<V extends string>({ verdicts }: Concluded<V>): Severities<V> {
  const all = Object.entries<VerdictMeaning>(verdicts)
  const severity = (grade: VerdictMeaning['grade'], at: number): number =>
    grade === 'contradicted' ? at + 2 : grade === 'open' ? 1 : 0
  return Object.fromEntries(all.map(([name, { grade }], at) => [name, severity(grade, at)])) as Record<V, number>
}

const worstCount = 20

/** @param severity by code */
function worstRows(codes: Int32Array, severity: readonly number[], size: Float64Array): number[] {
  const rows: number[] = []
  for (let row = 0; row < codes.length; row++) if ((severity[codes[row] as number] as number) > 0) rows.push(row)
  const levelOf = (row: number): number => severity[codes[row] as number] as number
  const sizeOf = (row: number): number => Math.abs(size[row] || 0)
  rows.sort((a, b) => levelOf(b) - levelOf(a) || sizeOf(b) - sizeOf(a) || a - b)
  return rows.slice(0, worstCount)
}

/** A result whose table is made where it is asked for: who shows the worst of millions of rows does without. */
function withTable<R extends object>(columns: CheckColumns, result: R): R & { readonly table: Table } {
  let table: Table | undefined
  const get = (): Table => {
    table ??= resultTable(columns)
    return table
  }
  return Object.defineProperty(result, 'table', { get, enumerable: true, configurable: true }) as never
}

/** By the worst rows of a result, how many rows are called equal because neither side has a value. */
export const emptyRowsOf = new WeakMap<Table, number>()

function countEmpty({ given, recomputed }: CheckColumns, codes: Int32Array, equal: number): number {
  const [sent, due] = [given, recomputed].map((column) => column && floatsIn(column.values))
  let empty = 0
  for (let row = 0; sent && due && equal >= 0 && row < codes.length; row++)
    if (codes[row] === equal && Number.isNaN(sent[row]) && Number.isNaN(due[row])) empty++
  return empty
}

/**
 * Puts a check together from its columns and a verdict for every row.
 * @param size of the difference, by which findings of one verdict are ranked; NaN counts as none
 * @param severities by the grades and the order of the verdicts unless given
 */
export function conclude<V extends string>(
  check: Concluded<V>,
  verdict: LabelBuilder,
  why: ReasonBuilder,
  size: Float64Array,
  columns: CheckColumns,
  severities: Severities<V> = severitiesOf(check),
): CheckResult<V> {
  const { codes } = verdict
  const words = verdict.words as V[]
  const { facts } = why
  const severity = words.map((word) => severities[word])
  const byCode = new Int32Array(words.length)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    byCode[code] = (byCode[code] as number) + 1
  }
  const counts = Object.fromEntries(Object.keys(severities).map((key) => [key, 0])) as Record<V, number>
  words.forEach((word, code) => {
    counts[word] = byCode[code] as number
  })
  const all: CheckColumns = {
    ...columns,
    verdict: labelColumn('label', `One of: ${Object.keys(severities).join(', ')}.`, verdict),
    why: labelColumn('label', 'Reason of the verdict; null where there is nothing to add.', why.texts),
  }
  const result = withTable(all, {
    name: check.name,
    rows: codes.length,
    counts,
    ok: words.every((word) => severities[word] < 2 || counts[word] === 0),
    worst: resultTable(all, worstRows(codes, severity, size)),
    reasons: facts,
    doubted: why.doubted,
  })
  emptyRowsOf.set(result.worst, countEmpty(columns, codes, words.indexOf('equal' as V)))
  return displayCheck(result, {
    verdict: (word) => verdictIn(word, shownLanguage()),
    rows: (table) => readableRows(table, facts, shownLanguage()),
  })
}
