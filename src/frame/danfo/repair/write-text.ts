/*
 * CSV and JSON of every frame and Series.
 *
 * In stock danfo frames that come out of another one (head, query, groupby, …) are of a class whose toCSV and toJSON
 * throw, JSON.stringify(df.head(1)) with them; its CSV quotes nothing, so that a comma or a line break in a text breaks
 * the table, writes NaN for what is missing and leaves '=1+1' for the spreadsheet to compute.
 *
 * Now both work everywhere. CSV is RFC 4180 with '\n': an empty cell for what is missing, `""` for an empty text, a
 * leading ' before text that a spreadsheet would compute (guarded(), as in src/frame/table/csv.ts), lists as JSON. JSON has null
 * for what is missing.
 */
import { sentence } from '../../../contract/sentence.js'
import { guarded } from '../../table/formula-guard.js'
import { getColumns } from '../frame-store.js'
import { type Cells, type DataFrame, isNa, lengthOf, range, refuse, repairBoth, type Series } from './model.js'

function fieldOf(cell: unknown, separator: string): string {
  if (isNa(cell)) return ''
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell)
  if (cell instanceof Date) return cell.toISOString()
  const text = typeof cell === 'string' ? guarded(cell) : JSON.stringify(cell)
  const special = text === '' || /["\n\r]/.test(text) || text.includes(separator)
  return special ? `"${text.replaceAll('"', '""')}"` : text
}

interface CsvOptions {
  readonly sep?: string
  readonly header?: boolean
  readonly filePath?: string
}

function csvOf(frame: DataFrame | Series, options: CsvOptions | undefined): string {
  const { sep = ',', header = true, filePath } = options ?? {}
  if (filePath !== undefined) refuse(sentence`toCSV gives the text; write it with node:fs`)
  if (sep.length !== 1 || /["\n\r]/.test(sep)) refuse(sentence`${JSON.stringify(sep)} can not separate fields`)
  const columns = getColumns(frame).list.map((column) => column.cells())
  const lineOf = (cells: Cells): string => `${cells.map((cell) => fieldOf(cell, sep)).join(sep)}\n`
  const lines = header ? [lineOf(frame.$columns)] : []
  for (let row = 0; row < frame.shape[0]; row++) lines.push(lineOf(columns.map((cells) => cells[row])))
  return lines.join('')
}

const plain = (cell: unknown): unknown => (isNa(cell) ? null : cell)

/** JSON.stringify calls toJSON with a key in the place of options. */
function formatOf(options: unknown): 'column' | 'row' {
  const given = (typeof options === 'object' && options !== null ? options : {}) as {
    format?: string
    filePath?: string
  }
  const { format = 'column', filePath } = given
  if (filePath !== undefined) refuse(sentence`toJSON gives the value; write it with node:fs`)
  return format === 'row' || format === 'column'
    ? format
    : refuse(sentence`format is 'row' or 'column', not '${format}'`)
}

repairBoth({
  toExcel: (): never => refuse(sentence`this danfo does not write spreadsheets; use toCSV`),

  toCSV(options?: CsvOptions): string {
    return csvOf(this, options)
  },

  /** Row objects, or lists by column with format 'row' (danfo's own names); of a Series a list by its name. */
  toJSON(options?: unknown): object {
    const format = formatOf(options)
    const columns = getColumns(this).list.map((column, at) => [this.$columns[at], column.cells().map(plain)] as const)
    if (format === 'row' || this.$isSeries) return Object.fromEntries(columns)
    return range(lengthOf(this)).map((row) => Object.fromEntries(columns.map(([name, cells]) => [name, cells[row]])))
  },
})
