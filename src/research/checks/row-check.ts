import type { Table } from 'apache-arrow'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import type { CheckLaw } from '../../contract/dataset.js'
import type { Words } from '../../contract/sentence.js'
import { asTable } from '../../frame/as-table.js'
import type { Data } from '../../frame/data.js'
import { columnsOf, has } from '../../frame/read-columns.js'
import { groupItems } from '../../frame/table/group-items.js'
import { presentIn } from '../../frame/table/present-cells.js'
import { provenance, withProvenance } from '../../frame/table/provenance.js'
import { type ColumnData, cellOf } from '../../frame/table/values.js'
import { allowedCells } from './allowed-cells.js'
import { type Check, type CheckResult, type CheckTables, type Concluded, conclude } from './check.js'
import { type CheckColumns, LabelBuilder, nanColumn, numberColumn, textColumn } from './check-columns.js'
import { brokenLaws, repeatedKeys } from './declared-laws.js'
import { exactDifference } from './exact/decimal.js'
import { doubtedIn, finding, type RowFinding, type RowVerdict, reasonsOf } from './findings.js'
import { ReasonBuilder } from './reasons.js'

/** What the rules of a check find in a table beyond the declared laws. */
interface RowFindings {
  readonly findings?: Iterable<RowFinding>
  /** What tells a row: its key, and what the reader wants next to it. */
  readonly columns: CheckColumns
}

interface RowRules<V extends RowVerdict, O> extends Omit<Check, 'runs' | 'verdicts'>, Concluded<V> {
  /** Whether rules compare numbers: then there are columns for them. */
  readonly compares?: boolean
  /** What is said of a row whose key an earlier row has. */
  readonly twice?: (cell: (name: string) => unknown) => Words
  /** Default: those of the catalogue. */
  readonly laws?: readonly CheckLaw[]
  readonly read: (table: Table, options: O | undefined) => RowFindings
}

/** A check whose rules look at the rows of one dataset. */
export interface RowCheck<V extends RowVerdict, O> extends Check {
  /** @throws QuotebookError MISSING_COLUMN */
  readonly check: (input: Data, options?: O) => CheckResult<V>
}

/**
 * A check by its rules: cells that the contract forbids are findings too, and null for the rules; then keys that stand twice, and
 * the laws of the dataset.
 */
export function rowCheck<V extends RowVerdict, O = undefined>(rules: RowRules<V, O>): RowCheck<V, O> {
  const { read, twice, laws, compares, ...declared } = rules
  const check = (input: Data, options?: O): CheckResult<V> => {
    const { table, forbidden } = allowedCells(asTable(input), declared.dataset)
    const dataset = datasetOf(declared.dataset)
    const { columns } = columnsOf(table)
    const cellAt = (row: number) => (name: string) => {
      const values = columns.get(name)
      return values && cellOf(values, row)
    }
    const doubled = twice
      ? repeatedKeys(table, dataset.key).map((row) => finding('duplicate', row, 'key', twice(cellAt(row))))
      : []
    const { findings = [], columns: shown } = read(table, options)
    const all = [...forbidden, ...doubled, ...brokenLaws(laws ?? dataset.laws ?? [], table), ...findings]
    return concludeRows(declared, table.numRows, all, shown, compares === true)
  }
  return { ...declared, check, runs: eachTable(declared.dataset, check) }
}

/** Every row gets its worst verdict, and the reasons of all that was found. */
function concludeRows<V extends RowVerdict>(
  check: Concluded<V>,
  rows: number,
  findings: readonly RowFinding[],
  columns: CheckColumns,
  compares: boolean,
): CheckResult<V> {
  const order: readonly string[] = Object.keys(check.verdicts)
  const [verdict, why] = [new LabelBuilder(rows, 'pass'), new ReasonBuilder(rows)]
  const rules = new Array<string | null>(rows).fill(null)
  const [given, recomputed, difference] = [nanColumn(rows), nanColumn(rows), nanColumn(rows)]
  for (const [row, all] of groupItems(findings, (one) => one.row)) {
    all.sort((a, b) => order.indexOf(b.verdict) - order.indexOf(a.verdict))
    const [worst] = all
    if (!worst) continue
    verdict.set(row, worst.verdict)
    why.set(row, reasonsOf(all))
    const columns = doubtedIn(check.verdicts, all)
    if (columns) why.doubted.set(row, columns)
    rules[row] = [...new Set(all.map((one) => one.rule))].join(', ')
    const [sent, right] = [worst.given ?? Number.NaN, worst.due ?? Number.NaN]
    given[row] = sent
    recomputed[row] = right
    if (Number.isFinite(sent) && Number.isFinite(right)) difference[row] = exactDifference(sent, right)
  }
  return conclude(check, verdict, why, difference, {
    ...columns,
    ...(compares && {
      given: numberColumn(undefined, 'The number sent that the worst finding is about, in its own unit.', given),
      recomputed: numberColumn(undefined, 'The number due, in the unit of the one sent.', recomputed),
      difference: numberColumn(undefined, 'given - recomputed.', difference),
    }),
    rules: textColumn('label', 'Rules that do not simply hold for the row, worst first; null when none.', rules),
  })
}

/** Columns of a table as its dataset declares them, in the order named; those that are not there are left out. */
export function givenColumns(table: Table, dataset: DatasetName, ...names: readonly string[]): CheckColumns {
  const { columns: declared, stored } = datasetOf(dataset)
  const of: Readonly<Record<string, Column>> = { ...stored, ...declared }
  const { columns } = columnsOf(table)
  const there = names.filter((name) => has(table, name))
  return Object.fromEntries(
    there.map((name) => {
      const [column, values] = [of[name] as Column, columns.get(name) as ColumnData]
      const hasNull = presentIn(values).includes(0)
      return [name, { column: hasNull ? { ...column, nullable: true } : column, values }]
    }),
  )
}

/** The tables of a dataset that have rows. */
export function nonEmptyTables(tables: CheckTables, dataset: DatasetName): readonly Table[] {
  return (tables[dataset] ?? []).map(asTableWithSource).filter((table) => table.numRows > 0)
}

/** Data as a table that says where it came from, so that a frame is judged as the table it was made of. */
export function asTableWithSource(data: Data): Table {
  const table = asTable(data)
  const about = provenance(data)
  return about && table !== data ? withProvenance(table, about) : table
}

/** Runs of a check over each table of a dataset that has rows. */
export function eachTable<O = undefined>(
  dataset: DatasetName,
  check: (table: Table, options?: O) => CheckResult<string>,
): Check['runs'] {
  return (tables, options) =>
    nonEmptyTables(tables, dataset).map((table) => ({ label: dataset, result: check(table, options as O | undefined) }))
}
