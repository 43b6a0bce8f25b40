import { type Data as Chunk, Field, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import { toTable } from './arrow.js'
import { withId } from './gather-chunk.js'
import { madeTable } from './on-table-made.js'
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
  const own = columns.map(({ field: { name, nullable, metadata }, chunk }, place) => {
    const child = withId(chunk, place)
    return { field: new Field(name, child.type, nullable, metadata), child }
  })
  const fields = own.map(({ field }) => field)
  const children = own.map(({ child }) => child)
  const data = makeData({ type: new Struct(fields), length, nullCount: 0, children })
  const schema = new Schema(fields)
  return madeTable(new Table(schema, [new RecordBatch(schema, data)]))
}
