import { join } from 'node:path'
import type { Dataset } from '../contract/dataset.js'
import { fromParquet } from '../table/parquet.js'
import { ownLimits } from '../table/parquet-file/limits.js'
import { columnsOf } from '../table/unwrap.js'
import { type ColumnData, cellOf, type RecordColumns } from '../table/values.js'
import { contractVersion, type PartEntry } from './manifest.js'
import { storedKey } from './merge-rows.js'
import { span } from './partition.js'
import { LostFileError, readVerified } from './verified-file.js'

/** What a manifest says of the rows of a part. */
export function factsOf(
  dataset: Dataset,
  columns: RecordColumns,
): Pick<PartEntry, 'rows' | 'first' | 'last' | 'from' | 'to'> {
  const key = storedKey(dataset).map((name) => columns.columns.get(name) as ColumnData)
  const keyAt = (row: number): unknown[] => key.map((values) => cellOf(values, row))
  return { rows: columns.length, first: keyAt(0), last: keyAt(columns.length - 1), ...span(dataset, columns) }
}

/**
 * The rows of a part, held against all that the manifest says of them.
 * @throws LostFileError when they are others; QuotebookError ARCHIVE when the file can not be read
 */
export async function readPart(dir: string, dataset: Dataset, part: PartEntry): Promise<RecordColumns> {
  const columns = columnsOf(await fromParquet(await readVerified(dir, part.file, part.sha256), part.file, ownLimits))
  const { rows, first, last, from, to } = part
  const told = { rows, first, last, from, to }
  const found = { ...told, ...(part.contract === contractVersion(dataset) ? factsOf(dataset, columns) : {}) }
  if (columns.length === rows && JSON.stringify(found) === JSON.stringify(told)) return columns
  const path = join(dir, part.file)
  throw new LostFileError(dir, `${path} holds ${columns.length} rows that are not those of its entry in the manifest`)
}
