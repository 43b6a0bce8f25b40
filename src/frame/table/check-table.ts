import type { Table } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { ContractError, rowFact } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { columnTypeOf } from './arrow.js'
import { wrongInContract } from './decode.js'
import { groupRows } from './group-rows.js'
import { areSorted, sortRows } from './sort-rows.js'
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

/**
 * The rows in an order of columns, equal ones as they stand; undefined when they are in it already. A leading `-` turns a
 * column round, null comes last.
 */
export function orderedRows({ columns, length }: RecordColumns, order: readonly string[]): Int32Array | undefined {
  const keys = order.flatMap((text) => {
    const name = text.replace(/^-/, '')
    const values = columns.get(name)
    return values ? [{ name, values, descending: text.startsWith('-') }] : []
  })
  if (areSorted(keys, length)) return undefined
  const rows = sortRows(keys, length)
  for (let at = 0; at < rows.length; at++) if (rows[at] !== at) return rows
  return undefined
}

/** The first row that breaks an order, or undefined. */
function firstDisorder(columns: RecordColumns, order: readonly string[]): number | undefined {
  const places = new Int32Array(columns.length)
  orderedRows(columns, order)?.forEach((row, place) => {
    places[row] = place
  })
  const row = places.findIndex((place, at) => at > 0 && place < (places[at - 1] as number))
  return row < 0 ? undefined : row
}

function checkKey(dataset: Dataset, columns: RecordColumns): void {
  if (dataset.key.length === 0 || !dataset.key.every((name) => columns.columns.has(name))) return
  const keys = dataset.key.map((name) => ({ name, values: columns.columns.get(name) as ColumnData }))
  const { of, first } = groupRows(keys)
  const row = of.findIndex((group, at) => first[group] !== at)
  if (row < 0) return
  const key = JSON.stringify(keys.map(({ values }) => cellOf(values, row)))
  const rows = [first[of[row] as number] as number, row].map((one) => one + 1)
  throw new ContractError(dataset.name, sentence`rows ${rows[0]} and ${rows[1]} share the key ${key}`, { row })
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
