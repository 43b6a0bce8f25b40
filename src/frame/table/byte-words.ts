/** Distinct words of a column, found by their bytes: a text is made of a word once. */
export class ByteWords {
  readonly #bytes: Buffer
  /** Code and one of each word at a place that its hash tells, or at the next one that was free; 0 where none is. */
  #slots = new Int32Array(256)
  readonly #hashes: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #last = -1

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get size(): number {
    return this.#starts.length
  }

  /** The code of the word between two places; `size` before the call where it is new. A run of equal words costs one comparison each. */
  codeOf(start: number, end: number): number {
    if (this.#last >= 0 && this.#isSame(this.#last, start, end)) return this.#last
    const bytes = this.#bytes
    let hash = 0x811c9dc5 | 0
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    hash ^= hash >>> 15
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (let code = this.#slots[slot] as number; code > 0; code = this.#slots[slot] as number) {
      if (this.#hashes[code - 1] === hash && this.#isSame(code - 1, start, end)) {
        this.#last = code - 1
        return code - 1
      }
      slot = (slot + 1) & mask
    }
    this.#hashes.push(hash)
    this.#starts.push(start)
    this.#slots[slot] = this.#ends.push(end)
    this.#last = this.size - 1
    if (2 * this.size > mask) this.#spread()
    return this.#last
  }

  #isSame(code: number, start: number, end: number): boolean {
    const bytes = this.#bytes
    const other = this.#starts[code] as number
    const length = end - start
    if ((this.#ends[code] as number) - other !== length) return false
    for (let i = 0; i < length; i++) if (bytes[start + i] !== bytes[other + i]) return false
    return true
  }

  #spread(): void {
    const slots = new Int32Array(4 * this.#slots.length)
    const mask = slots.length - 1
    this.#hashes.forEach((hash, code) => {
      let slot = hash & mask
      while ((slots[slot] as number) > 0) slot = (slot + 1) & mask
      slots[slot] = code + 1
    })
    this.#slots = slots
  }
}
