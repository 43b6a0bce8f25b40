import { isUtf8 } from 'node:buffer'
import { sentence } from '../../contract/sentence.js'

/** A CSV that can not be read: the line, from 1, and what is wrong. */
export class CsvSyntaxError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** The byte of a quote. */
export const quoteMark = 34
const quote = quoteMark
const comma = 44
const lineFeed = 10
const carriageReturn = 13

/** Whether a text does not come back as it is without quotes: an empty one, and one with a comma, a quote or a line end. */
export function needsQuotes(text: string): boolean {
  return text === '' || /[",\r\n]/.test(text) || text !== text.trim()
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn
}

/** Cells cut together: few enough that their bytes and places stay in the processor's cache. */
const blockCells = 16_384

/** Some rows of a CSV, one after the other: where in its bytes their cells are, quotes around them left out. */
export interface CsvBlock {
  /** Number of its first row in the file. */
  readonly first: number
  readonly length: number
  /** Cells of a row: cell `at` of row `row` of the block has the place `row * width + at` in `starts` and `ends`. */
  readonly width: number
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** A CSV in UTF-8 (RFC 4180; lines end in `\n`, `\r\n` or `\r`), cut into cells by its bytes; no text is made of a cell unasked. */
export class CsvText {
  readonly bytes: Buffer
  /** Names of the header, blanks around those dropped that are not quoted; none in an empty file. */
  readonly fields: readonly string[]
  /** Bytes of a cell. */
  readonly #mostCell: number
  /** Whether a name of the header is quoted that need not be: then quotes say nothing of what a cell is. */
  readonly quotesAll: boolean
  /** Where the rows begin. */
  readonly #body: number
  #at = 0
  #starts = new Uint32Array(0)
  #ends = this.#starts

  /** Whether bytes are text in UTF-8. */
  static isText(bytes: Uint8Array): boolean {
    return isUtf8(bytes)
  }

  /**
   * @param bytes UTF-8
   * @param mostCell bytes of a cell
   * @throws CsvSyntaxError for a header with a quote out of place or never closed
   */
  constructor(bytes: Buffer, mostCell = Number.POSITIVE_INFINITY) {
    this.bytes = bytes
    this.#mostCell = mostCell
    const head = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    this.#at = head
    while (isLineEnd(bytes[this.#at])) this.#passLineEnd()
    const start = this.#at
    const width = start < bytes.length ? this.#cutRow(0) : 0
    this.#at = start
    this.#makeRoom(width)
    if (width > 0) this.#cutRow(0)
    this.#checkCells(start, width)
    let quotesAll = false
    this.fields = Array.from({ length: width }, (_, at) => {
      const [from, to] = [this.#starts[at] as number, this.#ends[at] as number]
      const name = this.text(from, to)
      if (bytes[to] !== quote) return name.trim()
      quotesAll ||= !needsQuotes(name)
      return name
    })
    this.quotesAll = quotesAll
    this.#passLineEnd()
    this.#body = this.#at
  }

  /** Whether a cell is empty and not quoted. */
  isMissing(start: number, end: number): boolean {
    return start === end && this.bytes[end] !== quote
  }

  /** The text of a cell. */
  text(start: number, end: number): string {
    const text = this.bytes.toString('utf8', start, end)
    return this.bytes[end] === quote ? text.replaceAll('""', '"') : text
  }

  /**
   * The rows, block after block; a block is good until the next one is asked for. A blank line is skipped, but in a file of
   * one column it is an empty cell.
   * @throws CsvSyntaxError for a row of another length than the header, a quote out of place or never closed
   */
  *blocks(): Generator<CsvBlock> {
    const width = this.fields.length
    if (width === 0) return
    this.#at = this.#body
    const most = Math.ceil(blockCells / width)
    this.#makeRoom(width * most)
    const [starts, ends] = [this.#starts, this.#ends]
    for (let first = 0; ; ) {
      const from = this.#at
      const length = this.#cutRows(width, most)
      this.#checkCells(from, length * width)
      if (length > 0) yield { first, length, width, starts, ends }
      first += length
      if (length < most) return
    }
  }

  /** The first text of each column; undefined where it has none. */
  firstTexts(): (string | undefined)[] {
    const texts = this.fields.map((): string | undefined => undefined)
    let left = texts.length
    for (const { length, width, starts, ends } of this.blocks()) {
      for (let cell = 0; cell < length * width && left > 0; cell++) {
        const start = starts[cell] as number
        const end = ends[cell] as number
        if (texts[cell % width] !== undefined || this.isMissing(start, end)) continue
        texts[cell % width] = this.text(start, end)
        left--
      }
      if (left === 0) break
    }
    return texts
  }

  /** How many rows there are, reckoned from those before the end of a block that was just given; not many times as many as these. */
  likelyRows({ first, length }: CsvBlock): number {
    const rows = first + length
    const share = (this.#at - this.#body) / (this.bytes.length - this.#body)
    return Math.ceil(rows * Math.min(1.02 / share, 16))
  }

  /** The line of the file, from 1, on which a row ends. */
  lineOf(row: number): number {
    for (const { first, length, width, ends } of this.blocks())
      if (row < first + length) return this.#lineAt(ends[(row - first + 1) * width - 1] as number)
    throw new RangeError(sentence`the CSV has no row ${row}`)
  }

  #makeRoom(cells: number): void {
    this.#starts = new Uint32Array(cells)
    this.#ends = new Uint32Array(cells)
  }

  #lineAt(place: number): number {
    let line = 1
    for (let at = 0; at < place; at++) {
      const byte = this.bytes[at]
      if (byte === lineFeed || (byte === carriageReturn && this.bytes[at + 1] !== lineFeed)) line++
    }
    return line
  }

  #refuse(place: number, wrong: string): never {
    throw new CsvSyntaxError(this.#lineAt(place), wrong)
  }

  /** Looks at cells that were cut, from a place on, where there are so many bytes that one may be too long. */
  #checkCells(from: number, cells: number): void {
    if (this.#at - from <= this.#mostCell) return
    for (let cell = 0; cell < cells; cell++) {
      const [start, end] = [this.#starts[cell] as number, this.#ends[cell] as number]
      if (end - start <= this.#mostCell) continue
      this.#refuse(start, sentence`has a cell of ${end - start} bytes, and ${this.#mostCell} are the most that is read`)
    }
  }

  #passLineEnd(): void {
    const isPair = this.bytes[this.#at] === carriageReturn && this.bytes[this.#at + 1] === lineFeed
    this.#at += isPair ? 2 : 1
  }

  /** Cuts `most` rows, or as many as are left. Returns how many. */
  #cutRows(width: number, most: number): number {
    const { bytes } = this
    let row = 0
    while (row < most && this.#at < bytes.length) {
      if (width > 1 && isLineEnd(bytes[this.#at])) this.#passLineEnd()
      else {
        const cells = this.#cutRow(row * width)
        if (cells !== width) this.#refuse(this.#at, sentence`has ${cells} cells where the header has ${width}`)
        this.#passLineEnd()
        row++
      }
    }
    return row
  }

  /** Cuts one row, its cells from place `first` on, and stands at its end then. Returns how many cells it has. */
  #cutRow(first: number): number {
    const { bytes } = this
    const { length } = bytes
    const [starts, ends] = [this.#starts, this.#ends]
    let at = this.#at
    for (let cell = first; ; cell++) {
      if (bytes[at] === quote) {
        starts[cell] = at + 1
        at = this.#closingQuote(at)
        ends[cell] = at++
        if (at < length && bytes[at] !== comma && !isLineEnd(bytes[at]))
          this.#refuse(at, sentence`has text behind a closing quote`)
      } else {
        starts[cell] = at
        while (at < length) {
          const byte = bytes[at] as number
          if (byte <= comma && (byte === comma || byte === lineFeed || byte === carriageReturn || byte === quote)) break
          at++
        }
        ends[cell] = at
        if (bytes[at] === quote) this.#refuse(at, sentence`has a quote in a cell that does not begin with one`)
      }
      if (bytes[at] !== comma) {
        this.#at = at
        return cell - first + 1
      }
      at++
    }
  }

  #closingQuote(open: number): number {
    const { bytes } = this
    for (let at = open + 1; at < bytes.length; at++) {
      if (bytes[at] !== quote) continue
      if (bytes[at + 1] !== quote) return at
      at++
    }
    return this.#refuse(open, sentence`opens a quote that nothing closes`)
  }
}
