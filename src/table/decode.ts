import type { Column } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'
import { beijingMoment, isDate } from '../contract/date.js'
import { ContractError } from '../contract/error.js'
import { meantBy, meantNote } from '../contract/mangled.js'
import { formOf } from './arrow.js'
import type { ColumnData, RecordColumns } from './values.js'

type Rows = readonly (readonly unknown[])[]
/** Ends with an error that names row (from 0) and what is wrong with the cell. */
type Refuse = (row: number, wrong: string) => never

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function missing(column: Column, cell: unknown, row: number, refuse: Refuse): void {
  if (cell !== null && cell !== undefined) {
    refuse(row, `must be ${column.kind}, not ${shown(cell)}${meantNote(column, cell)}`)
  }
  if (!column.nullable) refuse(row, 'is null where the contract requires a value')
}

function floats(rows: Rows, at: number, column: Column, refuse: Refuse): ColumnData {
  const whole = column.kind === 'long'
  const data = new Float64Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'number' && (whole ? Number.isSafeInteger(cell) : Number.isFinite(cell))) {
      data[row] = cell
      continue
    }
    missing(column, cell, row, refuse)
    valid ??= new Uint8Array(data.length).fill(1)
    valid[row] = 0
    data[row] = Number.NaN
  }
  return { type: 'float', data, valid }
}

function ints(rows: Rows, at: number, column: Column, refuse: Refuse): ColumnData {
  const data = new Int32Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'number' && (cell | 0) === cell) {
      data[row] = cell
      continue
    }
    missing(column, cell, row, refuse)
    valid ??= new Uint8Array(data.length).fill(1)
    valid[row] = 0
  }
  return { type: 'int', data, valid }
}

function flags(rows: Rows, at: number, column: Column, refuse: Refuse): ColumnData {
  const data = new Uint8Array(rows.length)
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (typeof cell === 'boolean') {
      data[row] = cell ? 1 : 0
      continue
    }
    missing(column, cell, row, refuse)
    valid ??= new Uint8Array(data.length).fill(1)
    valid[row] = 0
  }
  return { type: 'boolean', data, valid }
}

const minute = /^([01]\d|2[0-3])[0-5]\d$/
const clock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/

/** What is wrong with a word of a column, or undefined. */
export function wrongWord(column: Pick<Column, 'kind' | 'values'>, word: string): string | undefined {
  if (column.values && !column.values.includes(word))
    return `must be one of ${column.values.join(', ')}, not ${shown(word)}`
  if (column.kind === 'date' && !isDate(word))
    return `must be a date YYYYMMDD, not ${shown(word)}${meantNote(column, word)}`
  if (column.kind === 'minute' && !minute.test(word))
    return `must be a minute HHmm, not ${shown(word)}${meantNote(column, word)}`
  if (column.kind === 'moment' && beijingMoment(word) === undefined)
    return `must be a date or a time, not ${shown(word)}`
  if (column.kind === 'clock' && !clock.test(word)) return `must be a time HH:mm:ss, not ${shown(word)}`
  if (column.kind === 'code' && word === '') return 'is empty'
  if (column.kind === 'code' && word !== word.trim()) return `has blanks around it: ${shown(word)}`
  return undefined
}

/** A long number as a spreadsheet shows it: 1.23457E+18. */
const lostDigits = /^\d(\.\d+)?E\+\d+$/i

/** The same for a column of a contract, whose codes and ids must be whole. */
export function wrongInContract(column: Pick<Column, 'kind' | 'values'>, word: string): string | undefined {
  if (column.kind === 'id' && lostDigits.test(word)) return `has lost digits: ${shown(word)}; keep the column as text`
  const isMangled = column.kind === 'code' && meantBy(column, word) !== undefined
  const mangled = isMangled ? `must be a whole code, not ${shown(word)}${meantNote(column, word)}` : undefined
  return wrongWord(column, word) ?? mangled
}

/** Dictionary codes; only distinct words are checked, and a run of equal cells costs one comparison each. */
function words(rows: Rows, at: number, column: Column, refuse: Refuse): ColumnData {
  const data = new Int32Array(rows.length)
  const list: string[] = []
  const codeOf = new Map<string, number>()
  let last: unknown
  let code = -1
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (cell !== last) {
      if (typeof cell !== 'string') {
        missing(column, cell, row, refuse)
        data[row] = -1
        continue
      }
      const known = codeOf.get(cell)
      if (known === undefined) {
        const wrong = wrongInContract(column, cell)
        if (wrong) refuse(row, wrong)
        code = list.push(cell) - 1
        codeOf.set(cell, code)
      } else code = known
      last = cell
    } else if (typeof cell !== 'string') missing(column, cell, row, refuse)
    data[row] = typeof cell === 'string' ? code : -1
  }
  return { type: 'dictionary', data, dictionary: list }
}

function strings(rows: Rows, at: number, column: Column, refuse: Refuse): ColumnData {
  const json = column.kind === 'json'
  const isChecked = column.kind === 'id' || column.kind === 'moment'
  const data = new Array<string | null>(rows.length)
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (json && cell !== null && cell !== undefined) data[row] = JSON.stringify(cell)
    else if (typeof cell === 'string') {
      const wrong = isChecked ? wrongInContract(column, cell) : undefined
      if (wrong) refuse(row, wrong)
      data[row] = cell
    } else {
      missing(column, cell, row, refuse)
      data[row] = null
    }
  }
  return { type: 'string', data }
}

function lists(rows: Rows, at: number, column: Column, refuse: Refuse): ColumnData {
  const data = new Array<readonly string[] | null>(rows.length)
  for (let row = 0; row < data.length; row++) {
    const cell = (rows[row] as readonly unknown[])[at]
    if (Array.isArray(cell) && cell.every((part) => typeof part === 'string')) data[row] = cell
    else {
      missing(column, cell, row, refuse)
      data[row] = null
    }
  }
  return { type: 'list', data }
}

function column(rows: Rows, at: number, declared: Column, refuse: Refuse): ColumnData {
  switch (formOf(declared.kind)) {
    case 'float':
      return floats(rows, at, declared, refuse)
    case 'int':
      return ints(rows, at, declared, refuse)
    case 'boolean':
      return flags(rows, at, declared, refuse)
    case 'dictionary':
      return words(rows, at, declared, refuse)
    case 'string':
      return strings(rows, at, declared, refuse)
    case 'list':
      return lists(rows, at, declared, refuse)
  }
}

/** A column that the contract does not know: its kind is read off its cells; a mixture becomes JSON text. */
function guess(rows: Rows, at: number): Column {
  const types = new Set(rows.map((row) => typeof (row[at] ?? undefined)))
  types.delete('undefined')
  const [type] = types
  const kind =
    types.size !== 1
      ? 'json'
      : type === 'number'
        ? 'number'
        : type === 'boolean'
          ? 'boolean'
          : type === 'string'
            ? 'text'
            : 'json'
  return { kind, nullable: true, meaning: 'not in the contract' }
}

/**
 * Rows in the wire form as typed columns, by name: the order of `fields` is the sender's.
 * @param expected columns that must be there, in the order wanted; unknown extra columns follow them
 * @throws ContractError naming dataset, field and row for a missing column, a wrong type, a null where none may be
 */
export function decode(
  dataset: Dataset,
  fields: readonly string[],
  rows: Rows,
  expected: readonly string[] = fields,
): RecordColumns {
  const place = new Map(fields.map((name, i) => [name, i]))
  if (place.size !== fields.length) throw new ContractError(dataset.name, 'a field is named twice')
  const absent = expected.find((name) => !place.has(name))
  if (absent) throw new ContractError(dataset.name, `the column ${absent} is missing`, { field: absent })
  const known = { ...dataset.columns, ...dataset.stored }
  const wanted = new Set([...expected, ...fields])
  const of = new Map<string, ColumnData>()
  for (const name of wanted) {
    const at = place.get(name) as number
    const declared = Object.hasOwn(known, name) ? known[name] : undefined
    const refuse: Refuse = (row, wrong) => {
      throw new ContractError(dataset.name, `row ${row + 1}: ${name} ${wrong}`, { field: name, row })
    }
    of.set(name, column(rows, at, declared ?? guess(rows, at), refuse))
  }
  return { length: rows.length, columns: of }
}
