import type { Table } from 'apache-arrow'
import type { Column, Kind } from '../contract/column.js'
import { ContractError, QuotebookError } from '../contract/error.js'
import { toTable } from './arrow.js'
import { readTexts, wireCell } from './csv-column.js'
import { type CsvRows, CsvSyntaxError, guarded, readCsv, unguarded } from './csv-read.js'
import { decode } from './decode.js'
import { looksLikeDate, numeralOf } from './numeral.js'
import { checkColumns, datasetIn, kindIn, type Reading, readNamedColumns } from './reading.js'
import { rowText, type Spelling } from './row-text.js'
import type { ColumnData, RecordColumns } from './values.js'

export { CsvSyntaxError, parseCsv } from './csv-read.js'

const special = /[",\r\n]/

function quoted(text: string): string {
  return text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function cell(text: string): string {
  return quoted(guarded(text))
}

/** A name of the header: blanks around it and a mark at the beginning of the file would not come back. */
function head(name: string): string {
  const text = guarded(name)
  return text === text.trim() ? quoted(text) : `"${text.replaceAll('"', '""')}"`
}

/** Whether the numbers of a column would be read as dates. */
function allDates(values: ColumnData): boolean {
  if (values.type !== 'float' && values.type !== 'int') return false
  const { data, valid } = values
  for (let row = 0; row < data.length; row++) {
    const value = data[row] as number
    if (valid?.[row] !== 0 && !Number.isNaN(value) && !looksLikeDate(value)) return false
  }
  return true
}

function list(parts: readonly string[]): string {
  return cell(JSON.stringify(parts))
}

/** Columns as CSV. @throws QuotebookError INVALID_VALUE for infinity, and for data without columns */
export function writeCsv(columns: RecordColumns): string {
  const names = [...columns.columns.keys()]
  if (names.length === 0) throw new QuotebookError('INVALID_VALUE', 'a CSV can not carry data without columns')
  const spelling = (name: string): Spelling => {
    const dates = allDates(columns.columns.get(name) as ColumnData)
    return { missing: '', number: dates ? (value) => `${value}.0` : numeralOf, text: cell, list }
  }
  const before = names.map((_, at) => (at === 0 ? '' : ','))
  const rows = rowText(columns, spelling, { format: 'CSV', before, end: '\n', between: '' })
  return `${names.map(head).join(',')}\n${rows}`
}

function parsed(text: string): CsvRows {
  try {
    return readCsv(text)
  } catch (cause) {
    if (!(cause instanceof CsvSyntaxError)) throw cause
    throw new QuotebookError('INVALID_VALUE', `line ${cause.line} ${cause.message}`, { cause })
  }
}

function strictly(
  { rows, lines }: CsvRows,
  names: readonly string[],
  dataset: NonNullable<ReturnType<typeof datasetIn>>,
): Table {
  const columns: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const kinds = names.map((name): Kind | undefined => (Object.hasOwn(columns, name) ? columns[name]?.kind : undefined))
  const items = rows.map((row) => row.map((text, at) => (text === null ? null : wireCell(text, kinds[at]))))
  try {
    return toTable(decode(dataset, names, items), columns)
  } catch (cause) {
    if (!(cause instanceof ContractError) || cause.row === undefined) throw cause
    const { field, row } = cause
    const message = cause.message.replace(`${dataset.name}: row ${row + 1}:`, `line ${lines[row]}:`)
    throw new ContractError(dataset.name, message, { ...(field === undefined ? {} : { field }), row, cause })
  }
}

/**
 * A CSV text as a table. An empty cell is missing, `""` is an empty text; the guard that toCsv puts before formulas is
 * taken away.
 *
 * With `dataset` the cells are held against the contract. Otherwise a column has the kind that `kinds` gives it, else
 * the kind of its name in the contract as far as the cells fit, else that of its cells: numbers when all are plain
 * numerals (no leading zeros, no whole number of more than 15 digits) and not all are dates YYYYMMDD, booleans when all are
 * `true` or `false`, text otherwise.
 * @throws QuotebookError INVALID_VALUE for a ragged row, a quote out of place, a name that stands twice, a cell that is
 * not of a wanted kind, naming line and column; MISSING_COLUMN for a kind of no column; ContractError with a dataset
 */
export function fromCsv(text: string, options: Reading = {}): Table {
  if (typeof text !== 'string')
    throw new QuotebookError('INVALID_VALUE', 'fromCsv takes text; decode bytes first: new TextDecoder().decode(bytes)')
  const csv = parsed(text)
  const names = csv.fields.map(unguarded)
  if (names.length === 0)
    throw new QuotebookError('INVALID_VALUE', 'the CSV is empty; its first line must name the columns')
  checkColumns(names, options)
  const broken = names.find((name) => name.includes('\ufffd'))
  if (broken !== undefined) {
    const hint = "the text was not UTF-8; decode the bytes first: new TextDecoder('gb18030').decode(bytes)"
    throw new QuotebookError('INVALID_VALUE', `the name '${broken}' can not be read: ${hint}`)
  }
  const dataset = datasetIn(options)
  if (dataset) return strictly(csv, names, dataset)
  const { rows, lines } = csv
  return readNamedColumns(names, rows.length, (name, at) => {
    const source = { name, cells: rows.map((row) => row[at] ?? null), lines }
    return readTexts(source, kindIn(options, name))
  })
}
