import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { readColumns } from '../../frame/as-table.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../frame/table/values.js'
import { readInput } from '../../frame/verb/verb-input.js'
import { selectOutput } from '../../frame/verb/verb-output.js'
import { rowTexts } from '../source/reply/reply-chunk.js'

/** A table of any columns. */
// biome-ignore lint/suspicious/noExplicitAny: Table is not covariant in its columns
export type AnyTable = Table<any>

/** What became of the rows of a dataset from one state to the next. Rows are told apart by the key of the dataset. */
export interface RowChanges<T extends AnyTable = Table> {
  /** Rows that were not there, as they stand in the state. */
  readonly added: T
  /** Rows of which some column has another value, as they are now. */
  readonly changed: T
  /** The same rows, in the same order, as they were before. */
  readonly before: T
  /** The columns that have another value, for each row of `changed`. */
  readonly columns: readonly (readonly string[])[]
  /** Rows that are no longer there, as they were. */
  readonly gone: T
}

/** The columns of a table that tell its rows apart: the key of the dataset, or all of them where it has none. */
export function keyNames({ key }: Dataset, { columns }: RecordColumns): readonly string[] {
  return key.length === 0 ? [...columns.keys()] : key.filter((name) => columns.has(name))
}

/** The columns to ask for, where some are chosen: those of the key come along. */
export function withKey({ key }: Dataset, fields: readonly string[] | undefined): readonly string[] | undefined {
  return fields && [...new Set([...key, ...fields])]
}

/** A text for each row that no other row of the table has: its key, and for a key that is there again which one of them it is. */
export function rowKeys(dataset: Dataset, rows: RecordColumns): readonly string[] {
  const seen = new Map<string, number>()
  return rowTexts(rows, 0, rows.length, keyNames(dataset, rows)).map((text) => {
    const times = seen.get(text) ?? 0
    seen.set(text, times + 1)
    return times === 0 ? text : `${text} ${times + 1}`
  })
}

/** A cell as it is compared: a missing number is missing whichever way, a list its text. */
function cell(values: ColumnData | undefined, row: number): unknown {
  const value = values ? cellOf(values, row) : null
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return Number.isNaN(value) ? null : value
}

function changedColumns(names: readonly string[], [a, i]: Place, [b, j]: Place): readonly string[] {
  return names.filter((name) => cell(a.columns.get(name), i) !== cell(b.columns.get(name), j))
}

type Place = readonly [rows: RecordColumns, row: number]

/** Some rows of a table, in the order given. */
export function takeRows<T extends AnyTable>(table: T, rows: readonly number[]): T {
  return selectOutput(readInput(table), Int32Array.from(rows)) as T
}

/**
 * What became of the rows of `from` in `to`; of no former state, every row is added. The order of rows is no change, and a
 * column that only one state has counts as missing in the other.
 */
export function rowChanges<T extends AnyTable>(dataset: Dataset, from: T | undefined, to: T): RowChanges<T> {
  const now = readColumns(to)
  const was = from ? readColumns(from) : { length: 0, columns: new Map<string, ColumnData>() }
  const names = [...new Set([...now.columns.keys(), ...was.columns.keys()])]
  const places = new Map(rowKeys(dataset, was).map((key, row) => [key, row]))
  const [added, changed, before]: [number[], number[], number[]] = [[], [], []]
  const columns: (readonly string[])[] = []
  rowKeys(dataset, now).forEach((key, row) => {
    const place = places.get(key)
    places.delete(key)
    if (place === undefined) {
      added.push(row)
      return
    }
    const other = changedColumns(names, [was, place], [now, row])
    if (other.length === 0) return
    changed.push(row)
    before.push(place)
    columns.push(other)
  })
  const former = from ?? to
  return {
    added: takeRows(to, added),
    changed: takeRows(to, changed),
    before: takeRows(former, before),
    columns,
    gone: takeRows(former, [...places.values()]),
  }
}

/** Whether anything changed. */
export function isChange({ added, changed, gone }: RowChanges<AnyTable>): boolean {
  return added.numRows + changed.numRows + gone.numRows > 0
}
