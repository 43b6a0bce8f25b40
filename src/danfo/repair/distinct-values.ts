/*
 * Distinct values, how often they come, and the keys of groups and joins.
 *
 * Stock valueCounts() reads labels as numbers: '000001' is counted under 1, and '000001.SZ' with '000001.SH' throws
 * because both become 1. dropDuplicates({ keep: 'last' }) turns the source around. Missing values count as values, null
 * and NaN as two. It joins the cells of a key by '-' or '_' and keeps it as a property of an object.
 *
 * Now labels are the values, counts skip what is missing, and the missing ones are one value among the distinct. Keys go
 * by value and type: 1 is not '1', ('2026-01', '02-x') is not ('2026-01-02', 'x'), and no text means anything special.
 */
import { DataColumns } from '../frame-store.js'
import {
  type Axis,
  type Cells,
  cellsOf,
  DataFrame,
  type InPlace,
  isNa,
  type Label,
  listsAlong,
  refuse,
  repair,
  result,
  Series,
  storedIn,
} from './model.js'
import { pickRows } from './pick-rows.js'

/** For each row the number of its key, in order of appearance; what is missing is the same key everywhere. */
export interface RowKeys {
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
    if (isNa(cell)) return 0
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
export function keyRows(columns: readonly Cells[]): RowKeys {
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

function countDistinct(cells: Cells): number {
  return keyRows([cells.filter((cell) => !isNa(cell))]).count
}

function labelOf(cell: unknown): Label {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  return cell instanceof Date ? cell.toISOString() : String(cell)
}

repair<Series>(Series.prototype, {
  dropDuplicates(options?: InPlace & { readonly keep?: 'first' | 'last' }): Series | undefined {
    const keep = options?.keep ?? 'first'
    if (keep !== 'first' && keep !== 'last') refuse(`keep is 'first' or 'last', not '${String(keep)}'`)
    const { codes, first } = keyRows([cellsOf(this)])
    const last = first.slice()
    codes.forEach((code, row) => {
      last[code] = row
    })
    return result(this, pickRows(this, keep === 'first' ? first : last.sort((a, b) => a - b)), options)
  },

  unique(): Series {
    const { first } = keyRows([cellsOf(this)])
    return new Series(new DataColumns([storedIn(this).gather(first)]), { columns: this.$columns, dtypes: this.$dtypes })
  },

  nUnique(): number {
    return countDistinct(cellsOf(this))
  },

  valueCounts(): Series {
    const counts = new Map<Label, number>()
    for (const cell of cellsOf(this)) if (!isNa(cell)) counts.set(labelOf(cell), (counts.get(labelOf(cell)) ?? 0) + 1)
    return new Series([...counts.values()], { index: [...counts.keys()], columns: ['0'], dtypes: ['int32'] })
  },
})

repair<DataFrame>(DataFrame.prototype, {
  nUnique(axis: NonNullable<Axis['axis']> = 1): Series {
    if (axis !== 0 && axis !== 1) refuse(`axis is 0 (columns) or 1 (rows), not ${String(axis)}`)
    const counts = listsAlong(this, axis).map(countDistinct)
    return new Series(counts, { index: axis === 0 ? this.$columns : this.$index, columns: ['0'], dtypes: ['int32'] })
  },
})
