import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { utf8At, type WordTable } from './text-cells.js'

/** An exception that a server wrote into a stream that had begun. */
export class StreamedExceptionError extends Error {}

const empty = Buffer.alloc(0)
/** Bytes that are waited for together: a chunk of a connection is small. */
const atOnce = 2 ** 20

/** Bytes as they come, taken in the pieces that a reader wants. */
export class ByteFeed {
  readonly #chunks: AsyncIterator<Uint8Array>
  #bytes: Buffer = empty
  #at = 0
  /** Bytes from here on that the text needs that is not here whole. */
  #wanted = 0

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /**
   * Whether another block begins.
   * @throws StreamedExceptionError where the server says in its place why it stops
   */
  async begins(): Promise<boolean> {
    while (this.#left < 6 && (await this.#more())) if (this.#left > 0 && this.#bytes[this.#at] !== 67) break
    if (this.#left === 0) return false
    const start = this.#bytes.toString('latin1', this.#at, this.#at + 6)
    if (start !== 'Code: ') return true
    while (await this.#more());
    throw new StreamedExceptionError(this.#bytes.toString('utf8', this.#at).trim())
  }

  /** So many bytes; they are the feed's own and change with the next call. @throws QuotebookError CUT_OFF */
  async take(count: number): Promise<Buffer> {
    if (this.#left < count) await this.#fill(count)
    const from = this.#at
    this.#at += count
    return this.#bytes.subarray(from, this.#at)
  }

  async varint(): Promise<number> {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = (await this.take(1))[0] as number
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  async text(): Promise<string> {
    const bytes = await this.take(await this.varint())
    return utf8At(bytes, 0, bytes.length)
  }

  /** Texts of so many rows. */
  async texts(rows: number): Promise<(string | null)[]> {
    const data = new Array<string | null>(rows)
    await this.#each(rows, (row, from, to) => {
      data[row] = utf8At(this.#bytes, from, to)
    })
    return data
  }

  /** Texts of so many rows as codes; -1 where one is missing. */
  async codes(rows: number, words: WordTable, missing: Uint8Array | undefined): Promise<Int32Array> {
    const data = new Int32Array(rows)
    await this.#each(rows, (row, from, to) => {
      data[row] = missing?.[row] === 1 ? -1 : words.codeAt(this.#bytes, from, to)
    })
    return data
  }

  async #each(rows: number, use: (row: number, from: number, to: number) => void): Promise<void> {
    for (let row = 0; row < rows; ) {
      row = this.#run(row, rows, use)
      if (row < rows) await this.#fill(this.#wanted)
    }
  }

  /** The rows that are here whole. @returns the first that is not */
  #run(first: number, rows: number, use: (row: number, from: number, to: number) => void): number {
    const bytes = this.#bytes
    const end = bytes.length
    let at = this.#at
    for (let row = first; row < rows; row++) {
      let next = at
      let size = 0
      let byte = 128
      for (let scale = 1; byte >= 128; scale *= 128) {
        if (next >= end) {
          this.#wanted = next + 1 - at
          return row
        }
        byte = bytes[next++] as number
        size += (byte & 127) * scale
      }
      if (next + size > end) {
        this.#wanted = next + size - at
        return row
      }
      use(row, next, next + size)
      at = next + size
      this.#at = at
    }
    return rows
  }

  get #left(): number {
    return this.#bytes.length - this.#at
  }

  async #fill(count: number): Promise<void> {
    const pieces: Uint8Array[] = [this.#bytes.subarray(this.#at)]
    let size = this.#left
    while (size < Math.max(count, atOnce)) {
      const { done, value } = await this.#chunks.next()
      if (done && size < count) throw new QuotebookError('CUT_OFF', sentence`the answer ends within its rows`)
      if (done) break
      pieces.push(value)
      size += value.length
    }
    this.#bytes = Buffer.concat(pieces, size)
    this.#at = 0
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), value])
    this.#at = 0
    return true
  }
}
