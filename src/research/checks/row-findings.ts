import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../contract/calendar.js'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import { isDate } from '../../contract/date.js'
import { outlierDays } from '../../contract/outlier-days.js'
import { asTable } from '../../frame/as-table.js'
import type { Data } from '../../frame/data.js'
import { columnsOf, dictionary, numbersToRead } from '../../frame/read-columns.js'
import { toTable } from '../../frame/table/arrow.js'
import { wrongWord } from '../../frame/table/decode.js'
import { mapRows } from '../../frame/table/fresh-array.js'
import { groupItems } from '../../frame/table/group-items.js'
import { provenance, withProvenance } from '../../frame/table/provenance.js'
import { type ColumnData, cellOf, textIn } from '../../frame/table/values.js'
import { type Check, type CheckResult, type CheckTables, conclude, type VerdictMeaning } from './check.js'
import { type CheckColumns, LabelBuilder, nanColumn, numberColumn, textColumn } from './check-columns.js'
import { exactDifference } from './exact/decimal.js'

/** Verdicts of the checks of rows, by severity; of several findings in a row the last in this order counts. */
const severity = {
  pass: 0,
  'within-rounding': 0,
  unverifiable: 1,
  gap: 1,
  warn: 1,
  duplicate: 2,
  mismatch: 3,
} as const

const order = Object.keys(severity) as RowVerdict[]

/** `pass` and `within-rounding` confirm, `unverifiable`, `gap` and `warn` leave open, `duplicate` and `mismatch` contradict. */
type RowVerdict = keyof typeof severity

/** What a rule says of a row that does not simply pass. */
export interface RowFinding<V extends string = RowVerdict> {
  readonly row: number
  readonly verdict: V
  /** The rule in a word or two. */
  readonly rule: string
  readonly why: string
  /** The number that was sent, and the one that is due, where the rule compares numbers. */
  readonly given?: number
  readonly due?: number
}

export function finding<V extends string>(
  verdict: V,
  row: number,
  rule: string,
  why: string,
  given = Number.NaN,
  due = Number.NaN,
): RowFinding<V> {
  return { row, verdict, rule, why, given, due }
}

type Finder<V extends string> = (row: number, rule: string, why: string, given?: number, due?: number) => RowFinding<V>

export const unverifiable: Finder<'unverifiable'> = (...about) => finding('unverifiable', ...about)
export const gap: Finder<'gap'> = (...about) => finding('gap', ...about)
export const warn: Finder<'warn'> = (...about) => finding('warn', ...about)
export const duplicate: Finder<'duplicate'> = (...about) => finding('duplicate', ...about)
export const mismatch: Finder<'mismatch'> = (...about) => finding('mismatch', ...about)

/** What a law says of a row that breaks it: why, or why with the numbers compared; nothing of one that keeps it. */
type Said<V> =
  | string
  | false
  | undefined
  | { readonly why: string; readonly given?: number; readonly due?: number; readonly verdict?: V }

/** Something that must hold of each row by its own cells. */
export interface Law<R, V extends string> {
  /** The rule in a word or two. */
  readonly rule: string
  /** Of a row that breaks it, unless it says another itself. */
  readonly verdict: V
  readonly broken: (one: R) => Said<V> | readonly Said<V>[]
}

/** Every law that each row breaks, row by row. */
export function* brokenLaws<R extends { readonly row: number }, V extends string>(
  laws: readonly Law<R, V>[],
  rows: Iterable<R>,
): Iterable<RowFinding<V>> {
  for (const one of rows) {
    for (const { rule, verdict, broken } of laws) {
      const all = broken(one)
      for (const said of Array.isArray(all) ? (all as readonly Said<V>[]) : [all as Said<V>]) {
        if (!said) continue
        if (typeof said === 'string') yield finding(verdict, one.row, rule, said)
        else yield finding(said.verdict ?? verdict, one.row, rule, said.why, said.given, said.due)
      }
    }
  }
}

/** A row with its cells: NaN and null where they are missing. */
export type CellsOf<N extends string, T extends string> = { readonly row: number } & {
  readonly [K in N]: number
} & { readonly [K in T]: string | null }

/** The rows of a table with the cells that laws look at, which are read from its columns. @throws QuotebookError MISSING_COLUMN */
export function cellsByRow<N extends string, T extends string>(
  table: Table,
  numberNames: readonly N[],
  textNames: readonly T[],
): CellsOf<N, T>[] {
  class Cells {
    constructor(readonly row: number) {}
  }
  const read = (name: string, cellAt: (row: number) => number | string | null): void => {
    Object.defineProperty(Cells.prototype, name, {
      get(this: Cells) {
        return cellAt(this.row)
      },
    })
  }
  for (const name of textNames) {
    const { codes, words } = dictionary(table, name)
    read(name, (row) => words[codes[row] as number] ?? null)
  }
  for (const name of numberNames) {
    const column = numbersToRead(table, name)
    read(name, (row) => column[row] as number)
  }
  return mapRows(table.numRows, (row) => new Cells(row) as CellsOf<N, T>)
}

/** The rows whose key an earlier row has. */
export function repeatedKeys<R extends { readonly row: number }>(
  rows: readonly R[],
  keyOf: (one: R) => unknown,
): ReadonlySet<number> {
  const seen = new Set<unknown>()
  return new Set(
    rows.flatMap((one) => {
      const key = keyOf(one)
      if (seen.has(key)) return [one.row]
      seen.add(key)
      return []
    }),
  )
}

/** What the rules of a check find in a table. */
interface RowFindings<V extends RowVerdict> {
  readonly findings: Iterable<RowFinding<V>>
  /** What tells a row: its key, and what the reader wants next to it. */
  readonly columns: CheckColumns
  /** Whether rules compare numbers: then there are columns for them. */
  readonly compares?: boolean
}

interface RowRules<V extends RowVerdict, O> extends Omit<Check, 'runs' | 'verdicts'> {
  /** Every verdict that the check can give, `pass` first. */
  readonly verdicts: Readonly<Record<V, VerdictMeaning>>
  readonly read: (table: Table, options: O | undefined) => RowFindings<V>
}

/** A check whose rules look at the rows of one dataset. */
export interface RowCheck<V extends RowVerdict, O> extends Check {
  /** @throws QuotebookError MISSING_COLUMN */
  readonly check: (input: Data, options?: O) => CheckResult<V>
}

/** A check by its rules: cells that the contract forbids are findings too, and null for the rules. */
export function rowCheck<V extends RowVerdict, O = undefined>(rules: RowRules<V, O>): RowCheck<V, O> {
  const { read, ...declared } = rules
  const check = (input: Data, options?: O): CheckResult<V> => {
    const { table, forbidden } = allowedCells(asTable(input), declared.dataset)
    return concludeRows(declared, table.numRows, forbidden, read(table, options))
  }
  return { ...declared, check, runs: eachTable(declared.dataset, check) }
}

/** Every row gets its worst verdict, and the reasons of all that was found. */
function concludeRows<V extends RowVerdict>(
  { name, verdicts }: Pick<RowRules<V, never>, 'name' | 'verdicts'>,
  rows: number,
  forbidden: readonly RowFinding[],
  { findings, columns, compares }: RowFindings<V>,
): CheckResult<V> {
  const [verdict, why] = [new LabelBuilder(rows, 'pass'), new LabelBuilder(rows)]
  const rules = new Array<string | null>(rows).fill(null)
  const [given, recomputed, difference] = [nanColumn(rows), nanColumn(rows), nanColumn(rows)]
  for (const [row, all] of groupItems<RowFinding, number>([...forbidden, ...findings], (one) => one.row)) {
    all.sort((a, b) => order.indexOf(b.verdict) - order.indexOf(a.verdict))
    const [worst] = all
    if (!worst) continue
    verdict.set(row, worst.verdict)
    why.set(row, all.map((one) => one.why).join('; '))
    rules[row] = [...new Set(all.map((one) => one.rule))].join(', ')
    const [sent, right] = [worst.given ?? Number.NaN, worst.due ?? Number.NaN]
    given[row] = sent
    recomputed[row] = right
    if (Number.isFinite(sent) && Number.isFinite(right)) difference[row] = exactDifference(sent, right)
  }
  const names = Object.keys(verdicts) as V[]
  const severities = Object.fromEntries(names.map((one): [V, number] => [one, severity[one]])) as Record<V, number>
  return conclude(name, severities, verdict, why, difference, {
    ...columns,
    ...(compares && {
      given: numberColumn(undefined, 'The number sent that the worst finding is about, in its own unit.', given),
      recomputed: numberColumn(undefined, 'The number due, in the unit of the one sent.', recomputed),
      difference: numberColumn(undefined, 'given - recomputed.', difference),
    }),
    rules: textColumn('label', 'Rules that do not simply hold for the row, worst first; null when none.', rules),
  })
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
    if (wrong.some(Boolean))
      values.data.forEach((code, row) => {
        note(row, wrong[code])
      })
  } else if (values.type === 'string') {
    values.data.forEach((text, row) => {
      if (text !== null) note(row, wrongText(column, text))
    })
  } else if (values.type === 'float') {
    const { data } = values
    const isCount = column.kind !== 'number'
    for (let row = 0; row < data.length; row++) {
      const x = data[row] as number
      if (isCount || x - x !== 0) note(row, wrongNumber(column, x))
    }
  }
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

/** What is wrong with each of some trading days: closed as far as that is known, or far after all others and hardly there. */
function wrongDays(rows: ReadonlyMap<string, number>): Map<string, string> {
  const spans = [...rows].flatMap(([day, count]) => (isDate(day) ? [{ from: day, to: day, rows: count }] : []))
  const stray = outlierDays(spans).map(({ from }) => from)
  const [first = ''] = stray
  const before = [...rows.keys()].filter((day) => day < first).sort()
  return new Map([
    ...stray.map((day): [string, string] => [day, `lies far after all other days, which end with ${before.at(-1)}`]),
    ...[...rows.keys()].flatMap((day): [string, string][] =>
      isDate(day) && noticedCalendar.isOpen(day) === false ? [[day, 'is no trading day']] : [],
    ),
  ])
}

function noTradingDays(name: string, values: ColumnData): RowFinding<'mismatch'>[] {
  const text = textIn(values)
  if (!text) return []
  const { data: codes, dictionary: days } = text
  const counts = new Int32Array(days.length)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code >= 0) counts[code] = (counts[code] as number) + 1
  }
  const wrong = wrongDays(new Map(days.flatMap((day, code) => (counts[code] ? [[day, counts[code]]] : []))))
  if (wrong.size === 0) return []
  const whys = days.map((day) => wrong.get(day))
  const found: RowFinding<'mismatch'>[] = []
  codes.forEach((code, row) => {
    const why = whys[code]
    if (why !== undefined) found.push(mismatch(row, name, `${name} ${days[code]} ${why}`))
  })
  return found
}

/** A table as far as its cells are what the contract allows, and what is to be said of the others. */
interface Allowed {
  /** The table, with null for each cell that no column of its kind can hold. */
  readonly table: Table
  readonly forbidden: readonly RowFinding<'mismatch'>[]
}

/**
 * Holds each cell of a table against the columns of its dataset: no null where none may be, a date, minute, time or moment that is
 * one, a finite number, a whole one where the column counts, one of the values that the contract lists, and of trading days one on
 * which the exchanges were open, as far as the calendar knows, and not far after all others with hardly any rows. Columns of
 * other names or forms are let pass.
 */
export function allowedCells(given: Table, dataset: DatasetName): Allowed {
  const known = allowed.get(given)
  if (known?.dataset === dataset) return known
  const found = { dataset, ...cellsAllowed(given, dataset) }
  allowed.set(given, found)
  return found
}

/** What was found of tables: each of several checks looks at the same. */
const allowed = new WeakMap<Table, Allowed & { readonly dataset: DatasetName }>()

function cellsAllowed(given: Table, dataset: DatasetName): Allowed {
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
    for (const [row, why] of wrong) forbidden.push(mismatch(row, name, `${name} ${why}`))
    if (wrong.size > 0) of.set(name, without(values, wrong.keys()))
    if (!tradingDays.includes(name)) continue
    for (const cell of noTradingDays(name, of.get(name) ?? values)) forbidden.push(cell)
  }
  if (forbidden.length === 0) return { table: given, forbidden }
  return { table: toTable({ length: columns.length, columns: of }, known, given.schema.metadata), forbidden }
}
