import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { ContractError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { exchangeOf, parseCode } from '../../../contract/symbol.js'
import { gatherCells } from '../../../frame/table/gather-cells.js'
import { groupRows } from '../../../frame/table/group-rows.js'
import type { Absence } from '../../../frame/table/provenance.js'
import { rankWords, sortRows } from '../../../frame/table/sort-rows.js'
import { type ColumnData, cellOf, concatCells, nulls, type RecordColumns } from '../../../frame/table/values.js'
import { symbolColumn } from '../plan/asked.js'
import { distinctValues } from './reply-chunk.js'
import { checkSpellings } from './validate-reply.js'

/** Columns that are not in the contract have the kind of their cells, which may differ from reply to reply. */
function asText(values: ColumnData, length: number): ColumnData {
  const text = (row: number): string | null => {
    const cell = cellOf(values, row)
    return cell === null || typeof cell === 'string' ? cell : JSON.stringify(cell)
  }
  return { type: 'string', data: Array.from({ length }, (_, row) => text(row)) }
}

/** The rows of a reply: all of them, or some. */
export interface ReplyRows extends RecordColumns {
  readonly some?: Int32Array
}

/**
 * Columns end to end, by name: those expected, then the others in the order in which they come up. Each column of the
 * chunks is dropped as soon as it is joined, so that the whole is never there twice.
 */
export function joinChunks(chunks: readonly ReplyRows[], expected: readonly string[]): RecordColumns {
  const [only] = chunks
  if (only && chunks.length === 1 && !only.some) return only
  const filled = chunks.filter(({ length }) => length > 0)
  const kept = filled.length > 0 ? filled : chunks.slice(0, 1)
  const parts = kept.map(({ length, columns, some }) => ({
    length: some?.length ?? length,
    columns: new Map(columns),
    some,
  }))
  for (const { columns } of chunks) (columns as Map<string, ColumnData>).clear()
  const names = new Set([...expected, ...parts.flatMap(({ columns }) => [...columns.keys()])])
  const joined = new Map<string, ColumnData>()
  for (const name of names) {
    const [type = 'string', ...others] = new Set(parts.flatMap(({ columns }) => columns.get(name)?.type ?? []))
    const common = others.length > 0 ? 'string' : type
    const cells = parts.map(({ columns, length, some }) => {
      const all = columns.get(name)
      columns.delete(name)
      if (!all) return nulls(common, length)
      const values = some ? gatherCells(all, some) : all
      return values.type === common ? values : asText(values, length)
    })
    joined.set(name, concatCells(cells))
  }
  return { length: parts.reduce((sum, { length }) => sum + length, 0), columns: joined }
}

/** By day, then as the contract orders an answer; news by source, where they come in groups. */
function orderOf({ day, order }: Dataset, { view }: Query): readonly OrderColumn[] {
  const columns = order.map((text) => ({ name: text.replace(/^-/, ''), descending: text.startsWith('-') }))
  if (view === 'source') return [{ name: 'source', descending: false }, ...columns]
  if (day === undefined || columns.some(({ name }) => name === day)) return columns
  return [{ name: day, descending: false }, ...columns]
}

interface OrderColumn {
  readonly name: string
  readonly descending: boolean
}

/** What tells two rows of an answer apart: its key, as far as the answer has the columns of it. */
function keyOf({ key, latestKey, list }: Dataset, { version }: Query, { columns }: RecordColumns): readonly string[] {
  if (latestKey && version === 'latest') return latestKey
  if (key.every((name) => columns.has(name))) return key
  return list?.match.filter((name) => columns.has(name)) ?? []
}

/** No key twice: no seam between replies is doubled. @throws ContractError naming the rows and the key */
export function checkUnique(dataset: Dataset, key: readonly string[], { length, columns }: RecordColumns): void {
  if (key.length === 0 || length === 0) return
  const cells = key.map((name) => ({ name, values: columns.get(name) as ColumnData }))
  const { count, of, first } = groupRows(cells)
  if (count === length) return
  const second = of.findIndex((group, row) => first[group] !== row)
  const text = cells.map(({ name, values }) => sentence`${name} ${cellOf(values, second)}`).join(', ')
  const rows = sentence`rows ${(first[of[second] as number] as number) + 1} and ${second + 1}`
  throw new ContractError(dataset.name, sentence`${rows} of the answer share the key ${text}`, { row: second })
}

/** The columns in another order of rows. Each is replaced in its place, so that the whole is never there twice. */
function reorder(columns: Map<string, ColumnData>, order: readonly OrderColumn[], length: number): void {
  const keys = order.map(({ name, descending }) => ({ name, descending, values: columns.get(name) as ColumnData }))
  const rows = sortRows(keys, length)
  if (rows.every((row, i) => row === i)) return
  for (const [name, values] of columns) columns.set(name, gatherCells(values, rows))
}

/** Whether each row comes after the one before it by columns of text; then no two rows are alike in these. */
function isStrictlySorted(order: readonly OrderColumn[], { columns, length }: RecordColumns): boolean {
  const keys: { readonly data: Int32Array; readonly ranks: Uint32Array; readonly descending: boolean }[] = []
  for (const { name, descending } of order) {
    const values = columns.get(name)
    if (values?.type !== 'dictionary' || values.data.includes(-1)) return false
    keys.push({ data: values.data, ranks: rankWords(values.dictionary), descending })
  }
  for (let row = 1; row < length; row++) {
    let isAfter = false
    for (const { data, ranks, descending } of keys) {
      const step = (ranks[data[row] as number] as number) - (ranks[data[row - 1] as number] as number)
      isAfter = descending ? step < 0 : step > 0
      if (step !== 0) break
    }
    if (!isAfter) return false
  }
  return true
}

/**
 * The rows in the contract's order, each key once; the columns are brought into it in their place. Where the order rests
 * on columns that no reply has, the order of the service stands.
 * @throws ContractError for a key that is there twice
 */
export function sortUnique(dataset: Dataset, query: Query, answer: RecordColumns): RecordColumns {
  const order = orderOf(dataset, query)
  const key = keyOf(dataset, query, answer)
  checkSpellings(dataset, answer, key)
  const { columns, length } = answer
  // Most answers come in order, and a key that holds the columns of a strict order is unique: one pass shows both.
  if (order.every(({ name }) => key.includes(name)) && isStrictlySorted(order, answer)) return answer
  if (order.every(({ name }) => columns.has(name))) reorder(columns as Map<string, ColumnData>, order, length)
  checkUnique(dataset, key, answer)
  return answer
}

/** A test for "one of these rows is of the code", in either spelling on either side. */
export function codeLookup(words: readonly string[]): (code: string) => boolean {
  const exchanges = new Map<string, Set<string | undefined>>()
  for (const word of words) {
    const { bare, exchange } = parseCode(word)
    const own = exchange ?? exchangeOf(bare)
    const known = exchanges.get(bare)
    if (known) known.add(own)
    else exchanges.set(bare, new Set([own]))
  }
  return (code) => {
    const { bare, exchange } = parseCode(code)
    const there = exchanges.get(bare)
    return there !== undefined && (exchange === undefined || there.has(exchange) || there.has(undefined))
  }
}

/** Symbols and days that were asked for and have no row. */
export function missingKeys(
  dataset: Dataset,
  query: Query,
  days: readonly string[] | undefined,
  columns: RecordColumns,
): Absence | undefined {
  const column = symbolColumn(dataset)
  const codes = column !== undefined && Array.isArray(query.symbols) ? (query.symbols as readonly string[]) : []
  const isThere = codeLookup(distinctValues(columns, column ?? ''))
  const symbols = codes.filter((code) => !isThere(code))
  const present = new Set(distinctValues(columns, dataset.day ?? ''))
  const without = (days ?? []).filter((day) => !present.has(day))
  if (symbols.length === 0 && without.length === 0) return undefined
  return { ...(symbols.length > 0 ? { symbols } : {}), ...(without.length > 0 ? { days: without } : {}) }
}
