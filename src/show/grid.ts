import { cut, padded, widthOf } from './width.js'

/** A column of text: its head, its cells, and the side on which they stand. */
export interface TextColumn {
  readonly head: string
  readonly cells: readonly string[]
  readonly right: boolean
}

const between = 2
const gap: TextColumn = { head: '…', cells: [], right: false }

/** Digits behind the point of a plain decimal number. */
function places(text: string): number | undefined {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(text)
  return match ? (match[1]?.length ?? 0) + (match[1] === undefined ? 0 : 1) : undefined
}

/** Numbers with blanks behind them, so that their points stand below each other; nothing is added to a number. */
function pointed(cells: readonly string[]): readonly string[] {
  const all = cells.map(places)
  const most = all.reduce<number>((max, count) => Math.max(max, count ?? 0), 0)
  if (most === 0) return cells
  return cells.map((text, i) => text + ' '.repeat(all[i] === undefined && text.length > 1 ? 0 : most - (all[i] ?? 0)))
}

interface Measured extends TextColumn {
  readonly width: number
}

/** Texts are cut and numbers are not: a number without its last digits is another number. */
function measured(column: TextColumn, most: number): Measured {
  const cells = column.right ? pointed(column.cells) : column.cells.map((text) => cut(text, most))
  const head = cut(column.head, most)
  return {
    head,
    cells,
    right: column.right,
    width: [head, ...cells].reduce((max, text) => Math.max(max, widthOf(text)), 0),
  }
}

/** How many columns from the front and from the back fit a width, taken in turn; all of them when they do. */
function fitting(columns: readonly Measured[], width: number): { front: number; back: number } {
  const whole = columns.reduce((sum, column) => sum + column.width + between, -between)
  if (whole <= width) return { front: columns.length, back: 0 }
  let left = width - widthOf(gap.head)
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
export function grid(
  columns: readonly TextColumn[],
  width: number,
  cell: number,
): { readonly lines: readonly string[]; readonly hidden: readonly number[] } {
  const room = columns.length > 1 ? between + widthOf(gap.head) : 0
  const all = columns.map((column) => measured(column, Math.min(cell, Math.max(1, width - room))))
  const { front, back } = fitting(all, width)
  const hidden = columns.flatMap((_, i) => (i >= front && i < columns.length - back ? [i] : []))
  const length = columns[0]?.cells.length ?? 0
  const dotted = { ...gap, cells: Array<string>(length).fill('…'), width: 1 }
  const some = hidden.length === 0 ? all : [...all.slice(0, front), dotted, ...all.slice(columns.length - back)]
  const line = (pick: (column: Measured) => string): string =>
    some
      .map((column) => padded(pick(column), column.width, column.right))
      .join(' '.repeat(between))
      .trimEnd()
  const rows = Array.from({ length }, (_, row) => line(({ cells }) => cells[row] ?? ''))
  return { lines: [line(({ head }) => head), ...rows], hidden }
}
