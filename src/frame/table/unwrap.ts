import { type Data, type DataType, Dictionary, type Table, Vector } from 'apache-arrow'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { DictionaryBuilder } from './column-builder.js'
import { decodeStrings, isTextual } from './decode-text.js'
import { foreign, nestedCells } from './foreign.js'
import { gatherCells } from './gather-cells.js'
import { bits, validOf } from './validity.js'
import { type ColumnData, cellOf, concatCells, nulls, type RecordColumns } from './values.js'

/** 64-bit numbers as doubles, by their halves: a bigint a cell would cost ten times as much. */
function longs(values: BigInt64Array | BigUint64Array, out: Float64Array): void {
  const low = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  const high = values instanceof BigInt64Array ? new Int32Array(low.buffer, low.byteOffset, low.length) : low
  for (let i = 0; i < out.length; i++) out[i] = (high[2 * i + 1] as number) * 2 ** 32 + (low[2 * i] as number)
}

/** Whether a 64-bit column holds a whole number that a double can not: an id, which stays text. */
function isWide(vector: Vector): boolean {
  return vector.data.some(({ values, length }) => {
    if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return false
    const numbers = new Float64Array(length)
    longs(values, numbers)
    return !numbers.every(Number.isSafeInteger)
  })
}

/** Puts NaN where a number is missing; true when something else stood there. */
function clear(numbers: Float64Array, valid: Uint8Array | null, write: boolean): boolean {
  if (valid === null) return false
  let found = false
  for (let i = 0; i < numbers.length; i++) {
    if (valid[i] === 1 || Number.isNaN(numbers[i])) continue
    found = true
    if (!write) break
    numbers[i] = Number.NaN
  }
  return found
}

/**
 * A number in every row of a numeric vector of any width; NaN where missing. Doubles of one chunk that need no change
 * are the table's own memory.
 */
function floats(vector: Vector, valid: Uint8Array | null): Float64Array {
  const [only, ...more] = vector.data
  if (only?.values instanceof Float64Array && more.length === 0) {
    const own = only.values.subarray(0, only.length)
    if (!clear(own, valid, false)) return own
  }
  const out = new Float64Array(vector.length)
  let at = 0
  for (const { values, length } of vector.data) {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      longs(values, out.subarray(at, at + length))
    } else out.set((values as Float64Array).subarray(0, length), at)
    at += length
  }
  clear(out, valid, true)
  return out
}

/** Arrow keeps the bits of half-precision numbers, not their values. */
function halves(vector: Vector): ColumnData {
  const cells = vector as Iterable<number | null>
  return { type: 'float', data: Float64Array.from(cells, (cell) => cell ?? Number.NaN), valid: validOf(vector) }
}

function ints(vector: Vector): Int32Array {
  const out = new Int32Array(vector.length)
  let at = 0
  for (const { values, length } of vector.data) {
    out.set((values as Int32Array).subarray(0, length), at)
    at += length
  }
  return out
}

function flags(vector: Vector): Uint8Array {
  const out = new Uint8Array(vector.length)
  let at = 0
  for (const data of vector.data) {
    bits(data.values as Uint8Array, data.offset, data.length, out, at)
    at += data.length
  }
  return out
}

/** Codes of keys of any width; -1 for a key of no word, as it may stand under a missing cell. */
function recode(keys: ArrayLike<number | bigint>, codeOfKey: Int32Array, out: Int32Array): void {
  if (keys instanceof Int32Array) {
    for (let i = 0; i < out.length; i++) out[i] = codeOfKey[keys[i] as number] ?? -1
  } else for (let i = 0; i < out.length; i++) out[i] = codeOfKey[Number(keys[i])] ?? -1
}

/** Whether some rows have so few of a dictionary's words, as where they were cut out of a file, that the others are not made. */
function isSparse({ length, dictionary }: Data): boolean {
  return length * 4 < (dictionary as Vector).length
}

/** The code of each key of a chunk: of one that its rows do not have -1 where they have few. */
function codesOfKeys(data: Data, column: DictionaryBuilder): Int32Array {
  const words = data.dictionary as Vector
  const codeOf = (word: string | null | undefined): number => (typeof word === 'string' ? column.codeOf(word) : -1)
  if (!isSparse(data)) return Int32Array.from(decodeStrings(words), codeOf)
  const out = new Int32Array(words.length).fill(-1)
  const keys = new Set(Array.from((data.values as Int32Array).subarray(0, data.length), Number))
  for (const key of [...keys].sort((a, b) => a - b))
    if (key >= 0 && key < out.length) out[key] = codeOf(decodeStrings(words.slice(key, key + 1))[0])
  return out
}

/** The codes of one chunk without a missing cell are the table's own memory, if its words are distinct and none is missing. */
function codes(vector: Vector, valid: Uint8Array | null): ColumnData {
  const [only, ...more] = vector.data
  if (only?.values instanceof Int32Array && more.length === 0 && valid === null && !isSparse(only)) {
    const dictionary = decodeStrings(only.dictionary as Vector)
    if (!dictionary.includes(null) && new Set(dictionary).size === dictionary.length)
      return {
        type: 'dictionary',
        data: only.values.subarray(0, only.length),
        dictionary: dictionary as readonly string[],
      }
  }
  const column = new DictionaryBuilder(vector.length)
  let at = 0
  for (const data of vector.data) {
    recode(data.values as Int32Array, codesOfKeys(data, column), column.data.subarray(at, at + data.length))
    at += data.length
  }
  if (valid) for (let i = 0; i < valid.length; i++) if (valid[i] === 0) column.data[i] = -1
  return column.build()
}

/** A coded column of anything but text: its values, looked up. */
function lookedUp(vector: Vector, valid: Uint8Array | null): ColumnData {
  const words = valuesOf(new Vector(vector.data.flatMap(({ dictionary }) => (dictionary as Vector).data)))
  const rows = new Float64Array(vector.length)
  const missing = words.data.length
  let [at, first] = [0, 0]
  for (const { values, length, dictionary } of vector.data) {
    for (let i = 0; i < length; i++) rows[at + i] = valid?.[at + i] === 0 ? missing : first + Number(values[i])
    at += length
    first += (dictionary as Vector).length
  }
  return gatherCells(concatCells([words, nulls(words.type, 1)]), rows)
}

/** JSON knows no infinite number, and would write null. */
function finite(_: string, part: unknown): unknown {
  if (part !== Number.POSITIVE_INFINITY && part !== Number.NEGATIVE_INFINITY) return part
  throw new QuotebookError('INVALID_VALUE', sentence`${part} in a nested value has no form in JSON`)
}

/** Nested values as JSON text; undefined for a type that is not nested. */
function nested(vector: Vector): ColumnData | undefined {
  const plain = (part: Vector): readonly unknown[] =>
    nestedCells(part, plain) ?? Array.from({ length: part.length }, cellsOf(valuesOf(part)))
  const cells = nestedCells(vector, plain)
  return cells && { type: 'string', data: cells.map((cell) => (cell === null ? null : JSON.stringify(cell, finite))) }
}

const cellsOf = (values: ColumnData) => (_: unknown, row: number) => cellOf(values, row)

/** Lists of text; lists that hold a null, which have no form of their own, as JSON text. Arrow's own reader drops a byte order mark. */
function textLists(vector: Vector): ColumnData {
  const holes = vector.data.some(({ children }) => (children[0]?.nullCount ?? 0) > 0)
  const lists = nestedCells(vector, decodeStrings) as readonly (readonly string[] | null)[]
  return (holes ? nested(vector) : undefined) ?? { type: 'list', data: lists }
}

/** Columns by their only chunk, as long as the collector leaves them: one table is looked at many times in a row. */
const known = new WeakMap<Data, WeakRef<ColumnData>>()

/**
 * A column of a table in memory form, to be read only.
 * @throws QuotebookError INVALID_VALUE for a type that has no form here, and for bytes that are no text
 */
export function valuesOf(vector: Vector): ColumnData {
  const only = vector.data.length === 1 ? vector.data[0] : undefined
  const before = only && known.get(only)?.deref()
  if (before) return before
  const values = decoded(vector)
  if (only) known.set(only, new WeakRef(values))
  return values
}

function decoded(vector: Vector): ColumnData {
  const type = vector.type as DataType
  const name = type.toString()
  if (type instanceof Dictionary)
    return isTextual(type.dictionary) ? codes(vector, validOf(vector)) : lookedUp(vector, validOf(vector))
  if (isTextual(type)) return { type: 'string', data: decodeStrings(vector) }
  if (name === 'Int32') return { type: 'int', data: ints(vector), valid: validOf(vector) }
  if (name === 'Bool') return { type: 'boolean', data: flags(vector), valid: validOf(vector) }
  if (name === 'Float16') return halves(vector)
  if (/^(Float|Int|Uint)(8|16|32|64)$/.test(name) && !isWide(vector)) {
    const valid = validOf(vector)
    return { type: 'float', data: floats(vector, valid), valid }
  }
  return name === 'List<Utf8>' ? textLists(vector) : (nested(vector) ?? foreign(vector))
}

/** The same of a column with a name, which the error says. */
export function namedValues(name: string, vector: Vector): ColumnData {
  try {
    return valuesOf(vector)
  } catch (cause) {
    if (!(cause instanceof QuotebookError)) throw cause
    throw new QuotebookError(cause.code, sentence`column '${name}' (${vector.type}): ${messageOf(cause)}`, { cause })
  }
}

/** All columns of a table in memory form. */
export function columnsOf(table: Table): RecordColumns {
  const of = new Map<string, ColumnData>()
  table.schema.fields.forEach((field, i) => {
    const vector = table.getChildAt(i)
    if (vector) of.set(String(field.name), namedValues(String(field.name), vector))
  })
  return { length: table.numRows, columns: of }
}
