import { columnTitle } from '../../contract/column-titles.js'
import { dayNumber, isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { chineseUnits } from '../../contract/labels.js'
import { sentence } from '../../contract/sentence.js'
import { plainCells } from './plain-rows.js'
import { type SheetCell, type SheetColumn, writeWorkbook } from './spreadsheet.js'
import type { ColumnData, RecordColumns } from './values.js'

/** What is known of a column beside its cells. */
export interface ColumnAbout {
  readonly unit?: string | undefined
  /** Its texts are days, `YYYYMMDD`. */
  readonly isDay?: boolean | undefined
  readonly meaning?: string | undefined
  /** What it means, in Chinese. */
  readonly chinese?: string | undefined
}

/** What Excel can hold. */
const most = { rows: 1_048_575, columns: 16_384, text: 32_767 }
/** Widths of columns in characters, and the rows that they are taken from. */
const widest = 48
const narrowest = 8
const measuredRows = 1000
/** From here on Excel shows a number with an exponent unless told otherwise. */
const manyDigits = 1e10

/** Chinese name and unit over the name in the contract: `收盘（元）` and `close`. */
export function headOf(name: string, unit: string | undefined): string {
  const title = columnTitle(name)
  const shown = unit === undefined ? undefined : (chineseUnits[unit] ?? unit)
  const inUnit = (text: string): string => (shown === undefined ? text : `${text}（${shown}）`)
  return title === undefined ? inUnit(name) : `${inUnit(title)}\n${name}`
}

/** Characters that a text takes, those of Chinese counting as two. */
function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += (sign.codePointAt(0) as number) > 0x2e7f ? 2 : 1
  return width
}

/** A day as Excel has it; a text that is no day, or of a time before Excel's calendar, as it is. */
function dayCell(text: string): SheetCell {
  return isDate(text) && text >= '19010101' ? new Date(dayNumber(text) * 86_400_000) : text
}

function cellsOf(name: string, values: ColumnData, isDay: boolean | undefined): SheetCell[] {
  return plainCells(name, values, false).map((cell, row) => {
    const given = cell ?? null
    if (given === null || typeof given === 'boolean') return given
    if (typeof given === 'number') {
      if (Number.isFinite(given)) return given
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`column '${name}', row ${row + 1}: Excel has no number ${given}`,
      )
    }
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    if (isDay) return dayCell(text)
    if (text.length <= most.text) return text
    const wrong = sentence`the text has ${text.length} characters, and a cell of Excel holds ${most.text}`
    throw new QuotebookError('INVALID_VALUE', sentence`column '${name}', row ${row + 1}: ${wrong}`)
  })
}

/** Units of amounts, which are shown with commas between thousands. */
const grouped = ['yuan', 'Hong Kong dollar', 'lot', 'share', 'point', '10,000 yuan']

/** Decimals that the finest number of a column has; of what was computed, four. */
function decimalsOf(cells: readonly SheetCell[]): number {
  let most = 0
  for (const cell of cells) {
    const [, decimals = ''] = typeof cell === 'number' ? (/^-?\d+\.(\d+)$/.exec(String(cell)) ?? []) : []
    if (decimals.length > 6) return 4
    most = Math.max(most, decimals.length)
  }
  return most
}

/** Text stays text when somebody edits it, a day is one; numbers by their unit, prices with the decimals that they have. */
function formatOf({ type }: ColumnData, { unit, isDay }: ColumnAbout, cells: readonly SheetCell[]): string | undefined {
  if (type === 'boolean') return undefined
  if (isDay) return 'yyyy-mm-dd'
  if (type !== 'float' && type !== 'int') return '@'
  const decimals = decimalsOf(cells)
  const isAmount = unit !== undefined && grouped.includes(unit)
  const whole = isAmount ? '#,##0' : '0'
  if (decimals === 0 && unit !== 'percent') return whole
  const fraction = '0'.repeat(unit === undefined ? decimals : Math.max(2, decimals))
  if (unit === 'percent') return `0.${fraction}"%"`
  return unit !== undefined || cells.some((cell) => Math.abs(Number(cell)) >= manyDigits)
    ? `${whole}.${fraction}`
    : undefined
}

const shownCell = (cell: SheetCell): string => (cell instanceof Date ? '2026-07-01' : String(cell ?? ''))

function columnOf(name: string, about: ColumnAbout, values: ColumnData, cells: readonly SheetCell[]): SheetColumn {
  const title = headOf(name, about.unit)
  const shown = [...title.split('\n'), ...cells.slice(0, measuredRows).map(shownCell)]
  const width = shown.reduce((most, text) => Math.max(most, widthOf(text.slice(0, widest))), narrowest)
  return { title, width: Math.min(widest, width) + 2, format: formatOf(values, about, cells) }
}

function checkSize({ length, columns }: RecordColumns): void {
  if (columns.size === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`an Excel file can not carry data without columns`)
  if (length > most.rows) {
    const wrong = sentence`a sheet of Excel holds ${most.rows} rows below its head, not ${length}`
    throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; write CSV or Parquet, or fewer rows`)
  }
  if (columns.size > most.columns)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`a sheet of Excel holds ${most.columns} columns, not ${columns.size}`,
    )
}

/** A name that a sheet may have. @throws QuotebookError INVALID_VALUE */
export function sheetName(name: string): string {
  if (name.trim() !== '' && name.length <= 31 && !/[[\]:*?/\\]|^'|'$/.test(name)) return name
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`'${name}' is no name of a sheet: 1 to 31 characters, none of [ ] : * ? / \\`,
  )
}

const text = (title: string, width: number): SheetColumn => ({ title, width, format: '@' })

/**
 * Columns as an Excel file: the rows, and a sheet `columns` that says what the columns mean.
 * @param sheet name of the sheet of the rows
 * @throws QuotebookError INVALID_VALUE for infinity, for data without columns, and for more than Excel holds
 */
export async function writeSheet(
  data: RecordColumns,
  about: (name: string) => ColumnAbout,
  sheet: string,
): Promise<Uint8Array> {
  checkSize(data)
  const names = [...data.columns.keys()]
  const cells = names.map((name) => cellsOf(name, data.columns.get(name) as ColumnData, about(name).isDay))
  const columns = names.map((name, at) =>
    columnOf(name, about(name), data.columns.get(name) as ColumnData, cells[at] as SheetCell[]),
  )
  const rows = Array.from({ length: data.length }, (_, row) => cells.map((column) => column[row] as SheetCell))
  const meanings = names.map((name) => {
    const { unit, meaning, chinese } = about(name)
    return [name, columnTitle(name) ?? null, unit ?? null, chinese ?? null, meaning ?? null]
  })
  return writeWorkbook([
    { name: sheet, columns, rows },
    {
      name: sheet === 'columns' ? 'meanings' : 'columns',
      columns: [text('name', 20), text('名称', 18), text('unit', 14), text('含义', 60), text('meaning', 90)],
      rows: meanings,
    },
  ])
}
