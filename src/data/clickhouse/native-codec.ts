import { dateOf } from '../../contract/date.js'
import { QuotebookError, worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { exactDouble } from '../../frame/table/exact.js'
import { type ColumnData, type ColumnType, nulls, type RecordColumns } from '../../frame/table/values.js'
import { ByteFeed } from './byte-feed.js'
import { TextWriter, WordTable } from './text-cells.js'

/*
 * ClickHouse's Native format: blocks of a few rows, in them the columns one after another, each with its name, its type and
 * its cells. A block begins with its columns and rows as varints; numbers are little endian; before the cells of a
 * Nullable column stands a byte a row, 1 where it is missing.
 */

/** Rows of a block that is sent. */
const rowsInBlock = 131_072

const inNullable = /^Nullable\((.*)\)$/s

type Numbers = Extract<ColumnData, { readonly valid: Uint8Array | null }>
type Texts = Extract<ColumnData, { readonly type: 'dictionary' | 'string' }>

function missingIn(values: ColumnData, from: number, to: number): Uint8Array {
  const mask = new Uint8Array(to - from)
  if (values.type === 'dictionary') {
    for (let row = from; row < to; row++) if ((values.data[row] as number) < 0) mask[row - from] = 1
  } else if (values.type === 'string' || values.type === 'list') {
    for (let row = from; row < to; row++) if (values.data[row] === null) mask[row - from] = 1
  } else if (values.valid) {
    for (let row = from; row < to; row++) mask[row - from] = values.valid[row] === 0 ? 1 : 0
  }
  return mask
}

const sent = { float: 'Float64', int: 'Int32', boolean: 'UInt8' } as const

function numberBytes(values: Numbers, type: string, from: number, to: number): Uint8Array {
  if (type !== sent[values.type]) throw worded(TypeError, sentence`${values.type} is no ${type}`)
  const part = values.data.subarray(from, to)
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
}

/** Words as they are written, once for all blocks. */
interface Spelled {
  readonly bytes: Buffer
  readonly ends: Int32Array
}

function spell(words: readonly string[]): Spelled {
  const out = new TextWriter(16 * words.length + 16)
  const ends = new Int32Array(words.length + 1)
  words.forEach((word, code) => {
    out.text(word)
    ends[code + 1] = out.size
  })
  return { bytes: out.bytes, ends }
}

function textBytes(values: Texts, spelled: Spelled | undefined, from: number, to: number): Uint8Array {
  const out = new TextWriter(12 * (to - from) + 64)
  if (values.type === 'string' || !spelled) {
    for (let row = from; row < to; row++) out.text((values.data[row] as string | null) ?? '')
    return out.bytes
  }
  const { bytes, ends } = spelled
  for (let row = from; row < to; row++) {
    const code = values.data[row] as number
    if (code < 0) out.length(0)
    else out.copy(bytes, ends[code] as number, ends[code + 1] as number)
  }
  return out.bytes
}

/** `Array(Nullable(String))`; what is missing as `[NULL]`. */
function* listBytes({ data }: Extract<ColumnData, { type: 'list' }>, from: number, to: number): Generator<Uint8Array> {
  const ends = new BigUint64Array(to - from)
  const marks: number[] = []
  const out = new TextWriter(1024)
  for (let row = from; row < to; row++) {
    for (const text of data[row] ?? [null]) {
      marks.push(text === null ? 1 : 0)
      out.text(text ?? '')
    }
    ends[row - from] = BigInt(marks.length)
  }
  yield new Uint8Array(ends.buffer)
  yield Uint8Array.from(marks)
  yield out.bytes
}

function* cellBytes(
  [name, values]: readonly [string, ColumnData],
  type: string,
  words: Spelled | undefined,
  [from, to]: readonly [number, number],
): Generator<Uint8Array> {
  if (values.type === 'list') return yield* listBytes(values, from, to)
  const inner = inNullable.exec(type)?.[1]
  const missing = missingIn(values, from, to)
  if (inner !== undefined) yield missing
  else if (missing.includes(1))
    throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' (${type}) has a missing cell`)
  if (values.type === 'dictionary' || values.type === 'string') yield textBytes(values, words, from, to)
  else yield numberBytes(values, inner ?? type, from, to)
}

/**
 * Columns as Native blocks, piece by piece.
 * @param types of all columns, by name, as `column-types.ts` gives them
 * @throws QuotebookError INVALID_VALUE for a missing cell in a type that has none, and for text that is no UTF-8
 */
export function* nativeBytes(
  { length, columns }: RecordColumns,
  types: ReadonlyMap<string, string>,
): Generator<Uint8Array> {
  const words = new Map(
    [...columns].flatMap(([name, values]) => (values.type === 'dictionary' ? [[name, spell(values.dictionary)]] : [])),
  )
  for (let from = 0; from < length; from += rowsInBlock) {
    const to = Math.min(length, from + rowsInBlock)
    const head = new TextWriter(16)
    head.length(columns.size)
    head.length(to - from)
    yield head.bytes
    for (const column of columns) {
      const type = types.get(column[0])
      if (type === undefined) throw worded(TypeError, sentence`no type of ${column[0]}`)
      const about = new TextWriter(64)
      about.text(column[0])
      about.text(type)
      yield about.bytes
      yield* cellBytes(column, type, words.get(column[0]), [from, to])
    }
  }
}

const arrays: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayLike<number | bigint>>> = {
  Float64: Float64Array,
  Float32: Float32Array,
  Int8: Int8Array,
  Int16: Int16Array,
  Int32: Int32Array,
  Int64: BigInt64Array,
  UInt8: Uint8Array,
  UInt16: Uint16Array,
  UInt32: Uint32Array,
  UInt64: BigUint64Array,
  Date: Uint16Array,
  DateTime: Uint32Array,
  Bool: Uint8Array,
  Nothing: Uint8Array,
}
const widths: Readonly<Record<string, number>> = { Bool: 1, Nothing: 1, Date: 2, DateTime: 4 }
const small = ['Int8', 'Int16', 'Int32', 'UInt8', 'UInt16']
const beijing = 8 * 3_600_000

function inexact(value: bigint | string, name: string): never {
  const right = sentence`write toFloat64() to round it or toString() to keep its digits`
  throw new QuotebookError('INVALID_VALUE', sentence`column '${name}': ${value} has no exact double; ${right}`)
}

/** A cell of a moment: `YYYYMMDD`, or Beijing time with its offset. */
function momentOf(type: string, value: number): string {
  if (type === 'Date') return dateOf(value)
  return `${new Date(value * 1000 + beijing).toISOString().slice(0, 19)}+08:00`
}

function validOf(missing: Uint8Array | undefined): Uint8Array | null {
  return missing?.includes(1) ? missing.map((mark) => 1 - mark) : null
}

function floatsOf(name: string, cells: ArrayLike<number | bigint>, valid: Uint8Array | null): Float64Array {
  const out = cells instanceof Float64Array ? cells : new Float64Array(cells.length)
  for (let row = 0; out !== cells && row < out.length; row++) {
    const cell = cells[row] as number | bigint
    out[row] = Number(cell)
    if (typeof cell === 'bigint' && BigInt(out[row] as number) !== cell && valid?.[row] !== 0) inexact(cell, name)
  }
  for (let row = 0; valid && row < out.length; row++) if (valid[row] === 0) out[row] = Number.NaN
  return out
}

/** Reads the cells of one column, block after block; its words are those of all blocks. */
class CellReader {
  readonly #feed: ByteFeed
  readonly #name: string
  readonly #form: ColumnType | undefined
  readonly #words = new WordTable()
  readonly type: string

  constructor(feed: ByteFeed, name: string, type: string, form: ColumnType | undefined) {
    this.#feed = feed
    this.#name = name
    this.type = type
    this.#form = form
  }

  async read(rows: number): Promise<ColumnData> {
    const inner = inNullable.exec(this.type)?.[1]
    const missing = inner === undefined ? undefined : Uint8Array.from(await this.#feed.take(rows))
    return this.#cells(inner ?? this.type, rows, missing)
  }

  async #cells(type: string, rows: number, missing: Uint8Array | undefined): Promise<ColumnData> {
    if (type === 'String') return this.#texts(rows, missing)
    const item = /^Array\((.*)\)$/s.exec(type)?.[1]
    if (item !== undefined) return this.#lists(item, rows)
    const valid = validOf(missing)
    const [, digits, scale] = /^Decimal\((\d+), *(\d+)\)$/.exec(type) ?? []
    const plain = type.replace(/^DateTime\('.*'\)$/, 'DateTime')
    if (digits !== undefined && Number(digits) <= 18) {
      return this.#decimals(await this.#numbers(Number(digits) <= 9 ? 'Int32' : 'Int64', rows), Number(scale), valid)
    }
    if (!(plain in arrays)) {
      throw this.#formless(type)
    }
    const cells = await this.#numbers(plain, rows)
    if (plain === 'Nothing') return nulls('int', rows)
    if (plain === 'Date' || plain === 'DateTime') {
      return {
        type: 'string',
        data: Array.from(cells, (cell, row) => (valid?.[row] === 0 ? null : momentOf(plain, Number(cell)))),
      }
    }
    if (plain === 'Bool' || this.#form === 'boolean') return { type: 'boolean', data: cells as Uint8Array, valid }
    if (this.#form !== 'float' && small.includes(plain))
      return { type: 'int', data: Int32Array.from(cells as Int32Array), valid }
    return { type: 'float', data: floatsOf(this.#name, cells, valid), valid }
  }

  #formless(type: string): QuotebookError {
    const message = sentence`column '${this.#name}' is ${type}, which has no form here; write toString()`
    return new QuotebookError('INVALID_VALUE', message)
  }

  async #numbers(type: string, rows: number): Promise<ArrayLike<number | bigint>> {
    const width = widths[type] ?? Number(/\d+$/.exec(type)?.[0]) / 8
    const bytes = await this.#feed.take(rows * width)
    const own = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    return new (arrays[type] as (typeof arrays)[string])(own)
  }

  #decimals(cells: ArrayLike<number | bigint>, scale: number, valid: Uint8Array | null): ColumnData {
    const data = Float64Array.from({ length: cells.length }, (_, row) => {
      if (valid?.[row] === 0) return Number.NaN
      const cell = BigInt(cells[row] as number)
      const digits = String(cell < 0n ? -cell : cell).padStart(scale + 1, '0')
      const text = `${cell < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${scale ? '.' : ''}${scale ? digits.slice(-scale) : ''}`
      return exactDouble(text) ?? inexact(text, this.#name)
    })
    return { type: 'float', data, valid }
  }

  async #texts(rows: number, missing: Uint8Array | undefined): Promise<ColumnData> {
    if (this.#form === 'string') {
      const data = await this.#feed.texts(rows)
      for (let row = 0; missing && row < rows; row++) if (missing[row] === 1) data[row] = null
      return { type: 'string', data }
    }
    const data = await this.#feed.codes(rows, this.#words, missing)
    return { type: 'dictionary', data, dictionary: this.#words.words }
  }

  async #lists(item: string, rows: number): Promise<ColumnData> {
    const ends = await this.#numbers('UInt64', rows)
    const count = Number(ends[rows - 1] ?? 0)
    const nullable = inNullable.exec(item)
    const missing = nullable ? Uint8Array.from(await this.#feed.take(count)) : undefined
    if ((nullable?.[1] ?? item) !== 'String') {
      throw this.#formless(this.type)
    }
    const texts = (await this.#feed.texts(count)) as string[]
    const data = Array.from({ length: rows }, (_, row) => {
      const [from, to] = [Number(ends[row - 1] ?? 0), Number(ends[row])]
      const marks = missing?.subarray(from, to)
      if (!marks?.includes(1)) return texts.slice(from, to)
      if (marks.length === 1) return null
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`column '${this.#name}' has NULL among the texts of a list; write toString()`,
      )
    })
    return { type: 'list', data }
  }
}

/**
 * The blocks of a Native stream as columns, as they come. Text is codes into words: all blocks of a column share one list of
 * words, which grows. UInt8 is an integer; DateTime is Beijing time; Int64, UInt64 and Decimal must have an exact double.
 * @param forms of columns that are to have another form: `string`, `boolean`, `float`
 * @throws QuotebookError CUT_OFF where it ends within a block, INVALID_VALUE for what has no form here
 */
export async function* readNative(
  chunks: AsyncIterable<Uint8Array>,
  forms: ReadonlyMap<string, ColumnType> = new Map(),
): AsyncGenerator<RecordColumns> {
  const feed = new ByteFeed(chunks)
  const readers = new Map<string, CellReader>()
  while (await feed.begins()) {
    const count = await feed.varint()
    const length = await feed.varint()
    const columns = new Map<string, ColumnData>()
    for (let i = 0; i < count; i++) {
      const [name, type] = [await feed.text(), await feed.text()]
      if (columns.has(name))
        throw new QuotebookError('SQL', sentence`the result has two columns '${name}'; name one of them with as`)
      let reader = readers.get(name)
      if (reader?.type !== type) reader = new CellReader(feed, name, type, forms.get(name))
      readers.set(name, reader)
      columns.set(name, await reader.read(length))
    }
    yield { length, columns }
  }
}
