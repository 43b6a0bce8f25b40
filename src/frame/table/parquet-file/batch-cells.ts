import { QuotebookError, WordedError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { DictionaryBuilder, NumberBuilder } from '../column-builder.js'
import type { CodecBatch } from '../parquet-engine.js'
import type { ColumnData } from '../values.js'

/** A column that has no form here; its file takes the longer way. */
export class UnsupportedTypeError extends WordedError {
  override readonly name = 'UnsupportedTypeError'
}

type Cells = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
type CellsType = {
  new (buffer: ArrayBufferLike, at: number, length: number): Cells
  readonly BYTES_PER_ELEMENT: number
}

/** Types whose cells become doubles as they are, by their format in the C data interface. */
const doubles: Readonly<Record<string, CellsType>> = {
  g: Float64Array,
  f: Float32Array,
  I: Uint32Array,
  s: Int16Array,
  S: Uint16Array,
  c: Int8Array,
  C: Uint8Array,
}

/** Cells as the codec has them; where they begin at an odd place, a copy. */
function cellsIn(type: CellsType, { bytes }: CodecMemory, column: CDataColumn): Cells {
  const size = type.BYTES_PER_ELEMENT
  const from = (column.buffers[1] as number) + column.offset * size
  if (from % size === 0) return new type(bytes.buffer, from, column.length)
  return new type(bytes.slice(from, from + column.length * size).buffer, 0, column.length)
}

function isSet(bytes: Uint8Array, bitmap: number, bit: number): boolean {
  return (((bytes[bitmap + (bit >> 3)] as number) >> (bit & 7)) & 1) === 1
}

/** Copies the cells of a column of a batch, whatever stands where one is missing, to the row `at` and those behind it. */
type Copy = (memory: CodecMemory, column: CDataColumn, at: number) => void

/** Takes the cells of one column, batch by batch. */
interface ColumnCollector {
  readonly copy: Copy
  readonly target: { setMissing(row: number): void; build(): ColumnData }
}

function takeCells({ copy, target }: ColumnCollector, memory: CodecMemory, column: CDataColumn, at: number): void {
  copy(memory, column, at)
  const { buffers, nullCount, offset, length } = column
  const bitmap = buffers[0] as number
  if (nullCount === 0 || bitmap === 0) return
  for (let i = 0; i < length; i++) if (!isSet(memory.bytes, bitmap, offset + i)) target.setMissing(at + i)
}

/** 64-bit numbers, as long as a double holds them exactly. */
function copyLongs(data: Float64Array): Copy {
  return ({ bytes }, { buffers, offset, length }, at) => {
    // The two halves of each: a bigint a cell would cost ten times as much.
    const halves = new DataView(bytes.buffer, (buffers[1] as number) + offset * 8, length * 8)
    let isWide = false
    for (let i = 0; i < length; i++) {
      const high = halves.getInt32(i * 8 + 4, true)
      if (high >= 2 ** 21 || high < -(2 ** 21)) isWide = true
      data[at + i] = high * 2 ** 32 + halves.getUint32(i * 8, true)
    }
    if (isWide) throw new UnsupportedTypeError(sentence`numbers that no double holds`)
  }
}

/** The texts of a dictionary. */
function textsIn({ bytes }: CodecMemory, { buffers, offset, length }: CDataColumn): string[] {
  const offsets = new DataView(bytes.buffer, (buffers[1] as number) + offset * 4, (length + 1) * 4)
  const text = Buffer.from(bytes.buffer, buffers[2])
  return Array.from({ length }, (_, i) =>
    text.toString('utf8', offsets.getInt32(i * 4, true), offsets.getInt32(i * 4 + 4, true)),
  )
}

/** Codes into one dictionary for all batches. */
function dictionaryCollector(rows: number): ColumnCollector {
  const target = new DictionaryBuilder(rows)
  const { data } = target
  return {
    target,
    copy(memory, column, at) {
      const texts = column.dictionary ? textsIn(memory, column.dictionary) : []
      const map = Int32Array.from(texts, (text) => target.codeOf(text))
      const codes = cellsIn(Int32Array, memory, column)
      if (map.every((place, code) => place === code)) data.set(codes, at)
      else for (let i = 0; i < codes.length; i++) data[at + i] = map[codes[i] as number] as number
    },
  }
}

/** Cells that are taken as they are. */
function copyNumbers(data: Float64Array | Int32Array, type: CellsType): Copy {
  return (memory, column, at) => data.set(cellsIn(type, memory, column), at)
}

/** Text that is spelled out in each row. */
function textCollector(rows: number): ColumnCollector {
  const data = new Array<string | null>(rows).fill(null)
  const setMissing = (row: number): void => {
    data[row] = null
  }
  return {
    target: { setMissing, build: () => ({ type: 'string', data }) },
    copy(memory, column, at) {
      textsIn(memory, column).forEach((text, i) => {
        data[at + i] = text
      })
    },
  }
}

function copyBooleans(data: Uint8Array): Copy {
  return ({ bytes }, { buffers, offset, length }, at) => {
    const bitmap = buffers[1] as number
    for (let i = 0; i < length; i++) data[at + i] = Number(isSet(bytes, bitmap, offset + i))
  }
}

/**
 * What takes a column of so many rows.
 * @param format as the C data interface writes it, or `dictionary` for codes into text
 * @throws UnsupportedTypeError for a type that has no form here
 */
function collectorFor(format: string, rows: number): ColumnCollector {
  if (format === dictionaryFormat) return dictionaryCollector(rows)
  if (format === 'u') return textCollector(rows)
  if (format === 'i') {
    const target = new NumberBuilder('int', rows)
    return { target, copy: copyNumbers(target.data, Int32Array) }
  }
  if (format === 'b') {
    const target = new NumberBuilder('boolean', rows)
    return { target, copy: copyBooleans(target.data) }
  }
  const type = doubles[format]
  if (!type && format !== 'l') throw new UnsupportedTypeError(format)
  const target = new NumberBuilder('float', rows)
  return { target, copy: type ? copyNumbers(target.data, type) : copyLongs(target.data) }
}

/** Format of a column whose cells are codes into text; the interface writes the type of the codes alone. */
const dictionaryFormat = 'dictionary'

/** One column of a batch, in place: nothing of it outlives the batch. */
interface CDataColumn {
  readonly length: number
  readonly nullCount: number
  /** First cell, in the buffers. */
  readonly offset: number
  /** Addresses of its buffers; 0 where there is none. */
  readonly buffers: readonly number[]
  /** Words of a dictionary. */
  readonly dictionary: CDataColumn | undefined
}

interface CDataField {
  readonly name: string
  /** As the interface writes a type: `g` double, `i` int32, `l` int64, `b` bool, …; `dictionary` for codes into text. */
  readonly format: string
}

class CodecMemory {
  readonly bytes: Uint8Array
  readonly #view: DataView
  constructor({ buffer }: { readonly buffer: ArrayBufferLike }) {
    this.bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
  }

  #address(at: number): number {
    return this.#view.getUint32(at, true)
  }

  #count(at: number): number {
    return Number(this.#view.getBigInt64(at, true))
  }

  #addresses(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.#address(at + i * 4))
  }

  #text(at: number): string {
    return Buffer.from(this.bytes.buffer, at, this.bytes.indexOf(0, at) - at).toString('utf8')
  }

  /** Columns of a schema. */
  fields(schema: number): CDataField[] {
    const children = this.#addresses(this.#address(schema + 32), this.#count(schema + 24))
    return children.map((child) => {
      const name = this.#text(this.#address(child + 4))
      const format = this.#text(this.#address(child))
      const dictionary = this.#address(child + 36)
      if (dictionary === 0) return { name, format }
      const isText = format === 'i' && this.#text(this.#address(dictionary)) === 'u'
      return { name, format: isText ? dictionaryFormat : `dictionary of ${format}` }
    })
  }

  /** Columns of a batch. */
  columns(array: number): CDataColumn[] {
    return this.#addresses(this.#address(array + 44), this.#count(array + 32)).map((child) => this.#column(child))
  }

  #column(at: number): CDataColumn {
    const dictionary = this.#address(at + 48)
    return {
      length: this.#count(at),
      nullCount: this.#count(at + 8),
      offset: this.#count(at + 16),
      buffers: this.#addresses(this.#address(at + 40), this.#count(at + 24)),
      dictionary: dictionary === 0 ? undefined : this.#column(dictionary),
    }
  }
}

/** Columns on the way, copied batch by batch out of the codec's memory. */
export class BatchCells {
  readonly #rows: number
  readonly #collectors = new Map<string, ColumnCollector>()

  /** @param rows of all batches */
  constructor(rows: number) {
    this.#rows = rows
  }

  /**
   * Takes the cells of a batch to the row `at` and those behind it.
   * @param names of its columns: the schema of a batch is that of the file, also when some of its columns alone were read
   * @returns its rows
   * @throws UnsupportedTypeError for a type that has no form here
   */
  take(
    codecBatch: CodecBatch,
    memory: { readonly buffer: ArrayBufferLike },
    at: number,
    names?: readonly string[],
  ): number {
    const batch = codecBatch.intoFFI()
    try {
      const cells = new CodecMemory(memory)
      const columns = cells.columns(batch.arrayAddr())
      const shapes = cells.fields(batch.schemaAddr()).filter(({ name }) => names?.includes(name) ?? true)
      if (shapes.length !== columns.length) throw new UnsupportedTypeError(sentence`a batch of other columns`)
      shapes.forEach(({ name, format }, i) => {
        const column = columns[i] as CDataColumn
        const into = this.#collectors.get(name) ?? collectorFor(format, this.#rows)
        this.#collectors.set(name, into)
        if (at + column.length > this.#rows)
          throw new QuotebookError('FILE', sentence`it has more rows than its footer counts`)
        takeCells(into, cells, column, at)
      })
      return columns[0]?.length ?? 0
    } finally {
      batch.free()
    }
  }

  build(): Map<string, ColumnData> {
    return new Map([...this.#collectors].map(([name, into]) => [name, into.target.build()]))
  }
}
