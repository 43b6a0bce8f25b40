import type { Dataset } from '../contract/dataset.js'
import { beijingMoment, isDate } from '../contract/date.js'
import { readColumns } from '../frame/as-table.js'
import { cellOf } from '../table/values.js'
import type { AnyTable } from './row-changes.js'

/** How old a row says that it is. */
function momentOf({ knownAt: rule }: Dataset, cell: (name: string | undefined) => string | undefined) {
  if ('fetched' in rule) return undefined
  if ('moment' in rule) return beijingMoment(cell(rule.moment) ?? cell(rule.or) ?? '')
  const day = cell(rule.day) ?? cell('or' in rule ? rule.or : undefined) ?? ''
  if (!isDate(day)) return undefined
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
  const minute = 'minute' in rule ? cell(rule.minute) : undefined
  return minute === undefined ? date : `${date}T${minute.slice(0, 2)}:${minute.slice(2)}:00`
}

/**
 * The moment of the newest row, Beijing time: its own where rows carry one, the close of its bar, else its day. Undefined where
 * no row tells, as in data without history.
 */
export function newestMoment(dataset: Dataset, table: AnyTable): string | undefined {
  const { columns, length } = readColumns(table)
  let newest: string | undefined
  for (let row = 0; row < length; row++) {
    const moment = momentOf(dataset, (name = '') => {
      const values = columns.get(name)
      const text = values && cellOf(values, row)
      return typeof text === 'string' && text !== '' ? text : undefined
    })
    if (moment !== undefined && (newest === undefined || moment > newest)) newest = moment
  }
  return newest
}
