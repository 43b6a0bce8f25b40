import { Buffer } from 'node:buffer'
import { byteOf, type Source } from './source.js'
import { quoteAfter, textOf, unitAt } from './text.js'

/** Longer texts are left to the decoder of the engine, whose calls cost more and whose letters less. */
const longest = 65_536

const unitOf = new Uint16Array(256)
for (const [letter, unit] of Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13, '"': 34, '/': 47, '\\': 92 }))
  unitOf[letter.charCodeAt(0)] = unit

/** Reads the texts of a column, most of them different. */
export class TextReader {
  /** The text read last. */
  text = ''
  readonly #source: Source
  #units = new Uint16Array(0)
  #view = Buffer.alloc(0)

  constructor(source: Source) {
    this.#source = source
  }

  /** Reads the text whose first byte stands at `start`. @returns the place of the quote after it, or -1 */
  read(start: number): number {
    const { bytes, view } = this.#source
    let end = start
    let byte = bytes[end] as number
    while (byte !== byteOf.quote && byte !== byteOf.backslash && byte >= 0x20 && byte < 0x80)
      byte = bytes[++end] as number
    if (byte === byteOf.quote) {
      this.text = view.toString('latin1', start, end)
      return end
    }
    end = quoteAfter(bytes, end)
    if (end >= 0) this.text = end - start > longest ? textOf(this.#source, start, end) : this.#decoded(start, end)
    return end
  }

  /** Code units of well-formed UTF-8 and of escapes that `quoteAfter` has passed. */
  #decoded(start: number, end: number): string {
    const { bytes } = this.#source
    const units = this.#room(end - start)
    let count = 0
    let widest = 0
    let at = start
    while (at < end) {
      const byte = bytes[at] as number
      let unit = byte
      if (byte === byteOf.backslash) {
        const letter = bytes[at + 1] as number
        const long = letter === byteOf.u
        unit = long ? unitAt(bytes, at + 2) : (unitOf[letter] as number)
        at += long ? 6 : 2
      } else if (byte < 0x80) {
        at++
      } else if (byte < 0xe0) {
        unit = ((byte & 0x1f) << 6) | this.#low(at + 1)
        at += 2
      } else if (byte < 0xf0) {
        unit = ((byte & 0x0f) << 12) | (this.#low(at + 1) << 6) | this.#low(at + 2)
        at += 3
      } else {
        const point = ((byte & 0x07) << 18) | (this.#low(at + 1) << 12) | (this.#low(at + 2) << 6) | this.#low(at + 3)
        units[count++] = 0xd7c0 + (point >> 10)
        unit = 0xdc00 | (point & 0x3ff)
        at += 4
      }
      units[count++] = unit
      widest |= unit
    }
    if (widest < 0x100) return Buffer.from(units.subarray(0, count)).toString('latin1')
    return this.#view.toString('utf16le', 0, count * 2)
  }

  /** The six bits of a byte that continues a letter. */
  #low(at: number): number {
    return (this.#source.bytes[at] as number) & 0x3f
  }

  #room(length: number): Uint16Array {
    if (length > this.#units.length) {
      this.#units = new Uint16Array(Math.min(length * 2, longest))
      this.#view = Buffer.from(this.#units.buffer)
    }
    return this.#units
  }
}
