import { worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/** Levels of structs and lists: a Parquet footer has eight. */
const deepest = 32
/** Values in a footer: a row group of a hundred columns has about 4,000. */
const mostValues = 4_000_000

export const types = { binary: 8, list: 9, struct: 12 } as const

export interface ThriftField {
  readonly id: number
  readonly type: number
}

/**
 * Goes over values of Thrift's compact protocol, as which Parquet writes its footer and the headers of its pages, and holds
 * every length that they claim against the bytes that there are.
 * @throws RangeError where they do not fit
 */
export class Thrift {
  at: number
  readonly #bytes: Uint8Array
  readonly #end: number
  #values = 0

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.#bytes = bytes
    this.at = at
    this.#end = end
  }

  byte(): number {
    if (this.at >= this.#end) throw worded(RangeError, sentence`it ends too early`)
    return this.#bytes[this.at++] as number
  }

  /** A number of 64 bits, seven at a time; beyond 2^53 its last digits are lost. */
  unsigned(): number {
    let value = 0
    for (let length = 0, factor = 1; length < 10; length++, factor *= 128) {
      const next = this.byte()
      value += (next & 0x7f) * factor
      if (next < 0x80) return value
    }
    throw worded(RangeError, sentence`a number has no end`)
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  binary(): Uint8Array {
    const size = this.unsigned()
    this.#step(size)
    return this.#bytes.subarray(this.at - size, this.at)
  }

  list(): { readonly size: number; readonly type: number } {
    const head = this.byte()
    const size = head >> 4 === 15 ? this.unsigned() : head >> 4
    // An element takes a byte at least; who believes the size would make room for it first.
    if (size > this.#end - this.at) throw worded(RangeError, sentence`a list is longer than the rest`)
    return { size, type: head & 0x0f }
  }

  /** The fields of a struct; each is to be read or skipped before the next. */
  *fields(): Generator<ThriftField> {
    for (let id = 0; ; ) {
      const head = this.byte()
      if ((head & 0x0f) === 0) return
      id = head >> 4 === 0 ? this.signed() : id + (head >> 4)
      yield { id, type: head & 0x0f }
    }
  }

  skip(type: number, depth = 0): void {
    if (++this.#values > mostValues) throw worded(RangeError, sentence`it has too many values`)
    if (depth > deepest) throw worded(RangeError, sentence`it is nested too deeply`)
    if (type === 1 || type === 2) return
    if (type === 3) this.#step(1)
    else if (type >= 4 && type <= 6) this.unsigned()
    else if (type === 7) this.#step(8)
    else if (type === types.binary) this.binary()
    else if (type === types.list) {
      const { size, type: inner } = this.list()
      for (let i = 0; i < size; i++) inner === 1 || inner === 2 ? this.#step(1) : this.skip(inner, depth + 1)
    } else if (type === types.struct) for (const field of this.fields()) this.skip(field.type, depth + 1)
    else throw worded(RangeError, sentence`it has a value of type ${type}`)
  }

  #step(count: number): void {
    if (count > this.#end - this.at) throw worded(RangeError, sentence`it ends too early`)
    this.at += count
  }
}

/** Walks one struct to its last byte: a reader may then believe its lengths. @throws RangeError for anything else */
export function walkStruct(bytes: Uint8Array): void {
  const thrift = new Thrift(bytes)
  thrift.skip(types.struct)
  if (thrift.at !== bytes.length) throw worded(RangeError, sentence`${bytes.length - thrift.at} bytes follow its end`)
}
