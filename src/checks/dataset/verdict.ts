import type { Table } from 'apache-arrow'
import type { DatasetName } from '../../contract/catalogue.js'
import type { Check, CheckTables } from '../check.js'
import { type CheckResult, conclude } from '../check.js'
import { LabelBuilder, numberColumn, type ResultColumns, textColumn } from '../columns.js'
import { exactDifference } from '../exact/decimal.js'
import { groupItems } from '../group.js'

/** Verdicts of the checks of rows, from sound to wrong; of several findings in a row the last in this order counts. */
const severity = {
  holds: 0,
  'within-rounding': 0,
  unverifiable: 1,
  gap: 1,
  suspect: 1,
  twice: 2,
  mismatch: 3,
} as const

const order = Object.keys(severity) as RowVerdict[]

/** `holds` and `within-rounding` confirm, `unverifiable`, `gap` and `suspect` leave open, `twice` and `mismatch` contradict. */
export type RowVerdict = keyof typeof severity

/** What a rule says of a row for which it does not simply hold. */
export interface RowFinding<V extends RowVerdict> {
  readonly row: number
  readonly verdict: V
  /** The rule in a word or two. */
  readonly rule: string
  readonly why: string
  /** The number that was sent, and the one that is due, where the rule compares numbers. */
  readonly given?: number
  readonly due?: number
}

interface Judged<V extends RowVerdict> {
  readonly name: string
  /** The verdicts that the check can give, `holds` among them. */
  readonly verdicts: readonly V[]
  readonly rows: number
  /** Cells that the contract forbids; see allowedCells. */
  readonly forbidden: Iterable<RowFinding<V>>
  readonly findings: Iterable<RowFinding<V>>
  /** What tells a row: its key, and what the reader wants beside it. */
  readonly columns: ResultColumns
  /** Whether rules compare numbers: then there are columns for them. */
  readonly compares?: boolean
}

function comparisons<V extends RowVerdict>(rows: number, worst: ReadonlyMap<number, RowFinding<V>>) {
  const [given, due, off] = [0, 1, 2].map(() => new Float64Array(rows).fill(Number.NaN)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (const [row, finding] of worst) {
    given[row] = finding.given ?? Number.NaN
    due[row] = finding.due ?? Number.NaN
    const both = Number.isFinite(given[row]) && Number.isFinite(due[row])
    off[row] = both ? exactDifference(given[row] as number, due[row] as number) : Number.NaN
  }
  return { given, due, off }
}

/** A check of its findings: every row gets its worst verdict, and the reasons of all that was found. */
export function concludeRows<V extends RowVerdict>(about: Judged<V>): CheckResult<V> {
  const { name, verdicts, rows } = about
  const [verdict, why] = [new LabelBuilder(rows), new LabelBuilder(rows)]
  const rules = new Array<string | null>(rows).fill(null)
  const worst = new Map<number, RowFinding<V>>()
  for (let row = 0; row < rows; row++) verdict.set(row, 'holds')
  const all = [...about.forbidden, ...about.findings]
  for (const [row, found] of groupItems(all, (finding) => finding.row)) {
    found.sort((a, b) => order.indexOf(b.verdict) - order.indexOf(a.verdict))
    const first = found[0] as RowFinding<V>
    verdict.set(row, first.verdict)
    why.set(row, found.map((finding) => finding.why).join('; '))
    rules[row] = [...new Set(found.map((finding) => finding.rule))].join(', ')
    worst.set(row, first)
  }
  const { given, due, off } = comparisons(rows, worst)
  const severities = Object.fromEntries(verdicts.map((one): [V, number] => [one, severity[one]])) as Record<V, number>
  return conclude(name, severities, verdict, why, off, {
    ...about.columns,
    ...(about.compares && {
      given: numberColumn(undefined, 'The number sent that the worst finding is about, in its own unit.', given),
      recomputed: numberColumn(undefined, 'The number due, in the unit of the one sent.', due),
      difference: numberColumn(undefined, 'given - recomputed.', off),
    }),
    rules: textColumn('label', 'Rules that do not simply hold for the row, worst first; null when none.', rules),
  })
}

/** The tables of a dataset that have rows. */
export function nonEmptyTables(tables: CheckTables, dataset: DatasetName): readonly Table[] {
  return (tables[dataset] ?? []).filter((table) => table.numRows > 0)
}

/** Runs of a check over each table of a dataset that has rows. */
export function eachTable(dataset: DatasetName, check: (table: Table) => CheckResult<string>): Check['runs'] {
  return (tables) => nonEmptyTables(tables, dataset).map((table) => ({ label: dataset, result: check(table) }))
}
