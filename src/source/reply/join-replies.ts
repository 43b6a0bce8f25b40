import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { ContractError } from '../../contract/error.js'
import { exchangeOf, parseCode } from '../../contract/symbol.js'
import { orderedRows } from '../../table/check-table.js'
import { gatherCells } from '../../table/gather-rows.js'
import { type ColumnData, cellOf, concatCells, nulls, type RecordColumns } from '../../table/values.js'
import { distinctValues } from './reply-chunk.js'
import { checkSpellings } from './validate-reply.js'

/** Columns that are not in the contract have the kind of their cells, which may differ from reply to reply. */
function asText(values: ColumnData, length: number): ColumnData {
  if (values.type === 'string') return values
  const text = (row: number): string | null => {
    const cell = cellOf(values, row)
    return cell === null ? null : typeof cell === 'string' ? cell : JSON.stringify(cell)
  }
  return { type: 'string', data: Array.from({ length }, (_, row) => text(row)) }
}

/** Pieces of one column in one form. */
function alike(chunks: readonly (ColumnData | undefined)[], lengths: readonly number[]): ColumnData[] {
  const forms = new Set(chunks.flatMap((values) => values?.type ?? []))
  const form = forms.size === 1 ? ([...forms][0] as ColumnData['type']) : 'string'
  return chunks.map((values, i) => {
    const length = lengths[i] as number
    if (!values) return nulls(form, length)
    return values.type === form ? values : asText(values, length)
  })
}

/**
 * Columns end to end, by name: those expected, then the others in the order in which they come up. Each column of the
 * pieces is let go as soon as it is joined, so that the whole is never there twice.
 */
export function joinChunks(chunks: readonly RecordColumns[], expected: readonly string[]): RecordColumns {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const filled = chunks.filter(({ length }) => length > 0)
  const kept = filled.length > 0 ? filled : chunks.slice(0, 1)
  const parts = kept.map(({ columns: of }) => new Map(of))
  const lengths = kept.map(({ length }) => length)
  for (const { columns: of } of chunks) (of as Map<string, ColumnData>).clear()
  const names = new Set([...expected, ...parts.flatMap((of) => [...of.keys()])])
  const of = new Map<string, ColumnData>()
  for (const name of names) {
    const values = alike(
      parts.map((part) => part.get(name)),
      lengths,
    )
    for (const part of parts) part.delete(name)
    of.set(name, concatCells(values))
  }
  return { length: lengths.reduce((sum, length) => sum + length, 0), columns: of }
}

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
  for (const [name, values] of of) of.set(name, gatherCells(values, rows))
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

/** A column as whole numbers that compare as its cells do; missing cells last. */
interface Ranks {
  readonly of: Int32Array
  /** All are below it. */
  readonly size: number
}

function ofWords(
  { data, dictionary: words }: Extract<ColumnData, { type: 'dictionary' }>,
  isDescending: boolean,
): Ranks {
  const sorted = [...new Set(words)].sort()
  if (isDescending) sorted.reverse()
  const place = new Map(sorted.map((word, i) => [word, i]))
  const rank = Int32Array.from(words, (word) => place.get(word) as number)
  const size = sorted.length + 1
  const of = new Int32Array(data.length)
  for (let row = 0; row < of.length; row++) {
    const code = data[row] as number
    of[row] = code < 0 ? size - 1 : (rank[code] as number)
  }
  return { of, size }
}

/**
 * Rows as single numbers that compare as the rows do by the given columns, a leading `-` turning one round; undefined where
 * a column is no dictionary, or the numbers would outgrow what a double holds exactly.
 */
export function rowRanks(columns: RecordColumns, order: readonly string[]): Float64Array | undefined {
  const out = new Float64Array(columns.length)
  let size = 1
  for (const text of order) {
    const values = columns.columns.get(text.replace(/^-/, ''))
    if (values?.type !== 'dictionary') return undefined
    const ranks = ofWords(values, text.startsWith('-'))
    size *= ranks.size
    if (size * Math.max(1, columns.length) > Number.MAX_SAFE_INTEGER) return undefined
    for (let row = 0; row < out.length; row++) out[row] = (out[row] as number) * ranks.size + (ranks.of[row] as number)
  }
  return out
}

/** Rows in the order of their numbers, equal ones as they stand; undefined when they are in order already. */
export function sortedRows(ranks: Float64Array): Int32Array | undefined {
  let row = 1
  while (row < ranks.length && (ranks[row - 1] as number) <= (ranks[row] as number)) row++
  if (row >= ranks.length) return undefined
  const { length } = ranks
  const packed = ranks.map((rank, i) => rank * length + i).sort()
  return Int32Array.from(packed, (value) => value % length)
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
): { readonly symbols?: readonly string[]; readonly days?: readonly string[] } | undefined {
  const column = dataset.params.symbols?.role === 'match' ? dataset.params.symbols.columns?.[0] : undefined
  const codes = column !== undefined && Array.isArray(query.symbols) ? (query.symbols as readonly string[]) : []
  const isThere = codeLookup(distinctValues(columns, column ?? ''))
  const symbols = codes.filter((code) => !isThere(code))
  const shown = new Set(distinctValues(columns, dataset.day ?? ''))
  const without = (days ?? []).filter((day) => !shown.has(day))
  if (symbols.length === 0 && without.length === 0) return undefined
  return { ...(symbols.length > 0 ? { symbols } : {}), ...(without.length > 0 ? { days: without } : {}) }
}
