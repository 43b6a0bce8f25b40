/** Cells as codes into words; below 0 where missing. */
export interface Codes {
  readonly data: Int8Array | Int32Array
  readonly words: readonly (string | boolean | null)[]
}

type Cell = string | boolean | null

const known = new WeakMap<object, Codes>()

/** The codes of an array whose cells nobody has looked at. */
export function cellCodes(cells: unknown): Codes | undefined {
  return typeof cells === 'object' && cells !== null ? known.get(cells) : undefined
}

/** An array of so many rows without a cell, which costs no memory: a far index makes V8 keep it by the cells that it has. */
function emptyArray(length: number): Cell[] {
  const cells: Cell[] = []
  cells[2 ** 32 - 2] = null
  cells.length = length
  return cells
}

/** Stands between cells that are not there yet and Array.prototype: whoever asks for anything but a method gets them all. */
class Unread implements ProxyHandler<object> {
  readonly #cells: Cell[]

  constructor(cells: Cell[]) {
    this.#cells = cells
  }

  get(methods: object, key: string | symbol): unknown {
    if (key === 'constructor' || Object.hasOwn(methods, key)) return Reflect.get(methods, key)
    return Reflect.get(this.#read(methods), key)
  }

  has(methods: object, key: string | symbol): boolean {
    return Reflect.has(this.#read(methods), key)
  }

  set(methods: object, key: string | symbol, value: unknown): boolean {
    return Reflect.set(this.#read(methods), key, value)
  }

  getPrototypeOf(): object {
    return Array.prototype
  }

  #read(methods: object): Cell[] {
    const cells = this.#cells
    const { data, words } = known.get(cells) as Codes
    known.delete(cells)
    Object.setPrototypeOf(cells, Array.prototype)
    cells.length = 0
    for (let row = 0; row < data.length; row++) {
      const code = data[row] as number
      cells.push(code < 0 ? null : (words[code] as Cell))
    }
    return Object.defineProperties(cells, Object.getOwnPropertyDescriptors(methods) as PropertyDescriptorMap)
  }
}

/**
 * An array of cells that are made when somebody first looks at one; until then the methods work with their codes.
 * @param methods a prototype with the methods, below Array.prototype
 */
export function codedCells(codes: Codes, methods: object): Cell[] {
  const cells = emptyArray(codes.data.length)
  known.set(cells, codes)
  return Object.setPrototypeOf(cells, new Proxy(methods, new Unread(cells)))
}
