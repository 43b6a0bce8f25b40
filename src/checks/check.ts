import type { Table } from 'apache-arrow'
import { richFindings } from '../show/findings.js'
import { type MadeColumns, tableOf, type Words, wordColumn } from './columns.js'

/** What a check of a dataset's own numbers found. */
export interface Check<V extends string> {
  /** What was checked: `vwap`, `cb premium`, `financing`. */
  readonly name: string
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
}

/** 0 sound, 1 worth knowing, 2 and more contradicts the rules. */
export type Severities<V extends string> = Readonly<Record<V, number>>

const shown = 20

function worstRows(severity: Float64Array, size: Float64Array): number[] {
  const found: number[] = []
  for (let row = 0; row < severity.length; row++) if ((severity[row] ?? 0) > 0) found.push(row)
  const of = (row: number): number => Math.abs(size[row] || 0)
  found.sort((a, b) => (severity[b] ?? 0) - (severity[a] ?? 0) || of(b) - of(a) || a - b)
  return found.slice(0, shown)
}

/**
 * Puts a check together from its columns and a verdict for every row.
 * @param size of the difference, by which findings of one verdict are ranked; NaN counts as none
 */
export function conclude<V extends string>(
  name: string,
  severities: Severities<V>,
  verdict: Words,
  why: Words,
  size: Float64Array,
  columns: MadeColumns,
): Check<V> {
  const rows = verdict.codes.length
  const counts = Object.fromEntries(Object.keys(severities).map((key) => [key, 0])) as Record<V, number>
  const severity = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const word = verdict.at(row) as V
    counts[word]++
    severity[row] = severities[word]
  }
  const made: MadeColumns = {
    ...columns,
    verdict: wordColumn('label', `One of: ${Object.keys(severities).join(', ')}.`, verdict),
    why: wordColumn('label', 'Reason of the verdict; null where there is nothing to add.', why),
  }
  return richFindings({
    name,
    rows,
    counts,
    ok: severity.every((level) => level < 2),
    table: tableOf(made),
    worst: tableOf(made, worstRows(severity, size)),
  })
}
