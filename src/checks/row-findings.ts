import type { Table } from 'apache-arrow'
import { inCalendar, isTradingDay } from '../contract/calendar.js'
import { type DatasetName, datasetOf } from '../contract/catalogue.js'
import type { Column } from '../contract/column.js'
import { columnsOf } from '../frame/read-columns.js'
import { toTable } from '../table/arrow.js'
import { wrongWord } from '../table/decode.js'
import { type ColumnData, cellOf } from '../table/values.js'
import { type Check, type CheckResult, type CheckTables, conclude } from './check.js'
import { exactDifference } from './exact/decimal.js'
import { groupItems } from './group-items.js'
import { LabelBuilder, numberColumn, type ResultColumns, textColumn } from './result-columns.js'

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

/** Columns that hold a day on which there was trading. */
const tradingDays: readonly string[] = ['tradedate', 'trade_date']

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function wrongText(column: Column, text: string): string | undefined {
  if (column.kind === 'json') return isJson(text) ? undefined : 'is not JSON'
  return wrongWord(column, text)
}

function wrongNumber({ kind }: Column, x: number): string | undefined {
  if (Number.isNaN(x)) return undefined
  if (!Number.isFinite(x)) return 'is infinite'
  return kind === 'number' || Number.isSafeInteger(x) ? undefined : `must be a whole number, not ${x}`
}

/** The rows of a column whose cell the contract forbids, with what is wrong; a null is not among them. */
function forbiddenIn(column: Column, values: ColumnData): Map<number, string> {
  const found = new Map<number, string>()
  const note = (row: number, wrong: string | undefined): void => {
    if (wrong !== undefined) found.set(row, wrong)
  }
  if (values.type === 'dictionary') {
    const wrong = values.dictionary.map((word) => wrongText(column, word))
    if (wrong.some(Boolean)) for (const [row, code] of values.data.entries()) note(row, wrong[code])
  } else if (values.type === 'string') {
    for (const [row, text] of values.data.entries()) if (text !== null) note(row, wrongText(column, text))
  } else if (values.type === 'float') for (const [row, x] of values.data.entries()) note(row, wrongNumber(column, x))
  return found
}

/** The same cells with null in the given rows. */
function without(values: ColumnData, rows: Iterable<number>): ColumnData {
  if (values.type === 'dictionary' || values.type === 'string' || values.type === 'list') {
    const data = values.data.slice() as (string | number | null)[]
    for (const row of rows) data[row] = values.type === 'dictionary' ? -1 : null
    return { ...values, data } as ColumnData
  }
  const valid = values.valid?.slice() ?? new Uint8Array(values.data.length).fill(1)
  for (const row of rows) valid[row] = 0
  return { ...values, valid }
}

function* noTradingDays(name: string, values: ColumnData): Iterable<RowFinding<'mismatch'>> {
  const known = new Map<string, boolean>()
  for (let row = 0; row < values.data.length; row++) {
    const day = cellOf(values, row)
    if (typeof day !== 'string') continue
    if (!known.has(day)) known.set(day, !inCalendar(day) || isTradingDay(day))
    if (!known.get(day)) yield { row, verdict: 'mismatch', rule: name, why: `${name} ${day} is no trading day` }
  }
}

/** A table as far as its cells are what the contract allows, and what is to be said of the others. */
export interface Allowed {
  /** The table, with null for each cell that no column of its kind can hold. */
  readonly table: Table
  readonly forbidden: readonly RowFinding<'mismatch'>[]
}

/**
 * Holds each cell of a table against the columns of its dataset: no null where none may be, a date, minute, time or moment that is
 * one, a finite number, a whole one where the column counts, one of the values that the contract lists, and of trading days one on
 * which the exchanges were open, in the years that the calendar knows. Columns of other names or forms are let pass.
 */
export function allowedCells(given: Table, dataset: DatasetName): Allowed {
  const { columns: declared, stored } = datasetOf(dataset)
  const known: Readonly<Record<string, Column>> = { ...declared, ...stored }
  const columns = columnsOf(given)
  const of = new Map(columns.columns)
  const forbidden: RowFinding<'mismatch'>[] = []
  for (const [name, values] of columns.columns) {
    const column = Object.hasOwn(known, name) ? known[name] : undefined
    if (!column) continue
    const wrong = forbiddenIn(column, values)
    if (!column.nullable && !(values.type === 'dictionary' && !values.data.includes(-1))) {
      for (let row = 0; row < columns.length; row++) if (cellOf(values, row) === null) wrong.set(row, 'is null')
    }
    for (const [row, why] of wrong) forbidden.push({ row, verdict: 'mismatch', rule: name, why: `${name} ${why}` })
    if (wrong.size > 0) of.set(name, without(values, wrong.keys()))
    if (tradingDays.includes(name)) forbidden.push(...noTradingDays(name, of.get(name) ?? values))
  }
  if (forbidden.length === 0) return { table: given, forbidden }
  return { table: toTable({ length: columns.length, columns: of }, known, given.schema.metadata), forbidden }
}
