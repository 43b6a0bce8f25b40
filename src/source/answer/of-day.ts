import type { Dataset } from '../../contract/dataset.js'
import { type Columns, takeRows } from '../../frame/values.js'
import { wordsIn } from './words.js'

/** The rows of one day: the answer to the latest day of candidates brings the next day along. */
export function ofDay(dataset: Dataset, columns: Columns, day: string): Columns {
  const values = columns.of.get(dataset.day ?? '')
  if (values?.form !== 'codes' || wordsIn(columns, dataset.day as string).every((word) => word === day)) return columns
  const rows = [...values.data.keys()].filter((row) => values.words[values.data[row] as number] === day)
  return takeRows(columns, rows)
}
