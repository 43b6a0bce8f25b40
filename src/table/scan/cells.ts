import type { Column } from '../../contract/column.js'
import type { ColumnData } from '../values.js'
import { afterNull } from './value.js'

/** The cells of one column as they are read. */
export interface Cells {
  /** Reads the cell at a place of the bytes. @returns the place after it, or -1 for one that the column does not take */
  read(at: number, row: number): number
  /** Makes room for rows. */
  widen(rows: number): void
  /** What was read, in no more memory than it needs. */
  values(rows: number): ColumnData
}

/** The place after `null` where a column may lack a cell, or -1. */
export function afterMissing(bytes: Uint8Array, at: number, column: Column): number {
  return column.nullable ? afterNull(bytes, at) : -1
}

type Numbers = Float64Array | Int32Array | Uint8Array

/** The same numbers in a longer array. */
export function widened<A extends Numbers>(longer: A, data: A): A {
  longer.set(data)
  return longer
}

/** The first `rows` numbers in an array of just that size. */
export function cut<A extends Numbers>(data: A, rows: number): A {
  return (data.length === rows ? data : data.slice(0, rows)) as A
}

/** Which cells of a column are there, once one is missing. */
export class Presence {
  #valid: Uint8Array | null = null

  miss(row: number, room: number): void {
    this.#valid ??= new Uint8Array(room).fill(1)
    this.#valid[row] = 0
  }

  widen(rows: number): void {
    if (this.#valid) this.#valid = widened(new Uint8Array(rows).fill(1), this.#valid)
  }

  values(rows: number): Uint8Array | null {
    return this.#valid && cut(this.#valid, rows)
  }
}
