import { expect } from 'vitest'
import { QuotebookError } from '../../../src/contract/error.js'
import { asTable } from '../../../src/frame/as-table.js'
import type { DataFrame } from '../../../src/frame/danfo-types.js'
import type { Data } from '../../../src/frame/data.js'
import { rowsOf } from '../../../src/frame/read-columns.js'

/* A frame as plain arrays, which change where somebody changes them and nowhere else. */

export type Cell = unknown

export interface PlainFrame {
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
  readonly labels: readonly (string | number)[]
  readonly rows: readonly (readonly Cell[])[]
}

export function missing(cell: Cell): boolean {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** Missing cells are alike, and a list of a table is what a frame has for it. */
export function plainCell(cell: Cell): Cell {
  return missing(cell) ? null : Array.isArray(cell) ? cell.join(',') : cell
}

export const plainRows = (rows: readonly (readonly Cell[])[]): Cell[][] => rows.map((row) => row.map(plainCell))

export const numbered = (count: number): number[] => Array.from({ length: count }, (_, row) => row)

/** The type of cells that are given without one. */
export function dtypeOf(cells: readonly Cell[]): string {
  if (cells.length === 0) return 'undefined'
  const present = cells.filter((cell) => !missing(cell))
  if (present.length === 0) return 'float32'
  if (present.every((cell) => typeof cell === 'boolean')) return 'boolean'
  if (present.every((cell) => cell instanceof Date)) return 'datetime'
  if (!present.every((cell) => typeof cell === 'number')) return 'string'
  return present.length === cells.length && present.every(Number.isInteger) ? 'int32' : 'float32'
}

export const cellsAt = (frame: PlainFrame, at: number): Cell[] => frame.rows.map((row) => row[at])

export function pick(frame: PlainFrame, rows: readonly number[]): PlainFrame {
  const take = <T>(list: readonly T[]): T[] => rows.map((row) => list[row] as T)
  return { ...frame, rows: take(frame.rows), labels: take(frame.labels) }
}

export function pickColumns(frame: PlainFrame, places: readonly number[]): PlainFrame {
  const take = <T>(list: readonly T[]): T[] => places.map((at) => list[at] as T)
  return { ...frame, columns: take(frame.columns), dtypes: take(frame.dtypes), rows: frame.rows.map(take) }
}

/** Cells in the place of others; behind the last column when there is none of that place. */
export function putColumn(
  frame: PlainFrame,
  column: { readonly name: string; readonly cells: readonly Cell[]; readonly dtype: string },
  at: number,
  removed: 0 | 1,
): PlainFrame {
  return {
    ...frame,
    columns: frame.columns.toSpliced(at, removed, column.name),
    dtypes: frame.dtypes.toSpliced(at, removed, column.dtype),
    rows: frame.rows.map((row, i) => row.toSpliced(at, removed, column.cells[i])),
  }
}

export function putCell(frame: PlainFrame, row: number, at: number, cell: Cell): PlainFrame {
  return { ...frame, rows: frame.rows.with(row, (frame.rows[row] as readonly Cell[]).with(at, cell)) }
}

/** Whether a table can hold the frame: no dates, no lists as cells, one type a column. */
export function fitsTable(frame: PlainFrame): boolean {
  return frame.columns.every((_, at) => {
    const types = new Set(cellsAt(frame, at).flatMap((cell) => (missing(cell) ? [] : [typeof cell])))
    return types.size <= 1 && !types.has('object')
  })
}

/** Holds a table, or what is made a table of, against rows. */
export function checkTable(data: Data, plain: PlainFrame): void {
  if (!fitsTable(plain)) {
    expect(() => asTable(data)).toThrow(QuotebookError)
    return
  }
  const table = asTable(data)
  expect(table.schema.fields.map(({ name }) => name)).toEqual(plain.columns)
  expect(plainRows(rowsOf(table))).toEqual(plainRows(plain.rows))
}

/** Holds a frame against what it should be, its rows and its columns. */
export function checkFrame(frame: DataFrame, plain: PlainFrame): void {
  expect(frame.columns).toEqual(plain.columns)
  expect(frame.dtypes).toEqual(plain.dtypes)
  expect(frame.index).toEqual(plain.labels)
  checkTable(frame, plain)
  plain.columns.forEach((name, at) => {
    expect(frame.column(name).values.map(plainCell)).toEqual(cellsAt(plain, at).map(plainCell))
  })
  expect(plainRows(frame.values as Cell[][])).toEqual(plainRows(plain.rows))
}
