import type { Table } from 'apache-arrow'
import type { Dataset } from '../../../contract/dataset.js'
import { provenance } from '../../../frame/table/provenance.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import { complete } from '../import/fill-columns.js'
import { isObservedByRow } from '../revision/observations.js'
import type { ArchiveWriter } from '../writer.js'
import { cachedOrigin } from './coverage.js'

/** What an answer without a past was an answer to. */
export interface SnapshotOf {
  /** What tells it apart from other answers of the dataset: a level, the id of a theme. */
  readonly scope: string
  /** Beijing day on which it was asked for. */
  readonly day: string
  /** Cells that no reply holds. */
  readonly given: Readonly<Record<string, string>>
  /** When its sync began, and when it was there, Beijing time. */
  readonly asked: string
  readonly at: string
}

/**
 * Merges into an archive what a dataset without a past is now, and says of the day that it was asked for. Nothing that was
 * there gives way but a row with the same key.
 */
export async function putSnapshot(
  writer: ArchiveWriter,
  dataset: Dataset,
  table: Table,
  { scope, day, given, asked, at }: SnapshotOf,
): Promise<void> {
  const file = { file: dataset.name, columns: columnsOf(table), reply: false, beside: {}, remarks: [] }
  const meta = provenance(table)?.beside?.meta
  if (table.numRows > 0) await writer.put(dataset, complete(dataset, file, given).columns, cachedOrigin, { at })
  if (meta !== undefined) writer.putBeside(dataset, { meta })
  if (dataset.snapshot?.each === undefined) return
  const days = [[day, day]] as const
  writer.markCovered(dataset, { scope, symbols: 'all', days })
  if (!isObservedByRow(dataset)) writer.markObserved(dataset, scope, days, { at, asked, isSettled: true })
}
