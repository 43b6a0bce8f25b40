import { Buffer } from 'node:buffer'
import { byteOf, type Source } from './source.js'
import { isSame, quoteAfter, textOf } from './text.js'

const prime = 0x01000193

/**
 * The distinct words of a column, in the order in which they first stand, found by their bytes. One word can be spelled in
 * several ways, by escapes: each spelling leads to it.
 */
export class Dictionary {
  readonly words: string[] = []
  /** Of the word read last. */
  code = -1
  readonly #source: Source
  readonly #fits: (word: string) => boolean
  /** Number of a spelling, from 1; 0 where a slot is free. Never more than half full. */
  #slots = new Int32Array(64)
  readonly #starts: number[] = []
  readonly #lengths: number[] = []
  readonly #hashes: number[] = []
  readonly #codes: number[] = []
  #codeOfWord: Map<string, number> | undefined

  /** @param fits whether the column takes a word; asked once for each */
  constructor(source: Source, fits: (word: string) => boolean) {
    this.#source = source
    this.#fits = fits
  }

  /**
   * Reads the word whose first byte stands at `start`: its code into `code`.
   * @returns the place of the quote after it; -1 for none, and for a word that the column does not take
   */
  read(start: number): number {
    const { bytes } = this.#source
    let hash = 0x811c9dc5 | 0
    let end = start
    let byte = bytes[end] as number
    while (byte !== byteOf.quote && byte !== byteOf.backslash && byte >= 0x20) {
      hash = Math.imul(hash ^ byte, prime)
      byte = bytes[++end] as number
    }
    if (byte !== byteOf.quote) {
      const quote = quoteAfter(bytes, end)
      if (quote < 0) return -1
      while (end < quote) hash = Math.imul(hash ^ (bytes[end++] as number), prime)
    }
    this.code = this.#codeOf(start, end, hash ^ (hash >>> 15))
    return this.code < 0 ? -1 : end
  }

  #codeOf(start: number, end: number, hash: number): number {
    const { bytes } = this.#source
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    for (let spelling = slots[slot] as number; spelling > 0; spelling = slots[slot] as number) {
      const known = spelling - 1
      if (this.#hashes[known] === hash && this.#lengths[known] === end - start)
        if (isSame(bytes, start, this.#starts[known] as number, end - start)) return this.#codes[known] as number
      slot = (slot + 1) & mask
    }
    const code = this.#codeOfNew(textOf(this.#source, start, end), end - start)
    if (code >= 0) this.#spell(start, end, hash, code)
    return code
  }

  /** Whole bytes spell one word in one way only, so words are compared from the first escape on. */
  #codeOfNew(word: string, length: number): number {
    if (this.#codeOfWord === undefined && Buffer.byteLength(word) !== length)
      this.#codeOfWord = new Map(this.words.map((known, code) => [known, code]))
    const known = this.#codeOfWord?.get(word)
    if (known !== undefined) return known
    if (!this.#fits(word)) return -1
    const code = this.words.push(word) - 1
    this.#codeOfWord?.set(word, code)
    return code
  }

  #spell(start: number, end: number, hash: number, code: number): void {
    this.#starts.push(start)
    this.#lengths.push(end - start)
    this.#hashes.push(hash)
    const count = this.#codes.push(code)
    if (count * 2 > this.#slots.length) this.#widen()
    else this.#put(count, hash)
  }

  #put(spelling: number, hash: number): void {
    const slots = this.#slots
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = spelling
  }

  #widen(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (const [known, hash] of this.#hashes.entries()) this.#put(known + 1, hash)
  }
}
