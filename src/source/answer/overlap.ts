import { type ColumnData, cellOf, type RecordColumns } from '../../table/values.js'

/** Each row as one text of the given columns. */
function rowTexts({ length, columns: of }: RecordColumns, names: readonly string[]): string[] {
  const values = names.map((name) => of.get(name) as ColumnData)
  return Array.from({ length }, (_, row) => JSON.stringify(values.map((cells) => cellOf(cells, row))))
}

/**
 * The first row of a reply that the replies to its halves do not hold too, cell for cell in the columns that all of them
 * have; undefined where they go together.
 */
export function firstContradictedRow(whole: RecordColumns, halves: readonly RecordColumns[]): number | undefined {
  const filled = halves.filter(({ length }) => length > 0)
  const names = [...whole.columns.keys()].filter((name) => filled.every(({ columns: of }) => of.has(name)))
  const there = new Set(filled.flatMap((half) => rowTexts(half, names)))
  const row = rowTexts(whole, names).findIndex((text) => !there.has(text))
  return row < 0 ? undefined : row
}
