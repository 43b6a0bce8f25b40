import { basename } from 'node:path'
import type { Table } from 'apache-arrow'
import type { Dataset } from '../../../contract/dataset.js'
import { ImportError } from '../../../contract/error.js'
import { headWords } from '../../../contract/head-words.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { holdingsForm, levelsForm, statementForm } from '../../../contract/statement-forms.js'
import { type TextEncoding, textEncodings } from '../../../contract/text-encodings.js'
import { columnTypeOf, toTable } from '../../../frame/table/arrow.js'
import { type ColumnData, concatRows, nulls, type RecordColumns } from '../../../frame/table/values.js'
import { readFileColumns } from './file-columns.js'
import { readBytes } from './import-limits.js'

/** How a file of a broker or a terminal is read. */
export interface StatementOptions {
  /** Of a text; absent: as its words tell. */
  readonly encoding?: TextEncoding
}

/** The columns of a form that a file has, with nulls for those that it lacks, and its name and lines. */
async function formColumns(path: string, form: Dataset, needed: readonly string[], options: StatementOptions) {
  checkOptions<StatementOptions>(options, { encoding: textEncodings }, 'options')
  const file = basename(path)
  const { columns, lines } = await readFileColumns(path, await readBytes(path), form, options)
  const missing = needed.find((name) => !columns.columns.has(name))
  if (missing !== undefined)
    throw new ImportError(file, sentence`no column ${headWords(missing).join(', ')}`, { field: missing })
  const { length } = columns
  const own = Object.entries(form.columns).map(([name, { kind }]): [string, ColumnData] => [
    name,
    columns.columns.get(name) ?? nulls(columnTypeOf(kind), length),
  ])
  const places = Int32Array.from(lines?.() ?? Array.from({ length }, (_, row) => row + 1))
  const read: RecordColumns = {
    length,
    columns: new Map<string, ColumnData>([
      ['file', { type: 'dictionary', data: new Int32Array(length), dictionary: [path] }],
      ...own,
      ['line', { type: 'int', data: places, valid: null }],
    ]),
  }
  return read
}

const fileColumn = { kind: 'label', meaning: 'Name of the file.' } as const
const tableOf = (columns: RecordColumns, form: Dataset): Table =>
  toTable(columns, { file: fileColumn, ...form.columns })

/**
 * Statements (交割单) that terminals and brokers export: tables of text in GBK or UTF-8, also those called `.xls`, CSV and `.xlsx`; one after the other, a row a line.
 * @throws ImportError naming line, column and cell of what can not be read, and a column that is missing with the heads that it may have
 */
export async function readStatement(paths: string | readonly string[], options: StatementOptions = {}): Promise<Table> {
  const all: RecordColumns[] = []
  for (const path of [paths].flat())
    all.push(await formColumns(path, statementForm, ['day', 'code', 'action', 'shares', 'price'], options))
  return tableOf(concatRows(all), statementForm)
}

/** What an account holds, as its terminal exports it. @throws ImportError as `readStatement` */
export async function readHoldings(path: string, options: StatementOptions = {}): Promise<Table> {
  return tableOf(await formColumns(path, holdingsForm, ['code', 'held'], options), holdingsForm)
}

/** Levels by day. @throws ImportError as `readStatement` */
export async function readLevels(path: string, options: StatementOptions = {}): Promise<Table> {
  return tableOf(await formColumns(path, levelsForm, ['tradedate', 'close'], options), levelsForm)
}
