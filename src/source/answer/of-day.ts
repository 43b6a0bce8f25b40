import type { Dataset } from '../../contract/dataset.js'
import { type RecordColumns, takeRows } from '../../table/values.js'
import type { ReplyChunk } from './piece.js'
import { distinctValues } from './words.js'

/** The rows of one day: the answer to the latest day of candidates brings the next day along. */
export function rowsOfDay(dataset: Dataset, columns: RecordColumns, day: string): RecordColumns {
  const values = columns.columns.get(dataset.day ?? '')
  if (values?.type !== 'dictionary' || distinctValues(columns, dataset.day as string).every((word) => word === day))
    return columns
  const rows = [...values.data.keys()].filter((row) => values.dictionary[values.data[row] as number] === day)
  return takeRows(columns, rows)
}

/** The rows of one day of a reply. A reply that holds as many rows as match holds all of that day. */
export function chunkOfDay(dataset: Dataset, chunk: ReplyChunk, day: string): ReplyChunk {
  const columns = rowsOfDay(dataset, chunk.columns, day)
  if (columns === chunk.columns) return chunk
  const isAll = chunk.archive?.total === chunk.columns.length
  return {
    ...chunk,
    columns,
    archive: chunk.archive && { ...chunk.archive, total: isAll ? columns.length : undefined },
  }
}
