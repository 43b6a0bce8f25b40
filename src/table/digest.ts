import { createHash } from 'node:crypto'
import type { Table } from 'apache-arrow'
import { namesOf, rowsOf } from '../frame/column.js'

/** sha256 over a table's column names and rows in the wire form: equal rows in equal order have equal digests. */
export function digest(table: Table): string {
  const hash = createHash('sha256').update(JSON.stringify(namesOf(table)))
  for (const row of rowsOf(table)) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}
