import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

/** Text of bytes. @throws QuotebookError INVALID_VALUE for bytes that are no UTF-8 */
export function utf8At(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to)
  if (text.includes('\ufffd') && Buffer.compare(Buffer.from(text), bytes.subarray(from, to)) !== 0) {
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`a text of ${to - from} bytes is no UTF-8: ${JSON.stringify(text.slice(0, 40))}`,
    )
  }
  return text
}

/** Codes of words by their bytes: a word that comes again is not spelled again. Grows with the distinct words. */
export class WordTable {
  readonly words: string[] = []
  #arena = Buffer.alloc(4096)
  #used = 0
  #starts = new Int32Array(256)
  #hashes = new Int32Array(256)
  #slots = new Int32Array(1024).fill(-1)
  /** The code that came after a code the last time: rows are sorted, or go round. */
  #followers = new Int32Array(256)
  #last = 0

  /** The code of the bytes, a new one for a new word. */
  codeAt(bytes: Buffer, from: number, to: number): number {
    const guess = this.#followers[this.#last] as number
    if (guess < this.words.length && this.#isAt(guess, bytes, from, to)) {
      this.#last = guess
      return guess
    }
    const code = this.#search(bytes, from, to)
    this.#followers[this.#last] = code
    this.#last = code
    return code
  }

  #search(bytes: Buffer, from: number, to: number): number {
    let hash = to - from
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    hash ^= hash >>> 15
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const code = this.#slots[slot] as number
      if (code < 0) return this.#add(bytes, from, to, hash, slot)
      if (this.#hashes[code] === hash && this.#isAt(code, bytes, from, to)) return code
      slot = (slot + 1) & mask
    }
  }

  #isAt(code: number, bytes: Buffer, from: number, to: number): boolean {
    const start = this.#starts[code] as number
    if ((this.#starts[code + 1] as number) - start !== to - from) return false
    const arena = this.#arena
    for (let at = from, own = start; at < to; at++, own++) if (bytes[at] !== arena[own]) return false
    return true
  }

  #add(bytes: Buffer, from: number, to: number, hash: number, slot: number): number {
    const code = this.words.push(utf8At(bytes, from, to)) - 1
    if (this.#used + to - from > this.#arena.length) {
      this.#arena = Buffer.concat([this.#arena], Math.max(2 * this.#arena.length, this.#used + to - from))
    }
    bytes.copy(this.#arena, this.#used, from, to)
    this.#used += to - from
    if (code + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts)
      this.#hashes = grown(this.#hashes)
      this.#followers = grown(this.#followers)
    }
    this.#starts[code + 1] = this.#used
    this.#hashes[code] = hash
    this.#slots[slot] = code
    if (2 * code > this.#slots.length) this.#spread()
    return code
  }

  #spread(): void {
    const slots = new Int32Array(this.#slots.length * 4).fill(-1)
    for (let code = 0; code < this.words.length; code++) {
      let slot = (this.#hashes[code] as number) & (slots.length - 1)
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = code
    }
    this.#slots = slots
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** A length as Native writes it, and the bytes of a text, behind each other. */
export class TextWriter {
  #bytes: Buffer
  #at = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  length(value: number): void {
    this.#room(8)
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = (rest % 128) | 128
    this.#bytes[this.#at++] = rest
  }

  /** @throws QuotebookError INVALID_VALUE for half a surrogate pair, which no UTF-8 has */
  text(text: string): void {
    if (half.test(text)) {
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`${JSON.stringify(text.slice(0, 40))} has half a sign, which has no bytes`,
      )
    }
    const size = Buffer.byteLength(text)
    this.length(size)
    this.#room(size)
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** Bytes that are written already, length and all. */
  copy(from: Buffer, start: number, end: number): void {
    this.#room(end - start)
    if (end - start > 32) this.#at += from.copy(this.#bytes, this.#at, start, end)
    else for (let at = start; at < end; at++) this.#bytes[this.#at++] = from[at] as number
  }

  get size(): number {
    return this.#at
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  #room(size: number): void {
    if (this.#at + size <= this.#bytes.length) return
    this.#bytes = Buffer.concat([this.#bytes], Math.max(2 * this.#bytes.length, this.#at + size))
  }
}

const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
