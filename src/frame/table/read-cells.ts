import { DictionaryBuilder, NumberBuilder } from './column-builder.js'
import type { ColumnData, ColumnType } from './values.js'

/** Rows as arrays of cells. */
export type CellRows = readonly (readonly unknown[])[]

/** What is taken as a cell, besides numbers, text, booleans and arrays of text themselves. */
export interface CellRules {
  /** Numbers that are taken: every one but NaN when absent; `whole` stands for safe integers. */
  readonly numbers?: 'finite' | 'whole'
  /** Whether a cell that is none of its type counts as missing; may throw. */
  isMissing(cell: unknown, row: number): boolean
  /** Throws for a text that is wrong. Asked once for each word of a dictionary. */
  checkText?(text: string, row: number): void
}

/** A column that was read, or the first row whose cell does not fit. */
export type ColumnOrRow = ColumnData | number

/* One pass a column, a loop a type: without a call for each cell that is there. */

function readFloats(rows: CellRows, at: number, { numbers, isMissing }: CellRules): ColumnOrRow {
  const column = new NumberBuilder('float', rows.length)
  const { data } = column
  const isWhole = numbers === 'whole'
  const isAny = numbers === undefined
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'number' && (isWhole ? Number.isSafeInteger(cell) : Number.isFinite(cell))) data[row] = cell
    else if (isAny && typeof cell === 'number' && !Number.isNaN(cell)) data[row] = cell
    else if (isMissing(cell, row)) column.setMissing(row)
    else return row
  }
  return column.build()
}

/** Whole numbers, or booleans. */
function readSmall(type: 'int' | 'boolean', rows: CellRows, at: number, { isMissing }: CellRules): ColumnOrRow {
  const column = new NumberBuilder(type, rows.length)
  const { data } = column
  const isInt = type === 'int'
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (isInt ? typeof cell === 'number' && (cell | 0) === cell : typeof cell === 'boolean') data[row] = Number(cell)
    else if (isMissing(cell, row)) column.setMissing(row)
    else return row
  }
  return column.build()
}

/** A run of equal cells costs one comparison each. */
function readWords(rows: CellRows, at: number, { isMissing, checkText }: CellRules): ColumnOrRow {
  const column = new DictionaryBuilder(rows.length)
  const { data, dictionary } = column
  let last: string | undefined
  let code = -1
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell !== 'string') {
      if (!isMissing(cell, row)) return row
      continue
    }
    if (cell !== last) {
      const known = dictionary.length
      code = column.codeOf(cell)
      if (code === known) checkText?.(cell, row)
      last = cell
    }
    data[row] = code
  }
  return column.build()
}

function readTexts(rows: CellRows, at: number, { isMissing, checkText }: CellRules): ColumnOrRow {
  const data = new Array<string | null>(rows.length)
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'string') {
      checkText?.(cell, row)
      data[row] = cell
    } else if (isMissing(cell, row)) data[row] = null
    else return row
  }
  return { type: 'string', data }
}

/** Whether a value is an array of texts. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}

function readLists(rows: CellRows, at: number, { isMissing, checkText }: CellRules): ColumnOrRow {
  const data = new Array<readonly string[] | null>(rows.length)
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (isTextList(cell)) {
      if (checkText) for (const text of cell) checkText(text, row)
      data[row] = [...cell]
    } else if (isMissing(cell, row)) data[row] = null
    else return row
  }
  return { type: 'list', data }
}

/** The cells at one place of all rows as a column of a type; the first row whose cell does not fit, where one does not. */
export function readCells(type: ColumnType, rows: CellRows, at: number, rules: CellRules): ColumnOrRow {
  switch (type) {
    case 'float':
      return readFloats(rows, at, rules)
    case 'int':
    case 'boolean':
      return readSmall(type, rows, at, rules)
    case 'dictionary':
      return readWords(rows, at, rules)
    case 'string':
      return readTexts(rows, at, rules)
    case 'list':
      return readLists(rows, at, rules)
  }
}
