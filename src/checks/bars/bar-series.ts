import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { words } from '../../frame/read-columns.js'
import { provenance, withProvenance } from '../../table/provenance.js'
import { type CheckColumns, labelColumn } from '../check-columns.js'

/** A text column, as codes into its words, and the place of each word among the different words in order; null is an empty word. */
export interface RankedText {
  readonly name: string
  readonly codes: Int32Array
  readonly words: readonly string[]
  readonly ranks: Int32Array
  /** How many different words there are, at least 1. */
  readonly size: number
}

/** Rows of a table as series: rows that share their keys, each series in the order of its time column. */
export interface RowSeries {
  /** Row numbers, series after series; undefined where the rows stand so already. */
  readonly order: Uint32Array | undefined
  /** Where each series begins in the order; one more entry than series. */
  readonly starts: Uint32Array
  /** Places in the order whose row has the time of the row before in its series; rising. */
  readonly doubled: readonly number[]
  /** The key columns and the time column. */
  readonly columns: Readonly<Record<string, RankedText>>
}

function ranked(table: Table, name: string): RankedText {
  const own = words(table, name)
  const isNull = own.codes.includes(-1)
  const list = isNull ? [...own.words, ''] : own.words
  const codes = isNull ? own.codes.map((code) => (code < 0 ? own.words.length : code)) : own.codes
  const sorted = [...new Set(list)].sort()
  const place = new Map(sorted.map((word, i) => [word, i]))
  const ranks = Int32Array.from(list, (word) => place.get(word) ?? 0)
  return { name, codes, words: list, ranks, size: Math.max(sorted.length, 1) }
}

/** Puts the place of each key among the different keys instead of it. @returns how many there are */
function compact(key: Float64Array): number {
  const different = Float64Array.from(new Set(key)).sort()
  const place = new Map<number, number>()
  different.forEach((one, i) => {
    place.set(one, i)
  })
  key.forEach((one, row) => {
    key[row] = place.get(one) ?? 0
  })
  return different.length
}

/** Whole numbers that order the rows as the columns do, the first column foremost. */
function keyOf(rows: number, columns: readonly RankedText[]): Float64Array {
  const key = new Float64Array(rows)
  let most = 1
  for (const { codes, ranks, size } of columns) {
    if (most * size > Number.MAX_SAFE_INTEGER) most = compact(key)
    most *= size
    for (let row = 0; row < rows; row++) {
      key[row] = (key[row] as number) * size + (ranks[codes[row] as number] as number)
    }
  }
  return key
}

function isSorted(key: Float64Array): boolean {
  for (let row = 1; row < key.length; row++) if ((key[row] as number) < (key[row - 1] as number)) return false
  return true
}

/** Row numbers in the order of the columns, by counting, the last column first; rows that are equal stay as they stood. */
function sortedRows(rows: number, columns: readonly RankedText[]): Uint32Array {
  let order = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) order[row] = row
  for (const { codes, ranks, size } of columns.toReversed()) {
    const next = new Uint32Array(size)
    for (let row = 0; row < rows; row++) {
      const rank = (ranks[codes[row] as number] as number) + 1
      if (rank < size) next[rank] = (next[rank] as number) + 1
    }
    for (let rank = 1; rank < size; rank++) next[rank] = (next[rank] as number) + (next[rank - 1] as number)
    const sorted = new Uint32Array(rows)
    for (let i = 0; i < rows; i++) {
      const row = order[i] as number
      const rank = ranks[codes[row] as number] as number
      const at = next[rank] as number
      sorted[at] = row
      next[rank] = at + 1
    }
    order = sorted
  }
  return order
}

/**
 * Rows grouped by text columns, then by time, whatever their order in the table. Two rows of a series may have the same
 * time: they are told in `doubled`. Rows without a key are series of their own.
 */
export function groupSeries(table: Table, keys: readonly string[], time: string): RowSeries {
  const rows = table.numRows
  const grouping = keys.map((name) => ranked(table, name))
  const clock = ranked(table, time)
  const all = [...grouping, clock]
  const key = keyOf(rows, all)
  const order = isSorted(key) ? undefined : sortedRows(rows, all)
  const starts = new Uint32Array(rows + 1)
  const doubled: number[] = []
  let count = 0
  let next = Number.NEGATIVE_INFINITY
  let before = Number.NaN
  for (let i = 0; i < rows; i++) {
    const own = key[order === undefined ? i : (order[i] as number)] as number
    if (own >= next) {
      starts[count++] = i
      next = (Math.floor(own / clock.size) + 1) * clock.size
    } else if (own === before) doubled.push(i)
    before = own
  }
  starts[count] = rows
  const columns = Object.fromEntries(all.map((one) => [one.name, one]))
  return { order, starts: starts.slice(0, count + 1), doubled, columns }
}

/** The row at a place of the order. */
export function rowAt({ order }: RowSeries, place: number): number {
  return order === undefined ? place : (order[place] as number)
}

/** The word of a column at a place of the order; the column is one of the keys or the time. */
export function textAt(series: RowSeries, name: string, place: number): string {
  const column = series.columns[name]
  return column?.words[column.codes[rowAt(series, place)] as number] ?? ''
}

/** A column of numbers in the order of the series; the column itself where its rows stand so. */
export function toSeriesOrder({ order }: RowSeries, column: Float64Array): Float64Array {
  if (order === undefined) return column
  const out = new Float64Array(order.length)
  for (let i = 0; i < out.length; i++) out[i] = column[order[i] as number] as number
  return out
}

/** The way back: numbers in the order of the series as a column of the table. */
export function toRowOrder({ order }: RowSeries, numbers: Float64Array): Float64Array {
  if (order === undefined) return numbers
  const out = new Float64Array(order.length)
  for (let i = 0; i < out.length; i++) out[order[i] as number] = numbers[i] as number
  return out
}

/**
 * Rows as series whose times are all different.
 * @throws QuotebookError INVALID_VALUE where a key is null or two rows of a series have the same time
 */
export function distinctSeries(table: Table, keys: readonly string[], time: string): RowSeries {
  for (const name of [...keys, time]) {
    const row = words(table, name).codes.indexOf(-1)
    if (row >= 0) throw new QuotebookError('INVALID_VALUE', `row ${row + 1}: ${name} is null`)
  }
  const series = groupSeries(table, keys, time)
  const [twice] = series.doubled
  if (twice === undefined) return series
  const [first, second] = [rowAt(series, twice - 1), rowAt(series, twice)]
  const names = [...keys, time].join(', ')
  throw new QuotebookError('INVALID_VALUE', `rows ${first + 1} and ${second + 1} share ${names}`)
}

const declared = {
  tradedate: ['date', 'Trading day.'],
  symbol: ['code', 'Security code.'],
  trademin: ['minute', 'Minute at which the bar closes.'],
  period: ['label', 'Bar period.'],
} as const

/** The columns that name a bar: day, symbol, period if the table has it, and minute. */
export function barKeyColumns(columns: Readonly<Record<string, RankedText>>): CheckColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const [kind, meaning] = declared[name as keyof typeof declared]
      return [name, labelColumn(kind, meaning, column)]
    }),
  )
}

/** Bars of either form as a table that says where they came from, so that a frame is judged as the table it was made of. */
export function asBarTable(bars: Table | DataFrame): Table {
  const table = asTable(bars)
  const about = provenance(bars)
  return about && table !== bars ? withProvenance(table, about) : table
}
