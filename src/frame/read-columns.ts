import type { Bool, List, Table } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import { columnNames, isDataFrame, readColumn, readColumns } from './as-table.js'
import type { Data, NameOf, NameOfType, Numeric } from './data.js'
import { mapRows } from './table/fresh-array.js'
import { kindOfName } from './table/kind-of-name.js'
import { jsonColumns, plainObjects, plainRows } from './table/plain-rows.js'
import { presentIn } from './table/present-cells.js'
import { missingColumn, wrongShape } from './table/shape.js'
import { columnsOf } from './table/unwrap.js'
import { type ColumnData, cellOf, distinctWords, floatsIn, type RecordColumns, textIn } from './table/values.js'

/*
 * The only place that unwraps the columns of a table or a frame; of a frame, only the column asked for is read.
 * Arrow's own `toArray()` turns null into 0, so nobody else calls it.
 */

export function has(data: Data, name: string): boolean {
  return columnNames(data).includes(name)
}

function valuesAt(data: Data, name: string): ColumnData {
  const values = readColumn(data, name)
  if (values) return values
  if (typeof name !== 'string') throw wrongShape(sentence`the name of a column`, sentence`text, such as 'close'`, name)
  throw missingColumn(name, columnNames(data), isDataFrame(data))
}

/**
 * Reads a numeric column of a table or a DataFrame as a Float64Array, NaN for missing. The array is yours to change.
 * @throws QuotebookError MISSING_COLUMN if there is no such column, INVALID_VALUE if it does not hold numbers
 */
export function numbers<D extends Data>(data: D, name: NameOfType<D, Numeric>): Float64Array {
  const values = valuesAt(data, name)
  return values.type === 'float' ? values.data.slice() : numbersToRead(data, name)
}

/** The same, perhaps in the table's own memory: to be read only. */
export function numbersToRead<D extends Data>(data: D, name: NameOfType<D, Numeric>): Float64Array {
  const found = floatsIn(valuesAt(data, name))
  if (!found) throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' does not hold numbers`)
  return found
}

function notText(name: string): never {
  throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' does not hold text`)
}

/** Reads a text column, null for missing. */
export function strings<D extends Data>(data: D, name: NameOf<D>): (string | null)[] {
  const values = valuesAt(data, name)
  if (values.type === 'dictionary') return distinctWords(values)
  if (values.type === 'string') return [...values.data]
  return notText(name)
}

/** A text column as codes into its distinct words, -1 for missing. */
interface CodedWords {
  readonly codes: Int32Array
  readonly words: readonly string[]
}

/** Reads a text column as codes into its distinct words, -1 for missing: a cheap way to group and compare. */
export function dictionary<D extends Data>(data: D, name: NameOf<D>): CodedWords {
  const { codes, words } = dictionaryToRead(data, name)
  return { codes: codes.slice(), words }
}

/** The same, perhaps in the table's own memory: to be read only. */
export function dictionaryToRead<D extends Data>(data: D, name: NameOf<D>): CodedWords {
  const text = textIn(valuesAt(data, name)) ?? notText(name)
  return { codes: text.data, words: text.dictionary }
}

/** 1 for each word that a row has, of codes as `dictionary` gives them. */
export function usedWords({ codes, words }: CodedWords): Uint8Array {
  const used = new Uint8Array(words.length)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code >= 0) used[code] = 1
  }
  return used
}

/** Reads a boolean column as true, false or null. */
export function booleans<D extends Data>(data: D, name: NameOfType<D, Bool>): (boolean | null)[] {
  const values = valuesAt(data, name)
  if (values.type !== 'boolean')
    throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' does not hold true and false`)
  return mapRows(values.data.length, (row) => cellOf(values, row) as boolean | null)
}

/** Reads a list column as arrays of strings (for example `symbols` of thememembers_jx). */
export function lists<D extends Data>(data: D, name: NameOfType<D, List>): (readonly string[] | null)[] {
  const values = valuesAt(data, name)
  if (values.type !== 'list') throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' does not hold lists`)
  return [...values.data]
}

/** How many cells of each column are missing. */
export function nullCounts(data: Data): ReadonlyMap<string, number> {
  const missingIn = (values: ColumnData): number => {
    const present = presentIn(values)
    let left = present.length
    for (let row = 0; row < present.length; row++) left -= present[row] as number
    return left
  }
  return new Map([...readColumns(data).columns].map(([name, values]) => [name, missingIn(values)]))
}

/** Which columns hold JSON text. */
export function jsonNames(data: Data): ReadonlySet<string> {
  if (isDataFrame(data)) return new Set(columnNames(data).filter((name) => kindOfName(name)?.kind === 'json'))
  return jsonColumns(data as Table)
}

/**
 * Converts the rows of a table or a DataFrame to arrays of plain values by position, in the wire form: null for
 * missing, nested values as such.
 */
export function rowsOf(data: Data): unknown[][] {
  return plainRows(readColumns(data), jsonNames(data))
}

/**
 * Converts rows to objects under the column names, in the wire form. Names that are whole numbers come first in a
 * JavaScript object.
 */
export function toObjects(data: Data): Record<string, unknown>[] {
  return plainObjects(readColumns(data), jsonNames(data))
}

export { columnNames, columnsOf, type RecordColumns }
