import type { Dataset } from '../../../contract/dataset.js'
import { columnTypeOf } from '../../../frame/table/arrow.js'
import { gatherCells, gatherRows } from '../../../frame/table/gather-cells.js'
import { type ColumnData, concatCells, nulls, type RecordColumns } from '../../../frame/table/values.js'

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

/** The rows from one place of an answer up to another. */
export function sliceRows(slices: readonly RowSlice[], from: number, to: number): readonly RowSlice[] {
  if (from <= 0 && to >= countSliceRows(slices)) return slices
  let start = 0
  return slices.flatMap((slice) => {
    const { columns, rows } = slice
    const length = sliceLength(slice)
    const [a, b] = [Math.max(0, from - start), Math.min(length, to - start)]
    start += length
    if (b <= a) return []
    if (a === 0 && b === length) return [slice]
    return [{ columns, rows: isList(rows) ? rows.subarray(a, b) : { from: rows.from + a, to: rows.from + b } }]
  })
}

/** A dataset's columns with no rows. */
export function emptyColumns(dataset: Dataset): RecordColumns {
  const declared = Object.entries({ ...dataset.columns, ...dataset.stored })
  return { length: 0, columns: new Map(declared.map(([name, column]) => [name, nulls(columnTypeOf(column.kind), 0)])) }
}

/** Drops the words that no row uses, so that a small answer does not carry a day's dictionary. */
function compact(values: ColumnData): ColumnData {
  if (values.type !== 'dictionary' || values.dictionary.length <= values.data.length) return values
  const numbers = new Map<number, number>()
  const data = values.data.map((code) => {
    if (code < 0) return -1
    const known = numbers.get(code)
    if (known !== undefined) return known
    numbers.set(code, numbers.size)
    return numbers.size - 1
  })
  return { type: 'dictionary', data, dictionary: [...numbers.keys()].map((code) => values.dictionary[code] as string) }
}

/** Rows one by one. */
export function rowNumbers(rows: Rows): Int32Array {
  return isList(rows) ? rows : Int32Array.from({ length: rows.to - rows.from }, (_, i) => rows.from + i)
}

/** The rows to take of the columns; undefined for all. */
function takenRows(slice: RowSlice): Int32Array | undefined {
  const isWhole = !isList(slice.rows) && sliceLength(slice) === slice.columns.length
  return isWhole ? undefined : rowNumbers(slice.rows)
}

/** The cells of a slice. */
export function gatherSlice(slice: RowSlice): RecordColumns {
  const rows = takenRows(slice)
  return rows ? gatherRows(slice.columns, rows) : slice.columns
}

/** The slices of an answer end to end, without unused words; only the columns named, where names are given. */
export function joinSlices(
  dataset: Dataset,
  slices: readonly RowSlice[],
  names: readonly string[] = [...(slices[0]?.columns ?? emptyColumns(dataset)).columns.keys()],
): RecordColumns {
  const parts = (slices.length > 0 ? slices : [wholeSlice(emptyColumns(dataset))]).map((slice) => {
    const rows = takenRows(slice)
    return (name: string): ColumnData => {
      const values = slice.columns.columns.get(name) as ColumnData
      return compact(rows ? gatherCells(values, rows) : values)
    }
  })
  const columns = names.map((name) => [name, concatCells(parts.map((cellsOf) => cellsOf(name)))] as const)
  return { length: countSliceRows(slices), columns: new Map(columns) }
}
