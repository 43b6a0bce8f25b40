import type { Dataset } from '../contract/dataset.js'
import { type Columns, takeRows, texts } from '../frame/values.js'

/** The file that a row belongs to: its day, its month, or the one file of the dataset. */
function partitionOf(dataset: Dataset, day: string | null): string {
  if (dataset.partition === 'whole' || day === null) return 'whole'
  return dataset.partition === 'day' ? day : day.slice(0, 6)
}

/** Rows by the file that they belong to, ascending. */
export function partition(dataset: Dataset, columns: Columns): Map<string, Columns> {
  const days = dataset.day === undefined ? [] : texts(columns, dataset.day)
  const rows = new Map<string, number[]>()
  for (let row = 0; row < columns.length; row++) {
    const name = partitionOf(dataset, days[row] ?? null)
    const list = rows.get(name)
    if (list) list.push(row)
    else rows.set(name, [row])
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.map(([name, list]) => [name, takeRows(columns, list)]))
}

/** First and last day inside. */
export function span(dataset: Dataset, columns: Columns): { from?: string; to?: string } {
  if (dataset.day === undefined || columns.length === 0) return {}
  const days = [...new Set(texts(columns, dataset.day))].filter((day) => day !== null).sort()
  const [from, to] = [days[0], days.at(-1)]
  return from === undefined || to === undefined ? {} : { from, to }
}
