import type { Dataset } from '../../contract/dataset.js'
import { columnTypeOf } from '../../table/arrow.js'
import { gatherCells, gatherRows } from '../../table/gather-rows.js'
import { type ColumnData, concatCells, nulls, type RecordColumns } from '../../table/values.js'

/** Rows by position: from one place up to another, or one by one. */
export type Rows = { readonly from: number; readonly to: number } | Int32Array

/** Some rows of some columns, not copied: what an answer is made of. */
export interface RowSlice {
  readonly columns: RecordColumns
  readonly rows: Rows
}

function isList(rows: Rows): rows is Int32Array {
  return rows instanceof Int32Array
}

export function sliceLength({ rows }: RowSlice): number {
  return isList(rows) ? rows.length : rows.to - rows.from
}

export function countSliceRows(slices: readonly RowSlice[]): number {
  return slices.reduce((sum, slice) => sum + sliceLength(slice), 0)
}

/** All rows of some columns. */
export function wholeSlice(columns: RecordColumns): RowSlice {
  return { columns, rows: { from: 0, to: columns.length } }
}

/** Calls `each` for every stretch of rows that stand side by side, in the order of the slice. */
export function eachRun({ rows }: RowSlice, each: (from: number, to: number) => void): void {
  if (!isList(rows)) {
    if (rows.to > rows.from) each(rows.from, rows.to)
    return
  }
  for (let at = 0; at < rows.length; ) {
    const from = rows[at] as number
    let to = from + 1
    for (at++; at < rows.length && rows[at] === to; at++) to++
    each(from, to)
  }
}

function cut(slice: RowSlice, from: number, to: number): RowSlice {
  const { columns, rows } = slice
  if (isList(rows)) return { columns, rows: rows.subarray(from, to) }
  return { columns, rows: { from: rows.from + from, to: rows.from + to } }
}

/** The rows from one place of an answer up to another. */
export function sliceRows(slices: readonly RowSlice[], from: number, to: number): RowSlice[] {
  const out: RowSlice[] = []
  let at = 0
  for (const slice of slices) {
    const length = sliceLength(slice)
    const [a, b] = [Math.max(0, from - at), Math.min(length, to - at)]
    if (b > a) out.push(a === 0 && b === length ? slice : cut(slice, a, b))
    at += length
  }
  return out
}

/** A dataset's columns with no rows. */
export function emptyColumns(dataset: Dataset): RecordColumns {
  const declared = Object.entries({ ...dataset.columns, ...dataset.stored })
  return { length: 0, columns: new Map(declared.map(([name, column]) => [name, nulls(columnTypeOf(column.kind), 0)])) }
}

/** Drops the words that no row uses, so that a small answer does not carry a day's dictionary. */
function compact(values: ColumnData): ColumnData {
  if (values.type !== 'dictionary' || values.dictionary.length <= values.data.length) return values
  const words: string[] = []
  const map = new Map<number, number>()
  const data = values.data.map((code) => {
    if (code < 0) return -1
    let fresh = map.get(code)
    if (fresh === undefined) {
      fresh = words.push(values.dictionary[code] as string) - 1
      map.set(code, fresh)
    }
    return fresh
  })
  return { type: 'dictionary', data, dictionary: words }
}

/** Rows one by one. */
export function rowNumbers(rows: Rows): Int32Array {
  return isList(rows) ? rows : Int32Array.from({ length: rows.to - rows.from }, (_, i) => rows.from + i)
}

/** The cells of a slice. */
export function gatherSlice(slice: RowSlice): RecordColumns {
  const { columns } = slice
  return isWhole(slice) ? columns : gatherRows(columns, rowNumbers(slice.rows))
}

/** The slices of an answer end to end, without unused words; only the columns named, where names are given. */
export function joinSlices(
  dataset: Dataset,
  slices: readonly RowSlice[],
  names: readonly string[] = [...(slices[0]?.columns ?? emptyColumns(dataset)).columns.keys()],
): RecordColumns {
  const rows = slices.map((slice) => (isWhole(slice) ? undefined : rowNumbers(slice.rows)))
  const from = slices.length === 0 ? [emptyColumns(dataset)] : slices.map(({ columns }) => columns)
  const valuesOf = (columns: RecordColumns, i: number, name: string): ColumnData => {
    const values = columns.columns.get(name) as ColumnData
    const picked = rows[i]
    return compact(picked ? gatherCells(values, picked) : values)
  }
  return {
    length: countSliceRows(slices),
    columns: new Map(names.map((name) => [name, concatCells(from.map((columns, i) => valuesOf(columns, i, name)))])),
  }
}

function isWhole(slice: RowSlice): boolean {
  return !isList(slice.rows) && sliceLength(slice) === slice.columns.length
}
