import type { Column } from '../../contract/column.js'
import type { ColumnData } from '../values.js'
import { afterMissing, type Cells, cut, Presence, widened } from './cells.js'
import { readNumber } from './number.js'
import type { Source } from './source.js'
import { afterFalse, afterTrue } from './value.js'

/** Kinds `number` and `long`. */
export class FloatCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #whole: boolean
  readonly #presence = new Presence()
  #data = new Float64Array(0)

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#column = column
    this.#whole = column.kind === 'long'
  }

  read(at: number, row: number): number {
    const after = readNumber(this.#source, at, this.#data, row)
    if (after < 0) return this.#missing(at, row)
    return this.#whole && !Number.isSafeInteger(this.#data[row]) ? -1 : after
  }

  #missing(at: number, row: number): number {
    this.#data[row] = Number.NaN
    this.#presence.miss(row, this.#data.length)
    return afterMissing(this.#source.bytes, at, this.#column)
  }

  widen(rows: number): void {
    this.#data = widened(new Float64Array(rows), this.#data)
    this.#presence.widen(rows)
  }

  values(rows: number): ColumnData {
    return { type: 'float', data: cut(this.#data, rows), valid: this.#presence.values(rows) }
  }
}

/** Kind `integer`. */
export class IntCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #presence = new Presence()
  readonly #cell = new Float64Array(1)
  #data = new Int32Array(0)

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#column = column
  }

  read(at: number, row: number): number {
    const after = readNumber(this.#source, at, this.#cell, 0)
    if (after < 0) {
      this.#presence.miss(row, this.#data.length)
      return afterMissing(this.#source.bytes, at, this.#column)
    }
    const cell = this.#cell[0] as number
    this.#data[row] = cell
    return (cell | 0) === cell ? after : -1
  }

  widen(rows: number): void {
    this.#data = widened(new Int32Array(rows), this.#data)
    this.#presence.widen(rows)
  }

  values(rows: number): ColumnData {
    return { type: 'int', data: cut(this.#data, rows), valid: this.#presence.values(rows) }
  }
}

/** Kind `boolean`. */
export class FlagCells implements Cells {
  readonly #source: Source
  readonly #column: Column
  readonly #presence = new Presence()
  #data = new Uint8Array(0)

  constructor(source: Source, column: Column) {
    this.#source = source
    this.#column = column
  }

  read(at: number, row: number): number {
    const { bytes } = this.#source
    const afterYes = afterTrue(bytes, at)
    if (afterYes >= 0) {
      this.#data[row] = 1
      return afterYes
    }
    const afterNo = afterFalse(bytes, at)
    if (afterNo >= 0) return afterNo
    this.#presence.miss(row, this.#data.length)
    return afterMissing(bytes, at, this.#column)
  }

  widen(rows: number): void {
    this.#data = widened(new Uint8Array(rows), this.#data)
    this.#presence.widen(rows)
  }

  values(rows: number): ColumnData {
    return { type: 'boolean', data: cut(this.#data, rows), valid: this.#presence.values(rows) }
  }
}
