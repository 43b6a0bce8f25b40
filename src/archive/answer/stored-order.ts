import type { Dataset } from '../../contract/dataset.js'
import { orderedRows } from '../../table/check-table.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'
import { dayColumn } from '../partition.js'
import { lengthOf, type Piece } from './piece.js'

const known = new WeakMap<RecordColumns, boolean>()

/** Whether all rows of a part stand in the order of the contract, within their bar period; looked at once for each part. */
function isOrdered(dataset: Dataset, columns: RecordColumns): boolean {
  let ordered = known.get(columns)
  if (ordered === undefined) {
    const scope = dataset.stored?.period?.key ? ['period'] : []
    ordered = orderedRows(columns, [...scope, ...dataset.order]) === undefined
    known.set(columns, ordered)
  }
  return ordered
}

/** Whether the first rows of each piece come after the last ones of the piece before, by the column that leads the order. */
function isApart(pieces: readonly Piece[], name: string, sign: 1 | -1): boolean {
  const at = ({ columns, rows }: Piece, last: boolean): string => {
    const row = rows instanceof Int32Array ? rows.at(last ? -1 : 0) : last ? rows.to - 1 : rows.from
    return String(cellOf(columns.columns.get(name) as ColumnData, row as number))
  }
  return pieces.every((piece, i) => {
    const before = pieces[i - 1]
    if (!before) return true
    const [a, b] = [at(before, true), at(piece, false)]
    return sign > 0 ? a < b : a > b
  })
}

/**
 * Pieces in the order of the contract, where rows that were picked from parts, ascending in each, already are in it; undefined
 * where they must be sorted. Parts come by day: several are in order, or turned round, when the order begins with that day.
 * One period a query is the rule of the bars.
 */
export function storedOrder(dataset: Dataset, pieces: readonly Piece[]): readonly Piece[] | undefined {
  const some = pieces.filter((piece) => lengthOf(piece) > 0)
  if (!some.every(({ columns }) => isOrdered(dataset, columns))) return undefined
  if (some.length < 2) return pieces
  const [first = ''] = dataset.order
  const isFalling = first.startsWith('-')
  const name = isFalling ? first.slice(1) : first
  if (name !== dayColumn(dataset)) return undefined
  const ordered = isFalling ? some.toReversed() : some
  return isApart(ordered, name, isFalling ? -1 : 1) ? ordered : undefined
}
