import { mapRows } from '../../frame/table/fresh-array.js'

/** Rows of named numbers in one array that grows: an object for each row would be most of the work of a run. */
export class NumberRows<N extends string> {
  #cells = new Float64Array(0)
  #length = 0
  readonly #names: readonly N[]

  constructor(names: readonly N[]) {
    this.#names = names
  }

  /** A row, in the order of the names; up to nine of them, since an array for each row would cost more than the row. */
  add(a: number, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0): void {
    const width = this.#names.length
    const at = this.#length++ * width
    if (at + 9 > this.#cells.length) {
      const more = new Float64Array(Math.max(64 * 9, 2 * this.#cells.length))
      more.set(this.#cells)
      this.#cells = more
    }
    const cells = this.#cells
    // What is beyond the width is overwritten by the next row.
    cells[at] = a
    cells[at + 1] = b
    cells[at + 2] = c
    cells[at + 3] = d
    cells[at + 4] = e
    cells[at + 5] = f
    cells[at + 6] = g
    cells[at + 7] = h
    cells[at + 8] = i
  }

  get length(): number {
    return this.#length
  }

  /** A number of a row, by the place of its name. */
  cell(row: number, place: number): number {
    return this.#cells[row * this.#names.length + place] as number
  }

  /** A number of each row, from one on. */
  column(name: N, from = 0): Float64Array {
    const [width, place] = [this.#names.length, this.#names.indexOf(name)]
    const column = new Float64Array(this.#length - from)
    for (let row = 0; row < column.length; row++) column[row] = this.#cells[(from + row) * width + place] as number
    return column
  }

  objects(): { [name in N]: number }[] {
    const [names, cells] = [this.#names, this.#cells]
    return mapRows(this.#length, (row) => {
      const one = {} as { [name in N]: number }
      for (let place = 0; place < names.length; place++)
        one[names[place] as N] = cells[row * names.length + place] as number
      return one
    })
  }
}
