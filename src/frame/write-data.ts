import { findDataset } from '../contract/catalogue.js'
import { columnMeaning } from '../contract/dataset-text.js'
import { checkOptions } from '../contract/options.js'
import { asTable, readColumns } from './as-table.js'
import type { Data } from './data.js'
import { jsonNames } from './read-columns.js'
import { writeCsv } from './table/csv.js'
import { writeIpc } from './table/ipc.js'
import { writeJson } from './table/json.js'
import { writeParquet } from './table/parquet.js'
import { provenance } from './table/provenance.js'
import { type ColumnAbout, sheetName, writeSheet } from './table/xlsx.js'

/**
 * Writes a table or a DataFrame as CSV (RFC 4180, lines end in `\n`): missing is an empty cell, an empty text is `""`,
 * lists and nested values are JSON. Texts that begin like a formula get a leading `'`. Numbers come back as the same
 * doubles. So that `fromCsv` can tell texts and numbers apart, a column of texts that all look like numbers (or like
 * `true` and `false`) is quoted, except codes, minutes and words of the contract under their names; a column of whole
 * numbers that all look like dates or codes gets `.0`.
 * @param options.bom puts a byte-order mark first, by which Excel recognises UTF-8
 * @throws QuotebookError INVALID_VALUE for infinity, and for data without columns
 */
export function toCsv(data: Data, options: { bom?: boolean } = {}): string {
  const { bom = false } = checkOptions(options, { bom: 'true or false' }, 'toCsv')
  return `${bom ? '\ufeff' : ''}${writeCsv(readColumns(data))}`
}

/**
 * Writes a table or a DataFrame as JSON: an array of row objects, numbers as numbers, missing as null, nested values as
 * such. Data without rows becomes `[]`; to read it back, give fromJson its `columns` or `kinds`.
 * @throws QuotebookError INVALID_VALUE for infinity, naming column and row
 */
export function toJson(data: Data): string {
  return writeJson(readColumns(data), jsonNames(data))
}

/**
 * Writes a table or a DataFrame as an Arrow IPC file, or as a stream. Types, field metadata and provenance travel with
 * it; the particulars of a call (`provenance.call`) do not.
 * @throws QuotebookError INVALID_VALUE for a column without a name
 */
export function toIpc(data: Data, format: 'file' | 'stream' = 'file'): Uint8Array {
  return writeIpc(asTable(data), format)
}

/**
 * Writes a table or a DataFrame as one ZSTD-compressed Parquet file; schema metadata travels with it. Equal tables give
 * equal bytes.
 * @throws QuotebookError INVALID_VALUE for data without columns or a column without a name
 */
export async function toParquet(data: Data, options: { rowGroup?: number } = {}): Promise<Uint8Array> {
  return writeParquet(asTable(data), checkOptions(options, { rowGroup: 'a number' }, 'toParquet'))
}

/**
 * Writes a table or a DataFrame as an Excel file: one sheet with the rows under a frozen head (the Chinese name of each
 * column of the contract, its unit and its own name) and a filter, and one sheet that explains the columns. Days are
 * dates; numbers are formatted by their unit and kept at full precision. Texts stay texts: codes keep their zeros, and
 * a text that begins like a formula is not one. Lists and nested values are JSON. Equal tables give equal bytes;
 * `importFiles` can read the file again.
 * @param options.sheet name of the sheet (default: that of the dataset, or `rows`)
 * @throws QuotebookError INVALID_VALUE for infinity, data without columns, and more rows or longer texts than Excel
 * supports
 */
export async function toXlsx(data: Data, options: { sheet?: string } = {}): Promise<Uint8Array> {
  checkOptions(options, { sheet: 'text' }, 'toXlsx')
  const table = asTable(data)
  const about = new Map(table.schema.fields.map(({ name, metadata }) => [String(name), metadata]))
  const sheet = sheetName(options.sheet ?? provenance(table)?.dataset ?? 'rows')
  const known = findDataset(provenance(table)?.dataset)
  const aboutOf = (name: string): ColumnAbout => ({
    unit: about.get(name)?.get('unit'),
    isDay: about.get(name)?.get('kind') === 'date',
    meaning: about.get(name)?.get('meaning'),
    chinese: known && columnMeaning(known, name, 'zh'),
  })
  return writeSheet(readColumns(table), aboutOf, sheet)
}
