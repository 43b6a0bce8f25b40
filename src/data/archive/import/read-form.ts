import { basename } from 'node:path'
import type { Table } from 'apache-arrow'
import type { Dataset } from '../../../contract/dataset.js'
import { ImportError } from '../../../contract/error.js'
import { headWords } from '../../../contract/head-words.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { holdingsForm, statementForm } from '../../../contract/statement-forms.js'
import { type TextEncoding, textEncodings } from '../../../contract/text-encodings.js'
import { columnTypeOf, toTable } from '../../../frame/table/arrow.js'
import { type ColumnData, concatRows, nulls, type RecordColumns } from '../../../frame/table/values.js'
import { type FileColumns, readFileColumns } from './file-columns.js'
import { readBytes } from './import-limits.js'

/** Encoding of a text file; detected by default. */
type Encoding = { readonly encoding?: TextEncoding }

/** The line of each row. Rows stand in lines one after the other, unless a cell has a line break. */
function linesOf({ lineOf = (row) => row + 1, columns: { length } }: FileColumns): Int32Array {
  if (length === 0) return new Int32Array()
  const first = lineOf(0)
  const isEven = lineOf(length - 1) === first + length - 1
  return Int32Array.from({ length }, (_, row) => (isEven ? first + row : lineOf(row)))
}

/** The columns of a form that a file has, with nulls for those that it lacks, its name and its lines. */
async function readForm(path: string, form: Dataset, needed: readonly string[], options: Encoding) {
  checkOptions<Encoding>(options, { encoding: textEncodings }, 'options')
  const read = await readFileColumns(path, await readBytes(path), form, options)
  const { columns, length } = read.columns
  const missing = needed.find((name) => !columns.has(name))
  if (missing !== undefined)
    throw new ImportError(
      basename(path),
      sentence`no column ${missing} (or ${headWords(missing).slice(1).join(', ')}); the columns of the file are ${(read.heads ?? [...columns.keys()]).join(', ')}`,
      { field: missing },
    )
  const own = Object.entries(form.columns).map(([name, { kind }]): [string, ColumnData] => [
    name,
    columns.get(name) ?? nulls(columnTypeOf(kind), length),
  ])
  const file: ColumnData = { type: 'dictionary', data: new Int32Array(length), dictionary: [path] }
  const line: ColumnData = { type: 'int', data: linesOf(read), valid: null }
  return { length, columns: new Map([['file', file], ...own, ['line', line]]) }
}

const tableOf = (columns: RecordColumns, form: Dataset): Table =>
  toTable(columns, { file: { kind: 'label', meaning: 'File.' }, ...form.columns })

/**
 * Reads statements (交割单) exported by terminals and brokers: text tables in GBK or UTF-8 (also those named `.xls`), CSV
 * and `.xlsx`. Returns a row for each line, one file after the other.
 * @throws ImportError naming file, line, column and cell; for a missing column the accepted headings
 */
export async function readStatement(paths: string | readonly string[], options: Encoding = {}): Promise<Table> {
  const all: RecordColumns[] = []
  for (const path of [paths].flat())
    all.push(await readForm(path, statementForm, ['day', 'code', 'action', 'shares', 'price'], options))
  return tableOf(concatRows(all), statementForm)
}

/** Reads the holdings that a terminal exports. @throws ImportError as `readStatement` */
export async function readHoldings(path: string, options: Encoding = {}): Promise<Table> {
  return tableOf(await readForm(path, holdingsForm, ['code', 'held'], options), holdingsForm)
}
