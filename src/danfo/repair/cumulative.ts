/*
 * Running sums, products, minima and maxima.
 *
 * Stock Series count null as 0 and lose all that follows a NaN; frames drop what is missing, so that later values move up
 * a row. Now a missing value stays missing in its place, and the next goes on from the last that was there.
 */
import {
  become,
  becomeVector,
  cellsAt,
  DataFrame,
  type Frame,
  frameOf,
  inWords,
  refuse,
  repair,
  rowsOf,
  Series,
  type Vector,
  vectorLike,
} from './danfo.js'
import { isMissing } from './missing.js'

const steps = {
  sum: (a: number, b: number) => a + b,
  prod: (a: number, b: number) => a * b,
  min: Math.min,
  max: Math.max,
} as const

export type Running = keyof typeof steps

export function running(cells: readonly unknown[], name: Running): number[] {
  let so: number | undefined
  return cells.map((cell) => {
    if (isMissing(cell)) return Number.NaN
    if (typeof cell !== 'number' && typeof cell !== 'boolean') return refuse(`${inWords(cell)} is not a number`)
    so = so === undefined ? Number(cell) : steps[name](so, Number(cell))
    return so
  })
}

repair<Vector>(Series.prototype, {
  cumOps(name: Running, { inplace }: { readonly inplace?: boolean }): Vector | undefined {
    const vector = vectorLike(this, running(this.$data, name))
    return inplace ? becomeVector(this, vector) : vector
  },
})

repair<Frame>(DataFrame.prototype, {
  cumOps(name: Running, axis: 0 | 1, inplace: boolean): Frame | undefined {
    const rows =
      axis === 1
        ? this.$data.map((cells) => running(cells, name))
        : rowsOf(
            this.$columns.map((_, at) => running(cellsAt(this.$data, at), name)),
            this.$data.length,
          )
    const frame = frameOf(rows, this.$index, this.$columns)
    return inplace ? become(this, { rows: frame.$data, dtypes: frame.$dtypes }) : frame
  },
})
