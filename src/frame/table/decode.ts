import type { Column, Kind } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { beijingMoment, isDate } from '../../contract/date.js'
import { ContractError, rowFact } from '../../contract/error.js'
import { fact, sentence, type Words } from '../../contract/sentence.js'
import { meantBy, meantNote } from '../../contract/spreadsheet-damage.js'
import { columnTypeOf } from './arrow.js'
import type { WordCount } from './check-json.js'
import { declarationOf } from './declaration.js'
import { type CellRows, type CellRules, readCells } from './read-cells.js'
import type { ColumnData, RecordColumns } from './values.js'

/** Ends with an error that names row (from 0) and what is wrong with the cell. */
type Refuse = (row: number, wrong: Words) => never

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const minute = /^([01]\d|2[0-3])[0-5]\d$/
const clock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/

/** What is wrong with a word of a column, or undefined. */
export function wrongWord(column: Pick<Column, 'kind' | 'values'>, word: string): Words | undefined {
  if (column.values && !column.values.includes(word))
    return sentence`must be one of ${column.values.join(', ')}, not ${shown(word)}`
  if (column.kind === 'date' && !isDate(word))
    return sentence`must be a date YYYYMMDD, not ${shown(word)}${meantNote(column, word)}`
  if (column.kind === 'minute' && !minute.test(word))
    return sentence`must be a minute HHmm, not ${shown(word)}${meantNote(column, word)}`
  if (column.kind === 'moment' && beijingMoment(word) === undefined)
    return sentence`must be a date or a time, not ${shown(word)}`
  if (column.kind === 'clock' && !clock.test(word)) return sentence`must be a time HH:mm:ss, not ${shown(word)}`
  if (column.kind === 'code' && word === '') return sentence`is empty`
  if (column.kind === 'code' && word !== word.trim()) return sentence`has blanks around it: ${shown(word)}`
  return undefined
}

/** A long number as a spreadsheet shows it: 1.23457E+18. */
const lostDigits = /^\d(\.\d+)?E\+\d+$/i

/** The same for a column of a contract, whose codes and ids must be whole. */
export function wrongInContract(column: Pick<Column, 'kind' | 'values'>, word: string): Words | undefined {
  if (column.kind === 'id' && lostDigits.test(word))
    return sentence`has lost digits: ${shown(word)}; keep the column as text`
  const isMangled = column.kind === 'code' && meantBy(column, word) !== undefined
  const mangled = isMangled ? sentence`must be a whole code, not ${shown(word)}${meantNote(column, word)}` : undefined
  return wrongWord(column, word) ?? mangled
}

/** Cells of any value as JSON text. */
function jsonTexts(rows: CellRows, at: number, isMissing: CellRules['isMissing']): ColumnData {
  const data = rows.map((cells, row) => {
    const cell = cells[at]
    if (cell !== null && cell !== undefined) return JSON.stringify(cell)
    isMissing(cell, row)
    return null
  })
  return { type: 'string', data }
}

/** One column. `refuse` is told the first row whose cell is wrong. */
export function decodeColumn(
  rows: CellRows,
  at: number,
  column: Column,
  refuse: Refuse,
  words?: WordCount,
): ColumnData {
  const isMissing = (cell: unknown, row: number): true => {
    if (cell !== null && cell !== undefined)
      refuse(row, sentence`must be ${fact('KIND', column.kind)}, not ${shown(cell)}${meantNote(column, cell)}`)
    if (!column.nullable) refuse(row, sentence`is null where the contract requires a value`)
    return true
  }
  if (column.kind === 'json') return jsonTexts(rows, at, isMissing)
  const type = columnTypeOf(column.kind)
  const counted = type === 'dictionary' ? words : undefined
  const checkText = (text: string, row: number): void => {
    if (counted?.add(text) === false) counted.check()
    const wrong = wrongInContract(column, text)
    if (wrong) refuse(row, wrong)
  }
  return readCells(type, rows, at, {
    numbers: column.kind === 'long' ? 'whole' : 'finite',
    isMissing,
    ...(column.kind === 'text' || column.kind === 'texts' ? {} : { checkText }),
  }) as ColumnData
}

const kindOfType: Readonly<Record<string, Kind>> = { number: 'number', boolean: 'boolean', string: 'text' }

/** A column that the contract does not know: its kind is read off its cells; a mixture becomes JSON text. */
function guess(rows: CellRows, at: number): Column {
  const types = new Set(rows.map((row) => typeof (row[at] ?? undefined)))
  types.delete('undefined')
  const [type = '', ...more] = types
  return declarationOf((more.length === 0 && kindOfType[type]) || 'json')
}

/**
 * Rows in the wire form as typed columns, by name: the order of `fields` is the sender's.
 * @param expected columns that must be there, in the order wanted; unknown extra columns follow them
 * @param words counts different words, of which a reply may have so many; more are a QuotebookError ENVELOPE
 * @throws ContractError naming dataset, field and row for a missing column, a wrong type, a null where none may be
 */
export function decode(
  dataset: Dataset,
  fields: readonly string[],
  rows: CellRows,
  expected: readonly string[] = fields,
  words?: WordCount,
): RecordColumns {
  const place = new Map(fields.map((name, i) => [name, i]))
  if (place.size !== fields.length) throw new ContractError(dataset.name, sentence`a field is named twice`)
  const absent = expected.find((name) => !place.has(name))
  if (absent) throw new ContractError(dataset.name, sentence`the column ${absent} is missing`, { field: absent })
  const known = { ...dataset.columns, ...dataset.stored }
  const wanted = new Set([...expected, ...fields])
  const of = new Map<string, ColumnData>()
  for (const name of wanted) {
    const at = place.get(name) as number
    const declared = Object.hasOwn(known, name) ? known[name] : undefined
    const refuse: Refuse = (row, wrong) => {
      throw new ContractError(dataset.name, rowFact(row, sentence`${name} ${wrong}`), { field: name, row })
    }
    of.set(name, decodeColumn(rows, at, declared ?? guess(rows, at), refuse, words))
  }
  return { length: rows.length, columns: of }
}
