import type { Dataset } from '../../contract/dataset.js'
import { beijingMoment, dateIn } from '../../contract/date.js'
import { columnTypeOf } from '../../frame/table/arrow.js'
import { ascendingRows, gatherCells, gatherRows } from '../../frame/table/gather-cells.js'
import { bucketRows, encodeKeys, type KeyCodes } from '../../frame/table/group-rows.js'
import { type SortColumn, sortRows } from '../../frame/table/sort-rows.js'
import {
  type ColumnData,
  cellOf,
  concatCells,
  nulls,
  type RecordColumns,
  type Text,
  textIn,
} from '../../frame/table/values.js'
import { joinSlices as joinRows, wholeSlice } from './answer/row-slices.js'

/** The column whose days the archive goes by. */
export function dayColumn({ archiveDay, day }: Dataset): string | undefined {
  return archiveDay ?? day
}

/** The column whose days the archive goes by, as words and a code for each row. */
function dayWords(dataset: Dataset, { length, columns }: RecordColumns): Text {
  return textIn(columns.get(dayColumn(dataset) ?? '') ?? nulls('dictionary', length)) as Text
}

/** The file that a row belongs to: its day, its month, or the one file of the dataset. */
function partitionOf(dataset: Dataset, day: string | undefined): string {
  if (dataset.partition === 'whole' || day === undefined) return 'whole'
  return dataset.partition === 'day' ? day : day.slice(0, 6)
}

/** Rows by the file that they belong to, ascending. */
export function partition(dataset: Dataset, columns: RecordColumns): Map<string, RecordColumns> {
  const { data, dictionary } = dayWords(dataset, columns)
  const ofWord = dictionary.map((word) => partitionOf(dataset, dateIn(word)))
  const names = [...new Set([...ofWord, partitionOf(dataset, undefined)])].sort()
  const placeOf = [...ofWord, partitionOf(dataset, undefined)].map((name) => names.indexOf(name))
  const places = data.map((code) => placeOf.at(code) as number)
  const { rows, starts } = bucketRows(places, names.length)
  const parts = names.map((name, place): [string, RecordColumns] => {
    const own = rows.subarray(starts[place], starts[place + 1])
    return [name, ascendingRows(columns, own)]
  })
  return new Map(parts.filter(([, { length }]) => length > 0))
}

export function rowCount(all: readonly RecordColumns[]): number {
  return all.reduce((sum, { length }) => sum + length, 0)
}

/** Rows end to end. */
export function together(dataset: Dataset, all: readonly RecordColumns[]): RecordColumns {
  const [only] = all
  return only && all.length === 1 ? only : joinRows(dataset, all.map(wholeSlice))
}

/** First and last day inside. */
export function span(dataset: Dataset, columns: RecordColumns): { from?: string; to?: string } {
  const { data, dictionary } = dayWords(dataset, columns)
  const days = [...new Set(data)].flatMap((code) => dateIn(dictionary[code] ?? '') ?? []).sort()
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? {} : { from, to }
}

/** What makes a row of the archive unique: the key of the answer and the stored columns that belong to it. */
export function storedKey(dataset: Dataset): readonly string[] {
  const stored = Object.entries(dataset.stored ?? {}).flatMap(([name, column]) => (column.key ? [name] : []))
  return [...dataset.key, ...stored]
}

/** A function that gives the key of a row as one string. */
export function keyOf(dataset: Dataset, columns: RecordColumns): (row: number) => string {
  const keys = storedKey(dataset).map((name) => columns.columns.get(name) as ColumnData)
  return (row) => JSON.stringify(keys.map((values) => cellOf(values, row)))
}

/** Numbers of the rows of two parts, the same for rows that are equal in some columns. */
export function codesOf(a: RecordColumns, b: RecordColumns, names: readonly string[]): KeyCodes {
  const keys = names.map((name) => ({
    sides: [a, b].map(({ columns }) => columns.get(name) as ColumnData),
    names: [name, name],
  }))
  return encodeKeys(keys, 'alike')
}

/** Rows in the order in which they are answered, so that an answer is mostly a slice. */
export function inOrder(dataset: Dataset, columns: RecordColumns): RecordColumns {
  const orders = [...(dataset.stored?.period ? ['period'] : []), ...dataset.order, ...storedKey(dataset)]
  // A column decides where it is named first.
  const keys = new Map<string, SortColumn>()
  for (const order of orders) {
    const name = order.replace(/^-/, '')
    const values = columns.columns.get(name)
    if (values && !keys.has(name)) keys.set(name, { name, values, descending: order !== name })
  }
  const rows = sortRows([...keys.values()], columns.length)
  return rows.every((row, at) => row === at) ? columns : gatherRows(columns, rows)
}

/** How old a row is, as text that sorts; undefined where the dataset or the columns do not tell. */
function ageOf({ age }: Dataset, columns: RecordColumns): ((row: number) => string | undefined) | undefined {
  const values = age === undefined ? undefined : columns.columns.get(age)
  return values && ((row) => beijingMoment(String(cellOf(values, row))))
}

interface Overlay {
  /** For each row of the result, the row of `a` (0 …) or of `b` (a.length …) that it comes from. */
  readonly rows: readonly number[]
  /** For each row of `b`, the row of `a` whose cells it keeps where it has none; -1 where there is none. */
  readonly olderOf: Int32Array
}

function overlay(dataset: Dataset, a: RecordColumns, b: RecordColumns): Overlay {
  const codes = codesOf(a, b, dataset.list?.match ?? storedKey(dataset))
  const [codesA, codesB] = codes.sides as [Int32Array, Int32Array]
  const older = new Int32Array(codes.size).fill(-1)
  codesA.forEach((code, row) => {
    older[code] = row
  })
  const olderOf = codesB.map((code) => older[code] as number)
  const [ageA, ageB] = [ageOf(dataset, a), ageOf(dataset, b)]
  const isStale = (row: number): boolean => {
    const before = olderOf[row] as number
    if (before < 0 || !ageA || !ageB) return false
    return (ageB(row) ?? '') < (ageA(before) ?? '')
  }
  const taken: number[] = []
  for (let row = 0; row < b.length; row++) if (!isStale(row)) taken.push(row)
  const isReplaced = replacedRows(dataset, a, b, taken, olderOf)
  const rows: number[] = []
  for (let row = 0; row < a.length; row++) if (isReplaced[row] === 0) rows.push(row)
  for (const row of taken) rows.push(a.length + row)
  return { rows, olderOf }
}

/** 1 for rows of `a` that give way: those with the key of a fresh row, or of a list of which a fresh one is there. */
function replacedRows(
  { list }: Dataset,
  a: RecordColumns,
  b: RecordColumns,
  taken: readonly number[],
  olderOf: Int32Array,
): Uint8Array {
  const isReplaced = new Uint8Array(a.length)
  if (!list) {
    // A place before the first row takes nothing.
    for (const row of taken) isReplaced[olderOf[row] as number] = 1
    return isReplaced
  }
  const { sides, size } = codesOf(a, b, list.of)
  const [listsA, listsB] = sides as [Int32Array, Int32Array]
  const isFresh = new Uint8Array(size)
  for (const row of taken) isFresh[listsB[row] as number] = 1
  return isReplaced.map((_, row) => isFresh[listsA[row] as number] as number)
}

/**
 * Rows of `fresh` over those of `stored`, by key: a row that is there already is replaced, in the columns that the
 * import has; columns that it lacks keep what was stored, or are null.
 */
export function merge(dataset: Dataset, stored: RecordColumns | undefined, fresh: RecordColumns): RecordColumns {
  const forms = Object.entries({ ...dataset.columns, ...dataset.stored }).map(
    ([name, { kind }]) => [name, columnTypeOf(kind)] as const,
  )
  const of = new Map<string, ColumnData>()
  if (!stored?.length) {
    for (const [name, form] of forms) of.set(name, fresh.columns.get(name) ?? nulls(form, fresh.length))
    return inOrder(dataset, { length: fresh.length, columns: of })
  }
  const { rows, olderOf } = overlay(dataset, stored, fresh)
  // Where the cells of a column that the import lacks come from: the older row, or the null behind all of these.
  const kept = rows.map((row) => {
    const older = row < stored.length ? row : (olderOf[row - stored.length] as number)
    return older < 0 ? stored.length : older
  })
  for (const [name, form] of forms) {
    const before = stored.columns.get(name) ?? nulls(form, stored.length)
    const given = fresh.columns.get(name)
    of.set(name, gatherCells(concatCells([before, given ?? nulls(form, 1)]), given ? rows : kept))
  }
  return inOrder(dataset, { length: rows.length, columns: of })
}
