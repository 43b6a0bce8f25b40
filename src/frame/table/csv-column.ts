import type { Kind } from '../../contract/column.js'
import { columnTypeOf } from './arrow.js'
import { ByteWords } from './byte-words.js'
import { type CsvBlock, type CsvText, quoteMark } from './csv-read.js'
import { readDecimal } from './decimal-bytes.js'
import { guarded, unguarded } from './formula-guard.js'
import { fillArray } from './fresh-array.js'
import { isMissingWord } from './missing-word.js'
import { floatColumn, validNumbers } from './present-cells.js'
import { isTextList } from './read-cells.js'
import { type ColumnData, distinctWords } from './values.js'

/** How the cells of a column are read. */
export interface CellRule {
  readonly kind: Kind
  /** Whether a cell may be missing. */
  readonly isNullable: boolean
  /** The number that a text stands for, undefined where it stands for none. Plain decimals of at most 15 digits are not asked for. */
  readonly number: (text: string) => number | undefined
  /** Whether a text, its guard taken away, is one of the kind (default: every text). */
  readonly fits?: (text: string) => boolean
  /** Whether a cell in quotes is not of the rule: quotes tell a text from a number. */
  readonly bareOnly?: boolean
  /** Whether a text that is not of the kind may be a word for nothing, where a cell may be missing. */
  readonly takesWords?: boolean
  /** What is kept of a text, null where it says that nothing is there; without it the text itself. */
  readonly kept?: (text: string) => string | null
}

/** Whether a text that is not of a rule stands for a missing cell there. */
export function isNothing(text: string, { isNullable, takesWords }: CellRule): boolean {
  return isNullable && takesWords === true && isMissingWord(text)
}

/** A column on the way. */
interface CellReader {
  /** Makes room for as many rows. */
  grow(rows: number): void
  /** Reads the cells of a block. Returns the first row of it whose cell is not of the rule; -1 when all are. */
  read(block: CsvBlock, at: number): number
  build(rows: number): ColumnData
}

/** The cells of a column on the way, with room for more. */
abstract class GrowingCells<T extends Float64Array | Int32Array> {
  protected readonly csv: CsvText
  protected readonly rule: CellRule
  protected cells: T

  constructor(csv: CsvText, rule: CellRule, empty: T) {
    this.csv = csv
    this.rule = rule
    this.cells = empty
  }

  grow(rows: number): void {
    const cells = new (this.cells.constructor as new (length: number) => T)(rows)
    cells.set(this.cells)
    this.cells = cells
  }

  /** The first cells, in their own memory where much more was taken than they need. */
  protected first(rows: number): T {
    return (8 * rows < 7 * this.cells.length ? this.cells.slice(0, rows) : this.cells.subarray(0, rows)) as T
  }
}

/** Numbers, NaN where missing. */
class NumberReader extends GrowingCells<Float64Array> implements CellReader {
  constructor(csv: CsvText, rule: CellRule) {
    super(csv, rule, new Float64Array(0))
  }

  read({ first, length, width, starts, ends }: CsvBlock, at: number): number {
    const { bytes } = this.csv
    const { kind, isNullable } = this.rule
    const refused = this.rule.bareOnly ? quoteMark : -1
    const numbers = this.cells
    for (let row = 0, place = at; row < length; row++, place += width) {
      const start = starts[place] as number
      const end = ends[place] as number
      if (bytes[end] === refused) return row
      if (readDecimal(bytes, start, numbers, first + row) !== end) {
        if (this.csv.isMissing(start, end)) {
          if (!isNullable) return row
          numbers[first + row] = Number.NaN
          continue
        }
        const text = this.csv.text(start, end)
        const value = this.rule.number(text)
        if (value === undefined || !Number.isFinite(value)) {
          if (!isNothing(text, this.rule)) return row
          numbers[first + row] = Number.NaN
          continue
        }
        numbers[first + row] = value
      }
      if (kind === 'number') continue
      const value = numbers[first + row] as number
      if (kind === 'long' ? !Number.isSafeInteger(value) : (value | 0) !== value) return row
    }
    return -1
  }

  build(rows: number): ColumnData {
    const data = this.first(rows)
    if (this.rule.kind !== 'integer') return floatColumn(data)
    return { type: 'int', data: new Int32Array(data), valid: validNumbers(data) }
  }
}

/** A list of texts in JSON; undefined for any other text. */
export function listIn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isTextList(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isPresent = (code: number): number => Number(code >= 0)

/** All but numbers: as words and codes on the way, -1 where missing. */
class WordReader extends GrowingCells<Int32Array> implements CellReader {
  readonly #spellings: ByteWords
  readonly #codeOfSpelling: number[] = []
  readonly #words: string[] = []
  /** Codes of words that may come in several spellings: `'=1` and `=1`, or whatever a rule keeps as one. */
  readonly #known = new Map<string, number>()

  constructor(csv: CsvText, rule: CellRule) {
    super(csv, rule, new Int32Array(0))
    this.#spellings = new ByteWords(csv.bytes)
  }

  read({ first, length, width, starts, ends }: CsvBlock, at: number): number {
    const spellings = this.#spellings
    const codeOfSpelling = this.#codeOfSpelling
    const codes = this.cells
    const { bytes } = this.csv
    const refused = this.rule.bareOnly ? quoteMark : -1
    for (let row = 0, place = at; row < length; row++, place += width) {
      const start = starts[place] as number
      const end = ends[place] as number
      let code = -1
      if (bytes[end] === refused) return row
      if (!this.csv.isMissing(start, end)) {
        const spelling = spellings.codeOf(start, end)
        if (spelling === codeOfSpelling.length && !this.#take(this.csv.text(start, end))) return row
        code = codeOfSpelling[spelling] as number
      }
      if (code < 0 && !this.rule.isNullable) return row
      codes[first + row] = code
    }
    return -1
  }

  /** Takes a new spelling. Returns false for one that is not of the rule. */
  #take(text: string): boolean {
    const { fits, kept } = this.rule
    const word = unguarded(text)
    const isMissing = fits?.(word) === false
    if (isMissing && !isNothing(word, this.rule)) return false
    const own = isMissing ? null : kept ? kept(word) : word
    // A word behind Excel's `=` may have come without it.
    const isFirst = this.#known.size < this.#words.length
    if (isFirst && word !== text && text.startsWith('='))
      for (const [code, one] of this.#words.entries()) this.#known.set(one, code)
    const code = own === null ? -1 : (this.#known.get(own) ?? this.#words.push(own) - 1)
    if (own !== null && (kept || this.#known.size > 0 || guarded(own) !== own)) this.#known.set(own, code)
    this.#codeOfSpelling.push(code)
    return true
  }

  build(rows: number): ColumnData {
    const data = this.first(rows)
    const words = this.#words
    switch (columnTypeOf(this.rule.kind)) {
      case 'boolean': {
        const flags = (of: (code: number) => number): Uint8Array =>
          fillArray(new Uint8Array(data.length), (row) => of(data[row] as number))
        const valid = data.includes(-1) ? flags(isPresent) : null
        return { type: 'boolean', data: flags((code) => (words[code] === 'true' ? 1 : 0)), valid }
      }
      case 'dictionary':
        return { type: 'dictionary', data, dictionary: words }
      case 'list':
        return {
          type: 'list',
          data: distinctWords({ data, dictionary: words }).map((word) =>
            word === null ? null : (listIn(word) ?? null),
          ),
        }
      default:
        return { type: 'string', data: distinctWords({ data, dictionary: words }) }
    }
  }
}

function readerOf(csv: CsvText, rule: CellRule): CellReader {
  const isNumber = rule.kind === 'integer' || columnTypeOf(rule.kind) === 'float'
  return isNumber ? new NumberReader(csv, rule) : new WordReader(csv, rule)
}

/** A column that was read, with the rule that it was read by; or the cell, null where missing, that is not of the last rule. */
export type CsvColumn =
  | { readonly values: ColumnData; readonly rule: CellRule }
  | { readonly row: number; readonly text: string | null }

/** A column that is read by the first of its rules that all of its cells are of. */
class OpenColumn {
  readonly #csv: CsvText
  readonly #at: number
  readonly #rules: readonly CellRule[]
  #rule = 0
  #reader: CellReader | undefined
  #column: CsvColumn | undefined

  constructor(csv: CsvText, at: number, rules: readonly CellRule[]) {
    this.#csv = csv
    this.#at = at
    this.#rules = rules
  }

  /** What was read; undefined while another pass over the file is needed. */
  get column(): CsvColumn | undefined {
    return this.#column
  }

  start(rows: number): void {
    this.#reader = readerOf(this.#csv, this.#rules[this.#rule] as CellRule)
    this.#reader.grow(rows)
  }

  grow(rows: number): void {
    this.#reader?.grow(rows)
  }

  /** Where a rule breaks in the first block the next one begins there. */
  read(block: CsvBlock, room: number): void {
    while (this.#reader) {
      const wrong = this.#reader.read(block, this.#at)
      if (wrong < 0) return
      this.#reader = undefined
      if (this.#rule === this.#rules.length - 1) {
        const place = wrong * block.width + this.#at
        const [start, end] = [block.starts[place] as number, block.ends[place] as number]
        const text = this.#csv.isMissing(start, end) ? null : this.#csv.text(start, end)
        this.#column = { row: block.first + wrong, text }
        return
      }
      this.#rule++
      if (block.first === 0) this.start(room)
    }
  }

  finish(rows: number): void {
    if (this.#reader) this.#column = { values: this.#reader.build(rows), rule: this.#rules[this.#rule] as CellRule }
  }
}

/** What is read of a CSV. */
export interface CsvColumns {
  readonly length: number
  readonly columns: readonly CsvColumn[]
}

/**
 * The columns of a CSV, each by the first of its rules that all of its cells are of. The file is gone through once; again for
 * columns that turn out further on to be of another rule. Yields after each block the share of the file that was read.
 * @throws CsvSyntaxError for a file that can not be cut
 */
export function* csvColumns(csv: CsvText, rules: readonly (readonly CellRule[])[]): Generator<number, CsvColumns> {
  const columns = rules.map((own, at) => new OpenColumn(csv, at, own))
  let open = columns
  let length = 0
  let room = 0
  while (open.length > 0) {
    for (const column of open) column.start(room)
    for (const block of csv.blocks()) {
      length = block.first + block.length
      if (length > room) {
        room = Math.max(length, csv.likelyRows(block))
        for (const column of open) column.grow(room)
      }
      for (const column of open) column.read(block, room)
      yield Math.min(1, length / room)
    }
    for (const column of open) column.finish(length)
    room = length
    open = open.filter(({ column }) => column === undefined)
  }
  return { length, columns: columns.map(({ column }) => column as CsvColumn) }
}

/** What steps come to, one after the other. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}
