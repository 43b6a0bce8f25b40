import type { Table } from 'apache-arrow'
import { dictionaryToRead, has } from '../../../frame/read-columns.js'
import { startOfRun } from '../../../frame/table/gather-cells.js'
import { sortRows } from '../../../frame/table/sort-rows.js'
import { type CheckColumns, labelColumn } from '../check-columns.js'

/** A text column as codes into its words; null is an empty word. */
export interface TextCodes {
  readonly codes: Int32Array
  readonly words: readonly string[]
}

/** Rows of a table as series: rows that share their keys, each series in the order of its minutes. */
export interface RowSeries {
  /** Row numbers, series after series. */
  readonly order: Int32Array
  /** The rows stand in that order. */
  readonly isOrdered: boolean
  /** Where each series begins in the order; one more entry than series. */
  readonly starts: readonly number[]
  /** Places in the order whose row has the minute of the row before in its series; rising. */
  readonly doubled: readonly number[]
  /** The key columns and `trademin`. */
  readonly columns: Readonly<Record<string, TextCodes>>
}

function withoutNull(column: TextCodes): TextCodes {
  if (!column.codes.includes(-1)) return column
  const at = column.words.indexOf('')
  const [empty, list] = at < 0 ? [column.words.length, [...column.words, '']] : [at, column.words]
  return { codes: column.codes.map((code) => (code < 0 ? empty : code)), words: list }
}

const barKeys = ['tradedate', 'symbol', 'period']

/** Series of tables: each of several checks looks at the same. */
const grouped = new WeakMap<Table, RowSeries>()

/** The series of bars: rows of one day, symbol and, if the table has it, period. @throws QuotebookError MISSING_COLUMN */
export function seriesOfBars(table: Table): RowSeries {
  const known = grouped.get(table) ?? groupSeries(table, has(table, 'period') ? barKeys : barKeys.slice(0, 2))
  grouped.set(table, known)
  return known
}

/**
 * Rows grouped by text columns, then by minute, whatever their order in the table. Two rows of a series may have the same minute: `doubled` has them. Rows without a key are series of their own.
 * @throws QuotebookError MISSING_COLUMN
 */
export function groupSeries(table: Table, keys: readonly string[]): RowSeries {
  const named = [...keys, 'trademin'].map((name): [string, TextCodes] => [
    name,
    withoutNull(dictionaryToRead(table, name)),
  ])
  const sorted = named.map(([name, { codes, words: dictionary }]) => {
    return { name, values: { type: 'dictionary' as const, data: codes, dictionary }, descending: false }
  })
  const order = sortRows(sorted, table.numRows)
  const columns = named.map(([, { codes }]) => codes)
  const starts: number[] = []
  const doubled: number[] = []
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const before = order[i - 1] ?? -1
    let same = 0
    while (same < columns.length && columns[same]?.[row] === columns[same]?.[before]) same++
    if (same < keys.length) starts.push(i)
    else if (same === columns.length) doubled.push(i)
  }
  starts.push(order.length)
  return { order, isOrdered: startOfRun(order) === 0, starts, doubled, columns: Object.fromEntries(named) }
}

/** The row at a place of the order. */
export function rowAt({ order }: RowSeries, place: number): number {
  return order[place] as number
}

/** The word of a column at a place of the order; the column is one of the keys or `trademin`. */
export function textAt(series: RowSeries, name: string, place: number): string {
  return wordAt(series, name, series.order[place] as number)
}

/** The same at a row of the table. */
export function wordAt({ columns }: RowSeries, name: string, row: number): string {
  const column = columns[name]
  return column?.words[column.codes[row] as number] ?? ''
}

/** A column of numbers in the order of the series, to be read only. */
export function toSeriesOrder({ order, isOrdered }: RowSeries, column: Float64Array): Float64Array {
  if (isOrdered) return column
  const out = new Float64Array(order.length)
  for (let i = 0; i < out.length; i++) out[i] = column[order[i] as number] as number
  return out
}

/** The way back: numbers in the order of the series as a column of the table, to be read only. */
export function toRowOrder({ order, isOrdered }: RowSeries, numbers: Float64Array): Float64Array {
  if (isOrdered) return numbers
  const out = new Float64Array(order.length)
  for (let i = 0; i < out.length; i++) out[order[i] as number] = numbers[i] as number
  return out
}

const declared = {
  tradedate: ['date', 'Trading day.'],
  symbol: ['code', 'Security code.'],
  trademin: ['minute', 'Minute at which the bar closes.'],
  period: ['label', 'Bar period.'],
} as const

/** The columns that name a bar: day, symbol, period if the table has it, and minute. */
export function barKeyColumns({ columns }: RowSeries): CheckColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const [kind, meaning] = declared[name as keyof typeof declared]
      return [name, labelColumn(kind, meaning, column)]
    }),
  )
}
