import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { toTable } from './arrow.js'
import { checkWhole, columnFrom, type FrameColumn, firstPresentRow, refuseCell } from './cells-to-column.js'
import { decode } from './decode.js'
import { kindOfName } from './kind-of-name.js'
import { type CellRows, readCells } from './read-cells.js'
import { checkColumns, datasetIn, kindIn, type ReadColumn, type Reading, readNamedColumns } from './reading.js'
import { isMissing } from './values.js'

export interface FromRows extends Reading {
  /** Names of the columns, in order: required for rows that are arrays, a choice and an order for objects. */
  readonly columns?: readonly string[]
}

/** Names in rows that are objects, in the order in which they appear first. */
function namesIn(rows: readonly object[]): string[] {
  const names: string[] = []
  const known = new Set<string>()
  for (const row of rows) {
    const own = Object.keys(row)
    for (let at = 0; at < own.length; at++) {
      const name = own[at] as string
      if (name === names[at] || known.has(name)) continue
      known.add(name)
      names.push(name)
    }
  }
  return names
}

/** Rows as arrays of cells under their names. */
export function positional(
  rows: readonly unknown[],
  wanted: readonly string[] | undefined,
): { names: readonly string[]; cells: CellRows } {
  const arrays = Array.isArray(rows[0])
  rows.forEach((row, at) => {
    if (typeof row === 'object' && row !== null && Array.isArray(row) === arrays) return
    const what = arrays ? sentence`an array` : sentence`an object`
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`row ${at + 1} must be ${what} like the first, not ${JSON.stringify(row) ?? String(row)}`,
    )
  })
  if (!arrays) {
    const objects = rows as readonly Readonly<Record<string, unknown>>[]
    const found = namesIn(objects)
    const names = wanted ?? found
    const absent = names.find((name) => rows.length > 0 && !found.includes(name))
    if (absent !== undefined)
      throw new QuotebookError(
        'MISSING_COLUMN',
        sentence`no row has the key '${absent}'; there are: ${found.join(', ')}`,
      )
    const inherited = names.map((name) => name in Object.prototype)
    const cell = (row: Readonly<Record<string, unknown>>, name: string, at: number): unknown =>
      inherited[at] && !Object.hasOwn(row, name) ? undefined : row[name]
    return { names, cells: objects.map((row) => names.map((name, at) => cell(row, name, at))) }
  }
  if (!wanted) throw new QuotebookError('INVALID_VALUE', sentence`rows that are arrays need names: give { columns }`)
  const cells = rows as CellRows
  const ragged = cells.findIndex((row) => row.length !== wanted.length)
  if (ragged >= 0) {
    const wrong = sentence`row ${ragged + 1} has ${cells[ragged]?.length} cells where there are ${wanted.length} columns`
    throw new QuotebookError('INVALID_VALUE', wrong)
  }
  return { names: wanted, cells }
}

/** Whether JSON carries a value as it is. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain)
}

function jsonTexts(column: FrameColumn): ReadColumn {
  const data = column.rows.map((cells, row) => {
    const cell = cells[column.at]
    if (isMissing(cell)) return null
    if (!isPlain(cell)) refuseCell(column, row, sentence`holds something that JSON does not carry`)
    const text = JSON.stringify(cell)
    checkWhole(column, row, text)
    return text
  })
  return { values: { type: 'string', data }, kind: 'json' }
}

function lists(column: FrameColumn, strict: boolean): ReadColumn | undefined {
  const checkText = (text: string, row: number): void => checkWhole(column, row, text)
  const values = readCells('list', column.rows, column.at, { isMissing, checkText })
  if (typeof values !== 'number') return { values, kind: 'texts' }
  return strict ? refuseCell(column, values, sentence`must be texts, an array of strings`) : undefined
}

/** Whole numbers of any length: numbers where doubles hold all of them, otherwise their digits as text. */
function bigints(column: FrameColumn): FrameColumn {
  const cells = column.rows.map((cells) => cells[column.at])
  const wide = cells.some((cell) => typeof cell === 'bigint' && !Number.isSafeInteger(Number(cell)))
  const rows = cells.map((cell) => [typeof cell === 'bigint' ? (wide ? String(cell) : Number(cell)) : cell])
  return { ...column, rows, at: 0 }
}

export function columnOfRows(column: FrameColumn, reading: Reading): ReadColumn {
  const kind = kindIn(reading, column.name)
  const known = kind ? { kind, strict: true } : kindOfName(column.name)
  if (kind === 'json') return jsonTexts(column)
  if (kind === 'texts') return lists(column, true) as ReadColumn
  const row = firstPresentRow(column)
  const first = row < 0 ? undefined : column.rows[row]?.[column.at]
  if (first instanceof Date) {
    refuseCell(
      column,
      row,
      sentence`a Date is a moment without a place; give its Beijing date or time as text, such as '20260701'`,
    )
  }
  if (typeof first === 'object' && !kind) return lists(column, false) ?? jsonTexts(column)
  const nested = known?.kind === 'json' || known?.kind === 'texts'
  const plain = typeof first === 'bigint' ? bigints(column) : column
  return { values: columnFrom(plain, nested ? undefined : known), ...(kind ? { kind } : {}) }
}

/** Options of `fromRows` and `fromJson`, by name. */
export const rowOptions: OptionKinds<FromRows> = {
  columns: 'an array',
  dataset: 'text or an object',
  kinds: 'an object',
}

/**
 * Builds a table from rows: arrays under `columns`, or objects, whose keys may come in any order or be absent
 * (missing).
 *
 * Null, undefined and NaN are missing. With `dataset` the cells are compared with the contract. Otherwise a column has
 * the kind from `kinds`, else the kind of its name in the contract if the cells fit it, else that of its cells:
 * numbers, text, booleans, arrays of texts, anything nested as JSON. Bigints become numbers if doubles hold the entire
 * column, otherwise text. A column without any cell becomes numbers.
 * @throws QuotebookError INVALID_VALUE for ragged rows, a repeated name, cells of different types in a column, a Date,
 * half a character, naming column and row; MISSING_COLUMN for names that no row has; ContractError with a dataset
 */
export function fromRows(rows: readonly unknown[], options: FromRows = {}): Table {
  checkOptions(options, rowOptions, 'fromRows')
  if (!Array.isArray(rows)) throw new QuotebookError('INVALID_VALUE', sentence`fromRows takes an array of rows`)
  const dataset = datasetIn(options)
  const empty = options.columns ?? Object.keys(dataset?.columns ?? options.kinds ?? {})
  const { names, cells } = rows.length > 0 ? positional(rows, options.columns) : { names: empty, cells: [] }
  checkColumns(names, options)
  if (dataset) {
    const wire = cells.map((row) => row.map((cell) => (Number.isNaN(cell) ? null : cell)))
    return toTable(decode(dataset, names, wire), { ...dataset.columns, ...dataset.stored })
  }
  return readNamedColumns(names, cells.length, (name, at) =>
    columnOfRows({ name, rows: cells, at, dtype: 'undefined' }, options),
  )
}
