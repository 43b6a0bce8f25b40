import type { Vector } from './duckdb.js'

/** Entries of the memory, a power of two. */
const size = 1 << 14

/**
 * Codes of texts seen before, by their bytes: DuckDB keeps a text of up to twelve bytes in the sixteen of its cell (the
 * length, then the bytes, zeros behind), so that a text that comes again need not be spelled again. A text that is not
 * remembered, or is longer, is left to the caller.
 */
export class WordCache {
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
