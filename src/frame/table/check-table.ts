import type { Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { ContractError, rowFact } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { columnTypeOf } from './arrow.js'
import { wrongInContract } from './decode.js'
import { columnsOf } from './unwrap.js'
import { type ColumnData, cellOf, type RecordColumns, type Text } from './values.js'

/** The first cell of a code or a date that is none. */
function wrongCell(
  declared: Column,
  { data, dictionary: words }: Text,
): { readonly row: number; readonly why: string } | undefined {
  if (declared.kind !== 'code' && declared.kind !== 'date') return undefined
  const wrong = words.map((word) => wrongInContract(declared, word))
  const row = data.findIndex((code) => wrong[code] !== undefined)
  return row < 0 ? undefined : { row, why: wrong[data[row] as number] as string }
}

function checkKinds(dataset: Dataset, columns: RecordColumns, expected: readonly string[]): void {
  for (const name of expected) {
    const values = columns.columns.get(name)
    if (!values) throw new ContractError(dataset.name, sentence`the column ${name} is missing`, { field: name })
    const declared = dataset.columns[name] ?? dataset.stored?.[name]
    if (!declared) throw new ContractError(dataset.name, sentence`${name} is not in the contract`, { field: name })
    if (columnTypeOf(declared.kind) !== values.type) {
      throw new ContractError(dataset.name, sentence`${name} must be ${declared.kind}, not ${values.type}`, {
        field: name,
      })
    }
    const wrong = values.type === 'dictionary' ? wrongCell(declared, values) : undefined
    if (wrong) {
      throw new ContractError(dataset.name, rowFact(wrong.row, sentence`${name} ${wrong.why}`), {
        field: name,
        row: wrong.row,
      })
    }
    if (declared.nullable) continue
    for (let row = 0; row < columns.length; row++) {
      if (cellOf(values, row) === null) {
        throw new ContractError(dataset.name, rowFact(row, sentence`${name} is null`), { field: name, row })
      }
    }
  }
}

/** -1, 0 or 1 for two rows by columns; a leading `-` turns a column round; null comes last. */
export function comparer(columns: RecordColumns, order: readonly string[]): (a: number, b: number) => number {
  const keys = order.flatMap((text) => {
    const name = text.replace(/^-/, '')
    const values = columns.columns.get(name)
    return values ? [{ values: ranked(values), sign: text.startsWith('-') ? -1 : 1 }] : []
  })
  return (a, b) => {
    for (const { values, sign } of keys) {
      const [x, y] = [values(a), values(b)]
      if (x === y) continue
      if (x === null) return 1
      if (y === null) return -1
      return x < y ? -sign : sign
    }
    return 0
  }
}

/** The rows in an order of columns, equal ones as they stand; undefined when they are in it already. */
export function orderedRows(columns: RecordColumns, order: readonly string[]): Int32Array | undefined {
  if (firstDisorder(columns, order) === undefined) return undefined
  const compare = comparer(columns, order)
  return Int32Array.from({ length: columns.length }, (_, i) => i).sort((a, b) => compare(a, b) || a - b)
}

/** A column's cells as comparable values; a dictionary is ranked once so that rows compare as integers. */
function ranked(values: ColumnData): (row: number) => number | string | null {
  if (values.type === 'dictionary') {
    const sorted = [...new Set(values.dictionary)].sort()
    const place = new Map(sorted.map((word, i) => [word, i]))
    const ranks = values.dictionary.map((word) => place.get(word) as number)
    return (row) => ranks[values.data[row] ?? -1] ?? null
  }
  return (row) => {
    const cell = cellOf(values, row)
    return typeof cell === 'boolean' ? Number(cell) : (cell as number | string | null)
  }
}

/** The first row that breaks an order, or undefined. */
function firstDisorder(columns: RecordColumns, order: readonly string[]): number | undefined {
  const compare = comparer(columns, order)
  for (let row = 1; row < columns.length; row++) if (compare(row - 1, row) > 0) return row
  return undefined
}

function checkKey(dataset: Dataset, columns: RecordColumns): void {
  if (dataset.key.length === 0 || !dataset.key.every((name) => columns.columns.has(name))) return
  const keys = dataset.key.map((name) => columns.columns.get(name) as ColumnData)
  const seen = new Map<string, number>()
  for (let row = 0; row < columns.length; row++) {
    const key = JSON.stringify(keys.map((values) => cellOf(values, row)))
    const first = seen.get(key)
    if (first !== undefined) {
      throw new ContractError(dataset.name, sentence`rows ${first + 1} and ${row + 1} share the key ${key}`, { row })
    }
    seen.set(key, row)
  }
}

function checkDay(dataset: Dataset, columns: RecordColumns, day: string): void {
  const values = columns.columns.get(dataset.day ?? '')
  if (values?.type !== 'dictionary') return
  const other = values.data.findIndex((code) => values.dictionary[code] !== day)
  if (other < 0) return
  const found = values.dictionary[values.data[other] as number]
  throw new ContractError(dataset.name, sentence`row ${other + 1} is of ${found} where ${day} was asked`, {
    field: dataset.day ?? '',
    row: other,
  })
}

/**
 * Holds a table against its contract: the columns expected, their kinds, no null where none may be, a unique key,
 * the order of the contract, and rows of no other day than the one asked.
 * @throws ContractError that names dataset, field and row
 */
export function checkTable(
  table: Table,
  dataset: Dataset,
  want: { readonly columns?: readonly string[]; readonly day?: string } = {},
): void {
  checkOptions(want, { columns: 'an array', day: 'text' }, 'checkTable')
  const columns = columnsOf(table)
  checkKinds(dataset, columns, want.columns ?? Object.keys(dataset.columns).filter((name) => columns.columns.has(name)))
  checkKey(dataset, columns)
  const whole = dataset.order.every((name) => columns.columns.has(name.replace(/^-/, '')))
  const row = whole ? firstDisorder(columns, dataset.order) : undefined
  if (row !== undefined) {
    throw new ContractError(dataset.name, sentence`row ${row + 1} is out of order (${dataset.order.join(', ')})`, {
      row,
    })
  }
  if (want.day !== undefined) checkDay(dataset, columns, want.day)
}
