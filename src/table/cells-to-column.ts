import type { Kind } from '../contract/column.js'
import { beijingMoment } from '../contract/date.js'
import { QuotebookError } from '../contract/error.js'
import { formOf } from './arrow.js'
import { wrongWord } from './decode.js'
import type { Wanted } from './kind-of-name.js'
import { type ColumnData, type ColumnType, isMissing, nulls } from './values.js'

/** One column of rows: its name, the rows, its place in them, the label that danfo gave it. */
export interface FrameColumn {
  readonly name: string
  readonly rows: readonly (readonly unknown[])[]
  readonly at: number
  readonly dtype: string
}

type Type = 'number' | 'string' | 'boolean'

/** A column that was read, or the first row whose cell does not fit. */
type Read = ColumnData | number

export function refuse({ name }: { readonly name: string }, row: number, wrong: string): never {
  throw new QuotebookError('INVALID_VALUE', `column '${name}', row ${row + 1}: ${wrong}`)
}

/** The first row whose cell is there; -1 when none is. */
export function firstPresent({ rows, at }: FrameColumn): number {
  for (let row = 0; row < rows.length; row++) if (!isMissing((rows[row] as readonly unknown[])[at])) return row
  return -1
}

/* One pass per column, without a call per cell. */

function numbers({ rows, at }: FrameColumn): Read {
  const data = new Float64Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'number' && !Number.isNaN(cell)) data[row] = cell
    else if (cell === null || cell === undefined || typeof cell === 'number') {
      data[row] = Number.NaN
      valid ??= new Uint8Array(data.length).fill(1)
      valid[row] = 0
    } else return row
  }
  return { type: 'float', data, valid }
}

function ints({ rows, at }: FrameColumn): Read {
  const data = new Int32Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'number' && (cell | 0) === cell) data[row] = cell
    else if (isMissing(cell)) {
      valid ??= new Uint8Array(data.length).fill(1)
      valid[row] = 0
    } else return row
  }
  return { type: 'int', data, valid }
}

function flags({ rows, at }: FrameColumn): Read {
  const data = new Uint8Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'boolean') data[row] = cell ? 1 : 0
    else if (isMissing(cell)) {
      valid ??= new Uint8Array(data.length).fill(1)
      valid[row] = 0
    } else return row
  }
  return { type: 'boolean', data, valid }
}

const half = /\p{Surrogate}/u

/** Half a character is no text: UTF-8 would make another one of it. */
export function checkWhole(column: { readonly name: string }, row: number, text: string): void {
  if (half.test(text)) refuse(column, row, `${JSON.stringify(text)} holds half of a surrogate pair, which is no text`)
}

function strings(column: FrameColumn): { type: 'string'; data: (string | null)[] } | number {
  const { rows, at } = column
  const data = new Array<string | null>(rows.length)
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'string') {
      checkWhole(column, row, cell)
      data[row] = cell
    } else if (isMissing(cell)) data[row] = null
    else return row
  }
  return { type: 'string', data }
}

function codes(column: FrameColumn): Read {
  const { rows, at } = column
  const words: string[] = []
  const codeOf = new Map<string, number>()
  const data = new Int32Array(rows.length)
  let last: string | undefined
  let code = -1
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell !== 'string') {
      if (!isMissing(cell)) return row
      data[row] = -1
      continue
    }
    if (cell !== last) {
      const known = codeOf.get(cell)
      if (known === undefined) {
        checkWhole(column, row, cell)
        code = words.push(cell) - 1
        codeOf.set(cell, code)
      } else code = known
      last = cell
    }
    data[row] = code
  }
  return { type: 'dictionary', data, dictionary: words }
}

/** The inverse of the text with commas that toDataFrame makes of a list; no text is an empty list. */
function lists(column: FrameColumn): Read {
  const read = strings(column)
  if (typeof read === 'number') return read
  const data = read.data.map((text) => (text === null ? null : text === '' ? [] : text.split(',')))
  return { type: 'list', data }
}

function read(column: FrameColumn, form: ColumnType): Read {
  switch (form) {
    case 'float':
      return numbers(column)
    case 'int':
      return ints(column)
    case 'boolean':
      return flags(column)
    case 'dictionary':
      return codes(column)
    case 'string':
      return strings(column)
    case 'list':
      return lists(column)
  }
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
    return refuse(column, row, `a table holds numbers, text and booleans, not ${shown(cellAt(row))}`)
  }
  const type = typeAt(first)
  const values = read(column, plain[type])
  if (typeof values !== 'number') return values
  typeAt(values)
  return refuse(column, values, `${shown(cellAt(values))} stands in a column of ${type}s`)
}

/**
 * A column of rows in memory form: by the kind wanted where its cells fit, otherwise by the cells.
 * @throws QuotebookError INVALID_VALUE for mixed types, and for cells that do not fit a kind that is wanted strictly
 */
export function columnFrom(column: FrameColumn, wanted: Wanted | undefined): ColumnData {
  const first = firstPresent(column)
  if (first < 0) {
    const { dtype } = column
    const type = dtype === 'string' || dtype === 'boolean' ? dtype : 'number'
    return nulls(wanted ? formOf(wanted.kind) : plain[type], column.rows.length)
  }
  if (!wanted) return byCells(column, first)
  const values = read(column, formOf(wanted.kind))
  const wrong =
    typeof values === 'number' ? values : misfit(values, wanted.strict || wanted.kind === 'json' ? wanted.kind : 'text')
  if (typeof values !== 'number' && wrong < 0) return values
  if (!wanted.strict) return byCells(column, first)
  const cell = column.rows[wrong]?.[column.at]
  const hint =
    typeof cell === 'number' && formOf(wanted.kind) === 'dictionary' ? '; text read as numbers loses its zeros' : ''
  return refuse(column, wrong, `must be ${wanted.kind}, not ${shown(cell)}${hint}`)
}
