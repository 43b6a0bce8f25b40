import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { toTable } from './arrow.js'
import { gatherRows } from './gather-cells.js'
import { provenance, provenanceMetadata } from './provenance.js'
import { withSuspects } from './suspect-rows.js'
import { columnsOf } from './unwrap.js'

/** Some rows of an answer, with its provenance. */
export function onlyRows(dataset: Dataset, table: Table, rows: readonly number[]): Table {
  const about = provenance(table)
  const columns = gatherRows(columnsOf(table), rows)
  const kept = about && withSuspects(dataset, columns, { ...about, rows: rows.length })
  const metadata = kept ? provenanceMetadata(kept) : table.schema.metadata
  return toTable(columns, { ...dataset.columns, ...dataset.stored }, metadata)
}
