import type { ColumnData, RecordColumns } from '../../table/values.js'

type Cells = Float64Array | Int32Array | Uint8Array

/** Bytes. So large a block goes back to the system as soon as it is let go; the room of thousands of small ones does not. */
const size = 2 ** 23

/** Room for the cells of one column of many replies. */
class Slab {
  #room = new ArrayBuffer(0)
  #used = 0

  keep<A extends Cells>(cells: A): A {
    if (this.#used + cells.byteLength > this.#room.byteLength) {
      this.#room = new ArrayBuffer(Math.max(size, cells.byteLength))
      this.#used = 0
    }
    const Kind = cells.constructor as new (room: ArrayBuffer, at: number, length: number) => A
    const kept = new Kind(this.#room, this.#used, cells.length)
    kept.set(cells)
    this.#used += (cells.byteLength + 7) & ~7
    return kept
  }
}

/**
 * Keeps the columns of many small replies side by side, each column in large blocks of its own, so that the memory of a
 * column is free again when it has been joined.
 */
export class ColumnArena {
  readonly #of = new Map<string, Slab>()

  copy({ length, columns: of }: RecordColumns): RecordColumns {
    return { length, columns: new Map([...of].map(([name, values]) => [name, this.#keep(name, values)])) }
  }

  #keep(name: string, values: ColumnData): ColumnData {
    switch (values.type) {
      case 'dictionary':
        return { ...values, data: this.#slab(name).keep(values.data) }
      case 'float':
        return { ...values, data: this.#slab(name).keep(values.data), valid: this.#valid(name, values.valid) }
      case 'int':
        return { ...values, data: this.#slab(name).keep(values.data), valid: this.#valid(name, values.valid) }
      case 'boolean':
        return { ...values, data: this.#slab(name).keep(values.data), valid: this.#valid(name, values.valid) }
      default:
        return values
    }
  }

  #valid(name: string, valid: Uint8Array | null): Uint8Array | null {
    return valid && this.#slab(name).keep(valid)
  }

  #slab(name: string): Slab {
    const known = this.#of.get(name)
    if (known) return known
    const slab = new Slab()
    this.#of.set(name, slab)
    return slab
  }
}
