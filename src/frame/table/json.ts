import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { parseJson } from './check-json.js'
import { type FromRows, fromRows, rowOptions } from './from-rows.js'
import { fromRowParts } from './row-parts.js'
import { type CellText, rowChunks, rowText } from './row-text.js'
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

function jsonRows(columns: RecordColumns, json: ReadonlySet<string>): Parameters<typeof rowText> {
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
  return [columns, spelling, { format: 'JSON', before, end, between: ',' }]
}

/**
 * Columns as JSON, those of JSON text as the values that they hold.
 * @throws QuotebookError INVALID_VALUE for infinity, naming column and row
 */
export function writeJson(columns: RecordColumns, json: ReadonlySet<string>): string {
  return `[${rowText(...jsonRows(columns, json))}]`
}

/** The same as bytes, some at a time. */
export function* jsonChunks(columns: RecordColumns, json: ReadonlySet<string>): Generator<Uint8Array> {
  yield Buffer.from('[')
  yield* rowChunks(...jsonRows(columns, json))
  yield Buffer.from(']\n')
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

/** The elements of a JSON array. @throws QuotebookError INVALID_VALUE for other JSON */
function wholeArray(text: string): readonly unknown[] {
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
  return rows
}

/** The end of one row and the beginning of the next, unless it stands in a text or in a row. */
const border = () => /[}\]][ \t\n\r]*,[ \t\n\r]*(?=[{[])/g
/** Characters that are parsed at a time: a larger text is no young object, which takes three times as long. */
const slice = 60_000
/** Rows at least that are read at a time, but for the last. */
const least = 4096

/**
 * The elements of a JSON array, some at a time. A slice that begins with an element and is JSON between brackets ends with
 * one: neither half a text nor half a row is JSON. One that is none is tried again with twice as much.
 * @throws SyntaxError or QuotebookError for what JSON.parse of all of it may name better
 */
function* rowParts(text: string): Generator<readonly unknown[]> {
  const end = text.lastIndexOf(']')
  const between = border()
  let from = text.indexOf('[') + 1
  let rows: unknown[] = []
  if (from === 0 || !/^\ufeff?[ \t\n\r]*$/.test(text.slice(0, from - 1)) || !/^[ \t\n\r]*$/.test(text.slice(end + 1)))
    throw new SyntaxError()
  for (let size = slice; from < end; ) {
    between.lastIndex = Math.min(from + size, end)
    const found = between.exec(text)
    const part = `[${text.slice(from, found ? found.index + 1 : end)}]`
    try {
      for (const row of parseJson(part, '') as readonly unknown[]) rows.push(row)
      checkNumbers(part)
    } catch (error) {
      if (!found || !(error instanceof SyntaxError)) throw error
      size *= 2
      continue
    }
    size = slice
    from = found ? between.lastIndex : end
    if (rows.length < least && from < end) continue
    yield rows
    rows = []
  }
}

/** The table of rows that are read some at a time; undefined where they must be read as a whole, or are wrong. */
function fromParts(text: string, options: FromRows): Table | undefined {
  if (text.length <= slice) return undefined
  try {
    return fromRowParts(rowParts(text), options)
  } catch {
    return undefined
  }
}

/**
 * Reads a JSON array of row objects (or of arrays, with `columns`) as a table, typed like fromRows.
 * @throws QuotebookError INVALID_VALUE for other JSON, for whole numbers that a double cannot hold, and as fromRows
 */
export function fromJson(text: string, options: FromRows = {}): Table {
  checkOptions(options, rowOptions, 'fromJson')
  return fromParts(text, options) ?? fromRows(wholeArray(text), options)
}
