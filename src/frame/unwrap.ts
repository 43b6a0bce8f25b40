import { type Data, type DataType, Dictionary, type Table, type Utf8, Vector } from 'apache-arrow'
import { foreign, nestedCells } from './foreign.js'
import { type Columns, cellOf, type Values } from './values.js'

/** 1 where a cell is there, 0 where it is missing; null when none is missing. */
function validOf(vector: Vector): Uint8Array | null {
  if (vector.nullCount === 0) return null
  const out = new Uint8Array(vector.length)
  let at = 0
  for (const data of vector.data) {
    if (data.nullCount === 0) out.fill(1, at, at + data.length)
    else if (data.nullBitmap.length > 0) bits(data.nullBitmap, data.offset, data.length, out, at)
    at += data.length
  }
  return out
}

function bits(source: Uint8Array, offset: number, length: number, out: Uint8Array, at: number): void {
  for (let i = 0; i < length; i++) {
    const bit = offset + i
    out[at + i] = ((source[bit >> 3] as number) >> (bit & 7)) & 1
  }
}

/** Whether a 64-bit column holds a whole number that a double can not: an id, which stays text. */
function isWide(vector: Vector): boolean {
  return vector.data.some(({ values, length }) => {
    if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return false
    return values.subarray(0, length).some((value) => !Number.isSafeInteger(Number(value)))
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
      for (let i = 0; i < length; i++) out[at + i] = Number(values[i])
    } else out.set((values as Float64Array).subarray(0, length), at)
    at += length
  }
  clear(out, valid, true)
  return out
}

/** Arrow keeps the bits of half-precision numbers, not their values. */
function halves(vector: Vector): Values {
  const cells = vector as Iterable<number | null>
  return { form: 'float', data: Float64Array.from(cells, (cell) => cell ?? Number.NaN), valid: validOf(vector) }
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

function codes(vector: Vector, valid: Uint8Array | null): Values {
  const out = new Int32Array(vector.length)
  const words: string[] = []
  const codeOf = new Map<string, number>()
  const known = (word: string): number => {
    const code = codeOf.get(word)
    if (code !== undefined) return code
    codeOf.set(word, words.length)
    return words.push(word) - 1
  }
  let at = 0
  for (const data of vector.data) {
    const keys = data.values as Int32Array
    const spelled = strings(data.dictionary as Vector)
    const map = Int32Array.from(spelled, (word) => (word === null ? -1 : known(word)))
    for (let i = 0; i < data.length; i++) out[at + i] = map[Number(keys[i])] ?? -1
    at += data.length
  }
  if (valid) for (let i = 0; i < out.length; i++) if (valid[i] === 0) out[i] = -1
  return { form: 'codes', data: out, words }
}

/** Cells of a chunk of UTF-8 text. ASCII is decoded as a whole and cut. */
function spell({ values, valueOffsets, length }: Data<Utf8>, out: (string | null)[], at: number): void {
  if (length === 0) return
  const start = valueOffsets[0] as number
  const end = valueOffsets[length] as number
  const bytes = Buffer.from(values.buffer, values.byteOffset + start, end - start)
  const whole = bytes.toString('latin1')
  const ascii = Buffer.byteLength(whole) === bytes.length
  for (let i = 0; i < length; i++) {
    const from = (valueOffsets[i] as number) - start
    const to = (valueOffsets[i + 1] as number) - start
    out[at + i] = ascii ? whole.slice(from, to) : bytes.toString('utf8', from, to)
  }
}

function strings(vector: Vector): (string | null)[] {
  const out = new Array<string | null>(vector.length)
  const valid = validOf(vector)
  let at = 0
  for (const data of vector.data) {
    spell(data as Data<Utf8>, out, at)
    at += data.length
  }
  if (valid) for (let i = 0; i < out.length; i++) if (valid[i] === 0) out[i] = null
  return out
}

/** Lists of text. Arrow's own reader of a cell drops a byte order mark at its beginning. */
function lists(vector: Vector): (readonly string[] | null)[] {
  const out = new Array<readonly string[] | null>(vector.length).fill(null)
  const valid = validOf(vector)
  let at = 0
  for (const { children, valueOffsets, length } of vector.data) {
    const [child] = children
    const parts = child ? strings(new Vector([child])) : []
    for (let i = 0; i < length; i++) {
      if (valid?.[at + i] === 0) continue
      out[at + i] = parts.slice(valueOffsets[i], valueOffsets[i + 1]).map(String)
    }
    at += length
  }
  return out
}

/** Nested values as JSON text; undefined for a type that is not nested. */
function nested(vector: Vector): Values | undefined {
  const plain = (part: Vector): readonly unknown[] =>
    nestedCells(part, plain) ?? Array.from({ length: part.length }, cellsOf(valuesOf(part)))
  const cells = nestedCells(vector, plain)
  return cells && { form: 'strings', data: cells.map((cell) => (cell === null ? null : JSON.stringify(cell))) }
}

const cellsOf = (values: Values) => (_: unknown, row: number) => cellOf(values, row)

/** Lists of text; lists that hold a null, which have no form of their own, as JSON text. */
function textLists(vector: Vector): Values {
  const holes = vector.data.some(({ children }) => (children[0]?.nullCount ?? 0) > 0)
  return (holes ? nested(vector) : undefined) ?? { form: 'lists', data: lists(vector) }
}

/** A column of a table in memory form. */
export function valuesOf(vector: Vector): Values {
  const type = vector.type as DataType & { dictionary?: DataType }
  const name = type.toString()
  if (type instanceof Dictionary)
    return String(type.dictionary) === 'Utf8' ? codes(vector, validOf(vector)) : foreign(vector)
  if (name === 'Utf8') return { form: 'strings', data: strings(vector) }
  if (name === 'Int32') return { form: 'int', data: ints(vector), valid: validOf(vector) }
  if (name === 'Bool') return { form: 'flag', data: flags(vector), valid: validOf(vector) }
  if (name === 'Float16') return halves(vector)
  if (/^(Float|Int|Uint)(8|16|32|64)$/.test(name) && !isWide(vector)) {
    const valid = validOf(vector)
    return { form: 'float', data: floats(vector, valid), valid }
  }
  return name === 'List<Utf8>' ? textLists(vector) : (nested(vector) ?? foreign(vector))
}

/** All columns of a table in memory form. */
export function columnsOf(table: Table): Columns {
  const of = new Map<string, Values>()
  table.schema.fields.forEach((field, i) => {
    const vector = table.getChildAt(i)
    if (vector) of.set(String(field.name), valuesOf(vector))
  })
  return { length: table.numRows, of }
}
