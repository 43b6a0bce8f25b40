import type { Dataset } from '../contract/dataset.js'
import { formOf } from '../frame/arrow.js'
import { comparer } from '../frame/check.js'
import { type Columns, cellOf, concat, nulls, take, takeRows, type Values } from '../frame/values.js'

/** What makes a row of the archive unique: the key of the answer and the stored columns that belong to it. */
export function storedKey(dataset: Dataset): readonly string[] {
  const stored = Object.entries(dataset.stored ?? {}).flatMap(([name, column]) => (column.key ? [name] : []))
  return [...dataset.key, ...stored]
}

/** A function that gives the key of a row as one string. */
export function keyOf(dataset: Dataset, columns: Columns): (row: number) => string {
  const keys = storedKey(dataset).map((name) => columns.of.get(name) as Values)
  return (row) => JSON.stringify(keys.map((values) => cellOf(values, row)))
}

/** Rows in the order in which they are answered, so that an answer is mostly a slice. */
export function inOrder(dataset: Dataset, columns: Columns): Columns {
  const compare = comparer(columns, [
    ...(dataset.stored?.period ? ['period'] : []),
    ...dataset.order,
    ...storedKey(dataset),
  ])
  const rows = Int32Array.from({ length: columns.length }, (_, row) => row)
  return takeRows(
    columns,
    rows.sort((a, b) => compare(a, b) || a - b),
  )
}

/** For each row of the result, the row of `a` (0 …) or of `b` (a.length …) that it comes from. */
function overlay(dataset: Dataset, a: Columns, b: Columns): { rows: number[]; olderOf: (number | undefined)[] } {
  const older = new Map<string, number>()
  const keyA = keyOf(dataset, a)
  for (let row = 0; row < a.length; row++) older.set(keyA(row), row)
  const keyB = keyOf(dataset, b)
  const replaced = new Set<number>()
  const olderOf: (number | undefined)[] = []
  for (let row = 0; row < b.length; row++) {
    const other = older.get(keyB(row))
    if (other !== undefined) replaced.add(other)
    olderOf.push(other)
  }
  const kept: number[] = []
  for (let row = 0; row < a.length; row++) if (!replaced.has(row)) kept.push(row)
  return { rows: [...kept, ...olderOf.map((_, row) => a.length + row)], olderOf }
}

/**
 * Rows of `fresh` over those of `stored`, by key: a row that is there already is replaced, in the columns that the
 * import has; columns that it lacks keep what was stored, or are null.
 */
export function merge(dataset: Dataset, stored: Columns | undefined, fresh: Columns): Columns {
  const names = Object.entries({ ...dataset.columns, ...dataset.stored })
  const base: Columns = stored ?? { length: 0, of: new Map() }
  const { rows, olderOf } = overlay(dataset, base, fresh)
  const of = new Map<string, Values>()
  for (const [name, column] of names) {
    const form = formOf(column.kind)
    const before = base.of.get(name) ?? nulls(form, base.length)
    const given = fresh.of.get(name)
    if (given) {
      of.set(name, take(concat([before, given]), rows))
      continue
    }
    const none = nulls(form, 1)
    const kept = take(
      concat([before, none]),
      olderOf.map((row) => row ?? base.length),
    )
    of.set(name, take(concat([before, kept]), rows))
  }
  return inOrder(dataset, { length: rows.length, of })
}
