import { LRUCache } from 'lru-cache'
import { eachRun, type RowSlice, sliceLength } from '../../archive/answer/row-slices.js'
import type { Dataset } from '../../contract/dataset.js'
import { bytesOf } from '../../table/size.js'
import type { RecordColumns } from '../../table/values.js'
import { ByteWriter, type EncodedRows, encodeRows, rowWriter } from './row-encoder.js'

/** Of a part of which so many of its rows were asked for, rows are kept as they are sent. */
const share = 1 / 4
/** Rows of a part that is never written whole: nobody else is answered meanwhile. */
const tooMany = 2 ** 16

/** Rows and the columns that they were written with: an operation with two modes has other ones in each. */
interface Kept extends EncodedRows {
  readonly fields: readonly string[]
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, at) => name === b[at]))
}

/**
 * Rows as they are sent. A part that is asked for often is written once, whole, and an answer is then slices of it; what
 * is asked for seldom, once, or in another order of columns, is written for the answer alone. `maxBytes` bounds what is kept.
 */
export class EncodedRowCache {
  readonly #kept: LRUCache<RecordColumns, Kept>
  /** Rows that were asked for since a part was first seen, or last had to give way. */
  readonly #asked = new WeakMap<RecordColumns, number>()
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#kept = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      // The key is held too: its own cache may have let go of it.
      sizeCalculation: ({ bytes, ends }, columns) => bytes.length + ends.byteLength + bytesOf(columns),
      dispose: (_kept, columns) => this.#asked.delete(columns),
    })
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** The rows of a piece as JSON arrays, each with a comma behind it. `all`: the fields are those of the contract, in its order. */
  chunks(dataset: Dataset, piece: RowSlice, fields: readonly string[], all: boolean): Uint8Array[] {
    const kept = all ? this.#encoded(dataset, piece, fields) : undefined
    if (!kept) {
      const sink = new ByteWriter(Math.min(2 ** 20, 128 * sliceLength(piece)))
      const write = rowWriter(dataset, piece.columns, fields)
      eachRun(piece, (from, to) => write(sink, from, to))
      return [sink.toBuffer()]
    }
    const { bytes, ends } = kept
    const out: Uint8Array[] = []
    eachRun(piece, (from, to) => out.push(bytes.subarray(ends[from], ends[to])))
    return out
  }

  #encoded(dataset: Dataset, piece: RowSlice, fields: readonly string[]): EncodedRows | undefined {
    const { columns } = piece
    const kept = this.#kept.get(columns)
    if (kept) return isSame(kept.fields, fields) ? kept : undefined
    if (this.#maxBytes === 0 || columns.length > tooMany) return undefined
    const before = this.#asked.get(columns)
    const asked = (before ?? 0) + sliceLength(piece)
    this.#asked.set(columns, asked)
    // Rows that were put together for one answer are met once.
    if (before === undefined || asked < columns.length * share) return undefined
    const fresh = { ...encodeRows(dataset, columns, fields), fields }
    this.#kept.set(columns, fresh)
    if (!this.#kept.has(columns)) this.#asked.set(columns, -Infinity)
    return fresh
  }
}
