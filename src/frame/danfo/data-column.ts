/*
 * How a frame keeps a column: in the typed forms of tables where its cells fit one, and otherwise as cells. Nothing here is
 * ever written to, so frames, Series and the table that a frame was made of may share a column.
 *
 * The one rule for what is missing: null, undefined and NaN are, and all mean the same. A column of numbers has NaN for
 * it and any other column null.
 */

import { NumberBuilder } from '../table/column-builder.js'
import { mapRows } from '../table/fresh-array.js'
import { gatherCells } from '../table/gather-cells.js'
import { type ColumnContent, type ColumnData, cellOf, distinctWords } from '../table/values.js'

export type Cells = readonly unknown[]

export function isNa(cell: unknown): cell is null | undefined {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** Whether columns of a type hold numbers. danfo knows no 64-bit labels: the label is only a word, the numbers are doubles. */
export function isNumeric(dtype: string): boolean {
  return dtype === 'float32' || dtype === 'int32'
}

/** What stands for a missing value in a column of a type. */
export function naOf(dtype: string): number | null {
  return isNumeric(dtype) || dtype === 'undefined' ? Number.NaN : null
}

/** Cells with the sign of a type for what is missing. */
export function tidied(cells: Cells, dtype: string): Cells {
  const na = naOf(dtype)
  return cells.map((cell) => (isNa(cell) ? na : cell))
}

/** The type of whole numbers, and that of a column without rows (`undefined`), is `float32` as soon as one is missing. */
export function dtypeWith(dtype: string, cells: Cells): string {
  return (dtype === 'int32' || dtype === 'undefined') && cells.some(isNa) ? 'float32' : dtype
}

function contentFrom(cells: Cells, dtype: string): ColumnContent {
  const asCells = { type: 'cells', data: cells } as const
  if (!isNumeric(dtype) && dtype !== 'boolean') return asCells
  const [type, own] = dtype === 'boolean' ? (['boolean', 'boolean'] as const) : (['float', 'number'] as const)
  const column = new NumberBuilder<'boolean' | 'float'>(type, cells.length)
  const { data } = column
  for (let row = 0; row < data.length; row++) {
    const cell = cells[row]
    if (isNa(cell)) column.setMissing(row)
    else if (typeof cell === own) data[row] = Number(cell)
    else return asCells
  }
  return column.build()
}

function cellIn(content: ColumnContent, row: number): unknown {
  if (content.type === 'float' || content.type === 'cells') return content.data[row]
  // A list is text with commas in frames.
  if (content.type === 'list') return content.data[row]?.join(',') ?? null
  const cell = cellOf(content, row)
  return content.type === 'int' ? (cell ?? Number.NaN) : cell
}

/** All cells; an array that may be the column's own. */
function cellsOf(content: ColumnContent): Cells {
  if (content.type === 'cells' || content.type === 'string') return content.data
  if (content.type === 'dictionary') return distinctWords(content)
  if (content.type === 'float') return mapRows(content.data.length, (row) => content.data[row] as number)
  return mapRows(content.data.length, (row) => cellIn(content, row))
}

function gathered(content: ColumnContent, rows: ArrayLike<number>, holes?: boolean): ColumnContent {
  if (content.type !== 'cells') return gatherCells(content, rows, holes)
  return { type: content.type, data: mapRows(rows.length, (at) => content.data[rows[at] as number]) }
}

export class DataColumn {
  readonly length: number
  /** danfo's word for the type of its cells. */
  readonly dtype: string
  /** What the maker of the column wants to find again with it; it stays where cells are moved, and goes where they are computed. */
  readonly about: unknown
  #content: ColumnContent | undefined
  /** Let go once it has read, with what it reads from. */
  #read: (() => ColumnContent) | undefined

  /** @param content how the cells are kept, or what reads them when they are first asked for */
  constructor(length: number, content: ColumnContent | (() => ColumnContent), dtype: string, about?: unknown) {
    this.length = length
    this.dtype = dtype
    this.about = about
    this.#read = typeof content === 'function' ? content : () => content
  }

  get content(): ColumnContent {
    this.#content ??= this.#read?.()
    this.#read = undefined
    return this.#content as ColumnContent
  }

  /** One cell: NaN for a missing number, null for anything else that is missing. */
  cellAt(row: number): unknown {
    return cellIn(this.content, row)
  }

  /** All cells, to be read only. */
  cells(): Cells {
    return cellsOf(this.content)
  }

  /** The same cells under another word for their type. */
  as(dtype: string): DataColumn {
    return dtype === this.dtype ? this : new DataColumn(this.length, this.content, dtype, this.about)
  }

  /** The cells of the given rows. */
  gather(rows: ArrayLike<number>): DataColumn {
    const { content } = this
    return new DataColumn(rows.length, gathered(content, rows), this.dtype, this.about)
  }

  /** The same when somebody first reads one of them, where that keeps little in memory. The rows are there, and not changed any more. */
  gatherLate(rows: ArrayLike<number>): DataColumn {
    const { content } = this
    if (this.length > 8 * rows.length) return this.gather(rows)
    return new DataColumn(rows.length, () => gathered(content, rows, false), this.dtype, this.about)
  }
}

/** Cells as a column of a type, in its form where all of them fit it. The array must not be changed afterwards. */
export function columnOfCells(cells: Cells, dtype = 'undefined'): DataColumn {
  return new DataColumn(cells.length, contentFrom(cells, dtype), dtype)
}

/** danfo's word for the type of numbers: whole ones are int32, others and missing ones float32. */
export function dtypeOfNumbers(data: Float64Array): string {
  if (data.length === 0) return 'undefined'
  return data.every(Number.isInteger) ? 'int32' : 'float32'
}

/** Numbers as a column. */
export function columnOfNumbers(data: Float64Array): DataColumn {
  return new DataColumn(data.length, { type: 'float', data, valid: null }, dtypeOfNumbers(data))
}

/* Loops of the file over one kind of array each: closures would lose their compiled code whenever the heap is collected. */

function writeFloats(data: Float64Array, rows: unknown[][], at: number, from: number, to: number): void {
  for (let row = from; row < to; row++) (rows[row] as unknown[])[at] = data[row]
}

function writeWords(content: ColumnData, rows: unknown[][], at: number, from: number, to: number): void {
  const { data, dictionary } = content as Extract<ColumnData, { type: 'dictionary' }>
  for (let row = from; row < to; row++) (rows[row] as unknown[])[at] = dictionary[data[row] as number] ?? null
}

function writeCells(data: Cells, rows: unknown[][], at: number, from: number, to: number): void {
  for (let row = from; row < to; row++) (rows[row] as unknown[])[at] = data[row]
}

/** Rows written together: few enough to stay in the processor's cache while each column passes over them. */
const block = 512

/** The rows of columns, made anew. */
export function rowsOfColumns(columns: readonly DataColumn[], length: number): unknown[][] {
  const contents = columns.map(
    ({ content }): ColumnContent =>
      content.type === 'float' || content.type === 'dictionary' ? content : { type: 'cells', data: cellsOf(content) },
  )
  const blank = contents.map((): unknown => null)
  const rows = new Array<unknown[]>(length)
  for (let from = 0; from < length; from += block) {
    const to = Math.min(from + block, length)
    for (let row = from; row < to; row++) rows[row] = blank.slice()
    contents.forEach((content, at) => {
      if (content.type === 'float') writeFloats(content.data, rows, at, from, to)
      else if (content.type === 'dictionary') writeWords(content, rows, at, from, to)
      else writeCells(content.data as Cells, rows, at, from, to)
    })
  }
  return rows
}
