import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'
import { columnsOf } from '../frame/read-columns.js'
import { toTable } from '../table/arrow.js'
import { gatherRows } from '../table/gather-rows.js'
import { provenance, provenanceMetadata } from '../table/provenance.js'

function only(dataset: Dataset, table: Table, rows: readonly number[]): Table {
  const about = provenance(table)
  const metadata = about ? provenanceMetadata({ ...about, rows: rows.length }) : table.schema.metadata
  return toTable(gatherRows(columnsOf(table), rows), { ...dataset.columns, ...dataset.stored }, metadata)
}

/**
 * Tables of one dataset without the rows that an earlier one of them holds, told by their keys. Rows of one table that
 * share a key all stay: that is a fault of the data, for a check to find.
 */
export function withoutRepeats(
  dataset: Dataset,
  tables: readonly Table[],
  keysOf: (table: Table) => readonly string[],
): Table[] {
  const seen = new Set<string>()
  return tables.map((table) => {
    const keys = keysOf(table)
    const fresh = [...keys.keys()].filter((row) => !seen.has(keys[row] ?? ''))
    for (const key of keys) seen.add(key)
    return fresh.length === table.numRows ? table : only(dataset, table, fresh)
  })
}
