/*
 * Keys of rows, by value and type: 1 is not '1', ('2026-01', '02-x') is not ('2026-01-02', 'x'), and no text means
 * anything special. Stock danfo joins the cells of a key by '-' or '_' and keeps it as a property of an object.
 */
import { refuse } from './danfo.js'
import { isMissing } from './missing.js'

/** For each row the number of its key, in order of appearance; what is missing is the same key everywhere. */
export interface Codes {
  readonly codes: Int32Array
  readonly count: number
  /** The first row of each key. */
  readonly first: readonly number[]
}

/** Numbers the distinct cells; missing ones are 0. */
class Numbering {
  private readonly plain = new Map<unknown, number>()
  private readonly dates = new Map<number, number>()
  size = 1

  of(cell: unknown): number {
    if (isMissing(cell)) return 0
    if (cell instanceof Date) return this.in(this.dates, cell.getTime())
    if (typeof cell === 'object') return refuse('lists and objects are no keys')
    return this.in(this.plain, cell)
  }

  private in<K>(known: Map<K, number>, key: K): number {
    let number = known.get(key)
    if (number === undefined) {
      number = this.size++
      known.set(key, number)
    }
    return number
  }
}

/** Keys that consist of one cell of each column. */
export function codesOf(columns: readonly (readonly unknown[])[]): Codes {
  const length = columns[0]?.length ?? 0
  const codes = new Int32Array(length)
  let first: number[] = length > 0 ? [0] : []
  for (const cells of columns) {
    const numbering = new Numbering()
    const numbers = Int32Array.from(cells, (cell) => numbering.of(cell))
    const known = new Map<number, number>()
    first = []
    for (let row = 0; row < length; row++) {
      const pair = (codes[row] as number) * numbering.size + (numbers[row] as number)
      let code = known.get(pair)
      if (code === undefined) {
        code = first.push(row) - 1
        known.set(pair, code)
      }
      codes[row] = code
    }
  }
  return { codes, count: first.length, first }
}
