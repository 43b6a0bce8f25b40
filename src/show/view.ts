import { QuotebookError } from '../contract/error.js'
import { isMissing } from '../table/values.js'
import { type About, told } from './about.js'
import { cellText, dots, missing, printable } from './cell.js'
import type { Sight } from './sight.js'

export interface ShowOptions {
  /** Rows shown of longer data, the first and the last ones; 20. */
  readonly rows?: number
  /** Columns shown of wider data, the first and the last ones; 24 in HTML, as many as fit the width in text. */
  readonly columns?: number
  /** Cells of the terminal that text may take; the terminal's width, 120 where there is none. */
  readonly width?: number
  /** The longest cell, in cells of a terminal; 40 in text, 60 in HTML. */
  readonly cell?: number
}

export interface ShownColumn {
  readonly name: string
  /** Kind, unit and meaning in a line. */
  readonly told: string
  readonly unit: string | undefined
  /** Stands at the right. */
  readonly right: boolean
  /** The label of the row and no column of the data. */
  readonly isLabel: boolean
}

export interface ShownCell {
  readonly text: string
  readonly missing: boolean
  readonly secret: boolean
}

/** What of the data is shown, as text, before it takes a form. */
export interface View {
  readonly columns: readonly ShownColumn[]
  readonly rows: readonly (readonly ShownCell[])[]
  /** How many rows stand before those left out; undefined when none is. */
  readonly gap: number | undefined
  readonly total: { readonly rows: number; readonly columns: number }
  readonly dataset: string | undefined
  readonly incomplete: string | undefined
}

/**
 * A wish as a whole number of at least one.
 * @throws QuotebookError INVALID_VALUE when it is none
 */
export function atLeastOne(name: string, wish: number | undefined, usual: number): number {
  if (wish === undefined) return usual
  if (wish === Number.POSITIVE_INFINITY || (Number.isSafeInteger(wish) && wish >= 1)) return wish
  throw new QuotebookError('INVALID_VALUE', `${name} must be a whole number of at least 1, or Infinity, not ${wish}`)
}

/** Places of the first and last ones of `length` things, `most` in all. */
export function ends(length: number, most: number): { readonly places: readonly number[]; readonly gap?: number } {
  if (length <= most) return { places: Array.from({ length }, (_, i) => i) }
  const gap = Math.ceil(most / 2)
  return { places: Array.from({ length: most }, (_, i) => (i < gap ? i : length - most + i)), gap }
}

function shownCell(cell: unknown, { secret }: About): ShownCell {
  const none = isMissing(cell)
  return { text: none ? missing : secret ? dots : cellText(cell), missing: none, secret: secret && !none }
}

/** Labels are worth a column when they are not simply the places of the rows. */
function labelsOf({ label }: Sight, places: readonly number[]): readonly unknown[] | undefined {
  const labels = label && places.map(label)
  return labels?.some((text, i) => text !== places[i]) ? labels : undefined
}

/** What is shown of the data: reads the cells of the rows shown and no others. */
export function viewOf(sight: Sight, options: ShowOptions = {}): View {
  const { places, gap } = ends(sight.rows, atLeastOne('rows', options.rows, 20))
  const labels = labelsOf(sight, places)
  const columns = sight.columns.map((about, column): { shown: ShownColumn; cells: ShownCell[] } => {
    const cells = places.map((row) => sight.cell(row, column))
    const right = about.numeric && cells.every((cell) => isMissing(cell) || typeof cell !== 'string')
    const { name, unit } = about
    return {
      shown: { name: printable(name), told: told(about), unit, right, isLabel: false },
      cells: cells.map((cell) => shownCell(cell, about)),
    }
  })
  if (labels) {
    columns.unshift({
      shown: {
        name: '',
        told: 'label of the row',
        unit: undefined,
        right: labels.every((label) => typeof label === 'number'),
        isLabel: true,
      },
      cells: labels.map((label) => ({ text: cellText(label), missing: false, secret: false })),
    })
  }
  return {
    columns: columns.map(({ shown }) => shown),
    rows: places.map((_, i) => columns.map(({ cells }) => cells[i] as ShownCell)),
    gap,
    total: { rows: sight.rows, columns: sight.columns.length },
    dataset: sight.dataset,
    incomplete: sight.incomplete,
  }
}
