import { findDataset } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import type { Words } from '../../contract/sentence.js'
import { counted, fact } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import { printable } from './cell-text.js'
import { padText, textWidth, truncateText, truncateWords } from './text-width.js'
import { firstAndLast, positiveOption, type ShowOptions, type VisibleData } from './visible-data.js'

/** A column of text: its head, its cells, and the side on which they stand. */
export interface AlignedColumn {
  readonly head: string
  readonly cells: readonly string[]
  readonly right: boolean
  /** Its numbers are rises and falls, shown in colour. */
  readonly isTinted?: boolean | undefined
}

const between = 2
const gap: AlignedColumn = { head: '…', cells: [], right: false }

/** Signs behind the whole part of a decimal number. */
function decimalPlaces(text: string): number | undefined {
  const match = /^[-+]?[\d,]+(?:\.(\d+%?))?$/.exec(text)
  return match ? (match[1]?.length ?? 0) + (match[1] === undefined ? 0 : 1) : undefined
}

/** Numbers with blanks behind them, so that their points stand below each other; nothing is added to a number. */
function alignPoints(cells: readonly string[]): readonly string[] {
  const all = cells.map(decimalPlaces)
  const most = all.reduce<number>((max, count) => Math.max(max, count ?? 0), 0)
  if (most === 0) return cells
  return cells.map((text, i) => text + ' '.repeat(all[i] === undefined && text.length > 1 ? 0 : most - (all[i] ?? 0)))
}

interface MeasuredColumn extends AlignedColumn {
  readonly width: number
}

/** Texts are cut and numbers are not: a number without its last digits is another number. */
function measureColumn(column: AlignedColumn, most: number): MeasuredColumn {
  const cells = column.right ? alignPoints(column.cells) : column.cells.map((text) => truncateWords(text, most))
  const head = truncateText(column.head, most)
  return {
    head,
    cells,
    right: column.right,
    isTinted: column.isTinted,
    width: [head, ...cells].reduce((max, text) => Math.max(max, textWidth(text)), 0),
  }
}

/** Places from the front and from the back in turn. */
function inTurn(length: number): number[] {
  return Array.from({ length }, (_, i) => (i % 2 === 0 ? i / 2 : length - (i + 1) / 2))
}

/** Places of the columns that do not fit a width, where the most wanted come first; the first always does. */
function hiddenColumns(columns: readonly MeasuredColumn[], width: number, wanted: readonly number[]): number[] {
  const whole = columns.reduce((sum, column) => sum + column.width + between, -between)
  if (whole <= width) return []
  const order = [...new Set([...wanted, ...inTurn(columns.length)])]
  let left = width - textWidth(gap.head)
  const end = order.findIndex((place) => {
    left -= (columns[place]?.width ?? 0) + between
    return left < 0
  })
  return order.slice(Math.max(1, end)).sort((a, b) => a - b)
}

/** A cell as a terminal shows it: red where it is above zero, green where it is below, as in China. */
function tinted(text: string): string {
  const value = Number(text.replace(/[,%]/g, ''))
  if (!(value > 0 || value < 0)) return text
  return `\u001b[${value > 0 ? 31 : 32}m${text}\u001b[39m`
}

/**
 * Aligned columns without lines. If they do not fit, those that are wanted least give way to `…` (default: those in the middle).
 * @param width of all, in cells of a terminal
 * @param cell the widest cell
 * @param wanted places of the columns that are shown first
 * @returns the lines, heads first, and the places of the columns that were left out
 */
export function alignColumns(
  columns: readonly AlignedColumn[],
  width: number,
  cell: number,
  wanted: readonly number[] = [],
): { readonly lines: readonly string[]; readonly hidden: readonly number[] } {
  const gapWidth = columns.length > 1 ? between + textWidth(gap.head) : 0
  const all = columns.map((column) => measureColumn(column, Math.min(cell, Math.max(1, width - gapWidth))))
  const hidden = hiddenColumns(all, width, wanted)
  const length = columns[0]?.cells.length ?? 0
  const dotted = { ...gap, cells: Array<string>(length).fill('…'), width: 1 }
  const some = all.flatMap((column, i) => (i === hidden[0] ? [dotted] : hidden.includes(i) ? [] : [column]))
  const line = (pick: (column: MeasuredColumn) => string, tint = (text: string, _: MeasuredColumn) => text): string =>
    some
      .map((column) => tint(padText(pick(column), column.width, column.right), column))
      .join(' '.repeat(between))
      .trimEnd()
  const tint = (text: string, column: MeasuredColumn): string => (column.isTinted ? tinted(text) : text)
  const rows = Array.from({ length }, (_, row) => line(({ cells }) => cells[row] ?? '', tint))
  return { lines: [line(({ head }) => head), ...rows], hidden }
}

/** Cells of a line where nothing says how many there are. */
export const defaultWidth = 120

/** What is not there to see, in words; undefined when all is. */
function hiddenWords(rows: number, columns: readonly string[]): string | undefined {
  const [names, count] = [columns.join(', '), columns.length]
  const parts = [
    ...(rows > 0 ? [say(fact('ROWS', '{count}', { count: counted(rows, 'row') }))] : []),
    ...(count > 0 ? [say`${fact('COLUMNS', '{count}', { count: counted(count, 'column') })} (${names})`] : []),
  ]
  return parts.length > 0 ? say`not shown: ${parts.join(say(', '))}` : undefined
}

/** That not every row is there, and why. */
function incompleteWords(why: Words): string {
  return `${why}` === '' ? say('not complete') : say`not complete: ${why}`
}

/**
 * Data as aligned text: heads, rows, then its size and what is not shown. Numbers stand at the right with every digit
 * they have, wide characters count as two, `·` is a missing cell.
 * @param tints whether it is for a terminal that shows rises red and falls green
 */
export function textTable(data: VisibleData, options: ShowOptions = {}, tints = false): string {
  const width = positiveOption('width', options.width, defaultWidth)
  const { first = [], day }: Partial<Dataset> = findDataset(data.dataset) ?? {}
  const days = new Set(data.columns.find(({ name }) => name === day)?.cells.map(({ text }) => text))
  const most = firstAndLast(data.columns.length, positiveOption('columns', options.columns, Number.POSITIVE_INFINITY))
  const columns = most.places.flatMap((place) => {
    const column = data.columns[place]
    if (!column) return []
    const cells = column.cells.map(({ text }) => text)
    if (data.gap !== undefined) cells.splice(data.gap, 0, '…')
    return [{ head: column.name, cells, right: column.right, place, isTinted: tints && column.isChange }]
  })
  if (most.gap !== undefined) {
    const none = columns[0]?.cells.map(() => '…') ?? []
    columns.splice(most.gap, 0, { head: '…', cells: none, right: false, place: -1, isTinted: false })
  }
  // Rows of one day need no day; rows of several are told apart by it.
  const wanted = (days.size > 1 ? [day, ...first] : first).flatMap((name) => {
    const at = columns.findIndex(({ head }) => head === name)
    return at < 0 ? [] : [at]
  })
  const { lines, hidden } = alignColumns(columns, width, positiveOption('cell', options.cell, 40), wanted)
  const seen = new Set(columns.flatMap(({ place }, i) => (hidden.includes(i) ? [] : [place])))
  const away = data.columns.flatMap(({ name, isLabel }, place) => (seen.has(place) || isLabel ? [] : [name]))
  const { total, incomplete } = data
  const size = say`[${total.rows} rows x ${total.columns} columns]`
  const rest = hiddenWords(total.rows - data.rows, away)
  const whole = incomplete === undefined ? undefined : printable(incompleteWords(incomplete))
  const foot = [size, rest, whole, ...data.suspect].flatMap((part) =>
    part === undefined ? [] : [truncateWords(part, width)],
  )
  return [...(data.columns.length > 0 ? lines : []), ...foot].join('\n')
}
