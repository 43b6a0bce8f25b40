/*
 * Distinct values and how often they come.
 *
 * Stock valueCounts() reads labels as numbers: '000001' is counted under 1, and '000001.SZ' with '000001.SH' throws
 * because both become 1. dropDuplicates({ keep: 'last' }) turns the source around. Missing values count as values, null
 * and NaN as two.
 *
 * Now labels are the values, counts skip what is missing, and the missing ones are one value among the distinct.
 */
import { becomeVector, DataFrame, type Frame, type Label, range, refuse, repair, Series, type Vector } from './danfo.js'
import { takeCells } from './indexing.js'
import { codesOf } from './keys.js'
import { isMissing } from './missing.js'

/** Positions of the first row of each distinct value. */
function firsts(cells: readonly unknown[]): number[] {
  const seen = new Set<number>()
  const { codes } = codesOf([cells])
  return range(cells.length).filter((row) => {
    const code = codes[row] as number
    return !seen.has(code) && seen.add(code)
  })
}

function countOf(cells: readonly unknown[]): number {
  return firsts(cells.filter((cell) => !isMissing(cell))).length
}

repair<Vector>(Series.prototype, {
  dropDuplicates(options?: { readonly keep?: 'first' | 'last'; readonly inplace?: boolean }): Vector | undefined {
    const keep = options?.keep ?? 'first'
    if (keep !== 'first' && keep !== 'last') refuse(`keep is 'first' or 'last', not '${String(keep)}'`)
    const last = this.$data.length - 1
    const at =
      keep === 'first'
        ? firsts(this.$data)
        : firsts([...this.$data].reverse())
            .map((row) => last - row)
            .reverse()
    const vector = takeCells(this, at)
    return options?.inplace ? becomeVector(this, vector) : vector
  },

  unique(): Vector {
    const cells = firsts(this.$data).map((row) => this.$data[row])
    return new Series(cells, { columns: this.$columns, dtypes: this.$dtypes })
  },

  nUnique(): number {
    return countOf(this.$data)
  },

  valueCounts(): Vector {
    const present = this.$data.filter((cell) => !isMissing(cell))
    const counts = new Map<Label, number>()
    for (const cell of present) {
      const label =
        typeof cell === 'number' || typeof cell === 'string'
          ? cell
          : cell instanceof Date
            ? cell.toISOString()
            : String(cell)
      counts.set(label, (counts.get(label) ?? 0) + 1)
    }
    return new Series([...counts.values()], { index: [...counts.keys()], columns: ['0'], dtypes: ['int32'] })
  },
})

repair<Frame & { $getDataArraysByAxis(axis: 0 | 1): readonly (readonly unknown[])[] }>(DataFrame.prototype, {
  nUnique(axis: 0 | 1 = 1): Vector {
    if (axis !== 0 && axis !== 1) refuse(`axis is 0 (columns) or 1 (rows), not ${String(axis)}`)
    const counts = this.$getDataArraysByAxis(axis).map(countOf)
    return new Series(counts, { index: axis === 0 ? this.$columns : this.$index, columns: ['0'], dtypes: ['int32'] })
  },
})
