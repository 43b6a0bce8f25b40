import type { Column } from '../../contract/column.js'
import { toTable } from '../../frame/table/arrow.js'
import { manyRows, type TableLayout, writeParquet } from '../../frame/table/parquet.js'
import { cellOf, type RecordColumns } from '../../frame/table/values.js'
import { sha256 } from './file-access.js'

type Columns = Readonly<Record<string, Column>>

/** Bytes of a page of a day's bars: some 2,000 rows, so that one code is read without the rest of the day. */
const dayPage = 2 ** 14

/**
 * Of many rows: bars take a fifth of the time to read that they take in ZSTD, and half the time to write, for as many bytes to a third
 * more. Every reader of Parquet has this codec.
 */
const quick: TableLayout = { compression: 'SNAPPY', mostWords: 0.25 }

/** Of a month by code: one code lies in a row group or two. */
export const byCodeLayout: TableLayout = { ...quick, page: dayPage, rowGroup: 2 ** 15 }

/** How parts are written now, and how they were written before. */
function layouts({ length, columns }: RecordColumns): readonly TableLayout[] {
  if (length < manyRows) return [{}]
  const days = columns.get('tradedate')
  const isOneDay = days !== undefined && cellOf(days, 0) === cellOf(days, length - 1)
  return [...(isOneDay ? [{ ...quick, page: dayPage }, { page: dayPage }] : [quick]), {}, { mostWords: 1 }]
}

/** The Parquet file of a part. */
export function partBytes(rows: RecordColumns, columns: Columns, layout = layouts(rows)[0]): Promise<Uint8Array> {
  return writeParquet(toTable(rows, columns), layout)
}

/** The file with a checksum that rows make, as parts are written now or were before; undefined where they make another one. */
export async function bytesWithSum(
  rows: RecordColumns,
  columns: Columns,
  sum: string,
): Promise<Uint8Array | undefined> {
  for (const layout of layouts(rows)) {
    const bytes = await writeParquet(toTable(rows, columns), layout)
    if (sha256(bytes) === sum) return bytes
  }
  return undefined
}
