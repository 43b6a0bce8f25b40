import type { ColumnData, RecordColumns } from '../../table/values.js'

type Cells = Float64Array | Int32Array | Uint8Array

/** Bytes. So large a block goes back to the system as soon as it is let go; the memory of thousands of small ones does not. */
const size = 2 ** 23

/** The cells of one column of many replies. */
class ColumnBlocks {
  #block = new ArrayBuffer(0)
  #used = 0

  copy<A extends Cells>(cells: A): A {
    if (this.#used + cells.byteLength > this.#block.byteLength) {
      this.#block = new ArrayBuffer(Math.max(size, cells.byteLength))
      this.#used = 0
    }
    const Kind = cells.constructor as new (block: ArrayBuffer, at: number, length: number) => A
    const copied = new Kind(this.#block, this.#used, cells.length)
    copied.set(cells)
    this.#used += (cells.byteLength + 7) & ~7
    return copied
  }
}

/**
 * Keeps the columns of many small replies side by side, each column in large blocks of its own, so that the memory of a
 * column is free again when it has been joined.
 */
export class ColumnArena {
  readonly #blocks = new Map<string, ColumnBlocks>()

  copy({ length, columns }: RecordColumns): RecordColumns {
    return { length, columns: new Map([...columns].map(([name, values]) => [name, this.#copy(name, values)])) }
  }

  #copy(name: string, values: ColumnData): ColumnData {
    if (values.type === 'string' || values.type === 'list') return values
    const blocks = this.#blocks.get(name) ?? new ColumnBlocks()
    this.#blocks.set(name, blocks)
    const data = blocks.copy<Cells>(values.data)
    const valid = 'valid' in values && values.valid ? { valid: blocks.copy(values.valid) } : {}
    return { ...values, data, ...valid } as ColumnData
  }
}
