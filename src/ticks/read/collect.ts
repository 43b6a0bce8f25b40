import type { ColumnData } from '../../table/values.js'
import type { CDataColumn, CodecMemory } from './c-data.js'

/** A column that has no form here; its file takes the longer way. */
export class UnsupportedTypeError extends Error {
  override readonly name = 'OtherTypeError'
}

/** Takes the cells of one column, batch by batch. */
export interface Collector {
  take(memory: CodecMemory, piece: CDataColumn, at: number): void
  values(): ColumnData
}

type Array = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
type ArrayType = {
  new (buffer: ArrayBufferLike, at: number, length: number): Array
  readonly BYTES_PER_ELEMENT: number
}

const doubles: Readonly<Record<string, ArrayType>> = {
  g: Float64Array,
  f: Float32Array,
  I: Uint32Array,
  s: Int16Array,
  S: Uint16Array,
  c: Int8Array,
  C: Uint8Array,
}

/** Cells as the codec has them; where they begin at an odd place, a copy. */
function cells(type: ArrayType, { bytes }: CodecMemory, piece: CDataColumn): Array {
  const size = type.BYTES_PER_ELEMENT
  const from = (piece.buffers[1] as number) + piece.offset * size
  if (from % size === 0) return new type(bytes.buffer, from, piece.length)
  return new type(bytes.slice(from, from + piece.length * size).buffer, 0, piece.length)
}

/** 1 where a cell is there, 0 where it is missing; made when the first one is missing. */
class Validity {
  readonly #length: number
  #valid: Uint8Array | null = null
  constructor(length: number) {
    this.#length = length
  }

  /** Calls back for each missing cell of the piece, with its row. */
  take(
    { bytes }: CodecMemory,
    { buffers, nullCount, offset, length }: CDataColumn,
    at: number,
    onMissing: (row: number) => void,
  ): void {
    const bitmap = buffers[0] as number
    if (nullCount === 0 || bitmap === 0) return
    this.#valid ??= new Uint8Array(this.#length).fill(1)
    for (let i = 0; i < length; i++) {
      const bit = offset + i
      if (((bytes[bitmap + (bit >> 3)] as number) >> (bit & 7)) & 1) continue
      this.#valid[at + i] = 0
      onMissing(at + i)
    }
  }

  get bytes(): Uint8Array | null {
    return this.#valid
  }
}

/** Doubles, NaN where missing. @param fill puts the cells of a piece, whatever stands where one is missing */
function doublesBy(
  rows: number,
  fill: (data: Float64Array, memory: CodecMemory, piece: CDataColumn, at: number) => void,
): Collector {
  const data = new Float64Array(rows)
  const valid = new Validity(rows)
  return {
    take(memory, piece, at) {
      fill(data, memory, piece, at)
      valid.take(memory, piece, at, (row) => {
        data[row] = Number.NaN
      })
    },
    values: () => ({ type: 'float', data, valid: valid.bytes }),
  }
}

function floats(type: ArrayType, rows: number): Collector {
  return doublesBy(rows, (data, memory, piece, at) => data.set(cells(type, memory, piece), at))
}

/** 64-bit numbers that a double holds exactly. */
function longs(rows: number): Collector {
  return doublesBy(rows, (data, memory, piece, at) => {
    const from = (piece.buffers[1] as number) + piece.offset * 8
    // The two halves of each: a bigint a cell would cost ten times as much.
    const halves = new DataView(memory.bytes.buffer, from, piece.length * 8)
    let isWide = false
    for (let i = 0; i < piece.length; i++) {
      const high = halves.getInt32(i * 8 + 4, true)
      if (high >= 2 ** 21 || high < -(2 ** 21)) isWide = true
      data[at + i] = high * 2 ** 32 + halves.getUint32(i * 8, true)
    }
    if (isWide) throw new UnsupportedTypeError('numbers that no double holds')
  })
}

function ints(rows: number): Collector {
  const data = new Int32Array(rows)
  const valid = new Validity(rows)
  return {
    take(memory, piece, at) {
      data.set(cells(Int32Array, memory, piece), at)
      valid.take(memory, piece, at, () => undefined)
    },
    values: () => ({ type: 'int', data, valid: valid.bytes }),
  }
}

function flags(rows: number): Collector {
  const data = new Uint8Array(rows)
  const valid = new Validity(rows)
  return {
    take(memory, piece, at) {
      const from = piece.buffers[1] as number
      for (let i = 0; i < piece.length; i++) {
        const bit = piece.offset + i
        data[at + i] = ((memory.bytes[from + (bit >> 3)] as number) >> (bit & 7)) & 1
      }
      valid.take(memory, piece, at, () => undefined)
    },
    values: () => ({ type: 'boolean', data, valid: valid.bytes }),
  }
}

/** The texts of a dictionary. */
function spelled({ bytes }: CodecMemory, { buffers, offset, length }: CDataColumn): string[] {
  const offsets = new DataView(bytes.buffer, (buffers[1] as number) + offset * 4, (length + 1) * 4)
  const text = Buffer.from(bytes.buffer, buffers[2])
  return Array.from({ length }, (_, i) =>
    text.toString('utf8', offsets.getInt32(i * 4, true), offsets.getInt32(i * 4 + 4, true)),
  )
}

function words(rows: number): Collector {
  const data = new Int32Array(rows)
  const valid = new Validity(rows)
  const list: string[] = []
  const codeOf = new Map<string, number>()
  const known = (word: string): number => {
    const code = codeOf.get(word)
    if (code !== undefined) return code
    codeOf.set(word, list.length)
    return list.push(word) - 1
  }
  return {
    take(memory, piece, at) {
      const own = piece.dictionary ? spelled(memory, piece.dictionary) : []
      const map = Int32Array.from(own, known)
      const codes = cells(Int32Array, memory, piece)
      if (map.every((place, code) => place === code)) data.set(codes, at)
      else for (let i = 0; i < codes.length; i++) data[at + i] = map[codes[i] as number] as number
      valid.take(memory, piece, at, (row) => {
        data[row] = -1
      })
    },
    values: () => ({ type: 'dictionary', data, dictionary: list }),
  }
}

/**
 * What takes a column of so many rows.
 * @param format as the C data interface writes it, or `words`
 * @throws OtherTypeError for a type that has no form here
 */
export function collector(format: string, rows: number): Collector {
  const type = doubles[format]
  if (type) return floats(type, rows)
  if (format === 'l') return longs(rows)
  if (format === 'i') return ints(rows)
  if (format === 'b') return flags(rows)
  if (format === 'words') return words(rows)
  throw new UnsupportedTypeError(format)
}
