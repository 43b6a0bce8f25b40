import type { Table } from 'apache-arrow'
import { concat } from '../../frame/verb/concat.js'
import { derive } from '../../frame/verb/derive.js'
import type { CheckRun } from './check.js'

/** Every row of several runs of a check with its verdict, and of which run it is in the column `of`. */
export function runsTable(runs: readonly CheckRun[]): Table {
  return concat(runs.map(({ label, result }) => derive(result.table, { of: () => String(label) }) as Table))
}
