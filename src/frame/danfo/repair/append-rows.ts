/*
 * Rows put at the end of a frame or a Series.
 *
 * In stock danfo append(…, 0) throws because 0 is false, `inplace` throws because the length changes, and a row's cells go
 * under the wrong names when a frame has its columns in another order.
 *
 * Now a frame is appended by its column names, and so is a Series that has them for labels. Columns keep their types as far
 * as the cells allow, and gaps their column's sign.
 */
import { joinedCells, retyped } from './infer-types.js'
import {
  type Cells,
  cellsAt,
  cellsOf,
  columnAt,
  columnsToRows,
  DataFrame,
  frameOfColumns,
  type InPlace,
  isNa,
  type Label,
  type LabelledCells,
  labelledColumns,
  lengthOf,
  listOf,
  listsAlong,
  refuse,
  repair,
  result,
  Series,
  seriesLike,
  type TypedCells,
} from './model.js'
import { alongColumns, paired } from './row-labels.js'

/** Frames one below the other, columns by name; rows are numbered anew, and what a frame lacks is missing. */
export function appendFrames(list: readonly DataFrame[]): DataFrame {
  const parts = list.map(labelledColumns)
  const names = new Set(parts.flatMap((columns) => columns.map(({ name }) => name)))
  const columns = [...names].map((name): LabelledCells => {
    const found = parts.map((columns) => columns.find((column) => column.name === name))
    const cells = found.flatMap((column, i) => column?.cells ?? new Array<undefined>(lengthOf(list[i] as DataFrame)))
    return {
      name,
      ...joinedCells(
        found.filter((column) => column !== undefined),
        cells,
      ),
    }
  })
  return frameOfColumns(columns)
}

/** The labels of a frame or Series and of what is put at its end. */
function longerIndex(before: readonly Label[], added: Label | readonly Label[], count: number): readonly Label[] {
  const labels = listOf(added)
  if (labels.some(isNa)) refuse('append needs a label for each row')
  if (labels.length !== count) refuse(`${labels.length} labels do not go with ${count} rows`)
  return [...before, ...labels]
}

function rowsIn(frame: DataFrame, given: unknown): readonly Cells[] {
  if (given instanceof DataFrame) {
    const other = given as DataFrame
    const places = frame.$columns.map((name) => columnAt(other, name))
    if (other.$columns.length !== places.length)
      refuse(`a frame of ${other.$columns.length} columns does not go below ${places.length}`)
    const lists = listsAlong(other, 0)
    return columnsToRows(
      places.map((at) => lists[at] as Cells),
      lengthOf(other),
    )
  }
  const cells = given instanceof Series ? paired({ $index: alongColumns(frame, given) }, given) : given
  if (!Array.isArray(cells)) return refuse('append takes a row, rows, a Series or a frame')
  const rows = (Array.isArray(cells[0]) ? cells : [cells]) as readonly Cells[]
  const odd = rows.find((row) => row.length !== frame.$columns.length)
  return odd ? refuse(`${odd.length} cells do not make a row of ${frame.$columns.length}`) : rows
}

/** A column with more cells, and the type that holds all. */
function longer(before: TypedCells, added: Cells): TypedCells {
  const more = retyped(added, before.dtype)
  return joinedCells([before, more], [...before.cells, ...more.cells])
}

repair<DataFrame>(DataFrame.prototype, {
  append(given: unknown, labels: Label | readonly Label[], options?: InPlace): DataFrame | undefined {
    const rows = rowsIn(this, given)
    const index = longerIndex(this.$index, labels, rows.length)
    const columns = labelledColumns(this).map((column, at) => ({ ...column, ...longer(column, cellsAt(rows, at)) }))
    return result(this, frameOfColumns(columns, index, index.length), options)
  },
})

repair<Series>(Series.prototype, {
  append(given: unknown, labels: Label | readonly Label[], options?: InPlace): Series | undefined {
    const added = given instanceof Series ? cellsOf(given as Series) : Array.isArray(given) ? given : [given]
    const index = longerIndex(this.$index, labels, added.length)
    const { dtype, cells } = longer({ dtype: this.$dtypes[0] as string, cells: cellsOf(this) }, added)
    return result(this, seriesLike(this, cells, dtype, index), options)
  },
})
