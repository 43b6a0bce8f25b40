import type { Dataset } from '../../contract/dataset.js'
import { rowMoment } from '../../contract/known-at.js'
import { readColumns } from '../../frame/as-table.js'
import { cellOf } from '../../frame/table/values.js'
import type { AnyTable } from './row-changes.js'

/**
 * The moment of the newest row, Beijing time: its own where rows carry one, the close of its bar, else its day. Undefined where
 * no row tells, as in data without history.
 */
export function newestMoment(dataset: Dataset, table: AnyTable): string | undefined {
  const { columns, length } = readColumns(table)
  let newest: string | undefined
  for (let row = 0; row < length; row++) {
    const moment = rowMoment(dataset, (name) => {
      const values = columns.get(name)
      const text = values && cellOf(values, row)
      return typeof text === 'string' && text !== '' ? text : undefined
    })
    if (moment !== undefined && (newest === undefined || moment > newest)) newest = moment
  }
  return newest
}
