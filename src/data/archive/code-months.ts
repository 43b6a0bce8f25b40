import { noticedCalendar } from '../../contract/calendar.js'
import type { Dataset } from '../../contract/dataset.js'
import { dateIn, dateOf, dayNumber } from '../../contract/date.js'
import { parseCode } from '../../contract/symbol.js'
import { ascendingRows, gatherRows } from '../../frame/table/gather-cells.js'
import { groupItems } from '../../frame/table/group-items.js'
import { bucketRows } from '../../frame/table/group-rows.js'
import { sortRows } from '../../frame/table/sort-rows.js'
import { type ColumnData, type RecordColumns, type Text, textIn } from '../../frame/table/values.js'
import { symbolColumn } from '../source/plan/asked.js'
import { memoized } from './answer/memoized.js'
import { sha256 } from './file-access.js'
import { contractVersion } from './manifest.js'
import type { CodesEntry, DatasetEntry, PartEntry } from './manifest-entries.js'
import { dayColumn, storedKey } from './merge-rows.js'
import type { Snapshot } from './snapshot.js'

/** Rows of a month: of fewer its days are read as fast; more, of some 100 bytes each, are not sorted at once. */
const [leastRows, mostRows] = [2 ** 15, 2 ** 22]
/** Rows of a file by code, about: one code reads all of its bytes. */
const fileRows = 2 ** 17
/** Days of a month, at least, for which its files by code are read in place of theirs. */
const fewDays = 3

const monthOf = (day: string): string => day.slice(0, 6)

/** What the bars of a month by code are made of: other files make others. */
const sourceOf = (days: readonly PartEntry[]): string => sha256(days.map((day) => day.sha256).join(' '))

/** Months that are over and have the bars of all their trading days, the newest first, and the files of these days. */
function wholeMonths(dataset: Dataset, parts: readonly PartEntry[]): [month: string, days: PartEntry[]][] {
  if (dataset.archiveRule !== 'bars' || dataset.partition !== 'day') return []
  const latest = monthOf(parts.at(-1)?.partition ?? '')
  const months = [...groupItems(parts, ({ partition }) => monthOf(partition))].filter(([month, days]) => {
    const rows = days.reduce((sum, day) => sum + day.rows, 0)
    if (month >= latest || rows < leastRows || rows > mostRows) return false
    const first = dayNumber(`${month}01`)
    const due = noticedCalendar.between(dateOf(first), dateOf(first + 30)).filter((day) => monthOf(day) === month)
    return days.length >= due.length && days.every(({ contract }) => contract === contractVersion(dataset))
  })
  return months.reverse()
}

/** Rows of the codes from one to another. */
export interface CodeRows {
  readonly codes: readonly [first: string, last: string]
  readonly rows: RecordColumns
}

/** By word of a dictionary, in which file its rows lie; and the codes of each file: ascending, as many as have so many rows. */
function filesOfWords({ data, dictionary }: Text): { readonly files: Int32Array; readonly codes: [string, string][] } {
  const counts = new Int32Array(dictionary.length)
  for (const word of data) counts[word] = (counts[word] as number) + 1
  const words = [...counts.keys()].filter((word) => (counts[word] as number) > 0)
  words.sort((a, b) => ((dictionary[a] as string) < (dictionary[b] as string) ? -1 : 1))
  const files = new Int32Array(dictionary.length)
  const codes: [string, string][] = []
  let room = 0
  for (const word of words) {
    const [code, own] = [dictionary[word] as string, counts[word] as number]
    if (room < own || codes.length === 0) {
      codes.push([code, code])
      room = fileRows
    }
    room -= own
    files[word] = codes.length - 1
    ;(codes.at(-1) as [string, string])[1] = code
  }
  return { files, codes }
}

/** The rows of a month by code: in each period those of a code side by side, its days in their order. */
export function* byCode(dataset: Dataset, all: RecordColumns): Generator<CodeRows> {
  const symbol = symbolColumn(dataset) as string
  const scope = dataset.stored?.period ? ['period'] : []
  const names = new Set([...scope, symbol, dayColumn(dataset) as string, ...dataset.order, ...storedKey(dataset)])
  const keys = [...names].map((name) => ({ name, values: all.columns.get(name) as ColumnData, descending: false }))
  const order = sortRows(keys, all.length)
  const text = textIn(all.columns.get(symbol) as ColumnData) as Text
  const { files, codes } = filesOfWords(text)
  const place = text.data.map((word) => files[word] as number)
  const { rows, starts } = bucketRows(place, codes.length, order)
  for (const [at, own] of codes.entries())
    yield { codes: own, rows: gatherRows(all, rows.subarray(starts[at], starts[at + 1])) }
}

/** Files by code, and of how many months they were made now. */
interface MadeMonths {
  readonly files: readonly CodesEntry[]
  readonly made: number
}

/**
 * The files by code that a dataset has now: those whose days are as they were, and of other whole months the newest.
 * @param most months of which files are made
 */
export async function monthsByCode(
  dataset: Dataset,
  { parts, byCode = [] }: Pick<DatasetEntry, 'parts' | 'byCode'>,
  most: number,
  make: (month: string, days: readonly PartEntry[]) => Promise<Omit<CodesEntry, 'of'>[]>,
): Promise<MadeMonths> {
  const months: CodesEntry[][] = []
  let made = 0
  for (const [month, days] of wholeMonths(dataset, parts)) {
    const of = sourceOf(days)
    const known = byCode.filter((one) => one.of === of)
    if (known.length > 0) months.push(known)
    else if (made < most) {
      months.push((await make(month, days)).map((file) => ({ ...file, of })))
      made++
    }
  }
  return { files: months.reverse().flat(), made }
}

/** How many whole months have no files by code. */
export function monthsWithout(dataset: Dataset, { parts, byCode = [] }: DatasetEntry): number {
  const kept = new Set(byCode.map(({ of }) => of))
  return wholeMonths(dataset, parts).filter(([, days]) => !kept.has(sourceOf(days))).length
}

/** By day, the files by code of its month, where they were made of the files that the days have now. */
export const filesByCode = memoized(
  ({ parts, byCode = [] }: DatasetEntry): ReadonlyMap<string, readonly CodesEntry[]> => {
    const days = groupItems(parts, ({ partition }) => monthOf(partition))
    const files = [...groupItems(byCode, ({ partition }) => monthOf(partition))]
    const current = files.filter(([month, [file]]) => file?.of === sourceOf(days.get(month) ?? []))
    return new Map(current.flatMap(([month, own]) => (days.get(month) ?? []).map(({ partition }) => [partition, own])))
  },
)

/** The files that may have some codes. */
export function filesOfCodes(files: readonly CodesEntry[], codes: readonly string[]): readonly CodesEntry[] {
  const bare = codes.map((code) => parseCode(code).bare)
  return files.filter(({ codes: [first, last] }) => bare.some((one) => one <= last && `${one}\uffff` >= first))
}

/** Rows by day, as places: the columns are cut when a day is asked for. */
const placesByDay = memoized((rows: RecordColumns, dataset: Dataset) => {
  const { data, dictionary } = textIn(rows.columns.get(dayColumn(dataset) as string) as ColumnData) as Text
  const words = new Map(dictionary.map((word, at) => [dateIn(word), at]))
  return { words, ...bucketRows(data, dictionary.length) }
})

/** The rows of a day. */
export function rowsOnDay(rows: RecordColumns, dataset: Dataset, day: string): readonly RecordColumns[] {
  const { words, rows: places, starts } = placesByDay(rows, dataset)
  const at = words.get(day)
  const own = at === undefined ? [] : [places.subarray(starts[at], starts[at + 1])]
  return own.flatMap((day) => (day.length > 0 ? [ascendingRows(rows, day)] : []))
}

/** A state as a question about some days reads it: one that asks for many of a month, in the mean, reads months by code. */
export function seenBy(snapshot: Snapshot, days: readonly string[]): Snapshot {
  const areMany = days.length >= fewDays * new Set(days.map(monthOf)).size
  return areMany ? (snapshot.ofManyDays ?? snapshot) : snapshot
}
