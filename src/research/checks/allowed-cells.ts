import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../contract/calendar.js'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import { isDate } from '../../contract/date.js'
import { outlierDays } from '../../contract/outlier-days.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { columnsOf } from '../../frame/read-columns.js'
import { toTable } from '../../frame/table/arrow.js'
import { wrongWord } from '../../frame/table/decode.js'
import { type ColumnData, cellOf, textIn } from '../../frame/table/values.js'
import { inColumns, mismatch, type RowFinding } from './findings.js'

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

function wrongText(column: Column, text: string): Words | undefined {
  if (column.kind === 'json') return isJson(text) ? undefined : sentence`is not JSON`
  return wrongWord(column, text)
}

function wrongNumber({ kind }: Column, x: number): Words | undefined {
  if (Number.isNaN(x)) return undefined
  if (!Number.isFinite(x)) return sentence`is infinite`
  return kind === 'number' || Number.isSafeInteger(x) ? undefined : sentence`must be a whole number, not ${x}`
}

/** The rows of a column whose cell the contract forbids, with what is wrong; a null is not among them. */
function forbiddenIn(column: Column, values: ColumnData): Map<number, Words> {
  const found = new Map<number, Words>()
  const note = (row: number, wrong: Words | undefined): void => {
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
function wrongDays(rows: ReadonlyMap<string, number>): Map<string, Words> {
  const spans = [...rows].flatMap(([day, count]) => (isDate(day) ? [{ from: day, to: day, rows: count }] : []))
  const stray = outlierDays(spans).map(({ from }) => from)
  const [first = ''] = stray
  const before = [...rows.keys()].filter((day) => day < first).sort()
  return new Map([
    ...stray.map((day): [string, Words] => [
      day,
      sentence`lies far after all other days, which end with ${before.at(-1)}`,
    ]),
    ...[...rows.keys()].flatMap((day): [string, Words][] =>
      isDate(day) && noticedCalendar.isOpen(day) === false ? [[day, sentence`is no trading day`]] : [],
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
    if (why !== undefined) found.push(mismatch(row, name, sentence`${name} ${days[code]} ${why}`))
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
      for (let row = 0; row < columns.length; row++) if (cellOf(values, row) === null) wrong.set(row, sentence`is null`)
    }
    for (const [row, why] of wrong) forbidden.push(inColumns([name], mismatch(row, name, sentence`${name} ${why}`)))
    if (wrong.size > 0) of.set(name, without(values, wrong.keys()))
    if (!tradingDays.includes(name)) continue
    for (const cell of noTradingDays(name, of.get(name) ?? values)) forbidden.push(cell)
  }
  if (forbidden.length === 0) return { table: given, forbidden }
  return { table: toTable({ length: columns.length, columns: of }, known, given.schema.metadata), forbidden }
}
