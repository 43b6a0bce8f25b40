import type { Table } from 'apache-arrow'
import type { DatasetName } from '../../../../src/contract/catalogue.js'
import { strings, toObjects } from '../../../../src/frame/read-columns.js'
import type { CheckResult } from '../../../../src/research/checks/check.js'
import { sample } from '../../../promise/helper/check-tables.js'
import { type Row, tableFrom } from '../../analysis/help.js'

/** The rows of the sample's first table of a dataset. */
export function sampleRows(name: DatasetName): Row[] {
  return toObjects(sample[name][0] as Table)
}

/** Rows with one cell of one of them replaced, as a table. */
export function changed(name: DatasetName, rows: readonly Row[], at: number, cells: Row): Table {
  return tableFrom(
    name,
    rows.map((row, i) => (i === at ? { ...row, ...cells } : row)),
  )
}

/** Verdicts by row. */
export function verdictsOf(check: CheckResult<string>): (string | null)[] {
  return strings(check.table, 'verdict')
}

export function whysOf(check: CheckResult<string>): (string | null)[] {
  return strings(check.table, 'why')
}
