import { Bool, type Data, type DataType, Dictionary, Float64, Int32, makeData, type Vector } from 'apache-arrow'
import { freshFloats, freshInts } from './fresh-array.js'
import { gatherFloats, gatherInts, startOfRun } from './gather-cells.js'
import { isLate, lateChunk, lateUnder } from './late-chunk.js'

/* Rows of Arrow columns without the way through memory form: bits stay bits, dictionaries are shared. */

/** Whether rows of a chunk can be taken here. */
export function canGather(chunk: Data): boolean {
  const { type } = chunk
  const simple =
    type instanceof Float64 ||
    type instanceof Int32 ||
    type instanceof Bool ||
    (type instanceof Dictionary && type.indices instanceof Int32 && String(type.dictionary) === 'Utf8')
  return simple && (isLate(chunk) || chunk.nullCount === 0 || chunk.nullBitmap?.length > 0)
}

/** The only chunk of a column whose rows can be taken here; undefined for others. */
export function chunkOf(vector: Vector): Data | undefined {
  const [only, ...more] = vector.data as readonly Data[]
  return only && more.length === 0 && canGather(only) ? only : undefined
}

interface Bits {
  readonly bits: Uint8Array
  readonly set: number
}

function bitAt(source: Uint8Array, offset: number, row: number): number {
  const at = offset + row
  return ((source[at >> 3] as number) >> (at & 7)) & 1
}

/** Bits of rows by eights, for each a byte without a branch; how many are set. */
function gatherBytes(source: Uint8Array, offset: number, rows: Int32Array, out: Uint8Array): number {
  let set = 0
  for (let from = 0; from + 8 <= rows.length; from += 8) {
    const a = bitAt(source, offset, rows[from] as number)
    const b = bitAt(source, offset, rows[from + 1] as number)
    const c = bitAt(source, offset, rows[from + 2] as number)
    const d = bitAt(source, offset, rows[from + 3] as number)
    const e = bitAt(source, offset, rows[from + 4] as number)
    const f = bitAt(source, offset, rows[from + 5] as number)
    const g = bitAt(source, offset, rows[from + 6] as number)
    const h = bitAt(source, offset, rows[from + 7] as number)
    out[from >> 3] = a | (b << 1) | (c << 2) | (d << 3) | (e << 4) | (f << 5) | (g << 6) | (h << 7)
    set += a + b + c + d + e + f + g + h
  }
  return set
}

/** Bits of the given rows, and how many are set: none for row -1, all others where there is no source. */
function gatherBits(source: Uint8Array | undefined, offset: number, rows: Int32Array, holes: boolean): Bits {
  const bits = new Uint8Array((rows.length + 7) >> 3)
  const whole = source && !holes ? rows.length & ~7 : 0
  let set = source && !holes ? gatherBytes(source, offset, rows, bits) : 0
  for (let from = whole; from < rows.length; from += 8) {
    const to = Math.min(from + 8, rows.length)
    let byte = 0
    for (let at = from; at < to; at++) {
      const row = rows[at] as number
      const bit = row < 0 ? 0 : source ? bitAt(source, offset, row) : 1
      byte |= bit << (at - from)
      set += bit
    }
    bits[from >> 3] = byte
  }
  return { bits, set }
}

/** The cells of the given rows of a chunk; null for row -1. @param holes whether there is such a row */
export function gatherChunk(chunk: Data, rows: Int32Array, holes: boolean): Data {
  if (rows.length === chunk.length && (rows.length === 0 || startOfRun(rows) === 0)) return chunk
  return lateChunk(chunk, rows.length, [chunk], () => takeRows(chunk, rows, holes))
}

function takeRows(chunk: Data, rows: Int32Array, holes: boolean): Data {
  const { type, offset, nullCount } = chunk as Data<DataType> & { type: DataType }
  const { length } = rows
  const source = nullCount === 0 ? undefined : (chunk.nullBitmap as Uint8Array)
  const valid = source || holes ? gatherBits(source, offset, rows, holes) : undefined
  const nulls =
    valid && valid.set < length ? { nullCount: length - valid.set, nullBitmap: valid.bits } : { nullCount: 0 }
  const { values } = chunk
  if (type instanceof Bool)
    return makeData({ type, length, ...nulls, data: gatherBits(values as Uint8Array, offset, rows, holes).bits })
  if (type instanceof Float64)
    return makeData({ type, length, ...nulls, data: gatherFloats(values as Float64Array, rows, holes) })
  const data = gatherInts(values as Int32Array, rows, 0, holes)
  if (type instanceof Int32) return makeData({ type, length, ...nulls, data })
  const { dictionary } = chunk as Data<Dictionary>
  return makeData({ type: type as Dictionary, length, ...nulls, data, ...(dictionary && { dictionary }) })
}

/** Chunks of one type end to end; undefined for texts of different dictionaries, and for what can't be gathered. */
export function concatChunks(chunks: readonly Data[]): Data | undefined {
  const [first] = chunks as [Data]
  const { type, dictionary } = first as Data<Dictionary>
  const isAlike = (chunk: Data): boolean =>
    String(chunk.type) === String(type) && chunk.dictionary === dictionary && canGather(chunk)
  if (type instanceof Bool || !chunks.every(isAlike)) return undefined
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return lateChunk(first, length, chunks, () => joinChunks(chunks, length))
}

function joinChunks(chunks: readonly Data[], length: number): Data {
  const { type, dictionary } = chunks[0] as Data<Dictionary>
  const nullCount = chunks.reduce((sum, chunk) => sum + chunk.nullCount, 0)
  const data = type instanceof Float64 ? freshFloats(length) : freshInts(length)
  const nullBitmap = new Uint8Array(nullCount > 0 ? (length + 7) >> 3 : 0)
  let at = 0
  for (const chunk of chunks) {
    data.set((chunk.values as Float64Array).subarray(0, chunk.length), at)
    if (nullCount > 0) setBits(nullBitmap, at, chunk)
    at += chunk.length
  }
  const nulls = nullCount > 0 ? { nullCount, nullBitmap } : { nullCount }
  return makeData({
    type: type as Dictionary,
    length,
    ...nulls,
    data: data as Int32Array,
    ...(dictionary && { dictionary }),
  })
}

/** Sets the bits of the cells that are there, from a row on. */
function setBits(out: Uint8Array, from: number, { nullCount, nullBitmap, offset, length }: Data): void {
  if (from % 8 === 0 && offset % 8 === 0 && nullCount > 0) {
    const bytes = nullBitmap.subarray(offset >> 3, (offset + length + 7) >> 3)
    out.set(bytes, from >> 3)
    const odd = length % 8
    if (odd > 0) out[(from + length) >> 3] = (bytes[bytes.length - 1] as number) & ((1 << odd) - 1)
    return
  }
  for (let row = 0; row < length; row++) {
    const bit = nullCount === 0 ? 1 : bitAt(nullBitmap, offset, row)
    out[(from + row) >> 3] = (out[(from + row) >> 3] as number) | (bit << ((from + row) & 7))
  }
}

/** The same column under another dictionary id: within a table each has its own. */
export function withId(chunk: Data, id: number): Data {
  const type: unknown = chunk.type
  if (!(type instanceof Dictionary) || type.id === id) return chunk
  const own = new Dictionary(type.dictionary, type.indices, id, type.isOrdered)
  return lateUnder(own, chunk)
}
