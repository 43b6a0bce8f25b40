import type { Kind } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { putDecimal } from '../../../frame/table/decimal-text.js'
import type { ColumnData, RecordColumns } from '../../../frame/table/values.js'
import { yieldTurn } from '../../../threads/yield.js'

const noBytes = new Uint8Array()

/** Bytes that grow at their end. */
export class ByteWriter {
  #bytes: Buffer
  #at = 0

  constructor(size = 4096) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  get length(): number {
    return this.#at
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#at + more, 2 * this.#bytes.length))
    this.#bytes.copy(grown, 0, 0, this.#at)
    this.#bytes = grown
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = byte
  }

  bytes(bytes: Uint8Array): void {
    const { length } = bytes
    this.#reserve(length)
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
    this.#reserve(length)
    const out = this.#bytes
    let at = this.#at
    for (let i = 0; i < length; i++) out[at++] = text.charCodeAt(i)
    this.#at = at
  }

  /** A number as JSON, which has no negative zero and no infinity. */
  number(value: number): void {
    this.#reserve(24)
    const end = putDecimal(this.#bytes, this.#at, value, noBytes)
    if (end >= 0) this.#at = end
    else this.ascii(value === 0 ? '0' : Number.isFinite(value) ? String(value) : 'null')
  }

  utf8(text: string): void {
    this.#reserve(3 * text.length)
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** What was written, in memory of its own. */
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#at))
  }
}

/** Writes the cell of a row as JSON. */
type WriteCell = (writer: ByteWriter, row: number) => void

const nullBytes = Buffer.from('null')
const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const encodedWords = new WeakMap<readonly string[], (Buffer | undefined)[]>()

/** The words of a dictionary as JSON, each made when it is first met. */
function wordsOf(words: readonly string[]): (Buffer | undefined)[] {
  let list = encodedWords.get(words)
  if (!list) {
    list = new Array<Buffer | undefined>(words.length)
    encodedWords.set(words, list)
  }
  return list
}

/** How the cells of a column are written: as JSON.stringify would, a JSON column as the value that it holds. */
function cellWriter(values: ColumnData, kind: Kind | undefined): WriteCell {
  switch (values.type) {
    case 'dictionary': {
      const { data, dictionary: words } = values
      const list = wordsOf(words)
      return (writer, row) => {
        const code = data[row] as number
        if (code < 0) return writer.bytes(nullBytes)
        let bytes = list[code]
        if (!bytes) {
          bytes = Buffer.from(JSON.stringify(words[code]))
          list[code] = bytes
        }
        writer.bytes(bytes)
      }
    }
    case 'float':
    case 'int': {
      const { data, valid } = values
      return (writer, row) => {
        if (valid && valid[row] === 0) writer.bytes(nullBytes)
        else writer.number(data[row] as number)
      }
    }
    case 'boolean': {
      const { data, valid } = values
      return (writer, row) => writer.bytes(valid && valid[row] === 0 ? nullBytes : data[row] === 1 ? yes : no)
    }
    case 'string': {
      const { data } = values
      const text = kind === 'json' ? plainJson : JSON.stringify
      return (writer, row) => {
        const cell = data[row] ?? null
        if (cell === null) writer.bytes(nullBytes)
        else writer.utf8(text(cell))
      }
    }
    case 'list': {
      const { data } = values
      return (writer, row) => writer.utf8(JSON.stringify(data[row] ?? null))
    }
  }
}

/** A stored JSON text without what is not JSON: a text that is none is an error, not an answer. */
function plainJson(text: string): string {
  return JSON.stringify(JSON.parse(text))
}

const [open, close, comma] = [0x5b, 0x5d, 0x2c]

/** Writes rows from one up to another as JSON arrays, each with a comma behind it. */
type WriteRows = (writer: ByteWriter, from: number, to: number, ends?: Float64Array) => void

/** How the rows of some columns are written, in the order of `fields`. `ends`, where given, receives where each row ends. */
export function rowWriter(dataset: Dataset, columns: RecordColumns, fields: readonly string[]): WriteRows {
  const cells: WriteCell[] = fields.map((name) =>
    cellWriter(columns.columns.get(name) as ColumnData, dataset.columns[name]?.kind),
  )
  return (writer, from, to, ends) => {
    for (let row = from; row < to; row++) {
      writer.byte(open)
      for (let at = 0; at < cells.length; at++) {
        if (at > 0) writer.byte(comma)
        ;(cells[at] as WriteCell)(writer, row)
      }
      writer.byte(close)
      writer.byte(comma)
      if (ends) ends[row + 1] = writer.length
    }
  }
}

/** The rows of a part as JSON, once for all answers. */
export interface EncodedRows {
  readonly bytes: Buffer
  /** Row i, with the comma behind it: bytes from ends[i] up to ends[i + 1]. */
  readonly ends: Float64Array
}

/** Most rows that are encoded while others wait: as many as an operation with a cap answers. */
export const rowsATurn = 6000

/** Encodes rows, and lets others through after each `rowsATurn`. */
export async function encodeRows(
  dataset: Dataset,
  columns: RecordColumns,
  fields: readonly string[],
): Promise<EncodedRows> {
  const writer = new ByteWriter(Math.max(4096, columns.length * 96))
  const ends = new Float64Array(columns.length + 1)
  const write = rowWriter(dataset, columns, fields)
  for (let from = 0; from < columns.length; from += rowsATurn) {
    if (from > 0) await yieldTurn()
    write(writer, from, Math.min(columns.length, from + rowsATurn), ends)
  }
  return { bytes: writer.toBuffer(), ends }
}
