import { LRUCache } from 'lru-cache'
import { eachRun, type RowSlice, sliceLength } from '../../archive/answer/row-slices.js'
import type { Dataset } from '../../contract/dataset.js'
import { bytesOf } from '../../table/size.js'
import type { RecordColumns } from '../../table/values.js'
import { nextTurn } from '../next-turn.js'
import { ByteWriter, type EncodedRows, encodeRows, rowWriter } from './row-encoder.js'

/** The share of its rows that must have been queried before the rows of a part are encoded whole. */
const wholeShare = 1 / 4
/** Most rows of a part that is encoded whole. */
const maxRows = 2 ** 16

/** Encoded rows and their columns: an operation with two modes has other ones in each. */
interface Entry extends EncodedRows {
  readonly fields: readonly string[]
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, at) => name === b[at]))
}

/**
 * Rows as they are sent. A part that is queried often is encoded once, whole, and an answer is then slices of it; what is
 * queried seldom, once, or in another order of columns, is encoded for the answer alone. `maxBytes` bounds the entries.
 */
export class EncodedRowCache {
  readonly #entries: LRUCache<RecordColumns, Entry>
  /** Rows queried since a part was first seen, or last evicted. */
  readonly #queried = new WeakMap<RecordColumns, number>()
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#entries = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      // The key counts too: the cache of columns may have evicted it.
      sizeCalculation: ({ bytes, ends }, columns) => bytes.length + ends.byteLength + bytesOf(columns),
      dispose: (_entry, columns) => this.#queried.delete(columns),
    })
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  /** The rows of a slice as JSON arrays, each with a comma behind it. `all`: the fields are those of the contract, in its order. */
  chunks(dataset: Dataset, slice: RowSlice, fields: readonly string[], all: boolean): Uint8Array[] {
    const entry = all ? this.#encoded(dataset, slice, fields) : undefined
    if (!entry) {
      const writer = new ByteWriter(Math.min(2 ** 20, 128 * sliceLength(slice)))
      const write = rowWriter(dataset, slice.columns, fields)
      eachRun(slice, (from, to) => write(writer, from, to))
      return [writer.toBuffer()]
    }
    const { bytes, ends } = entry
    const out: Uint8Array[] = []
    eachRun(slice, (from, to) => out.push(bytes.subarray(ends[from], ends[to])))
    return out
  }

  #encoded(dataset: Dataset, slice: RowSlice, fields: readonly string[]): EncodedRows | undefined {
    const { columns } = slice
    const entry = this.#entries.get(columns)
    if (entry) return isSame(entry.fields, fields) ? entry : undefined
    if (this.#maxBytes === 0 || columns.length > maxRows) return undefined
    const before = this.#queried.get(columns)
    const queried = (before ?? 0) + sliceLength(slice)
    this.#queried.set(columns, queried)
    // Rows that were joined for one answer are seen once.
    if (before === undefined || queried < columns.length * wholeShare) return undefined
    // Once, whatever becomes of it.
    this.#queried.set(columns, -Infinity)
    const steps = encodeRows(dataset, columns, fields)
    const step = steps.next()
    if (step.done) return this.#add(columns, fields, step.value)
    this.#encodeOn(columns, fields, steps).catch(() => undefined)
    return undefined
  }

  /** Encodes the rest of a part while others are answered. */
  async #encodeOn(
    columns: RecordColumns,
    fields: readonly string[],
    steps: ReturnType<typeof encodeRows>,
  ): Promise<void> {
    for (;;) {
      await nextTurn()
      const step = steps.next()
      if (step.done) return void this.#add(columns, fields, step.value)
    }
  }

  #add(columns: RecordColumns, fields: readonly string[], rows: EncodedRows): Entry {
    const entry = { ...rows, fields }
    this.#entries.set(columns, entry)
    return entry
  }
}
