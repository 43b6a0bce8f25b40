import type { Dataset } from '../../contract/dataset.js'
import { orderedRows } from '../../table/check-table.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'
import { dayColumn } from '../partition.js'
import { type RowSlice, sliceLength } from './row-slices.js'

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

/** Whether the first rows of each slice come after the last ones of the slice before, by the column that leads the order. */
function isApart(slices: readonly RowSlice[], name: string, sign: 1 | -1): boolean {
  const at = ({ columns, rows }: RowSlice, last: boolean): string => {
    const row = rows instanceof Int32Array ? rows.at(last ? -1 : 0) : last ? rows.to - 1 : rows.from
    return String(cellOf(columns.columns.get(name) as ColumnData, row as number))
  }
  return slices.every((slice, i) => {
    const before = slices[i - 1]
    if (!before) return true
    const [a, b] = [at(before, true), at(slice, false)]
    return sign > 0 ? a < b : a > b
  })
}

/**
 * Pieces in the order of the contract, where rows that were picked from parts, ascending in each, already are in it; undefined
 * where they must be sorted. Parts come by day: several are in order, or turned round, when the order begins with that day.
 * One period a query is the rule of the bars.
 */
export function storedOrder(dataset: Dataset, slices: readonly RowSlice[]): readonly RowSlice[] | undefined {
  const some = slices.filter((slice) => sliceLength(slice) > 0)
  if (!some.every(({ columns }) => isOrdered(dataset, columns))) return undefined
  if (some.length < 2) return slices
  const [first = ''] = dataset.order
  const isFalling = first.startsWith('-')
  const name = isFalling ? first.slice(1) : first
  if (name !== dayColumn(dataset)) return undefined
  const ordered = isFalling ? some.toReversed() : some
  return isApart(ordered, name, isFalling ? -1 : 1) ? ordered : undefined
}
