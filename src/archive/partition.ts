import type { Dataset } from '../contract/dataset.js'
import { dateIn } from '../contract/date.js'
import { gatherRows } from '../table/gather-rows.js'
import { type RecordColumns, textCells } from '../table/values.js'

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
