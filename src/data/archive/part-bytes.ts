import type { Column } from '../../contract/column.js'
import { toTable } from '../../frame/table/arrow.js'
import { writeParquet } from '../../frame/table/parquet.js'
import type { RecordColumns } from '../../frame/table/values.js'
import { sha256 } from './file-access.js'

type Columns = Readonly<Record<string, Column>>

/** The Parquet file of a part. */
export function partBytes(rows: RecordColumns, columns: Columns): Promise<Uint8Array> {
  return writeParquet(toTable(rows, columns))
}

/** The file with a checksum that rows make, as parts are written now or were before; undefined where they make another one. */
export async function bytesWithSum(
  rows: RecordColumns,
  columns: Columns,
  sum: string,
): Promise<Uint8Array | undefined> {
  const bytes = await partBytes(rows, columns)
  if (sha256(bytes) === sum) return bytes
  const older = await writeParquet(toTable(rows, columns), { plain: [] })
  return sha256(older) === sum ? older : undefined
}
