import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import { isMissing } from '../table/values.js'
import { cellText, missingMark, printable, secretMark } from './cell-text.js'
import { type ColumnInfo, type DataCells, infoText } from './describe-data.js'

/** Options of `show`: how much it shows. */
export interface ShowOptions {
  /** Rows shown of longer data, the first and the last ones; 20. */
  readonly rows?: number
  /** Columns shown of wider data, the first and the last ones; 24 in HTML, as many as fit the width in text. */
  readonly columns?: number
  /** Cells of the terminal that text may take; the terminal's width, 120 if there is none. */
  readonly width?: number
  /** The longest cell, in cells of a terminal; 40 in text, 60 in HTML. */
  readonly cell?: number
}

export interface VisibleColumn {
  readonly name: string
  /** Kind, unit and meaning in a line. */
  readonly infoText: string
  readonly unit: string | undefined
  /** Stands at the right. */
  readonly right: boolean
  /** The label of the row and no column of the data. */
  readonly isLabel: boolean
  /** Its numbers are rises and falls. */
  readonly isChange?: boolean | undefined
  /** One for each row shown. */
  readonly cells: readonly VisibleCell[]
}

export interface VisibleCell {
  readonly text: string
  readonly missing: boolean
  readonly secret: boolean
}

/** What of the data is shown, as text, before it takes a form. */
export interface VisibleData {
  readonly columns: readonly VisibleColumn[]
  /** How many rows are shown. */
  readonly rows: number
  /** How many rows stand before those left out; undefined when none is. */
  readonly gap: number | undefined
  readonly total: { readonly rows: number; readonly columns: number }
  readonly dataset: string | undefined
  readonly incomplete: Words | undefined
  readonly suspect: readonly string[]
}

/**
 * An option as a whole number of at least one.
 * @throws QuotebookError INVALID_VALUE when it is none
 */
export function positiveOption(name: string, given: number | undefined, usual: number): number {
  if (given === undefined) return usual
  if (given === Number.POSITIVE_INFINITY || (Number.isSafeInteger(given) && given >= 1)) return given
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`${name} must be a whole number of at least 1, or Infinity, not ${given}`,
  )
}

/** Places of the first and last ones of `length` things, `most` in all. */
export function firstAndLast(
  length: number,
  most: number,
): { readonly places: readonly number[]; readonly gap?: number } {
  if (length <= most) return { places: Array.from({ length }, (_, i) => i) }
  const gap = Math.ceil(most / 2)
  return { places: Array.from({ length: most }, (_, i) => (i < gap ? i : length - most + i)), gap }
}

/** How the numbers of a column are written for a person at a terminal. */
export type WriteNumbers = (column: ColumnInfo, numbers: readonly number[]) => (value: number) => string

function visibleCell(cell: unknown, { secret }: ColumnInfo, write: (value: number) => string): VisibleCell {
  const none = isMissing(cell)
  const text = (): string => (typeof cell === 'number' ? write(cell) : cellText(cell))
  return { text: none ? missingMark : secret ? secretMark : text(), missing: none, secret: secret && !none }
}

/** Labels are worth a column when they are not simply the places of the rows. */
function labelsOf({ label }: DataCells, places: readonly number[]): readonly unknown[] | undefined {
  const labels = label && places.map(label)
  return labels?.some((text, i) => text !== places[i]) ? labels : undefined
}

/** What is shown of the data: reads the cells of the rows shown and no others. @param write default: every digit */
export function visibleData(data: DataCells, options: ShowOptions = {}, write?: WriteNumbers): VisibleData {
  const { places, gap } = firstAndLast(data.rows, positiveOption('rows', options.rows, 20))
  const labels = labelsOf(data, places)
  const columns = data.columns.map((info, column): VisibleColumn => {
    const cells = places.map((row) => data.cell(row, column))
    const numbers = cells.filter((cell): cell is number => typeof cell === 'number' && Number.isFinite(cell))
    const form = write?.(info, numbers) ?? cellText
    return {
      name: printable(info.name),
      infoText: infoText(info),
      unit: info.unit,
      right: info.numeric && cells.every((cell) => isMissing(cell) || typeof cell !== 'string'),
      isLabel: false,
      isChange: info.isChange,
      cells: cells.map((cell) => visibleCell(cell, info, form)),
    }
  })
  if (labels) {
    columns.unshift({
      name: '',
      infoText: say('label of the row'),
      unit: undefined,
      right: labels.every((label) => typeof label === 'number'),
      isLabel: true,
      cells: labels.map((label) => ({ text: cellText(label), missing: false, secret: false })),
    })
  }
  return {
    columns,
    rows: places.length,
    gap,
    total: { rows: data.rows, columns: data.columns.length },
    dataset: data.dataset,
    incomplete: data.incomplete,
    suspect: (data.suspect ?? []).map(printable),
  }
}
