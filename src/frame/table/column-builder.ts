interface NumberArrays {
  readonly float: Float64Array
  readonly int: Int32Array
  readonly boolean: Uint8Array
}

/** A column of each of the types, not of their union. */
type NumberColumn<T extends keyof NumberArrays> = T extends unknown
  ? { readonly type: T; readonly data: NumberArrays[T]; readonly valid: Uint8Array | null }
  : never

/** The array of the numbers of a column, by its type. */
export const numberArrays = { float: Float64Array, int: Int32Array, boolean: Uint8Array } as const

/** Numbers or booleans of a column on the way. Cells are put straight into `data`, which keeps the loops plain. */
export class NumberBuilder<T extends keyof NumberArrays> {
  readonly type: T
  readonly data: NumberArrays[T]
  #valid: Uint8Array | null = null

  constructor(type: T, length: number) {
    this.type = type
    this.data = new numberArrays[type](length) as NumberArrays[T]
  }

  /** Says that the cell of a row is missing. Bytes for validity are there from the first one on. */
  setMissing(row: number): void {
    this.#valid ??= new Uint8Array(this.data.length).fill(1)
    this.#valid[row] = 0
    this.data[row] = this.type === 'float' ? Number.NaN : 0
  }

  build(): NumberColumn<T> {
    return { type: this.type, data: this.data, valid: this.#valid } as NumberColumn<T>
  }
}

/** Text of a column on the way: each distinct word once, in the order in which they come. */
export class DictionaryBuilder {
  /** A code a row; -1, as at the beginning, where missing. */
  readonly data: Int32Array
  readonly dictionary: string[] = []
  readonly #codes = new Map<string, number>()

  constructor(length: number) {
    this.data = new Int32Array(length).fill(-1)
  }

  /** The code of a word, a new one for a new word. */
  codeOf(word: string): number {
    let code = this.#codes.get(word)
    if (code === undefined) {
      code = this.dictionary.push(word) - 1
      this.#codes.set(word, code)
    }
    return code
  }

  setMissing(row: number): void {
    this.data[row] = -1
  }

  build(): { readonly type: 'dictionary'; readonly data: Int32Array; readonly dictionary: readonly string[] } {
    return { type: 'dictionary', data: this.data, dictionary: this.dictionary }
  }
}
