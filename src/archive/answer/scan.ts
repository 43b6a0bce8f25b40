import type { Dataset } from '../../contract/dataset.js'
import { formOf } from '../../frame/arrow.js'
import { orderedRows } from '../../frame/check.js'
import { type Columns, cellOf, concat, nulls, take, takeRows, type Values } from '../../frame/values.js'
import type { Part, Shelf } from '../shelf.js'

/** Whether a row is wanted. */
export type Condition = (columns: Columns) => (row: number) => boolean

/** A condition on the text of a column. On a dictionary it is asked once for each distinct word. */
export function where(name: string, test: (word: string | null) => boolean): Condition {
  return (columns) => {
    const values = columns.of.get(name)
    if (!values) return () => false
    if (values.form === 'codes') {
      const wanted = Uint8Array.from(values.words, (word) => (test(word) ? 1 : 0))
      const missing = test(null)
      return (row) => {
        const code = values.data[row] as number
        return code < 0 ? missing : wanted[code] === 1
      }
    }
    return (row) => {
      const cell = cellOf(values, row)
      return test(cell === null ? null : String(cell))
    }
  }
}

/** Rows of a part for which every condition holds, ascending. */
export function matching(columns: Columns, conditions: readonly Condition[]): Int32Array {
  const tests = conditions.map((condition) => condition(columns))
  const rows = new Int32Array(columns.length)
  let count = 0
  next: for (let row = 0; row < columns.length; row++) {
    for (const test of tests) if (!test(row)) continue next
    rows[count++] = row
  }
  return rows.subarray(0, count)
}

/** A dataset's columns with no rows. */
export function empty(dataset: Dataset): Columns {
  const declared = Object.entries({ ...dataset.columns, ...dataset.stored })
  return { length: 0, of: new Map(declared.map(([name, column]) => [name, nulls(formOf(column.kind), 0)])) }
}

/** Drops the words that no row uses, so that a small answer does not carry a day's dictionary. */
function compact(values: Values): Values {
  if (values.form !== 'codes' || values.words.length <= values.data.length) return values
  const words: string[] = []
  const map = new Map<number, number>()
  const data = values.data.map((code) => {
    if (code < 0) return -1
    let fresh = map.get(code)
    if (fresh === undefined) {
      fresh = words.push(values.words[code] as string) - 1
      map.set(code, fresh)
    }
    return fresh
  })
  return { form: 'codes', data, words }
}

/** The pieces of an answer end to end, without unused words. */
export function join(dataset: Dataset, pieces: readonly Columns[]): Columns {
  const [first] = pieces
  if (!first) return empty(dataset)
  if (pieces.length === 1) return { length: first.length, of: mapValues(first, compact) }
  const of = new Map<string, Values>()
  for (const name of first.of.keys()) of.set(name, concat(pieces.map((piece) => compact(piece.of.get(name) as Values))))
  return { length: pieces.reduce((sum, piece) => sum + piece.length, 0), of }
}

function mapValues(columns: Columns, change: (values: Values) => Values): Map<string, Values> {
  return new Map([...columns.of].map(([name, values]) => [name, change(values)]))
}

/** Rows of the given parts for which every condition holds, part by part. */
export async function scan(
  shelf: Shelf,
  dataset: Dataset,
  parts: readonly Part[],
  conditions: readonly Condition[],
): Promise<Columns> {
  const pieces: Columns[] = []
  for (const part of parts) {
    const columns = await shelf.load(dataset.name, part)
    const rows = matching(columns, conditions)
    if (rows.length > 0) pieces.push(takeRows(columns, rows))
  }
  return join(dataset, pieces)
}

/** The rows in an order of columns; rows already in it are handed back as they are. */
export function sorted(columns: Columns, order: readonly string[]): Columns {
  const rows = orderedRows(columns, order)
  return rows ? takeRows(columns, rows) : columns
}

/** The rows from one place to another. */
export function slice(columns: Columns, from: number, to: number): Columns {
  if (from <= 0 && to >= columns.length) return columns
  const rows = Int32Array.from({ length: Math.max(0, Math.min(to, columns.length) - from) }, (_, i) => from + i)
  return {
    length: rows.length,
    of: new Map([...columns.of].map(([name, values]) => [name, compact(take(values, rows))])),
  }
}

/** The rows for which every condition holds. */
export function filter(columns: Columns, conditions: readonly Condition[]): Columns {
  return takeRows(columns, matching(columns, conditions))
}
