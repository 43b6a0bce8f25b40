/** Bytes that grow at their end. */
export class Sink {
  #bytes: Buffer
  #at = 0

  constructor(size = 4096) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  get length(): number {
    return this.#at
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#at + more, 2 * this.#bytes.length))
    this.#bytes.copy(grown, 0, 0, this.#at)
    this.#bytes = grown
  }

  byte(byte: number): void {
    this.#room(1)
    this.#bytes[this.#at++] = byte
  }

  bytes(bytes: Uint8Array): void {
    const { length } = bytes
    this.#room(length)
    const out = this.#bytes
    let at = this.#at
    if (length > 32) {
      out.set(bytes, at)
      at += length
    } else for (let i = 0; i < length; i++) out[at++] = bytes[i] as number
    this.#at = at
  }

  /** Text of which every character is ASCII. */
  ascii(text: string): void {
    const { length } = text
    this.#room(length)
    const out = this.#bytes
    let at = this.#at
    for (let i = 0; i < length; i++) out[at++] = text.charCodeAt(i)
    this.#at = at
  }

  utf8(text: string): void {
    this.#room(3 * text.length)
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** What was written, in memory of its own. */
  taken(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at))
  }
}
