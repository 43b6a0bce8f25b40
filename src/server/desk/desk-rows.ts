import type { Table } from 'apache-arrow'
import { tradeHead } from '../../contract/column-heads.js'
import type { Dataset } from '../../contract/dataset.js'
import { unitText } from '../../contract/dataset-text.js'
import type { Say } from '../../contract/say.js'
import { columnNames, columnsOf } from '../../frame/read-columns.js'
import { cellOf } from '../../frame/table/values.js'
import { aligned, day, fixed, formatSigned } from '../../research/report/format-number.js'
import { type GridColumn, grid, type HtmlPart, outside, risen } from '../../research/report/html.js'
import { compareTexts, moneyFor } from '../../research/report/report-words.js'

type DeskCell = number | string | null

/** A column of a table of the desk. */
export interface DeskColumn {
  /** As addresses spell it. */
  readonly name: string
  readonly head: string
  readonly unit?: string | undefined
  readonly isNumber: boolean
  readonly cells: readonly DeskCell[]
  /** What rows without a cell are ranked by, after the others. */
  readonly rest?: readonly DeskCell[] | undefined
  /** @param at its row, of columns whose rows differ in unit */
  readonly show: (cell: DeskCell, at?: number) => HtmlPart
}

/** A table of a day, as it was read. */
export interface DeskRows {
  /** What it is called beside the title of its kind. */
  readonly name?: string | undefined
  readonly columns: readonly DeskColumn[]
  /** Codes of rows that have a page, by place. */
  readonly codes: readonly (string | undefined)[]
}

/** A cell of a table as the desk shows it. */
export function deskCell(cell: unknown): DeskCell {
  if (cell === null || (typeof cell === 'number' && Number.isNaN(cell))) return null
  return typeof cell === 'number' ? cell : Array.isArray(cell) ? cell.join(' ') : String(cell)
}

/** A column of numbers in a table whose rows are places. */
export function gridNumbers({ head, unit, cells, show }: DeskColumn): GridColumn<number> {
  return grid.number(head, unit, (at) => show(cells[at] ?? null))
}

/** A column of texts in such a table. */
export function gridTexts({ head, cells, show }: DeskColumn): GridColumn<number> {
  return grid.text(head, (at) => show(cells[at] ?? null), 'name')
}

/** A head with its unit, as axes and panels have it. */
export const withUnit = (say: Say, head: string, unit: string | undefined): string =>
  unit ? say`${head} (${unit})` : head

/** Amounts of yuan from here on are written in large units. */
const large = 1e7

/** What a column of numbers is of. */
interface NumbersRule {
  readonly name: string
  readonly unit?: string | undefined
  readonly isChange?: boolean
}

/** How numbers of a column are written, and in which unit. */
function written(numbers: readonly number[], { name, unit, isChange = false }: NumbersRule, say: Say) {
  const most = numbers.reduce((top, one) => Math.max(top, Math.abs(one)), 0)
  if (unit === 'yuan' && most >= large) {
    const money = moneyFor(numbers, say, name === 'amount')
    if (money) return { unit: money.unit, text: isChange ? money.signed : money.write }
  }
  if (unit === 'percent')
    return { unit: '%', text: (value: number) => (isChange ? formatSigned(value, 2) : fixed(value, 2)) }
  const plain = aligned(numbers)
  const text = (value: number): string => (isChange && value > 0 ? `+${plain(value)}` : plain(value))
  return { unit, text }
}

/** A column of numbers; a change is red above zero and green below. */
export function deskNumbers(
  rule: NumbersRule,
  cells: readonly DeskCell[],
  say: Say,
  unitWord: string | undefined = rule.unit,
): DeskColumn {
  const { name, unit, isChange = false } = rule
  const numbers = cells.filter((cell): cell is number => typeof cell === 'number')
  const form = written(numbers, rule, say)
  const show = (cell: DeskCell): HtmlPart => {
    if (typeof cell !== 'number') return outside(null)
    const text = form.text(cell)
    return isChange ? risen(cell, text) : text
  }
  const shownUnit = form.unit === unit ? unitWord : form.unit
  return { name, head: tradeHead(name, say.language), unit: shownUnit, isNumber: true, cells, show }
}

/** A column of texts; days as days are written. */
export function deskTexts(
  name: string,
  cells: readonly DeskCell[],
  say: Say,
  head = tradeHead(name, say.language),
): DeskColumn {
  const show = (cell: DeskCell): HtmlPart => {
    if (cell === null || cell === '') return outside(null)
    const text = String(cell)
    return /^\d{8}$/.test(text) ? day(text) : /^[\x20-\x7e]*$/.test(text) ? text : outside(text)
  }
  return { name, head, isNumber: false, cells, show }
}

/** The same column with a word for each of its texts. */
export function wordColumn(column: DeskColumn, wordOf: (cell: string, at: number) => HtmlPart): DeskColumn {
  return { ...column, show: (cell, at = -1) => (cell === null ? outside(null) : wordOf(String(cell), at)) }
}

/** The columns of a dataset's rows. */
export function datasetColumns(dataset: Dataset, table: Table, say: Say): readonly DeskColumn[] {
  const { columns } = columnsOf(table)
  const rows = Array.from({ length: table.numRows }, (_, row) => row)
  return columnNames(table).flatMap((name) => {
    const [values, about] = [columns.get(name), dataset.columns[name]]
    if (!values || !about || about.secret) return []
    const cells = rows.map((row) => deskCell(cellOf(values, row)))
    const isNumber = ['number', 'integer', 'long'].includes(about.kind)
    return isNumber
      ? deskNumbers(
          { name, unit: about.unit, isChange: about.isChange === true },
          cells,
          say,
          unitText(about, say.language),
        )
      : deskTexts(name, cells, say)
  })
}

function compareCells(a: DeskCell, b: DeskCell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(String(a), String(b))
}

/** Places of rows in the order of a column; rows without a cell come last, equal ones stay as they are. */
export function sortedPlaces(
  places: readonly number[],
  { cells, rest }: Pick<DeskColumn, 'cells' | 'rest'>,
  isDown: boolean,
): readonly number[] {
  const [there, none] = [places.filter((at) => cells[at] !== null), places.filter((at) => cells[at] === null)]
  const sign = isDown ? -1 : 1
  const sorted = there.sort((a, b) => sign * compareCells(cells[a] as DeskCell, cells[b] as DeskCell) || a - b)
  return [...sorted, ...(rest ? sortedPlaces(none, { cells: rest }, isDown) : none)]
}
