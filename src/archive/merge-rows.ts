import type { Dataset } from '../contract/dataset.js'
import { beijingMoment, dateIn } from '../contract/date.js'
import { columnTypeOf } from '../table/arrow.js'
import { comparer } from '../table/check-table.js'
import { gatherCells, gatherRows } from '../table/gather-rows.js'
import { type ColumnData, cellOf, concatCells, nulls, type RecordColumns, textCells } from '../table/values.js'

/** The column whose days the archive goes by. */
export function dayColumn({ archiveDay, day }: Dataset): string | undefined {
  return archiveDay ?? day
}

/** The archive's day of each row. */
function daysOf(dataset: Dataset, columns: RecordColumns): (string | undefined)[] {
  const name = dayColumn(dataset)
  return name === undefined ? [] : textCells(columns, name).map((day) => dateIn(day ?? ''))
}

/** The file that a row belongs to: its day, its month, or the one file of the dataset. */
function partitionOf(dataset: Dataset, day: string | undefined): string {
  if (dataset.partition === 'whole' || day === undefined) return 'whole'
  return dataset.partition === 'day' ? day : day.slice(0, 6)
}

/** Rows by the file that they belong to, ascending. */
export function partition(dataset: Dataset, columns: RecordColumns): Map<string, RecordColumns> {
  const days = daysOf(dataset, columns)
  const rows = new Map<string, number[]>()
  for (let row = 0; row < columns.length; row++) {
    const name = partitionOf(dataset, days[row])
    const list = rows.get(name)
    if (list) list.push(row)
    else rows.set(name, [row])
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([name, list]) => [name, gatherRows(columns, list)]))
}

/** First and last day inside. */
export function span(dataset: Dataset, columns: RecordColumns): { from?: string; to?: string } {
  const days = [...new Set(daysOf(dataset, columns))].filter((day) => day !== undefined).sort()
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? {} : { from, to }
}

/** What makes a row of the archive unique: the key of the answer and the stored columns that belong to it. */
export function storedKey(dataset: Dataset): readonly string[] {
  const stored = Object.entries(dataset.stored ?? {}).flatMap(([name, column]) => (column.key ? [name] : []))
  return [...dataset.key, ...stored]
}

/** A function that gives some cells of a row as one string. */
function cellsOf(columns: RecordColumns, names: readonly string[]): (row: number) => string {
  const keys = names.map((name) => columns.columns.get(name) as ColumnData)
  return (row) => JSON.stringify(keys.map((values) => cellOf(values, row)))
}

/** A function that gives the key of a row as one string. */
export function keyOf(dataset: Dataset, columns: RecordColumns): (row: number) => string {
  return cellsOf(columns, storedKey(dataset))
}

/** Rows in the order in which they are answered, so that an answer is mostly a slice. */
export function inOrder(dataset: Dataset, columns: RecordColumns): RecordColumns {
  const compare = comparer(columns, [
    ...(dataset.stored?.period ? ['period'] : []),
    ...dataset.order,
    ...storedKey(dataset),
  ])
  const rows = Int32Array.from({ length: columns.length }, (_, row) => row)
  return gatherRows(
    columns,
    rows.sort((a, b) => compare(a, b) || a - b),
  )
}

/** How old a row is, as text that sorts; undefined where the dataset or the columns do not tell. */
function ageOf({ age }: Dataset, columns: RecordColumns): ((row: number) => string | undefined) | undefined {
  const values = age === undefined ? undefined : columns.columns.get(age)
  return values && ((row) => beijingMoment(String(cellOf(values, row))))
}

interface Overlay {
  /** For each row of the result, the row of `a` (0 …) or of `b` (a.length …) that it comes from. */
  readonly rows: number[]
  /** For each row of `b`, the row of `a` whose cells it keeps where it has none. */
  readonly olderOf: (number | undefined)[]
}

function overlay(dataset: Dataset, a: RecordColumns, b: RecordColumns): Overlay {
  const match = dataset.list?.match ?? storedKey(dataset)
  const [matchA, matchB] = [cellsOf(a, match), cellsOf(b, match)]
  const older = new Map<string, number>()
  for (let row = 0; row < a.length; row++) older.set(matchA(row), row)
  const olderOf = Array.from({ length: b.length }, (_, row) => older.get(matchB(row)))
  const [ageA, ageB] = [ageOf(dataset, a), ageOf(dataset, b)]
  const isStale = (row: number): boolean => {
    const before = olderOf[row]
    if (before === undefined || !ageA || !ageB) return false
    return (ageB(row) ?? '') < (ageA(before) ?? '')
  }
  const taken = Array.from({ length: b.length }, (_, row) => row).filter((row) => !isStale(row))
  const replaced = replacedRows(dataset, a, b, taken, olderOf)
  const kept = Array.from({ length: a.length }, (_, row) => row).filter((row) => !replaced.has(row))
  return { rows: [...kept, ...taken.map((row) => a.length + row)], olderOf }
}

/** Rows of `a` that give way: those with the key of a fresh row, or of a list of which a fresh one is there. */
function replacedRows(
  { list }: Dataset,
  a: RecordColumns,
  b: RecordColumns,
  taken: readonly number[],
  olderOf: Overlay['olderOf'],
): ReadonlySet<number> {
  if (!list) return new Set(taken.flatMap((row) => olderOf[row] ?? []))
  const listB = cellsOf(b, list.of)
  const lists = new Set(taken.map(listB))
  const listA = cellsOf(a, list.of)
  return new Set(Array.from({ length: a.length }, (_, row) => row).filter((row) => lists.has(listA(row))))
}

/**
 * Rows of `fresh` over those of `stored`, by key: a row that is there already is replaced, in the columns that the
 * import has; columns that it lacks keep what was stored, or are null.
 */
export function merge(dataset: Dataset, stored: RecordColumns | undefined, fresh: RecordColumns): RecordColumns {
  const names = Object.entries({ ...dataset.columns, ...dataset.stored })
  const base: RecordColumns = stored ?? {
    length: 0,
    columns: new Map(names.map(([name, column]) => [name, nulls(columnTypeOf(column.kind), 0)])),
  }
  const { rows, olderOf } = overlay(dataset, base, fresh)
  const of = new Map<string, ColumnData>()
  for (const [name, column] of names) {
    const form = columnTypeOf(column.kind)
    const before = base.columns.get(name) ?? nulls(form, base.length)
    const given = fresh.columns.get(name)
    if (given) {
      of.set(name, gatherCells(concatCells([before, given]), rows))
      continue
    }
    const none = nulls(form, 1)
    const kept = gatherCells(
      concatCells([before, none]),
      olderOf.map((row) => row ?? base.length),
    )
    of.set(name, gatherCells(concatCells([before, kept]), rows))
  }
  return inOrder(dataset, { length: rows.length, columns: of })
}
