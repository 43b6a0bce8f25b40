import { createHash } from 'node:crypto'
import type { Table } from 'apache-arrow'
import { jsonColumns, plainRows } from './plain-rows.js'
import { columnsOf } from './unwrap.js'

/** sha256 over a table's column names and rows in the wire form: equal rows in equal order have equal digests. */
export function digest(table: Table): string {
  const hash = createHash('sha256').update(JSON.stringify(table.schema.names))
  for (const row of plainRows(columnsOf(table), jsonColumns(table))) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}
