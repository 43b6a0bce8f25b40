import type { Table, TypeMap, Vector } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { nearest } from '../contract/nearest.js'
import { columnsOf, valuesOf } from './unwrap.js'
import { type Columns, cellOf, type Values } from './values.js'

/*
 * The only place that unwraps the columns of a table. Arrow's own `toArray()` turns null into 0, so nobody else calls it.
 */

/** The names of a table's columns, in order. */
export function namesOf(table: Table): readonly string[] {
  return table.schema.fields.map((field) => String(field.name))
}

export function has(table: Table, name: string): boolean {
  return namesOf(table).includes(name)
}

/** The names of a table's columns, where its type tells them. */
export type NameIn<T extends TypeMap> = Extract<keyof T, string>

function vectorOf<T extends TypeMap>(table: Table<T>, name: NameIn<T>): Vector {
  const vector = table.getChild(name)
  if (vector) return vector
  const names = namesOf(table)
  const near = nearest(name, names)
  const hint = near ? `did you mean '${near}'?` : `it has: ${names.join(', ')}`
  throw new QuotebookError('MISSING_COLUMN', `the table has no column '${name}'; ${hint}`)
}

/**
 * A numeric column as Float64, NaN for null.
 * @throws QuotebookError MISSING_COLUMN when it is not there, INVALID_VALUE when it does not hold numbers
 */
export function numbers<T extends TypeMap>(table: Table<T>, name: NameIn<T>): Float64Array {
  const values = valuesOf(vectorOf(table, name))
  if (values.form === 'float') return values.data.slice()
  if (values.form !== 'int') throw new QuotebookError('INVALID_VALUE', `column '${name}' does not hold numbers`)
  const out = Float64Array.from(values.data)
  const { valid } = values
  if (valid) for (let i = 0; i < out.length; i++) if (valid[i] === 0) out[i] = Number.NaN
  return out
}

/** Texts of a column, null where missing. */
export function texts<T extends TypeMap>(table: Table<T>, name: NameIn<T>): (string | null)[] {
  const values = valuesOf(vectorOf(table, name))
  if (values.form === 'codes') return Array.from(values.data, (code) => values.words[code] ?? null)
  if (values.form === 'strings') return [...values.data]
  throw new QuotebookError('INVALID_VALUE', `column '${name}' does not hold text`)
}

/** A text column as codes into its distinct words; -1 where missing. The cheap way to group and compare. */
export function words<T extends TypeMap>(
  table: Table<T>,
  name: NameIn<T>,
): { readonly codes: Int32Array; readonly words: readonly string[] } {
  const values = valuesOf(vectorOf(table, name))
  if (values.form === 'codes') return { codes: values.data, words: values.words }
  const list: string[] = []
  const codeOf = new Map<string, number>()
  const codes = Int32Array.from(texts(table, name), (text) => {
    if (text === null) return -1
    let code = codeOf.get(text)
    if (code === undefined) {
      code = list.push(text) - 1
      codeOf.set(text, code)
    }
    return code
  })
  return { codes, words: list }
}

/** True, false or null of a boolean column. */
export function flags<T extends TypeMap>(table: Table<T>, name: NameIn<T>): (boolean | null)[] {
  const values = valuesOf(vectorOf(table, name))
  if (values.form !== 'flag') throw new QuotebookError('INVALID_VALUE', `column '${name}' does not hold true and false`)
  return Array.from(values.data, (_, row) => cellOf(values, row) as boolean | null)
}

/** Arrays of strings of a list column (`symbols` of thememembers_jx). */
export function lists<T extends TypeMap>(table: Table<T>, name: NameIn<T>): (readonly string[] | null)[] {
  const values = valuesOf(vectorOf(table, name))
  if (values.form !== 'lists') throw new QuotebookError('INVALID_VALUE', `column '${name}' does not hold lists`)
  return [...values.data]
}

/** How many cells of each column are null. */
export function nullCounts(table: Table): ReadonlyMap<string, number> {
  return new Map(namesOf(table).map((name, i) => [name, table.getChildAt(i)?.nullCount ?? 0]))
}

function plain(values: Values, row: number, json: boolean): unknown {
  const cell = cellOf(values, row)
  return json && typeof cell === 'string' ? JSON.parse(cell) : cell
}

/** Rows in the wire form: arrays of plain values by position, null for missing, nested values as such. */
export function rowsOf(table: Table): unknown[][] {
  const columns = columnsOf(table)
  const all = [...columns.of.values()]
  const json = table.schema.fields.map((field) => field.metadata.get('kind') === 'json')
  return Array.from({ length: table.numRows }, (_, row) => all.map((values, i) => plain(values, row, json[i] === true)))
}

/** Rows as objects under the column names, in the wire form. */
export function objectsOf(table: Table): Record<string, unknown>[] {
  const names = namesOf(table)
  return rowsOf(table).map((row) => Object.fromEntries(row.map((cell, i) => [names[i], cell])))
}

export { type Columns, columnsOf }
