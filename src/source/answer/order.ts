import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { ContractError } from '../../contract/error.js'
import { orderedRows } from '../../table/check-table.js'
import { type ColumnData, cellOf, type RecordColumns, take } from '../../table/values.js'
import { rowRanks, sortedRows } from './ranks.js'
import { checkSpellings } from './spelling.js'

/** By day, then as the contract orders an answer; news by source, where they come in groups. */
function orderOf({ day, order }: Dataset, { view }: Query): readonly string[] {
  if (view === 'source') return ['source', ...order]
  if (day === undefined || order.some((name) => name.replace(/^-/, '') === day)) return order
  return [day, ...order]
}

function bare(order: readonly string[]): string[] {
  return order.map((name) => name.replace(/^-/, ''))
}

/** What tells two rows of an answer apart: its key, as far as the answer has the columns of it. */
function keyOf(
  { key, latestKey, list }: Dataset,
  { version }: Query,
  { columns: of }: RecordColumns,
): readonly string[] {
  if (latestKey && version === 'latest') return latestKey
  if (key.every((name) => of.has(name))) return key
  return list?.match.filter((name) => of.has(name)) ?? []
}

function shared(
  dataset: Dataset,
  names: readonly string[],
  columns: RecordColumns,
  [first, second]: readonly [number, number],
): ContractError {
  const key = names.map((name) => `${name} ${cellOf(columns.columns.get(name) as ColumnData, second)}`).join(', ')
  const message = `rows ${first + 1} and ${second + 1} of the answer share the key ${key}`
  return new ContractError(dataset.name, message, { row: second })
}

function keyText(columns: RecordColumns, key: readonly string[]): (row: number) => string {
  const values = key.map((name) => columns.columns.get(name) as ColumnData)
  return (row) => JSON.stringify(values.map((cells) => cellOf(cells, row)))
}

function checkTexts(dataset: Dataset, key: readonly string[], columns: RecordColumns): void {
  const text = keyText(columns, key)
  const seen = new Map<string, number>()
  for (let row = 0; row < columns.length; row++) {
    const first = seen.get(text(row))
    if (first !== undefined) throw shared(dataset, key, columns, [first, row])
    seen.set(text(row), row)
  }
}

function checkRanks(dataset: Dataset, key: readonly string[], columns: RecordColumns, ranks: Float64Array): void {
  const rows = sortedRows(ranks)
  const at = (i: number): number => (rows ? (rows[i] as number) : i)
  for (let i = 1; i < ranks.length; i++) {
    if (ranks[at(i - 1)] === ranks[at(i)]) throw shared(dataset, key, columns, [at(i - 1), at(i)])
  }
}

/** No key twice: no seam between replies is doubled. @throws ContractError naming the rows and the key */
function checkUnique(dataset: Dataset, key: readonly string[], columns: RecordColumns): void {
  if (key.length === 0) return
  const ranks = rowRanks(columns, key)
  if (ranks) checkRanks(dataset, key, columns, ranks)
  else checkTexts(dataset, key, columns)
}

interface Ordered {
  readonly columns: RecordColumns
  /** No two rows are alike in the columns of the order. */
  readonly isStrict: boolean
}

function isAscending(ranks: Float64Array): boolean {
  let row = 1
  while (row < ranks.length && (ranks[row - 1] as number) < (ranks[row] as number)) row++
  return row >= ranks.length
}

/** The rows in another order. Each column is let go as soon as it is taken, so that the whole is never there twice. */
function reordered(columns: RecordColumns, rows: Int32Array): RecordColumns {
  const of = columns.columns as Map<string, ColumnData>
  for (const [name, values] of of) of.set(name, take(values, rows))
  return columns
}

function inOrder(columns: RecordColumns, order: readonly string[]): Ordered {
  const ranks = rowRanks(columns, order)
  if (ranks && isAscending(ranks)) return { columns, isStrict: true }
  const rows = ranks ? sortedRows(ranks) : orderedRows(columns, order)
  return { columns: rows ? reordered(columns, rows) : columns, isStrict: false }
}

/**
 * The rows in the contract's order, each key once; the columns are brought into it in their place. Where the order rests on columns that no reply has, the order of the
 * service stands.
 * @throws ContractError for a key that is there twice
 */
export function sortUnique(dataset: Dataset, query: Query, columns: RecordColumns): RecordColumns {
  const order = orderOf(dataset, query)
  const names = bare(order)
  const key = keyOf(dataset, query, columns)
  checkSpellings(dataset, columns, key)
  if (!names.every((name) => columns.columns.has(name))) {
    checkUnique(dataset, key, columns)
    return columns
  }
  const { columns: sorted, isStrict } = inOrder(columns, order)
  const isProven = isStrict && names.every((name) => key.includes(name))
  if (!isProven) checkUnique(dataset, key, sorted)
  return sorted
}
