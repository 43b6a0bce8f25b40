import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { columnsFromParquet } from '../../frame/table/parquet.js'
import { ownLimits } from '../../frame/table/parquet-file/limits.js'
import type { RecordColumns } from '../../frame/table/values.js'
import { filesByCode, rowsOnDay } from './code-months.js'
import type { DatasetEntry, PartEntry } from './manifest-entries.js'
import { inOrder, together } from './merge-rows.js'
import { bytesWithSum } from './part-bytes.js'
import type { ArchiveStore } from './store/archive-store.js'

/** The file of a day that is lost, out of its month by code: undefined where that does not make the very bytes of its checksum. */
export async function dayByCode(
  store: ArchiveStore,
  dataset: Dataset,
  entry: DatasetEntry,
  { partition: day, sha256: sum }: PartEntry,
): Promise<Uint8Array | undefined> {
  const files = filesByCode(entry).get(day)
  if (!files) return undefined
  const rows: RecordColumns[] = []
  try {
    for (const { file, sha256 } of files) {
      const all = await columnsFromParquet(await store.bytes(file, sha256), file, ownLimits)
      rows.push(...rowsOnDay(all, dataset, day))
    }
  } catch (error) {
    if (!(error instanceof QuotebookError)) throw error
    return undefined
  }
  return bytesWithSum(inOrder(dataset, together(dataset, rows)), { ...dataset.columns, ...dataset.stored }, sum)
}
