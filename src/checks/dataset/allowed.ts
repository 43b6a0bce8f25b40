import type { Table } from 'apache-arrow'
import { inCalendar, isTradingDay } from '../../contract/calendar.js'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import { columnsOf } from '../../frame/column.js'
import { toTable } from '../../table/arrow.js'
import { wrongWord } from '../../table/decode.js'
import { type ColumnData, cellOf } from '../../table/values.js'
import type { RowFinding } from './verdict.js'

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
