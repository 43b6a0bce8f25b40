import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { words } from '../../frame/column.js'

/** Rows of a table as series: rows that share their keys, each series in the order of its time column. */
export interface Series {
  /** Row numbers, series after series. */
  readonly order: Uint32Array
  /** Where each series begins in `order`; one more entry than series. */
  readonly starts: readonly number[]
}

function ranked(table: Table, name: string): { readonly rank: Float64Array; readonly size: number } {
  const { codes, words: list } = words(table, name)
  const sorted = [...new Set(list)].sort()
  const place = new Map(sorted.map((word, i) => [word, i]))
  const ranks = list.map((word) => place.get(word) ?? 0)
  const rank = new Float64Array(codes.length)
  for (let row = 0; row < rank.length; row++) {
    const found = ranks[codes[row] as number]
    if (found === undefined) throw new QuotebookError('INVALID_VALUE', `row ${row + 1}: ${name} is null`)
    rank[row] = found
  }
  return { rank, size: Math.max(sorted.length, 1) }
}

function sortedRows(keys: Float64Array): Uint32Array {
  const order = new Uint32Array(keys.length)
  for (let row = 0; row < order.length; row++) order[row] = row
  for (let row = 1; row < keys.length; row++)
    if ((keys[row] as number) < (keys[row - 1] as number))
      return order.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)
  return order
}

/**
 * Rows grouped by text columns, then by time, whatever their order in the table.
 * @throws QuotebookError INVALID_VALUE where a key is null or two rows of a series have the same time
 */
export function seriesOf(table: Table, keys: readonly string[], time: string): Series {
  const columns = keys.map((name) => ranked(table, name))
  const clock = ranked(table, time)
  const key = new Float64Array(table.numRows)
  for (let row = 0; row < key.length; row++) {
    let at = 0
    for (const { rank, size } of columns) at = at * size + (rank[row] as number)
    key[row] = at * clock.size + (clock.rank[row] as number)
  }
  const order = sortedRows(key)
  const starts: number[] = []
  for (let i = 0; i < order.length; i++) {
    const own = key[order[i] as number] as number
    const before = i === 0 ? Number.NaN : (key[order[i - 1] as number] as number)
    if (own === before) {
      const [first, second] = [order[i - 1] as number, order[i] as number]
      const names = [...keys, time].join(', ')
      const hint = keys.includes('period') ? '' : '; bars of two periods need a column `period`'
      throw new QuotebookError('INVALID_VALUE', `rows ${first + 1} and ${second + 1} share ${names}${hint}`)
    }
    if (Math.floor(own / clock.size) !== Math.floor(before / clock.size)) starts.push(i)
  }
  return { order, starts: [...starts, order.length] }
}
