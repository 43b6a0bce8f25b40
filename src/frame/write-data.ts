import { writeCsv } from '../table/csv.js'
import { writeIpc } from '../table/ipc.js'
import { writeJson } from '../table/json.js'
import { writeParquet } from '../table/parquet.js'
import { asTable, readColumns } from './as-table.js'
import type { Data } from './data.js'
import { jsonNames } from './read-columns.js'

/**
 * A table or a DataFrame as CSV (RFC 4180, lines end in `\n`): missing is an empty cell, an empty text is `""`, lists and
 * nested values are JSON. Texts that begin like a formula get a leading `'`. Numbers come back as the same doubles;
 * a column of nothing but numbers that look like dates is written with `.0`.
 * @throws QuotebookError INVALID_VALUE for infinity, and for data without columns
 */
export function toCsv(data: Data): string {
  return writeCsv(readColumns(data))
}

/**
 * A table or a DataFrame as JSON: an array of row objects, numbers as numbers, missing as null, nested values as such.
 * Data without rows is `[]`, whose columns only `columns` or `kinds` of fromJson can tell.
 * @throws QuotebookError INVALID_VALUE for infinity, naming column and row
 */
export function toJson(data: Data): string {
  return writeJson(readColumns(data), jsonNames(data))
}

/**
 * A table or a DataFrame as an Arrow IPC file, or as a stream; types, field metadata and provenance travel with it,
 * the particulars of a call (`provenance.call`) do not.
 * @throws QuotebookError INVALID_VALUE for a column without a name
 */
export function toIpc(data: Data, format: 'file' | 'stream' = 'file'): Uint8Array {
  return writeIpc(asTable(data), format)
}

/**
 * A table or a DataFrame as one ZSTD-compressed Parquet file; schema metadata travels with it. Equal tables give equal bytes.
 * @throws QuotebookError INVALID_VALUE for data without columns or a column without a name
 */
export async function toParquet(data: Data, options: { rowGroup?: number } = {}): Promise<Uint8Array> {
  return writeParquet(asTable(data), options)
}
