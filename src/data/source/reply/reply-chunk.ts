import type { Dataset } from '../../../contract/dataset.js'
import type { Words } from '../../../contract/sentence.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../frame/table/values.js'
import type { ArchiveIdentity } from './archive-identity.js'

/** What one request brought. */
export interface ReplyChunk {
  readonly columns: RecordColumns
  /** What stands beside the rows: limit, offset, total, count, view, meta. */
  readonly beside: Readonly<Record<string, unknown>>
  /** The node that answered. */
  readonly node: string
  /** By what the reply says itself that there are more rows. */
  readonly more?: Words | undefined
  /** Of its body. */
  readonly bytes?: number
  /** The archive behind the node, where it tells. */
  readonly archive?: ArchiveIdentity | undefined
}

/** The distinct words that stand in rows of a column; a dictionary may hold more of them. */
export function distinctValues({ columns: of }: RecordColumns, name: string): readonly string[] {
  const values = of.get(name)
  if (values?.type !== 'dictionary') return []
  const used = new Uint8Array(values.dictionary.length)
  for (const code of values.data) if (code >= 0) used[code] = 1
  return values.dictionary.filter((_, code) => used[code] === 1)
}

/** The rows of one day: the answer to the latest day of candidates brings the next day along. */
export function rowsOfDay(dataset: Dataset, columns: RecordColumns, day: string): RecordColumns {
  const values = columns.columns.get(dataset.day ?? '')
  if (values?.type !== 'dictionary' || distinctValues(columns, dataset.day as string).every((word) => word === day))
    return columns
  const rows = [...values.data.keys()].filter((row) => values.dictionary[values.data[row] as number] === day)
  return gatherRows(columns, rows)
}

/** The rows of one day of a reply. A reply that holds as many rows as match holds all of that day. */
export function chunkOfDay(dataset: Dataset, chunk: ReplyChunk, day: string): ReplyChunk {
  const columns = rowsOfDay(dataset, chunk.columns, day)
  if (columns === chunk.columns) return chunk
  const isAll = chunk.archive?.total === chunk.columns.length
  return {
    ...chunk,
    columns,
    archive: chunk.archive && { ...chunk.archive, total: isAll ? columns.length : undefined },
  }
}

/** The cells of some rows, each row as one text; of all columns and all rows where not said. */
export function rowTexts(
  { length, columns: of }: RecordColumns,
  from = 0,
  to = length,
  names: Iterable<string> = of.keys(),
): string[] {
  const values = Array.from(names, (name) => of.get(name) as ColumnData)
  const first = Math.max(0, from)
  return Array.from({ length: Math.max(0, Math.min(to, length) - first) }, (_, at) =>
    JSON.stringify(values.map((cells) => cellOf(cells, first + at))),
  )
}

/**
 * The first row of a reply that the replies to its halves do not hold too, cell for cell in the columns that all of them
 * have; undefined where they go together.
 */
export function firstContradictedRow(whole: RecordColumns, halves: readonly RecordColumns[]): number | undefined {
  const filled = halves.filter(({ length }) => length > 0)
  const names = [...whole.columns.keys()].filter((name) => filled.every(({ columns: of }) => of.has(name)))
  const there = new Set(filled.flatMap((half) => rowTexts(half, 0, half.length, names)))
  const row = rowTexts(whole, 0, whole.length, names).findIndex((text) => !there.has(text))
  return row < 0 ? undefined : row
}
