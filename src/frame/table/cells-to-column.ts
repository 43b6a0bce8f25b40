import type { Kind } from '../../contract/column.js'
import { beijingMoment } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { columnTypeOf } from './arrow.js'
import { wrongWord } from './decode.js'
import type { ExpectedKind } from './kind-of-name.js'
import { floatColumn } from './present-cells.js'
import { type CellRules, type ColumnOrRow, readCells } from './read-cells.js'
import { type ColumnContent, type ColumnData, type ColumnType, isMissing, nulls } from './values.js'

/** One column of rows: its name, the rows, its place in them, the label that danfo gave it. */
export interface FrameColumn {
  readonly name: string
  readonly rows: readonly (readonly unknown[])[]
  readonly at: number
  readonly dtype: string
}

type Type = 'number' | 'string' | 'boolean'

export function refuseCell({ name }: { readonly name: string }, row: number, wrong: Words): never {
  throw new QuotebookError('INVALID_VALUE', sentence`column '${name}', row ${row + 1}: ${wrong}`)
}

/** The first row whose cell is there; -1 when none is. */
export function firstPresentRow({ rows, at }: FrameColumn): number {
  for (let row = 0; row < rows.length; row++) if (!isMissing((rows[row] as readonly unknown[])[at])) return row
  return -1
}

const half = /\p{Surrogate}/u

/** Half a character is no text: UTF-8 would make another one of it. */
export function checkWhole(column: { readonly name: string }, row: number, text: string): void {
  if (half.test(text))
    refuseCell(column, row, sentence`${JSON.stringify(text)} holds half of a surrogate pair, which is no text`)
}

/** NaN, null and undefined are missing; half a character is refused. */
function rulesOf(column: FrameColumn): CellRules {
  return { isMissing, checkText: (text, row) => checkWhole(column, row, text) }
}

function read(column: FrameColumn, type: ColumnType): ColumnOrRow {
  const { rows, at } = column
  if (type !== 'list') return readCells(type, rows, at, rulesOf(column))
  // The inverse of the text with commas that toDataFrame makes of a list; no text is an empty list.
  const texts = readCells('string', rows, at, rulesOf(column)) as Extract<ColumnData, { type: 'string' }> | number
  if (typeof texts === 'number') return texts
  return { type, data: texts.data.map((text) => (text === null ? null : text === '' ? [] : text.split(','))) }
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The first row whose cell has the form of a kind and is none; -1 when all are. */
function misfit(values: ColumnData, kind: Kind): number {
  const about = { kind, meaning: '' } as const
  if (values.type === 'dictionary') {
    const wrong = values.dictionary.findIndex((word) => wrongWord(about, word) !== undefined)
    return wrong < 0 ? -1 : values.data.indexOf(wrong)
  }
  if (values.type === 'string' && (kind === 'moment' || kind === 'json')) {
    const fits = kind === 'json' ? isJson : (text: string) => beijingMoment(text) !== undefined
    return values.data.findIndex((text) => text !== null && !fits(text))
  }
  if (kind === 'long' && values.type === 'float') {
    return values.data.findIndex((value) => !Number.isNaN(value) && !Number.isSafeInteger(value))
  }
  return -1
}

const plain = { number: 'float', string: 'dictionary', boolean: 'boolean' } as const

function shown(cell: unknown): string {
  return typeof cell === 'object' ? Object.prototype.toString.call(cell) : (JSON.stringify(cell) ?? String(cell))
}

function byCells(column: FrameColumn, first: number): ColumnData {
  const cellAt = (row: number): unknown => column.rows[row]?.[column.at]
  const typeAt = (row: number): Type => {
    const type = typeof cellAt(row)
    if (type === 'number' || type === 'string' || type === 'boolean') return type
    return refuseCell(column, row, sentence`a table holds numbers, text and booleans, not ${shown(cellAt(row))}`)
  }
  const type = typeAt(first)
  const values = read(column, plain[type])
  if (typeof values !== 'number') return values
  typeAt(values)
  return refuseCell(column, values, sentence`${shown(cellAt(values))} stands in a column of ${type}s`)
}

/**
 * A column of rows in memory form: by the kind wanted where its cells fit, otherwise by the cells.
 * @throws QuotebookError INVALID_VALUE for mixed types, and for cells that do not fit a kind that is wanted strictly
 */
export function columnFrom(column: FrameColumn, wanted: ExpectedKind | undefined): ColumnData {
  const first = firstPresentRow(column)
  if (first < 0) {
    const { dtype } = column
    const type = dtype === 'string' || dtype === 'boolean' ? dtype : 'number'
    return nulls(wanted ? columnTypeOf(wanted.kind) : plain[type], column.rows.length)
  }
  if (!wanted) return byCells(column, first)
  const values = read(column, columnTypeOf(wanted.kind))
  const wrong =
    typeof values === 'number' ? values : misfit(values, wanted.strict || wanted.kind === 'json' ? wanted.kind : 'text')
  if (typeof values !== 'number' && wrong < 0) return values
  if (!wanted.strict) return byCells(column, first)
  const cell = column.rows[wrong]?.[column.at]
  const hint =
    typeof cell === 'number' && columnTypeOf(wanted.kind) === 'dictionary'
      ? sentence`; text read as numbers loses its zeros`
      : ''
  return refuseCell(column, wrong, sentence`must be ${wanted.kind}, not ${shown(cell)}${hint}`)
}

/** Says of numbers which are missing. */
function withMissing(values: ColumnData): ColumnData {
  if (values.type !== 'float' || values.valid || !values.data.some(Number.isNaN)) return values
  return floatColumn(values.data)
}

/** A column of a frame in memory form: as it is where it is of the kind wanted, or nothing is wanted; else by `columnFrom`. */
export function columnOfContent(
  { name, dtype }: { readonly name: string; readonly dtype: string },
  column: { readonly content: ColumnContent; cells(): readonly unknown[] },
  wanted: ExpectedKind | undefined,
): ColumnData {
  const alone = (cells: readonly unknown[]): ColumnData =>
    columnFrom({ name, dtype, rows: cells.map((cell) => [cell]), at: 0 }, wanted)
  const { content } = column
  if (content.type === 'cells') return alone(content.data)
  const values = withMissing(content)
  if (!wanted || (values.type === columnTypeOf(wanted.kind) && misfit(values, wanted.kind) < 0)) return values
  return alone(column.cells())
}
