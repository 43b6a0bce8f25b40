import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
/** The places of a table's fields, in bytes from the beginning; undefined for one that is not there. */
export type Slot = (field: number) => number | undefined

/** Fields of tables, and what is found in them, by place: enough to see whether a buffer holds together. */
export type Shape = readonly { readonly field: number; readonly of: OffsetTarget }[]

/** What an offset leads to: a text, a table, a list of tables, a list of things of some bytes each. */
export type OffsetTarget =
  | 'text'
  | { readonly table: () => Shape }
  | { readonly list: () => Shape }
  | { readonly bytes: number }

const deepest = 64

/**
 * A buffer of FlatBuffers whose offsets and lengths are looked at before they are followed: the reader that comes with
 * Arrow follows them wherever they lead.
 */
export class FlatBuffer {
  readonly #view: DataView
  #left: number

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#left = bytes.byteLength
  }

  #inside(at: number, size: number): number {
    if (at < 0 || at + size > this.#view.byteLength) throw worded(RangeError, sentence`an offset leads out of it`)
    return at
  }

  byte(at: number): number {
    return this.#view.getUint8(this.#inside(at, 1))
  }

  long(at: number): number {
    const value = this.#view.getBigInt64(this.#inside(at, 8), true)
    if (value < 0n || value > Number.MAX_SAFE_INTEGER) throw worded(RangeError, sentence`it has a length of ${value}`)
    return Number(value)
  }

  /** Where an offset leads. */
  follow(at: number): number {
    return this.#inside(at + this.#view.getUint32(this.#inside(at, 4), true), 4)
  }

  /** The fields of a table. */
  table(at: number): Slot {
    if (this.#left-- <= 0) throw worded(RangeError, sentence`it has more parts than bytes`)
    const index = this.#inside(at - this.#view.getInt32(this.#inside(at, 4), true), 4)
    const size = this.#view.getUint16(index, true)
    const length = this.#view.getUint16(index + 2, true)
    if (size % 2 === 1) throw worded(RangeError, sentence`the index of a table is torn`)
    this.#inside(index, size)
    this.#inside(at, length)
    return (field) => {
      const place = 4 + 2 * field
      const offset = place + 2 > size ? 0 : this.#view.getUint16(index + place, true)
      return offset === 0 ? undefined : this.#inside(at + offset, 1)
    }
  }

  /** The beginning and the count of a list of things of some bytes each. */
  list(at: number, size: number): { readonly at: number; readonly count: number } {
    const start = this.follow(at)
    const count = this.#view.getUint32(start, true)
    this.#inside(start + 4, count * size)
    return { at: start + 4, count }
  }

  /** Follows every offset of a table. @throws RangeError for one that leads out of the buffer */
  check(at: number, shape: Shape, depth = 0): Slot {
    if (depth > deepest) throw worded(RangeError, sentence`it is nested too deep`)
    const slot = this.table(at)
    for (const { field, of } of shape) {
      const place = slot(field)
      if (place !== undefined) this.#part(place, of, depth + 1)
    }
    return slot
  }

  #part(place: number, of: OffsetTarget, depth: number): void {
    if (of === 'text') this.list(place, 1)
    else if ('bytes' in of) this.list(place, of.bytes)
    else if ('table' in of) this.check(this.follow(place), of.table(), depth)
    else {
      const { at, count } = this.list(place, 4)
      for (let i = 0; i < count; i++) this.check(this.follow(at + 4 * i), of.list(), depth)
    }
  }
}
