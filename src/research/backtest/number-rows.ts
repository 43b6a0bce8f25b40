import { mapRows } from '../../frame/table/fresh-array.js'

/** Rows of named numbers in one array that grows: an object for each row would be most of the work of a run. */
export class NumberRows<N extends string> {
  #cells = new Float64Array(0)
  #length = 0
  readonly #names: readonly N[]

  constructor(names: readonly N[]) {
    this.#names = names
  }

  /** A row, in the order of the names. */
  add(...row: readonly number[]): void {
    const at = this.#length++ * row.length
    if (at + row.length > this.#cells.length) {
      const more = new Float64Array(Math.max(64 * row.length, 2 * this.#cells.length))
      more.set(this.#cells)
      this.#cells = more
    }
    for (let place = 0; place < row.length; place++) this.#cells[at + place] = row[place] as number
  }

  get length(): number {
    return this.#length
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
