import type { Words } from '../../contract/sentence.js'
import { counted, fact } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import { printable } from './cell-text.js'
import { padText, textWidth, truncateText } from './text-width.js'
import { firstAndLast, positiveOption, type ShowOptions, type VisibleData } from './visible-data.js'

/** A column of text: its head, its cells, and the side on which they stand. */
export interface AlignedColumn {
  readonly head: string
  readonly cells: readonly string[]
  readonly right: boolean
}

const between = 2
const gap: AlignedColumn = { head: '…', cells: [], right: false }

/** Digits behind the point of a plain decimal number. */
function decimalPlaces(text: string): number | undefined {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(text)
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
  const cells = column.right ? alignPoints(column.cells) : column.cells.map((text) => truncateText(text, most))
  const head = truncateText(column.head, most)
  return {
    head,
    cells,
    right: column.right,
    width: [head, ...cells].reduce((max, text) => Math.max(max, textWidth(text)), 0),
  }
}

/** How many columns from the front and from the back fit a width, taken in turn; all of them when they do. */
function fittingColumns(columns: readonly MeasuredColumn[], width: number): { front: number; back: number } {
  const whole = columns.reduce((sum, column) => sum + column.width + between, -between)
  if (whole <= width) return { front: columns.length, back: 0 }
  let left = width - textWidth(gap.head)
  let [front, back] = [0, 0]
  while (front + back < columns.length) {
    const isFront = front === back
    const next = columns[isFront ? front : columns.length - 1 - back]
    left -= (next?.width ?? 0) + between
    if (left < 0) break
    if (isFront) front++
    else back++
  }
  return { front: Math.max(1, front), back }
}

/**
 * Aligned columns without lines. Where they do not fit, columns in the middle give way to `…`.
 * @param width of all, in cells of a terminal
 * @param cell the widest cell
 * @returns the lines, heads first, and the places of the columns that were left out
 */
export function alignColumns(
  columns: readonly AlignedColumn[],
  width: number,
  cell: number,
): { readonly lines: readonly string[]; readonly hidden: readonly number[] } {
  const gapWidth = columns.length > 1 ? between + textWidth(gap.head) : 0
  const all = columns.map((column) => measureColumn(column, Math.min(cell, Math.max(1, width - gapWidth))))
  const { front, back } = fittingColumns(all, width)
  const hidden = columns.flatMap((_, i) => (i >= front && i < columns.length - back ? [i] : []))
  const length = columns[0]?.cells.length ?? 0
  const dotted = { ...gap, cells: Array<string>(length).fill('…'), width: 1 }
  const some = hidden.length === 0 ? all : [...all.slice(0, front), dotted, ...all.slice(columns.length - back)]
  const line = (pick: (column: MeasuredColumn) => string): string =>
    some
      .map((column) => padText(pick(column), column.width, column.right))
      .join(' '.repeat(between))
      .trimEnd()
  const rows = Array.from({ length }, (_, row) => line(({ cells }) => cells[row] ?? ''))
  return { lines: [line(({ head }) => head), ...rows], hidden }
}

/** Cells of a line where nothing says how many there are. */
export const defaultWidth = 120

/** What is not there to see, in words; undefined when all is. */
function hiddenWords(rows: number, columns: readonly string[]): string | undefined {
  const [names, count] = [columns.join(', '), columns.length]
  const parts = [
    ...(rows > 0 ? [say(fact('ROWS', '{count}', { count: counted(rows, 'row') }))] : []),
    ...(count > 0 ? [say`${counted(count, 'column')} (${names})`] : []),
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
 */
export function textTable(data: VisibleData, options: ShowOptions = {}): string {
  const width = positiveOption('width', options.width, defaultWidth)
  const most = firstAndLast(data.columns.length, positiveOption('columns', options.columns, Number.POSITIVE_INFINITY))
  const columns = most.places.flatMap((place) => {
    const column = data.columns[place]
    if (!column) return []
    const cells = column.cells.map(({ text }) => text)
    if (data.gap !== undefined) cells.splice(data.gap, 0, '…')
    return [{ head: column.name, cells, right: column.right, place }]
  })
  if (most.gap !== undefined) {
    const none = columns[0]?.cells.map(() => '…') ?? []
    columns.splice(most.gap, 0, { head: '…', cells: none, right: false, place: -1 })
  }
  const { lines, hidden } = alignColumns(columns, width, positiveOption('cell', options.cell, 40))
  const seen = new Set(columns.flatMap(({ place }, i) => (hidden.includes(i) ? [] : [place])))
  const away = data.columns.flatMap(({ name, isLabel }, place) => (seen.has(place) || isLabel ? [] : [name]))
  const { total, incomplete } = data
  const size = say`[${total.rows} rows x ${total.columns} columns]`
  const rest = hiddenWords(total.rows - data.rows, away)
  const whole = incomplete === undefined ? undefined : printable(incompleteWords(incomplete))
  const foot = [size, rest, whole, ...data.suspect].flatMap((part) =>
    part === undefined ? [] : [truncateText(part, width)],
  )
  return [...(data.columns.length > 0 ? lines : []), ...foot].join('\n')
}
