/*
 * Rows put at the end.
 *
 * Stock append(…, 0) throws because 0 is false, `inplace` throws because the length changes, and a row's cells go under
 * the wrong names when a frame has its columns in another order. Now a frame goes by its column names, and so does a
 * Series that has them for labels. Columns keep their types as far as the new cells allow.
 */

import { byName } from './arithmetic.js'
import { joinedType, tidied } from './concat.js'
import {
  become,
  becomeVector,
  cellsAt,
  columnAt,
  DataFrame,
  type Frame,
  frameLike,
  type InPlace,
  type Label,
  type Row,
  refuse,
  repair,
  rowsOf,
  Series,
  type Vector,
  vectorLike,
} from './danfo.js'
import { retyped } from './inference.js'
import { paired } from './labels.js'
import { isMissing } from './missing.js'

function labelsOf(index: Label | readonly Label[], count: number): readonly Label[] {
  const labels = Array.isArray(index) ? (index as readonly Label[]) : [index as Label]
  if (labels.some(isMissing)) refuse('append needs a label for each row')
  return labels.length === count ? labels : refuse(`${labels.length} labels do not go with ${count} rows`)
}

function rowsIn(frame: Frame, given: unknown): readonly Row[] {
  if (given instanceof DataFrame) {
    const other = given as Frame
    const places = frame.$columns.map((name) => columnAt(other, name))
    if (other.$columns.length !== places.length)
      refuse(`a frame of ${other.$columns.length} columns does not go below ${places.length}`)
    return other.$data.map((row) => places.map((at) => row[at]))
  }
  const cells = given instanceof Series ? paired({ $index: byName(frame, given) }, given) : given
  if (!Array.isArray(cells)) return refuse('append takes a row, rows, a Series or a frame')
  const rows = (Array.isArray(cells[0]) ? cells : [cells]) as readonly Row[]
  const odd = rows.find((row) => row.length !== frame.$columns.length)
  return odd ? refuse(`${odd.length} cells do not make a row of ${frame.$columns.length}`) : rows
}

/** A column with more cells, and the type that holds all. */
function longer(
  before: readonly unknown[],
  dtype: string,
  added: readonly unknown[],
): { dtype: string; cells: readonly unknown[] } {
  const more = retyped(added, dtype)
  const cells = [...before, ...more.cells]
  const joined = joinedType(
    [
      { name: '', dtype, cells: before },
      { name: '', ...more },
    ],
    cells,
  )
  return { dtype: joined, cells: tidied(cells, joined) }
}

repair<Frame>(DataFrame.prototype, {
  append(given: unknown, index: Label | readonly Label[], options?: InPlace): Frame | undefined {
    const rows = rowsIn(this, given)
    const columns = this.$columns.map((_, at) =>
      longer(cellsAt(this.$data, at), this.$dtypes[at] as string, cellsAt(rows, at)),
    )
    const frame = frameLike(this, {
      rows: rowsOf(
        columns.map(({ cells }) => cells),
        this.$data.length + rows.length,
      ),
      index: [...this.$index, ...labelsOf(index, rows.length)],
      dtypes: columns.map(({ dtype }) => dtype),
    })
    return options?.inplace ? become(this, { rows: frame.$data, index: frame.$index, dtypes: frame.$dtypes }) : frame
  },
})

repair<Vector>(Series.prototype, {
  append(given: unknown, index: Label | readonly Label[], options?: InPlace): Vector | undefined {
    const cells = given instanceof Series ? (given as Vector).$data : Array.isArray(given) ? given : [given]
    const labels = [...this.$index, ...labelsOf(index, cells.length)]
    const { dtype, cells: values } = longer(this.$data, this.$dtypes[0] as string, cells)
    const vector = vectorLike(this, values, dtype, labels)
    return options?.inplace ? becomeVector(this, vector) : vector
  },
})
