import { WordedError, worded } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { isMissingWord } from './missing-word.js'
import { isSourceNote } from './source-note.js'

/** A CSV that can not be read: the line, from 1, and what is wrong. */
export class CsvSyntaxError extends WordedError {
  readonly line: number
  constructor(line: number, message: Words) {
    super(message)
    this.line = line
  }
}

/** The byte of a quote. */
export const quoteMark = 34
const quote = quoteMark
const equals = 61
const lineFeed = 10
const carriageReturn = 13

/** What cells may be separated by, the likeliest first. */
const separators = [',', '\t', ';'] as const
export type CsvSeparator = (typeof separators)[number]

/** Whether a name does not come back as it is without quotes: an empty one, and one with a separator, a quote or a line end. */
export function needsQuotes(text: string): boolean {
  return text === '' || /[",;\r\n]/.test(text) || text !== text.trim() || text.includes('\t')
}

/** By the names, and by the first row where the names have several of them; a comma in a file of one column. */
function separatorOf(text: string): CsvSeparator {
  const lines = text.replace(/"(?:[^"]|"")*"?/g, '_').split(/[\r\n]+/)
  const [names = '', ...rows] = lines.filter((line) => line.trim() !== '' && !isSourceNote([line]))
  const count = (line: string, separator: string): number => line.split(separator).length
  const there = separators.filter((separator) => names.includes(separator))
  const [only = ',', ...others] = there
  if (others.length > 0) return there.find((one) => count(names, one) === count(rows[0] ?? '', one)) ?? only
  return rows.length > 0 && !rows.some((row) => row.includes(only)) ? ',' : only
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn
}

/** Bytes by which a file shows what its cells are separated by. */
const headBytes = 65_536
const longestNote = 1_000

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

/** What was left out at the end of a file: notes of where it is from, and rows of separators alone. */
export interface CsvFooter {
  readonly notes: readonly string[]
  readonly emptyRows: number
}

/**
 * A CSV in UTF-8 (RFC 4180; lines end in `\n`, `\r\n` or `\r`; separated by commas, tabs or semicolons, as its names are), cut into
 * cells by its bytes; no text is made of a cell unasked. A row may end with a separator, if all rows do.
 */
export class CsvText {
  readonly bytes: Buffer
  /** Names of the header, blanks around those dropped that are not quoted; none in an empty file. */
  readonly fields: readonly string[]
  /** Bytes of a cell. */
  readonly #mostCell: number
  /** Whether a name of the header is quoted that need not be: then quotes say nothing of what a cell is. */
  readonly quotesAll: boolean
  readonly separator: CsvSeparator
  /** Whether the last name is what follows a separator at the end of its line. */
  readonly trails: boolean
  readonly footer: CsvFooter
  /** Its byte. */
  readonly #separator: number
  /** Where the rows begin and end. */
  readonly #body: number
  readonly #end: number
  /** Cells of a row, with that behind a last separator. */
  readonly #width: number
  #at = 0
  #starts = new Uint32Array(0)
  #ends = this.#starts

  /**
   * @param bytes UTF-8
   * @param mostCell bytes of a cell
   * @param dropsEmpty leaves out rows of separators alone at the end too
   * @throws CsvSyntaxError for a header with a quote out of place or never closed
   */
  constructor(bytes: Buffer, mostCell = Number.POSITIVE_INFINITY, dropsEmpty = false) {
    this.bytes = bytes
    this.#mostCell = mostCell
    const head = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    this.#at = head
    while (isLineEnd(bytes[this.#at])) this.#passLineEnd()
    const start = this.#at
    this.separator = separatorOf(bytes.toString('utf8', start, start + headBytes))
    this.#separator = this.separator.charCodeAt(0)
    const width = start < bytes.length ? this.#cutRow(0) : 0
    this.#at = start
    this.#makeRoom(width)
    if (width > 0) this.#cutRow(0)
    this.#checkCells(start, width)
    const trails = width > 1 && this.#isBlank(width - 1)
    let quotesAll = false
    const fields = Array.from({ length: width }, (_, at) => {
      const [from, to] = [this.#starts[at] as number, this.#ends[at] as number]
      const name = this.text(from, to)
      if (bytes[to] !== quote) return name.trim()
      quotesAll ||= !needsQuotes(name)
      return name
    })
    this.quotesAll = quotesAll
    this.#passLineEnd()
    this.#body = this.#at
    const { end, ...footer } = this.#cutFooter(width, dropsEmpty)
    this.#end = end
    this.footer = footer
    const first = this.#cutFirst(width)
    const isOther = trails ? first === width - 1 : width > 1 && first === width + 1 && this.#isBlank(width)
    this.#width = isOther ? first : width
    this.trails = trails && !isOther
    this.fields = trails && isOther ? fields.slice(0, -1) : fields
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
    const width = this.#width
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

  /** The first text of each column that is no word for a missing cell; undefined where it has none. */
  firstTexts(): (string | undefined)[] {
    const texts = this.fields.map((): string | undefined => undefined)
    let left = texts.length
    for (const { length, width, starts, ends } of this.blocks()) {
      for (let cell = 0; cell < length * width && left > 0; cell++) {
        const start = starts[cell] as number
        const end = ends[cell] as number
        if (texts[cell % width] !== undefined || this.isMissing(start, end)) continue
        const text = this.text(start, end)
        if (isMissingWord(text)) continue
        texts[cell % width] = text
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
    throw worded(RangeError, sentence`the CSV has no row ${row}`)
  }

  /** Whether nothing but blanks is in a cell that was cut. */
  #isBlank(at: number): boolean {
    const [start, end] = [this.#starts[at] as number, this.#ends[at] as number]
    return this.bytes[end] !== quote && this.bytes.toString('latin1', start, end).trim() === ''
  }

  /** Cuts the first row. Returns how many cells it has, 0 where there is none. */
  #cutFirst(width: number): number {
    this.#makeRoom(width + 1)
    while (this.#at < this.#end && isLineEnd(this.bytes[this.#at])) this.#passLineEnd()
    return this.#at < this.#end ? this.#cutRow(0) : 0
  }

  /** Where the rows end, before what is no row. A line of quotes in pairs is no part of a cell that began above it. */
  #cutFooter(width: number, dropsEmpty: boolean): CsvFooter & { readonly end: number } {
    const { bytes, separator } = this
    const notes: string[] = []
    let [end, at, empty, emptyRows] = [bytes.length, bytes.length, 0, 0]
    while (width > 1 && at > this.#body) {
      let last = at
      while (last > this.#body && isLineEnd(bytes[last - 1])) last--
      let start = last
      while (start > this.#body && last - start < longestNote && !isLineEnd(bytes[start - 1])) start--
      const line = bytes.toString('utf8', start, last)
      const cells = line.split(separator).map((cell) => (this.quotesAll ? cell.replace(/^"([^"]*)"$/, '$1') : cell))
      const isNote = isSourceNote(cells)
      if (last - start === longestNote || !(isNote || cells.every((cell) => cell.trim() === ''))) break
      if (isNote) notes.unshift(cells.join('').trim())
      else if (cells.length > 1) empty++
      if (notes.length > 0 || dropsEmpty || (cells.length === 1 && end === at)) [end, emptyRows] = [start, empty]
      at = start
    }
    return { end, notes, emptyRows }
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

  #refuse(place: number, wrong: Words): never {
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
    const trails = width > this.fields.length
    let row = 0
    while (row < most && this.#at < this.#end) {
      if (width > 1 && isLineEnd(bytes[this.#at])) this.#passLineEnd()
      else {
        const cells = this.#cutRow(row * width)
        const last = row * width + width - 1
        const isLong = trails && !this.#isBlank(last)
        if (cells !== width || isLong)
          this.#refuse(this.#at, sentence`has ${cells} cells where the header has ${this.fields.length}`)
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
    const separator = this.#separator
    const most = Math.max(separator, quote)
    let at = this.#at
    for (let cell = first; ; cell++) {
      // ="600000.SH" is how Excel is told that a cell is text.
      if (bytes[at] === equals && bytes[at + 1] === quote) at++
      if (bytes[at] === quote) {
        starts[cell] = at + 1
        at = this.#closingQuote(at)
        ends[cell] = at++
        if (at < length && bytes[at] !== separator && !isLineEnd(bytes[at]))
          this.#refuse(at, sentence`has text behind a closing quote`)
      } else {
        starts[cell] = at
        while (at < length) {
          const byte = bytes[at] as number
          if (byte <= most && (byte === separator || byte === lineFeed || byte === carriageReturn || byte === quote))
            break
          at++
        }
        ends[cell] = at
        if (bytes[at] === quote) this.#refuse(at, sentence`has a quote in a cell that does not begin with one`)
      }
      if (bytes[at] !== separator) {
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
