import { columnTitle } from '../../contract/column-titles.js'
import { dayNumber, isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { chineseUnits } from '../../contract/labels.js'
import { sentence } from '../../contract/sentence.js'
import { refuseCell } from './cells-to-column.js'
import { mapRows } from './fresh-array.js'
import { fillSheet } from './sheet-rows.js'
import { type SheetColumn, writeWorkbook } from './spreadsheet.js'
import { type ColumnData, cellOf, type RecordColumns } from './values.js'

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
/** The number that Excel has for 1970-01-01. */
const firstDay = 25_569

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

/** A day as Excel has it; undefined for a text that is no day, or of a time before Excel's calendar. */
function dayOf(text: string): number | undefined {
  return isDate(text) && text >= '19010101' ? dayNumber(text) + firstDay : undefined
}

/** @throws QuotebookError INVALID_VALUE for infinity, and for longer texts than a cell holds */
function checkCells(name: string, values: ColumnData, isDay: boolean | undefined): void {
  const isLong = values.type === 'dictionary' && values.dictionary.map((word) => word.length > most.text)
  if (values.type === 'boolean' || isDay || (isLong && !isLong.includes(true))) return
  for (let row = 0; row < values.data.length; row++) {
    const cell = cellOf(values, row)
    if (typeof cell === 'number') {
      if (Math.abs(cell) === Number.POSITIVE_INFINITY) refuseCell({ name }, row, sentence`Excel has no number ${cell}`)
      continue
    }
    const length = (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)).length
    if (length <= most.text) continue
    refuseCell({ name }, row, sentence`the text has ${length} characters, and a cell of Excel holds ${most.text}`)
  }
}

/** Units of amounts, which are shown with commas between thousands. */
const grouped = ['yuan', 'Hong Kong dollar', 'lot', 'share', 'point', '10,000 yuan']

/** Decimals that the finest number of a column has; of what was computed, four. */
function decimalsOf(numbers: Float64Array | Int32Array): number {
  let [most, scale] = [0, 1]
  for (const number of numbers) {
    const scaled = number * scale
    if (Number.isNaN(number) || (Math.abs(scaled) < 1e15 && Math.round(scaled) / scale === number)) continue
    const [, decimals = ''] = /^-?\d+\.(\d+)$/.exec(String(number)) ?? []
    if (decimals.length > 6) return 4
    most = Math.max(most, decimals.length)
    scale = 10 ** most
  }
  return most
}

/** Text stays text when somebody edits it, a day is one; numbers by their unit, prices with the decimals that they have. */
function formatOf(values: ColumnData, { unit, isDay }: ColumnAbout): string | undefined {
  if (values.type === 'boolean') return undefined
  if (isDay) return 'yyyy-mm-dd'
  if (values.type !== 'float' && values.type !== 'int') return '@'
  const decimals = decimalsOf(values.data)
  const isAmount = unit !== undefined && grouped.includes(unit)
  const whole = isAmount ? '#,##0' : '0'
  if (decimals === 0 && unit !== 'percent') return whole
  const fraction = '0'.repeat(unit === undefined ? decimals : Math.max(2, decimals))
  if (unit === 'percent') return `0.${fraction}"%"`
  return unit !== undefined || values.data.some((number) => Math.abs(number) >= manyDigits)
    ? `${whole}.${fraction}`
    : undefined
}

/** A cell as wide as it is shown: a day as any. */
function shownCell(values: ColumnData, row: number, isDay: boolean | undefined): string {
  const cell = cellOf(values, row)
  if (cell === null || (typeof cell === 'number' && Number.isNaN(cell))) return ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  return isDay && typeof cell === 'string' && dayOf(cell) ? '2026-07-01' : text
}

function columnOf(name: string, about: ColumnAbout, values: ColumnData): SheetColumn {
  const title = headOf(name, about.unit)
  const measured = Math.min(values.data.length, measuredRows)
  const shown = [...title.split('\n'), ...mapRows(measured, (row) => shownCell(values, row, about.isDay))]
  const width = shown.reduce((most, text) => Math.max(most, widthOf(text.slice(0, widest))), narrowest)
  return { title, width: Math.min(widest, width) + 2, format: formatOf(values, about) }
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
  for (const [name, values] of data.columns) checkCells(name, values, about(name).isDay)
  const columns = [...data.columns].map(([name, values]) => columnOf(name, about(name), values))
  const meanings = names.map((name) => {
    const { unit, meaning, chinese } = about(name)
    return [name, columnTitle(name) ?? null, unit ?? null, chinese ?? null, meaning ?? null]
  })
  const book = await writeWorkbook([
    { name: sheet, columns, rows: [columns.map(() => null)] },
    {
      name: sheet === 'columns' ? 'meanings' : 'columns',
      columns: [text('name', 20), text('名称', 18), text('unit', 14), text('含义', 60), text('meaning', 90)],
      rows: meanings,
    },
  ])
  const days = new Set(names.filter((name) => about(name).isDay))
  return fillSheet(book, data, (name, text) => (days.has(name) ? dayOf(text) : undefined))
}
