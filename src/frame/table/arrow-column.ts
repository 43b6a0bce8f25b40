import { type Data as Chunk, Field, Schema, type Table } from 'apache-arrow'
import { type ArrowColumn, tableOfChunks } from './arrow.js'
import { withId } from './gather-chunk.js'

/** Columns as a table without schema metadata. */
export function tableOfColumns(columns: readonly ArrowColumn[], length: number): Table {
  const children = columns.map(({ chunk }, place) => withId(chunk, place))
  const fields = columns.map(
    ({ field: { name, nullable, metadata } }, place) =>
      new Field(name, (children[place] as Chunk).type, nullable, metadata),
  )
  return tableOfChunks(new Schema(fields), [{ length, children }])
}
