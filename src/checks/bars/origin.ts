import type { Table } from 'apache-arrow'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { provenance, withProvenance } from '../../table/provenance.js'

/** Bars of either form as a table that says where they came from, so that a frame is judged as the table it was made of. */
export function asBarTable(bars: Table | DataFrame): Table {
  const table = asTable(bars)
  const about = provenance(bars)
  return about && table !== bars ? withProvenance(table, about) : table
}
