import { printable } from './cell.js'
import { grid } from './grid.js'
import { atLeastOne, ends, type ShowOptions, type View } from './view.js'
import { cut } from './width.js'

/** Cells of a line where nothing says how many there are. */
export const usualWidth = 120

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** What is not there to see, in words; undefined when all is. */
function hiddenWords(rows: number, columns: readonly string[]): string | undefined {
  const parts = [
    ...(rows > 0 ? [counted(rows, 'row')] : []),
    ...(columns.length > 0 ? [`${counted(columns.length, 'column')} (${columns.join(', ')})`] : []),
  ]
  return parts.length > 0 ? `not shown: ${parts.join(', ')}` : undefined
}

/**
 * Data as aligned text: heads, rows, then its size and what is not shown. Numbers stand at the right with every digit
 * they have, wide characters count as two, `·` is a missing cell.
 */
export function textOf(view: View, options: ShowOptions = {}): string {
  const width = atLeastOne('width', options.width, usualWidth)
  const most = ends(view.columns.length, atLeastOne('columns', options.columns, Number.POSITIVE_INFINITY))
  const columns = most.places.flatMap((place) => {
    const column = view.columns[place]
    if (!column) return []
    const cells = view.rows.map((row) => row[place]?.text ?? '')
    if (view.gap !== undefined) cells.splice(view.gap, 0, '…')
    return [{ head: column.name, cells, right: column.right, place }]
  })
  if (most.gap !== undefined) {
    const none = columns[0]?.cells.map(() => '…') ?? []
    columns.splice(most.gap, 0, { head: '…', cells: none, right: false, place: -1 })
  }
  const { lines, hidden } = grid(columns, width, atLeastOne('cell', options.cell, 40))
  const seen = new Set(columns.flatMap(({ place }, i) => (hidden.includes(i) ? [] : [place])))
  const away = view.columns.flatMap(({ name, isLabel }, place) => (seen.has(place) || isLabel ? [] : [name]))
  const size = `[${view.total.rows} rows x ${view.total.columns} columns]`
  const rest = hiddenWords(view.total.rows - view.rows.length, away)
  const whole =
    view.incomplete === undefined ? undefined : `not complete${view.incomplete && `: ${printable(view.incomplete)}`}`
  const foot = [size, rest, whole].flatMap((part) => (part === undefined ? [] : [cut(part, width)]))
  return [...(view.columns.length > 0 ? lines : []), ...foot].join('\n')
}
