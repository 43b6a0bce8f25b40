import type { Column } from '../../contract/column.js'
import { formOf } from '../arrow.js'
import type { ColumnData } from '../values.js'
import type { Cells } from './cells.js'
import { mostValues } from './check-json.js'
import { FlagCells, FloatCells, IntCells } from './number-cells.js'
import { afterBlank, byteOf, type Source } from './source.js'
import { JsonCells, ListCells, StringCells, WordCells } from './text-cells.js'

const firstRoom = 64

const [float, int, flag, word, string, json, list] = [0, 1, 2, 3, 4, 5, 6] as const

function cellsOf(source: Source, column: Column): readonly [reader: number, cells: Cells] {
  switch (formOf(column.kind)) {
    case 'float':
      return [float, new FloatCells(source, column)]
    case 'int':
      return [int, new IntCells(source, column)]
    case 'boolean':
      return [flag, new FlagCells(source, column)]
    case 'dictionary':
      return [word, new WordCells(source, column)]
    case 'list':
      return [list, new ListCells(source, column)]
    case 'string':
      return column.kind === 'json' ? [json, new JsonCells(source, column)] : [string, new StringCells(source, column)]
  }
}

/** The rows of `items`, read into columns. */
export class Rows {
  readonly #source: Source
  readonly #cells: readonly Cells[]
  readonly #readers: readonly number[]
  #room = 0
  length = 0

  constructor(source: Source, columns: readonly Column[]) {
    const made = columns.map((column) => cellsOf(source, column))
    this.#source = source
    this.#readers = made.map(([reader]) => reader)
    this.#cells = made.map(([, cells]) => cells)
  }

  /** Reads the array whose bracket stands at `start`. @returns the place after it, or -1 */
  read(start: number): number {
    const { bytes } = this.#source
    if (bytes[start] !== byteOf.open) return -1
    let at = afterBlank(bytes, start + 1)
    if (bytes[at] === byteOf.close) return at + 1
    for (;;) {
      if (this.length === this.#room && !this.#widen(at - start)) return -1
      at = this.#row(at, this.length)
      if (at < 0) return -1
      this.length++
      at = afterBlank(bytes, at)
      if (bytes[at] === byteOf.close) return at + 1
      if (bytes[at] !== byteOf.comma) return -1
      at = afterBlank(bytes, at + 1)
    }
  }

  /** The column at a place of `fields`. */
  values(place: number): ColumnData {
    return (this.#cells[place] as Cells).values(this.length)
  }

  /** Each reader has a call of its own, which the engine then compiles for that one class. */
  #row(start: number, row: number): number {
    const { bytes } = this.#source
    const cells = this.#cells
    const last = cells.length - 1
    if (bytes[start] !== byteOf.open) return -1
    let at = start + 1
    for (let place = 0; place <= last; place++) {
      at = afterBlank(bytes, at)
      switch (this.#readers[place]) {
        case float:
          at = (cells[place] as FloatCells).read(at, row)
          break
        case word:
          at = (cells[place] as WordCells).read(at, row)
          break
        case string:
          at = (cells[place] as StringCells).read(at, row)
          break
        case int:
          at = (cells[place] as IntCells).read(at, row)
          break
        case flag:
          at = (cells[place] as FlagCells).read(at, row)
          break
        case list:
          at = (cells[place] as ListCells).read(at, row)
          break
        default:
          at = (cells[place] as JsonCells).read(at, row)
      }
      if (at < 0) return -1
      at = afterBlank(bytes, at)
      if (bytes[at] !== (place === last ? byteOf.close : byteOf.comma)) return -1
      at++
    }
    return at
  }

  /**
   * Room for as many rows as the bytes to come should hold, and for no less than twice, no more than 16 times as many.
   * @returns false where the rows are more than a reply may have
   */
  #widen(passed: number): boolean {
    const { length } = this
    const most = Math.ceil(mostValues / this.#cells.length)
    if (length >= most) return false
    const likely = length === 0 ? firstRoom : Math.ceil((this.#source.bytes.length / passed) * length * 1.02)
    this.#room = length === 0 ? firstRoom : Math.min(Math.max(likely, length * 2), length * 16, most)
    for (const cells of this.#cells) cells.widen(this.#room)
    return true
  }
}
