import type { Column } from '../../contract/column.js'
import { beijingMoment } from '../../contract/date.js'
import { wrongInContract } from '../decode.js'
import type { ColumnData } from '../values.js'
import { afterMissing, type Cells, cut, widened } from './cells.js'
import { mostValues } from './check-json.js'
import { Dictionary } from './dictionary.js'
import { byteOf, type Source } from './source.js'
import { isSame } from './text.js'
import { TextReader } from './text-reader.js'
import { afterValue, eachElement, valueIn } from './value.js'

/** Kinds `code`, `date`, `minute`, `clock` and `label`. */
export class WordCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #dictionary: Dictionary
  #data = new Int32Array(0)
  /** The word read last: its first byte, its length with the quote after it. */
  #start = 0
  #length = 0

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#column = column
    this.#dictionary = new Dictionary(source, (word) => wrongInContract(column, word) === undefined)
  }

  read(at: number, row: number): number {
    const { bytes } = this.#source
    if (bytes[at] !== byteOf.quote) {
      this.#data[row] = -1
      return afterMissing(bytes, at, this.#column)
    }
    const start = at + 1
    if (this.#length === 0 || !isSame(bytes, start, this.#start, this.#length)) {
      const end = this.#dictionary.read(start)
      if (end < 0) return -1
      this.#start = start
      this.#length = end + 1 - start
    }
    this.#data[row] = this.#dictionary.code
    return start + this.#length
  }

  widen(rows: number): void {
    this.#data = widened(new Int32Array(rows), this.#data)
  }

  values(rows: number): ColumnData {
    return { type: 'dictionary', data: cut(this.#data, rows), dictionary: this.#dictionary.words.slice() }
  }
}

/** Kinds `moment`, `id` and `text`. */
export class StringCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #reader: TextReader
  readonly #data: (string | null)[] = []
  /** The text read last: its first byte, its length with the quote after it. */
  #start = 0
  #length = 0

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#reader = new TextReader(source)
    this.#column = column
  }

  read(at: number, row: number): number {
    const { bytes } = this.#source
    if (bytes[at] !== byteOf.quote) {
      this.#data[row] = null
      return afterMissing(bytes, at, this.#column)
    }
    const start = at + 1
    if (this.#length === 0 || !isSame(bytes, start, this.#start, this.#length)) {
      const end = this.#reader.read(start)
      if (end < 0 || this.#isWrong(this.#reader.text)) return -1
      this.#start = start
      this.#length = end + 1 - start
    }
    this.#data[row] = this.#reader.text
    return start + this.#length
  }

  #isWrong(text: string): boolean {
    const { kind } = this.#column
    if (kind === 'moment') return beijingMoment(text) === undefined
    return kind === 'id' && wrongInContract(this.#column, text) !== undefined
  }

  widen(): void {}

  values(): ColumnData {
    return { type: 'string', data: this.#data.slice() }
  }
}

/** Kind `json`. */
export class JsonCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #data: (string | null)[] = []

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#column = column
  }

  read(at: number, row: number): number {
    if (this.#source.bytes[at] === byteOf.n) {
      this.#data[row] = null
      return afterMissing(this.#source.bytes, at, this.#column)
    }
    const after = afterValue(this.#source, at)
    if (after >= 0) this.#data[row] = JSON.stringify(valueIn(this.#source, at, after))
    return after
  }

  widen(): void {}

  values(): ColumnData {
    return { type: 'string', data: this.#data.slice() }
  }
}

/** Kind `texts`. */
export class ListCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #reader: TextReader
  readonly #data: (readonly string[] | null)[] = []
  #texts = 0

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#reader = new TextReader(source)
    this.#column = column
  }

  read(at: number, row: number): number {
    const { bytes } = this.#source
    if (bytes[at] !== byteOf.open) {
      this.#data[row] = null
      return afterMissing(bytes, at, this.#column)
    }
    const texts: string[] = []
    const after = eachElement(this.#source, at, (element) => {
      const end = bytes[element] === byteOf.quote ? this.#reader.read(element + 1) : -1
      if (end < 0 || this.#texts++ > mostValues) return -1
      texts.push(this.#reader.text)
      return end + 1
    })
    this.#data[row] = texts.slice()
    return after
  }

  widen(): void {}

  values(): ColumnData {
    return { type: 'list', data: this.#data.slice() }
  }
}
