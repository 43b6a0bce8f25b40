import { dateOf } from '../../contract/date.js'
import { messageOf, QuotebookError, WordedError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { DictionaryBuilder, NumberBuilder } from '../../frame/table/column-builder.js'
import { exactDouble } from '../../frame/table/exact.js'
import type { ColumnData, RecordColumns } from '../../frame/table/values.js'
import type { Chunk, Engine, Result, Type, Vector } from './duckdb.js'

/** Why a cell can not be told exactly, and what to write instead. */
class InexactCellError extends WordedError {}

const eightHours = 8 * 3_600_000

/** A whole number as a double. */
export function wholeOf(value: unknown): number {
  const number = Number(value)
  if (typeof value === 'bigint' && BigInt(number) !== value) {
    throw new InexactCellError(
      sentence`${value} has no exact double; write ::double to round it or ::varchar to keep its digits`,
    )
  }
  return number
}

/** A decimal as the double that prints as its digits. */
function decimalOf(value: unknown): number {
  const text = String(value)
  const number = exactDouble(text)
  if (number !== undefined) return number
  throw new InexactCellError(
    sentence`${text} has no exact double; write ::double to round it or ::varchar to keep its digits`,
  )
}

/** Days since 1970-01-01 of 0001-01-01 and 9999-12-31. */
const [firstDay, lastDay] = [-719_162, 2_932_896]

/** `YYYYMMDD`. */
export function dayOf(value: unknown): string {
  const { days } = value as { readonly days: number }
  if (days < firstDay || days > lastDay)
    throw new InexactCellError(sentence`the date ${value} is not between the years 1 and 9999`)
  return dateOf(days)
}

/** `HH:MM:SS`, with a fraction where there is one. */
function timeOf(value: unknown): string {
  return withoutZeros(String(value))
}

/** `YYYY-MM-DDTHH:MM:SS`, with a fraction where there is one. */
export function momentOf(value: unknown): string {
  const text = String(value)
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text)) {
    throw new InexactCellError(sentence`the moment ${text} is not between the years 1 and 9999`)
  }
  return withoutZeros(text.replace(' ', 'T'))
}

/** Beijing time with its offset, `2026-07-01T09:30:00+08:00`. */
function zonedOf(value: unknown): string {
  const { micros } = value as { readonly micros: bigint }
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n)
  const fraction = String(micros - seconds * 1_000_000n).padStart(6, '0')
  const milliseconds = Number(seconds) * 1000 + eightHours
  if (!(milliseconds >= firstDay * 86_400_000 && milliseconds < (lastDay + 1) * 86_400_000)) {
    throw new InexactCellError(sentence`the moment ${value} is not between the years 1 and 9999`)
  }
  const local = new Date(milliseconds).toISOString().slice(0, 19)
  return `${withoutZeros(`${local}.${fraction}`)}+08:00`
}

function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}

interface Nested {
  readonly items?: readonly unknown[]
  readonly entries?: readonly { readonly key: unknown; readonly value: unknown }[] | Readonly<Record<string, unknown>>
  readonly days?: number
  readonly scale?: number
}

/** A nested value as JSON text: numbers with all their digits, a date `YYYYMMDD`, a map as pairs, NaN as null. */
function jsonOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'null' : fail(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const { items, entries, days, scale } = value as Nested
  if (Array.isArray(items)) return `[${items.map(jsonOf).join(',')}]`
  if (Array.isArray(entries))
    return `[${entries.map(({ key, value: of }) => `[${jsonOf(key)},${jsonOf(of)}]`).join(',')}]`
  if (entries) {
    const pairs = Object.entries(entries).map(([name, of]) => `${JSON.stringify(name)}:${jsonOf(of)}`)
    return `{${pairs.join(',')}}`
  }
  if (typeof scale === 'number') return String(value)
  return JSON.stringify(typeof days === 'number' && !('months' in value) ? dayOf(value) : String(value))
}

function fail(value: number): never {
  throw new InexactCellError(sentence`${value} has no form in JSON; write nullif or ::varchar`)
}

/** Entries of the memory, a power of two. */
const size = 1 << 14

/**
 * Codes of texts seen before, by their bytes: DuckDB keeps a text of up to twelve bytes in the sixteen of its cell (the
 * length, then the bytes, zeros behind), so that a text that comes again need not be spelled again. A text that is not
 * remembered, or is longer, is left to the caller.
 */
class WordCache {
  readonly #keys = new Int32Array(size * 4).fill(-1)
  readonly #codes = new Int32Array(size)
  #place = 0
  #short = false
  readonly #key = new Int32Array(4)

  /** The code of the cell at an item; undefined when it is not remembered. */
  codeAt(vector: Vector, item: number): number | undefined {
    const { dataView } = vector
    this.#short = false
    if (!(dataView instanceof DataView)) return undefined
    const at = item * 16
    const length = dataView.getInt32(at, true)
    if (length > 12) return undefined
    const [a, b, c] = [
      dataView.getInt32(at + 4, true),
      dataView.getInt32(at + 8, true),
      dataView.getInt32(at + 12, true),
    ]
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ length
    const place = ((mixed ^ (mixed >>> 15)) & (size - 1)) * 4
    const keys = this.#keys
    if (keys[place] === length && keys[place + 1] === a && keys[place + 2] === b && keys[place + 3] === c) {
      return this.#codes[place >> 2]
    }
    this.#short = true
    this.#place = place
    const key = this.#key
    key[0] = length
    key[1] = a
    key[2] = b
    key[3] = c
    return undefined
  }

  /** Remembers the code of the cell that was just asked for. */
  keep(code: number): void {
    if (!this.#short) return
    this.#keys.set(this.#key, this.#place)
    this.#codes[this.#place >> 2] = code
  }
}

/** Reads the cells of one column, chunk by chunk. */
interface ColumnReader {
  read(vector: Vector, from: number, count: number): void
  build(): ColumnData
}

/** Whether an item of a vector is missing. Bits are read eight at a time where they can be seen. */
export function missingTest(vector: Vector): (item: number) => boolean {
  const { validity } = vector
  if (!validity) return (item) => vector.getItem(item) === null
  const { data } = validity
  if (data === null) return () => false
  if (data instanceof BigUint64Array) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    return (item) => (((bytes[item >> 3] as number) >> (item & 7)) & 1) === 0
  }
  return (item) => !validity.itemValid(item)
}

function floats(length: number, numberOf: (value: unknown) => number, keepNaN: boolean): ColumnReader {
  const builder = new NumberBuilder('float', length)
  return {
    read(vector, from, count) {
      const isMissing = missingTest(vector)
      const items = vector.items instanceof Float64Array ? vector.items : undefined
      for (let i = 0; i < count; i++) {
        const isNull = isMissing(i)
        const number = isNull ? Number.NaN : items ? (items[i] as number) : numberOf(vector.getItem(i))
        if (isNull || (!keepNaN && Number.isNaN(number))) builder.setMissing(from + i)
        else builder.data[from + i] = number
      }
    },
    build: () => builder.build(),
  }
}

/** Small whole numbers; true and false as 1 and 0. */
function ints(length: number, type: 'int' | 'boolean' = 'int'): ColumnReader {
  const builder = new NumberBuilder(type, length)
  return {
    read(vector, from, count) {
      const isMissing = missingTest(vector)
      const items = vector.items instanceof Int32Array ? vector.items : undefined
      for (let i = 0; i < count; i++) {
        if (isMissing(i)) builder.setMissing(from + i)
        else builder.data[from + i] = items ? (items[i] as number) : Number(vector.getItem(i))
      }
    },
    build: () => builder.build(),
  }
}

function dictionary(length: number, textOf: (value: unknown) => string, cache?: WordCache): ColumnReader {
  const builder = new DictionaryBuilder(length)
  return {
    read(vector, from, count) {
      const isMissing = missingTest(vector)
      for (let i = 0; i < count; i++) {
        if (isMissing(i)) continue
        let code = cache?.codeAt(vector, i)
        if (code === undefined) {
          code = builder.codeOf(textOf(vector.getItem(i)))
          cache?.keep(code)
        }
        builder.data[from + i] = code
      }
    },
    build: () => builder.build(),
  }
}

function listOf(value: unknown): readonly string[] {
  const { items } = value as { readonly items: readonly (string | null)[] }
  if (items.includes(null))
    throw new InexactCellError(sentence`a list of text may hold no NULL; leave it out with list_filter`)
  return items as readonly string[]
}

function lists(length: number): ColumnReader {
  const data = new Array<readonly string[] | null>(length).fill(null)
  return {
    read(vector, from, count) {
      for (let i = 0; i < count; i++) {
        const cell = vector.getItem(i)
        if (cell !== null) data[from + i] = listOf(cell)
      }
    },
    build: () => ({ type: 'list', data }),
  }
}

interface ResultOptions {
  /** NaN stays a number (default: it is missing). */
  readonly keepNaN?: boolean
}

function readerOf(
  typeId: number,
  type: Type,
  length: number,
  { DuckDBTypeId: is }: Engine,
  { keepNaN = false }: ResultOptions,
): ColumnReader | undefined {
  switch (typeId) {
    case is.DOUBLE:
    case is.FLOAT:
    case is.UINTEGER:
    case is.BIGINT:
    case is.UBIGINT:
    case is.HUGEINT:
    case is.UHUGEINT:
      return floats(length, wholeOf, keepNaN)
    case is.DECIMAL:
      return floats(length, decimalOf, keepNaN)
    case is.TINYINT:
    case is.SMALLINT:
    case is.INTEGER:
    case is.UTINYINT:
    case is.USMALLINT:
    case is.SQLNULL:
      return ints(length)
    case is.BOOLEAN:
      return ints(length, 'boolean')
    case is.VARCHAR:
      return dictionary(length, String, new WordCache())
    case is.UUID:
      return dictionary(length, String)
    case is.DATE:
      return dictionary(length, dayOf)
    case is.TIME:
      return dictionary(length, timeOf)
    case is.TIMESTAMP:
    case is.TIMESTAMP_S:
    case is.TIMESTAMP_MS:
    case is.TIMESTAMP_NS:
      return dictionary(length, momentOf)
    case is.TIMESTAMP_TZ:
      return dictionary(length, zonedOf)
    case is.LIST:
      return String(type) === 'VARCHAR[]' ? lists(length) : dictionary(length, jsonOf)
    case is.ARRAY:
    case is.STRUCT:
    case is.MAP:
      return dictionary(length, jsonOf)
    default:
      return undefined
  }
}

/** The names of a result; two columns of one name would hide each other. */
function namesOf(result: Result): string[] {
  const names = Array.from({ length: result.columnCount }, (_, column) => result.columnName(column))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return names
  throw new QuotebookError(
    'SQL',
    sentence`the result has two columns '${twice}'; give one another name: … as ${twice}_2`,
  )
}

/**
 * A result as columns in memory, of the chunks that were fetched of it or of all that it holds.
 * @throws QuotebookError SQL for two columns of one name, a type that has no form here, and a number or date that can
 * not be told exactly: the message says which cast would
 */
export function resultColumns(
  result: Result,
  engine: Engine,
  options: ResultOptions = {},
  chunks: readonly Chunk[] = Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i)),
): RecordColumns {
  const names = namesOf(result)
  const length = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0)
  const of = new Map<string, ColumnData>()
  for (const [column, name] of names.entries()) {
    const type = result.columnType(column)
    const reader = readerOf(result.columnTypeId(column), type, length, engine, options)
    if (!reader) {
      const kind = String(type).split('(')[0]
      throw new QuotebookError(
        'SQL',
        sentence`column '${name}' is of type ${kind}; cast it to text or a number: ::varchar`,
      )
    }
    let from = 0
    for (const chunk of chunks) {
      const { rowCount } = chunk
      try {
        reader.read(chunk.getColumnVector(column), from, rowCount)
      } catch (cause) {
        if (!(cause instanceof InexactCellError)) throw cause
        throw new QuotebookError('SQL', sentence`column '${name}': ${messageOf(cause)}`, { cause })
      }
      from += rowCount
    }
    of.set(name, reader.build())
  }
  return { length, columns: of }
}
