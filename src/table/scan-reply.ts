import { Buffer, constants, isUtf8 } from 'node:buffer'
import type { Column } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'
import { asReply, contentOf } from '../contract/envelope.js'
import { QuotebookError } from '../contract/error.js'
import { columnTypeOf } from './arrow.js'
import { checkJson, mostValues, WordCount } from './check-json.js'
import { readDecimal } from './decimal-bytes.js'
import { wrongInContract } from './decode.js'
import type { ColumnData, ColumnType, RecordColumns } from './values.js'

const [quote, plus, comma, minus, point, zero, colon] = [0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x30, 0x3a] as const
const [open, backslash, close, letterE, letterN] = [0x5b, 0x5c, 0x5d, 0x65, 0x6e] as const
const space = 0x20

/*
 * Every place is an offset in bytes; -1 stands for what is wrong or not plain. A byte after the end is undefined, which ends
 * every loop.
 */

/** The place of the first byte from `at` on that is no blank of JSON. */
function afterBlank(body: Buffer, at: number): number {
  let next = at
  for (let byte = body[next] as number; byte <= space; byte = body[++next] as number)
    if (byte !== space && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
  return next
}

/** The place after a word of ASCII, or -1 where another stands. */
function afterWord(body: Buffer, at: number, word: string): number {
  for (let i = 0; i < word.length; i++) if (body[at + i] !== word.charCodeAt(i)) return -1
  return at + word.length
}

function isSame(body: Buffer, at: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (body[at + i] !== body[other + i]) return false
  return true
}

/** The place of the first byte from `at` on that is no digit. */
function afterDigits(body: Buffer, at: number): number {
  let next = at
  while ((body[next] as number) >= zero && (body[next] as number) <= zero + 9) next++
  return next
}

/**
 * Reads a JSON number into a row of `out`: what is no short decimal is read by the engine.
 * @returns the place after it; -1 where none stands, or none that a double can hold
 */
function readNumber(body: Buffer, start: number, out: Float64Array, row: number): number {
  const short = readDecimal(body, start, out, row)
  if (short >= 0 && ((body[short] as number) | 0x20) !== letterE) return short
  const first = body[start] === minus ? start + 1 : start
  let at = afterDigits(body, first)
  if (at === first || (at > first + 1 && body[first] === zero)) return -1
  if (body[at] === point) {
    const afterPoint = at + 1
    at = afterDigits(body, afterPoint)
    if (at === afterPoint) return -1
  }
  if (((body[at] as number) | 0x20) === letterE) {
    at++
    if (body[at] === minus || body[at] === plus) at++
    const power = at
    at = afterDigits(body, power)
    if (at === power) return -1
  }
  const value = Number(body.toString('latin1', start, at))
  if (!Number.isFinite(value)) return -1
  out[row] = value
  return at
}

/** Slots for texts that were read before, by their bytes; a text that finds its slot taken by another is decoded again. */
const slots = 4096

/** One column on the way. */
class ScannedColumn {
  readonly #body: Buffer
  readonly #column: Column
  readonly #type: ColumnType
  readonly #isText: boolean
  /** Numbers, NaN where missing; 0 and 1 for booleans; for a text its place in `#texts`, -1 where missing. */
  #cells = new Float64Array(0)
  #hasMissing = false
  readonly #texts: string[] = []
  /** Place of each word of a dictionary in `#texts`: escapes spell one word in several ways. */
  readonly #codes: Map<string, number> | undefined
  readonly #words: WordCount
  readonly #slotStarts: Int32Array
  readonly #slotCodes: Int32Array
  /** The text read last: its first byte, its bytes with the quote after it, its place in `#texts`. */
  #lastStart = 0
  #lastLength = 0
  #lastCode = -1

  constructor(body: Buffer, column: Column, words: WordCount) {
    this.#words = words
    this.#body = body
    this.#column = column
    this.#type = columnTypeOf(column.kind)
    this.#isText = this.#type === 'dictionary' || this.#type === 'string'
    this.#codes = this.#type === 'dictionary' ? new Map() : undefined
    this.#slotStarts = new Int32Array(this.#isText ? slots : 0)
    this.#slotCodes = new Int32Array(this.#isText ? slots : 0)
  }

  grow(capacity: number): void {
    const cells = new Float64Array(capacity)
    cells.set(this.#cells)
    this.#cells = cells
  }

  /** Reads the cell at a place. @returns the place after it, or -1 for one that the column does not take or that is not plain */
  read(at: number, row: number): number {
    if (this.#body[at] === letterN) return this.#readNull(at, row)
    if (this.#isText) return this.#readText(at + 1, row)
    if (this.#type === 'boolean') return this.#readBoolean(at, row)
    const after = readNumber(this.#body, at, this.#cells, row)
    if (this.#column.kind === 'number' || after < 0) return after
    const cell = this.#cells[row] as number
    return (this.#type === 'int' ? (cell | 0) === cell : Number.isSafeInteger(cell)) ? after : -1
  }

  #readNull(at: number, row: number): number {
    if (!this.#column.nullable) return -1
    this.#cells[row] = this.#isText ? -1 : Number.NaN
    this.#hasMissing = true
    return afterWord(this.#body, at, 'null')
  }

  #readBoolean(at: number, row: number): number {
    const afterTrue = afterWord(this.#body, at, 'true')
    this.#cells[row] = afterTrue < 0 ? 0 : 1
    return afterTrue < 0 ? afterWord(this.#body, at, 'false') : afterTrue
  }

  /** A run of equal texts costs one comparison each. */
  #readText(start: number, row: number): number {
    const body = this.#body
    if (body[start - 1] !== quote) return -1
    if (this.#lastLength === 0 || !isSame(body, start, this.#lastStart, this.#lastLength)) {
      const end = this.#findText(start)
      if (end < 0) return -1
      this.#lastStart = start
      this.#lastLength = end + 1 - start
    }
    this.#cells[row] = this.#lastCode
    return start + this.#lastLength
  }

  /** Puts the place of a text into `#lastCode`. @returns the place of the quote after it, or -1 */
  #findText(start: number): number {
    const body = this.#body
    let end = start
    let hash = 0x811c9dc5 | 0
    let allBits = 0
    for (let byte = body[end] as number; byte !== quote; byte = body[++end] as number) {
      if (!(byte >= space)) return -1
      if (byte === backslash) end++
      hash = Math.imul(hash ^ byte, 0x01000193)
      allBits |= byte
    }
    const slot = (hash ^ (hash >>> 15)) & (slots - 1)
    const known = this.#slotStarts[slot] as number
    if (known > 0 && isSame(body, start, known, end + 1 - start)) {
      this.#lastCode = this.#slotCodes[slot] as number
      return end
    }
    this.#lastCode = this.#codeOf(body.toString(allBits < 0x80 ? 'latin1' : 'utf8', start, end))
    this.#slotStarts[slot] = start
    this.#slotCodes[slot] = this.#lastCode
    return this.#lastCode < 0 ? -1 : end
  }

  /** The place of a text in `#texts`; -1 for one that the column does not take. SyntaxError for an escape that is none. */
  #codeOf(spelled: string): number {
    const text = spelled.includes('\\') ? (JSON.parse(`"${spelled}"`) as string) : spelled
    const known = this.#codes?.get(text)
    if (known !== undefined) return known
    if (this.#column.kind !== 'text' && wrongInContract(this.#column, text) !== undefined) return -1
    if (this.#codes && !this.#words.add(text)) return -1
    const code = this.#texts.push(text) - 1
    this.#codes?.set(text, code)
    return code
  }

  /** The first cells, in no more memory than they need. */
  build(rows: number): ColumnData {
    const cells = this.#cells.slice(0, rows)
    if (this.#type === 'dictionary') return { type: 'dictionary', data: new Int32Array(cells), dictionary: this.#texts }
    if (this.#type === 'string') {
      const data = new Array<string | null>(rows)
      for (let row = 0; row < rows; row++) data[row] = this.#texts[cells[row] as number] ?? null
      return { type: 'string', data }
    }
    const valid = this.#hasMissing ? new Uint8Array(rows) : null
    if (valid) for (let row = 0; row < rows; row++) valid[row] = Number.isNaN(cells[row]) ? 0 : 1
    if (this.#type === 'int') return { type: 'int', data: new Int32Array(cells), valid }
    if (this.#type === 'boolean') return { type: 'boolean', data: new Uint8Array(cells), valid }
    return { type: 'float', data: cells, valid }
  }
}

/** The place after a row whose bracket stands at `start`, or -1. */
function readRow(body: Buffer, start: number, columns: readonly ScannedColumn[], row: number): number {
  const last = columns.length - 1
  let at = body[start] === open ? start + 1 : -1
  for (let i = 0; i <= last && at >= 0; i++) {
    at = (columns[i] as ScannedColumn).read(afterBlank(body, at), row)
    if (at < 0) return -1
    at = afterBlank(body, at)
    at = body[at] === (i === last ? close : comma) ? at + 1 : -1
  }
  return at
}

/** Reads the array of rows whose bracket stands at `start`: its rows and the place after it; undefined for what is not plain. */
function readRows(body: Buffer, start: number, columns: readonly ScannedColumn[]) {
  let at = afterBlank(body, start + 1)
  if (body[at] === close) return { rows: 0, end: at + 1 }
  let capacity = 0
  for (let row = 0; ; row++) {
    if (row === capacity) {
      if (row * (columns.length + 4) > mostValues) return undefined
      const likely = (1.02 * (body.length - start)) / (at - start)
      capacity = row === 0 ? 64 : Math.ceil(row * Math.min(Math.max(likely, 2), 16))
      for (const column of columns) column.grow(capacity)
    }
    at = readRow(body, at, columns, row)
    if (at < 0) return undefined
    at = afterBlank(body, at)
    if (body[at] === close) return { rows: row + 1, end: at + 1 }
    if (body[at] !== comma) return undefined
    at = afterBlank(body, at + 1)
  }
}

/** The columns that `fields` names, where they are the expected ones, each once, and all are plain. */
function plainColumns(dataset: Dataset, fields: unknown, expected: readonly string[]): Column[] | undefined {
  if (!Array.isArray(fields) || fields.length !== expected.length || new Set(fields).size !== fields.length)
    return undefined
  const known = { ...dataset.columns, ...dataset.stored }
  const columns = fields.flatMap((name) =>
    expected.includes(name) && Object.hasOwn(known, name) ? (known[name] as Column) : [],
  )
  const arePlain = columns.every(({ kind }) => kind !== 'json' && kind !== 'texts')
  return arePlain && columns.length === fields.length ? columns : undefined
}

function scanPlain(
  dataset: Dataset,
  body: Buffer,
  expected: readonly string[],
  words: WordCount,
): ScannedReply | undefined {
  const named = body.indexOf('"items"')
  const afterName = named < 0 ? -1 : afterBlank(body, named + 7)
  const start = body[afterName] === colon ? afterBlank(body, afterName + 1) : -1
  if (body[start] !== open) return undefined
  const head = body.toString('utf8', 0, start)
  // Closed here, it is JSON where `items` stands in an object of the outermost one.
  const closed = `${head}[]}}`
  checkJson(Buffer.from(closed))
  const { fields } = (JSON.parse(closed) as { data?: { fields?: unknown } }).data ?? {}
  const columns = plainColumns(dataset, fields, expected)?.map((column) => new ScannedColumn(body, column, words))
  const found = columns && readRows(body, start, columns)
  if (!found) return undefined
  const tail = body.toString('utf8', found.end)
  // A text longer than all the rest stands for the rows: nothing else in there can be equal to it.
  const rowsMark = ' '.repeat(head.length + tail.length)
  const rest = Buffer.from(`${head}"${rowsMark}"${tail}`)
  if (found.rows * (columns.length + 4) + 4 * rest.length > mostValues) return undefined
  checkJson(rest)
  const reply = asReply(JSON.parse(rest.toString()))
  if (reply.data?.items !== rowsMark) return undefined
  const content = contentOf({ ...reply, data: { ...reply.data, items: [] } }, 'rows')
  if (!content) return undefined
  const byName = new Map<string, ColumnData>()
  for (const name of expected)
    byName.set(name, (columns[content.fields.indexOf(name)] as ScannedColumn).build(found.rows))
  return {
    message: reply.message,
    outer: reply.outer,
    beside: content.beside,
    columns: { length: found.rows, columns: byName },
  }
}

/** What a plain reply with code 200 holds. */
export interface ScannedReply {
  readonly message: string
  /** Members beside code, message and data. */
  readonly outer?: Readonly<Record<string, unknown>> | undefined
  /** Everything in `data` but fields and items. */
  readonly beside: Readonly<Record<string, unknown>>
  /** Columns in the order of `expected`. */
  readonly columns: RecordColumns
}

/**
 * A reply of plain shape as columns: its rows straight from their bytes, the rest by JSON.parse. Undefined for anything that is
 * not plain (`fields` after `items`, columns of lists or JSON) or not right: then JSON.parse and `decode` have the last word,
 * and the error. What it gives is exactly what they give.
 * @param expected the columns of the reply, all of them and no others, in the order wanted
 * @throws QuotebookError ENVELOPE for more different words than a reply may have: to parse it would take as long
 */
export function scanReply(dataset: Dataset, bytes: Uint8Array, expected: readonly string[]): ScannedReply | undefined {
  if (dataset.shape !== 'rows' || expected.length === 0 || bytes.byteLength > constants.MAX_STRING_LENGTH)
    return undefined
  // A buffer that was handed to a worker has no bytes.
  if (bytes.byteLength === 0 || !isUtf8(bytes)) return undefined
  const words = new WordCount()
  let scanned: ScannedReply | undefined
  try {
    scanned = scanPlain(dataset, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), expected, words)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof QuotebookError)) throw error
  }
  words.check()
  return scanned
}
