import type { Dataset } from '../../contract/dataset.js'
import { type RecordColumns, takeRows } from '../../table/values.js'
import type { Piece } from './piece.js'
import { wordsIn } from './words.js'

/** The rows of one day: the answer to the latest day of candidates brings the next day along. */
export function ofDay(dataset: Dataset, columns: RecordColumns, day: string): RecordColumns {
  const values = columns.of.get(dataset.day ?? '')
  if (values?.form !== 'codes' || wordsIn(columns, dataset.day as string).every((word) => word === day)) return columns
  const rows = [...values.data.keys()].filter((row) => values.words[values.data[row] as number] === day)
  return takeRows(columns, rows)
}

/** The rows of one day of a reply. A reply that holds as many rows as match holds all of that day. */
export function pieceOfDay(dataset: Dataset, piece: Piece, day: string): Piece {
  const columns = ofDay(dataset, piece.columns, day)
  if (columns === piece.columns) return piece
  const isAll = piece.archive?.total === piece.columns.length
  return {
    ...piece,
    columns,
    archive: piece.archive && { ...piece.archive, total: isAll ? columns.length : undefined },
  }
}
