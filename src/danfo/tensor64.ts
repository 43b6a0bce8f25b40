/*
 * What danfo asks of TensorFlow, in double precision: tensors of up to two dimensions, arithmetic with broadcasting,
 * comparisons, and what its scalers need. A missing value (null, undefined, NaN) is NaN and stays missing in
 * arithmetic; reductions skip it.
 */

type Shape = readonly number[]
type Nested = number | number[] | number[][]

function numberOf(cell: unknown): number {
  if (typeof cell === 'number') return cell
  if (cell === null || cell === undefined) return Number.NaN
  if (typeof cell === 'boolean') return cell ? 1 : 0
  throw new TypeError(`a tensor holds numbers, not ${JSON.stringify(cell) ?? String(cell)}`)
}

/** Rows and columns of a shape; one dimension is a row. */
function sides(shape: Shape): [number, number] {
  return shape.length === 2 ? [shape[0] as number, shape[1] as number] : [1, shape[0] ?? 1]
}

function joined(a: number, b: number): number {
  if (a !== b && a !== 1 && b !== 1) throw new RangeError(`operands of ${a} and ${b} do not go together`)
  return a === 1 ? b : a
}

export class Tensor {
  readonly values: Float64Array
  readonly shape: Shape

  constructor(values: Float64Array, shape: Shape) {
    const size = shape.reduce((product, side) => product * side, 1)
    if (values.length !== size) throw new RangeError(`${values.length} values do not fill the shape [${shape}]`)
    this.values = values
    this.shape = shape
  }

  get rank(): number {
    return this.shape.length
  }

  arraySync(): Nested {
    if (this.rank === 0) return this.values[0] as number
    if (this.rank === 1) return Array.from(this.values)
    const [rows, width] = sides(this.shape)
    return Array.from({ length: rows }, (_, row) => Array.from(this.values.subarray(row * width, (row + 1) * width)))
  }

  clone(): Tensor {
    return new Tensor(this.values.slice(), this.shape)
  }

  transpose(): Tensor {
    if (this.rank < 2) return this.clone()
    const [rows, width] = sides(this.shape)
    const out = new Float64Array(this.values.length)
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < width; column++) {
        out[column * rows + row] = this.values[row * width + column] as number
      }
    }
    return new Tensor(out, [width, rows])
  }

  /** One result for each pair of cells; a side of length one is repeated. */
  private with(other: Tensor, result: (a: number, b: number) => number): Tensor {
    const [rowsA, widthA] = sides(this.shape)
    const [rowsB, widthB] = sides(other.shape)
    const [rows, width] = [joined(rowsA, rowsB), joined(widthA, widthB)]
    const out = new Float64Array(rows * width)
    for (let row = 0; row < rows; row++) {
      const startA = rowsA === 1 ? 0 : row * widthA
      const startB = rowsB === 1 ? 0 : row * widthB
      for (let column = 0; column < width; column++) {
        const a = this.values[startA + (widthA === 1 ? 0 : column)] as number
        const b = other.values[startB + (widthB === 1 ? 0 : column)] as number
        out[row * width + column] = result(a, b)
      }
    }
    const rank = Math.max(this.rank, other.rank)
    return new Tensor(out, rank === 2 ? [rows, width] : rank === 1 ? [width] : [])
  }

  add(other: Tensor): Tensor {
    return this.with(other, (a, b) => a + b)
  }

  sub(other: Tensor): Tensor {
    return this.with(other, (a, b) => a - b)
  }

  mul(other: Tensor): Tensor {
    return this.with(other, (a, b) => a * b)
  }

  div(other: Tensor): Tensor {
    return this.with(other, (a, b) => a / b)
  }

  /** 0 where the divisor is 0, as TensorFlow has it; missing where the dividend is missing. */
  divNoNan(other: Tensor): Tensor {
    return this.with(other, (a, b) => (b === 0 && !Number.isNaN(a) ? 0 : a / b))
  }

  /** Missing to any power is missing, also to the power of 0. */
  pow(other: Tensor): Tensor {
    return this.with(other, (a, b) => (Number.isNaN(a) ? a : a ** b))
  }

  /** The remainder that has the sign of the divisor. */
  mod(other: Tensor): Tensor {
    return this.with(other, (a, b) => {
      const rest = a % b
      return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest
    })
  }

  greater(other: Tensor): Tensor {
    return this.with(other, (a, b) => (a > b ? 1 : 0))
  }

  greaterEqual(other: Tensor): Tensor {
    return this.with(other, (a, b) => (a >= b ? 1 : 0))
  }

  less(other: Tensor): Tensor {
    return this.with(other, (a, b) => (a < b ? 1 : 0))
  }

  lessEqual(other: Tensor): Tensor {
    return this.with(other, (a, b) => (a <= b ? 1 : 0))
  }

  equal(other: Tensor): Tensor {
    return this.with(other, (a, b) => (a === b ? 1 : 0))
  }

  notEqual(other: Tensor): Tensor {
    return this.with(other, (a, b) => (a !== b ? 1 : 0))
  }

  /** One result for each column, of the values present in it. The values of one dimension are one column. */
  private down(result: (column: Float64Array) => number): Tensor {
    const upright = this.rank === 2 ? this.transpose() : this
    const [columns, length] = sides(upright.shape)
    const out = Float64Array.from({ length: columns }, (_, i) =>
      result(upright.values.subarray(i * length, (i + 1) * length).filter((cell) => !Number.isNaN(cell))),
    )
    return new Tensor(out, this.rank === 2 ? [columns] : [])
  }

  mean(_axis: 0): Tensor {
    return this.down((column) => column.reduce((sum, cell) => sum + cell, 0) / column.length)
  }

  max(_axis: 0): Tensor {
    return this.down((column) => column.reduce((a, b) => Math.max(a, b), column[0] ?? Number.NaN))
  }

  min(_axis: 0): Tensor {
    return this.down((column) => column.reduce((a, b) => Math.min(a, b), column[0] ?? Number.NaN))
  }

  /** Population variance of each column. */
  variance(): Tensor {
    return this.down((column) => {
      const mean = column.reduce((sum, cell) => sum + cell, 0) / column.length
      return column.reduce((sum, cell) => sum + (cell - mean) ** 2, 0) / column.length
    })
  }

  sqrt(): Tensor {
    return new Tensor(this.values.map(Math.sqrt), this.shape)
  }

  /** Place of the first greatest value; -1 when every value is missing. */
  argMax(): Tensor {
    return scalar(this.values.indexOf(this.values.reduce((a, b) => (b > a || Number.isNaN(a) ? b : a), Number.NaN)))
  }

  /** Place of the first least value; -1 when every value is missing. */
  argMin(): Tensor {
    return scalar(this.values.indexOf(this.values.reduce((a, b) => (b < a || Number.isNaN(a) ? b : a), Number.NaN)))
  }
}

export function scalar(value: unknown): Tensor {
  return new Tensor(Float64Array.of(numberOf(value)), [])
}

export function tensor1d(cells: readonly unknown[], _dtype?: string): Tensor {
  return new Tensor(Float64Array.from(cells, numberOf), [cells.length])
}

/** From rows, or from flat cells with a shape. */
export function tensor2d(cells: readonly unknown[], shape?: Shape, _dtype?: string): Tensor {
  const first: unknown = cells[0]
  const sides = shape ?? [cells.length, Array.isArray(first) ? first.length : 0]
  return new Tensor(Float64Array.from(Array.isArray(first) ? cells.flat() : cells, numberOf), sides)
}

export function moments(tensor: Tensor, axis: 0): { mean: Tensor; variance: Tensor } {
  return { mean: tensor.mean(axis), variance: tensor.variance() }
}

/** Numbers from 0 up to 1 that a seed fixes: FNV-1a of its text into a mulberry32 generator. */
function random(seed: string): () => number {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) as number), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** All items in an order that the seed fixes (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], seed: string): T[] {
  const out = [...items]
  const next = random(seed)
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    const kept = out[i] as T
    out[i] = out[j] as T
    out[j] = kept
  }
  return out
}

class Sequence<T> {
  private readonly items: readonly T[]
  constructor(items: readonly T[]) {
    this.items = items
  }

  /** `_buffer` is TensorFlow's and not needed. */
  shuffle(_buffer: number, seed: string): Sequence<T> {
    return new Sequence(shuffled(this.items, seed))
  }

  take(count: number): Sequence<T> {
    return new Sequence(this.items.slice(0, count))
  }

  async toArray(): Promise<T[]> {
    return [...this.items]
  }
}

export const data = { array: <T>(items: readonly T[]): Sequence<T> => new Sequence(items) }
