import type { Dataset } from '../../contract/dataset.js'
import { orderedRows } from '../../frame/check.js'
import type { Columns } from '../../frame/values.js'
import { lengthOf, type Piece } from './piece.js'

const known = new WeakMap<Columns, boolean>()

/** Whether all rows of a part stand in the order of the contract, within their bar period; looked at once for each part. */
function isOrdered(dataset: Dataset, columns: Columns): boolean {
  let ordered = known.get(columns)
  if (ordered === undefined) {
    const scope = dataset.stored?.period?.key ? ['period'] : []
    ordered = orderedRows(columns, [...scope, ...dataset.order]) === undefined
    known.set(columns, ordered)
  }
  return ordered
}

/**
 * Whether rows that were picked from parts, ascending in each, already are in the order of the contract. Several parts are
 * when the order begins with the day: parts hold days apart, and come by day. One period a query is the rule of the bars.
 */
export function isStored(dataset: Dataset, pieces: readonly Piece[]): boolean {
  const some = pieces.filter((piece) => lengthOf(piece) > 0)
  if (some.length > 1 && (dataset.partition === 'whole' || dataset.order[0] !== dataset.day)) return false
  return some.every(({ columns }) => isOrdered(dataset, columns))
}
