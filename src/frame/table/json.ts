import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { parseJson } from './check-json.js'
import { type FromRows, fromRows, rowOptions } from './from-rows.js'
import { type CellText, rowText } from './row-text.js'
import type { RecordColumns } from './values.js'

function compact(text: string): string {
  try {
    return JSON.stringify(parseJson(text, sentence`a cell of JSON`))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    throw new QuotebookError('INVALID_VALUE', sentence`a column of JSON holds ${text}, which is none`, { cause })
  }
}

const number = (value: number): string => (Object.is(value, -0) ? '-0.0' : `${value}`)

/**
 * Columns as JSON, those of JSON text as the values that it holds.
 * @throws QuotebookError INVALID_VALUE for infinity, naming column and row
 */
export function writeJson(columns: RecordColumns, json: ReadonlySet<string>): string {
  const names = [...columns.columns.keys()]
  const plain: CellText = {
    missing: 'null',
    number,
    afterWhole: '',
    text: (text) => JSON.stringify(text),
    list: (list) => JSON.stringify(list),
  }
  const nested: CellText = { ...plain, text: compact }
  const spelling = (name: string): CellText =>
    json.has(name) && columns.columns.get(name)?.type === 'string' ? nested : plain
  const before = names.map((name, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  const end = names.length === 0 ? '{}' : '}'
  return `[${rowText(columns, spelling, { format: 'JSON', before, end, between: ',' })}]`
}

/** A text, or a whole number of sixteen digits or more outside of one. */
const tokens = /"(?:[^"\\]|\\.)*"|-?(?<![\d.eE+-])\d{16,}(?![\d.eE])/g

/** JSON.parse rounds whole numbers that a double does not hold, ids for one, without a word. */
function checkNumbers(text: string): void {
  if (!/[-:,[\s]\d{16}/.test(text)) return
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('"')) continue
    const value = Number(token)
    if (Number.isSafeInteger(value) || String(value) === token) continue
    const line = text.slice(0, index).split('\n').length
    const wrong = sentence`line ${line}: ${token} has more digits than a double holds`
    throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; write it as text: "${token}"`)
  }
}

/**
 * Reads a JSON array of row objects (or of arrays, with `columns`) as a table, typed like fromRows.
 * @throws QuotebookError INVALID_VALUE for other JSON, for whole numbers that a double cannot hold, and as fromRows
 */
export function fromJson(text: string, options: FromRows = {}): Table {
  checkOptions(options, rowOptions, 'fromJson')
  let rows: unknown
  try {
    rows = parseJson(text, sentence`the JSON`)
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    throw new QuotebookError('INVALID_VALUE', sentence`the text is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (!Array.isArray(rows))
    throw new QuotebookError('INVALID_VALUE', sentence`the JSON must be an array of row objects`)
  checkNumbers(text)
  return fromRows(rows, options)
}
