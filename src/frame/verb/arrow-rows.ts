import { Bool, type Data, type DataType, Dictionary, Float64, Int32, makeData, type Vector } from 'apache-arrow'

/*
 * Rows of Arrow columns without the way through memory form: bits stay bits, dictionaries are shared.
 */

type Numbers = Float64Array | Int32Array

/** The only chunk of a column whose rows can be taken here; undefined for others. */
export function chunkOf(vector: Vector): Data | undefined {
  const [only, ...more] = vector.data as readonly Data[]
  if (!only || more.length > 0) return undefined
  const { type } = only
  const simple =
    type instanceof Float64 ||
    type instanceof Int32 ||
    type instanceof Bool ||
    (type instanceof Dictionary && type.indices instanceof Int32 && String(type.dictionary) === 'Utf8')
  const whole = only.nullCount === 0 || only.nullBitmap?.length > 0
  return simple && whole ? only : undefined
}

/** Whether rows are all rows in their order. */
export function isAll(rows: Int32Array, length: number): boolean {
  if (rows.length !== length) return false
  for (let at = 0; at < length; at++) if (rows[at] !== at) return false
  return true
}

function takeFloats(source: Float64Array, rows: Int32Array): Float64Array {
  const out = new Float64Array(rows.length)
  for (let at = 0; at < out.length; at++) out[at] = source[rows[at] as number] as number
  return out
}

function takeInts(source: Int32Array, rows: Int32Array): Int32Array {
  const out = new Int32Array(rows.length)
  for (let at = 0; at < out.length; at++) out[at] = source[rows[at] as number] as number
  return out
}

interface Bits {
  readonly bits: Uint8Array
  readonly set: number
}

const ones = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1
  return count
})

function bitAt(source: Uint8Array, offset: number, row: number): number {
  const at = offset + row
  return ((source[at >> 3] as number) >> (at & 7)) & 1
}

/** Bits of the given rows, which are there. */
function gatherBits(source: Uint8Array, offset: number, rows: Int32Array): Uint8Array {
  const bits = new Uint8Array((rows.length + 7) >> 3)
  const whole = rows.length >> 3
  for (let to = 0, at = 0; to < whole; to++, at += 8) {
    bits[to] =
      bitAt(source, offset, rows[at] as number) |
      (bitAt(source, offset, rows[at + 1] as number) << 1) |
      (bitAt(source, offset, rows[at + 2] as number) << 2) |
      (bitAt(source, offset, rows[at + 3] as number) << 3) |
      (bitAt(source, offset, rows[at + 4] as number) << 4) |
      (bitAt(source, offset, rows[at + 5] as number) << 5) |
      (bitAt(source, offset, rows[at + 6] as number) << 6) |
      (bitAt(source, offset, rows[at + 7] as number) << 7)
  }
  for (let at = whole << 3; at < rows.length; at++) {
    bits[whole] = (bits[whole] as number) | (bitAt(source, offset, rows[at] as number) << (at & 7))
  }
  return bits
}

/** Bits of the given rows, of which some are -1 and get none; every other one is set where there is no source. */
function scatterBits(source: Uint8Array | undefined, offset: number, rows: Int32Array): Uint8Array {
  const bits = new Uint8Array((rows.length + 7) >> 3)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    if (row < 0) continue
    const bit = source ? bitAt(source, offset, row) : 1
    bits[at >> 3] = (bits[at >> 3] as number) | (bit << (at & 7))
  }
  return bits
}

function takeBits(source: Uint8Array | undefined, offset: number, rows: Int32Array, holes: boolean): Bits {
  const bits = source && !holes ? gatherBits(source, offset, rows) : scatterBits(source, offset, rows)
  let set = 0
  for (let at = 0; at < bits.length; at++) set += ones[bits[at] as number] as number
  return { bits, set }
}

/** What stands under a null: NaN among doubles, as everywhere, and 0 otherwise. */
function clear(values: Numbers, rows: Int32Array, blank: number): void {
  for (let at = 0; at < rows.length; at++) if ((rows[at] as number) < 0) values[at] = blank
}

/** The cells of the given rows of a chunk; null for row -1. @param holes whether there is such a row */
export function takeChunk(chunk: Data, rows: Int32Array, holes: boolean): Data {
  const { type, offset, nullCount } = chunk as Data<DataType> & { type: DataType }
  if (isAll(rows, chunk.length)) return chunk
  const { length } = rows
  const source = nullCount === 0 ? undefined : (chunk.nullBitmap as Uint8Array)
  const valid = source || holes ? takeBits(source, offset, rows, holes) : undefined
  const about =
    valid && valid.set < length ? { nullCount: length - valid.set, nullBitmap: valid.bits } : { nullCount: 0 }
  if (type instanceof Bool) {
    return makeData({ type, length, ...about, data: takeBits(chunk.values as Uint8Array, offset, rows, holes).bits })
  }
  if (type instanceof Float64) {
    const data = takeFloats(chunk.values as Float64Array, rows)
    if (holes) clear(data, rows, Number.NaN)
    return makeData({ type, length, ...about, data })
  }
  const data = takeInts(chunk.values as Int32Array, rows)
  if (holes) clear(data, rows, 0)
  if (type instanceof Int32) return makeData({ type, length, ...about, data })
  const { dictionary } = chunk as Data<Dictionary>
  return makeData({ type: type as Dictionary, length, ...about, data, ...(dictionary && { dictionary }) })
}

/** The same column under another dictionary id: within a table each has its own. */
export function withId(chunk: Data, id: number): Data {
  const type: unknown = chunk.type
  if (!(type instanceof Dictionary) || type.id === id) return chunk
  return chunk.clone(new Dictionary(type.dictionary, type.indices, id, type.isOrdered)) as Data
}
