import { type Data as Chunk, Field, Schema, type Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import { tableOfChunks, toTable } from './arrow.js'
import { withId } from './gather-chunk.js'
import type { ColumnData } from './values.js'

/** A column of a table: its name, type and metadata, and its cells in one piece. */
export interface ArrowColumn {
  readonly field: Field
  readonly chunk: Chunk
}

/** A column of cells, with what is known of it. */
export function arrowColumn(name: string, values: ColumnData, about: Column | undefined): ArrowColumn {
  const declared: Record<string, Column> = Object.create(null)
  if (about) declared[name] = about
  const table = toTable({ length: values.data.length, columns: new Map([[name, values]]) }, declared)
  return { field: table.schema.fields[0] as Field, chunk: table.getChildAt(0)?.data[0] as Chunk }
}

/** Columns as a table without schema metadata. */
export function tableOfColumns(columns: readonly ArrowColumn[], length: number): Table {
  const children = columns.map(({ chunk }, place) => withId(chunk, place))
  const fields = columns.map(
    ({ field: { name, nullable, metadata } }, place) =>
      new Field(name, (children[place] as Chunk).type, nullable, metadata),
  )
  return tableOfChunks(new Schema(fields), [{ length, children }])
}
