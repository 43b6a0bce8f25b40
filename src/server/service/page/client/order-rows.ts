import { numberText, plainText } from './page-cell.js'

type Row = readonly unknown[]

/** The column that rows are ordered by, and which way. */
export interface RowOrder {
  readonly column: number
  readonly isDescending: boolean
}

const isMissing = (cell: unknown): boolean => cell === null || cell === undefined || cell === ''

/** Numbers by size, and before texts; texts by their characters. */
function compareCells(a: unknown, b: unknown): number {
  const [x, y] = [numberText(a), numberText(b)]
  if (x !== undefined && y !== undefined) return Number(x) - Number(y)
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1
  const [left, right] = [plainText(a), plainText(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rows in an order, missing values last whichever way; rows that are equal stay as they came. */
export function orderRows(rows: readonly Row[], order: RowOrder | undefined): readonly Row[] {
  if (!order) return rows
  const { column, isDescending } = order
  return [...rows].sort((a, b) => {
    const [x, y] = [a[column], b[column]]
    if (isMissing(x) || isMissing(y)) return Number(isMissing(x)) - Number(isMissing(y))
    return isDescending ? compareCells(y, x) : compareCells(x, y)
  })
}

/** The order after a click on the head of a column: up, down, and as it came. */
export function nextOrder(order: RowOrder | undefined, column: number): RowOrder | undefined {
  if (order?.column !== column) return { column, isDescending: false }
  return order.isDescending ? undefined : { column, isDescending: true }
}

/** Rows of which some cell holds a text, whatever its case. */
export function filterRows(rows: readonly Row[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return rows
  const holds = (cell: unknown): boolean =>
    !isMissing(cell) && (numberText(cell) ?? plainText(cell)).toLowerCase().includes(wanted)
  return rows.filter((row) => row.some(holds))
}
