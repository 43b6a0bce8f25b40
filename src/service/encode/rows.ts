import type { Dataset } from '../../contract/dataset.js'
import type { ColumnData, RecordColumns } from '../../table/values.js'
import { cellWriter, type WriteCell } from './cells.js'
import { Sink } from './sink.js'

const [open, close, comma] = [0x5b, 0x5d, 0x2c]

/** Writes rows from one up to another as JSON arrays, each with a comma behind it. */
export type WriteRows = (sink: Sink, from: number, to: number, ends?: Float64Array) => void

/** How the rows of some columns are written, in the order of `fields`. `ends`, where given, is told where each row ends. */
export function rowWriter(dataset: Dataset, columns: RecordColumns, fields: readonly string[]): WriteRows {
  const cells: WriteCell[] = fields.map((name) =>
    cellWriter(columns.of.get(name) as ColumnData, dataset.columns[name]?.kind),
  )
  return (sink, from, to, ends) => {
    for (let row = from; row < to; row++) {
      sink.byte(open)
      for (let at = 0; at < cells.length; at++) {
        if (at > 0) sink.byte(comma)
        ;(cells[at] as WriteCell)(sink, row)
      }
      sink.byte(close)
      sink.byte(comma)
      if (ends) ends[row + 1] = sink.length
    }
  }
}

/** The rows of a part as JSON, once for all answers. */
export interface EncodedRows {
  readonly bytes: Buffer
  /** Row i, with the comma behind it: bytes from ends[i] up to ends[i + 1]. */
  readonly ends: Float64Array
}

export function encodeRows(dataset: Dataset, columns: RecordColumns, fields: readonly string[]): EncodedRows {
  const sink = new Sink(Math.max(4096, columns.length * 96))
  const ends = new Float64Array(columns.length + 1)
  rowWriter(dataset, columns, fields)(sink, 0, columns.length, ends)
  return { bytes: sink.taken(), ends }
}
