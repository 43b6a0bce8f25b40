/*
 * Frames below each other (axis 0) and side by side (axis 1), and rows put at the end of one.
 *
 * Stock danfo pushes the rows of the others into the columns of the first frame, which then throws; frames of one column
 * become a Series without a name; more than some 1e5 rows throw `Maximum call stack size exceeded`; side by side goes by
 * position, whatever the labels say; types are guessed anew. append(…, 0) throws because 0 is false, `inplace` throws
 * because the length changes, and a row's cells go under the wrong names when a frame has its columns in another order.
 *
 * Now the sources stay as they are. Below each other gives fresh labels, and Series only of Series; side by side goes by
 * label, with every label once, in order of appearance. A frame is appended by its column names, and so is a Series that
 * has them for labels. Columns keep their types as far as the cells allow, and gaps their column's sign.
 */
import { joinedCells, retyped } from './infer-types.js'
import {
  type Cells,
  cellsAt,
  cellsOf,
  columnAt,
  columnsToRows,
  DataFrame,
  dtypeWith,
  frameOfColumns,
  type InPlace,
  isNa,
  type Label,
  type LabelledCells,
  labelledColumns,
  lengthOf,
  listOf,
  listsAlong,
  naOf,
  refuse,
  repair,
  result,
  Series,
  seriesLike,
  type TypedCells,
} from './model.js'
import { alongColumns, paired, placesOf, unique } from './row-labels.js'

type Part = DataFrame | Series

function below(list: readonly Part[]): DataFrame {
  const parts = list.map(labelledColumns)
  const names = [...new Set(parts.flatMap((columns) => columns.map(({ name }) => name)))]
  const columns = names.map((name): LabelledCells => {
    const found = parts.map((columns) => columns.find((column) => column.name === name))
    const cells = found.flatMap(
      (column, i) => column?.cells ?? new Array<undefined>(list[i]?.shape[0] ?? 0).fill(undefined),
    )
    return {
      name,
      ...joinedCells(
        parts.flat().filter((column) => column.name === name),
        cells,
      ),
    }
  })
  const length = list.reduce((sum, { shape }) => sum + shape[0], 0)
  return frameOfColumns(columns, undefined, length)
}

function sideBySide(list: readonly Part[]): DataFrame {
  const index = unique([...new Set(list.flatMap(({ $index }) => [...$index]))])
  const times = new Map<string, number>()
  const columns = list.flatMap((part) => {
    const places = placesOf(part.$index)
    return labelledColumns(part).map(({ name, dtype, cells }) => {
      const before = times.get(name) ?? 0
      times.set(name, before + 1)
      const missing = naOf(dtype)
      const spread = index.map((label) => {
        const place = places.get(label)
        return place === undefined ? missing : cells[place]
      })
      return { name: before === 0 ? name : `${name}${before}`, dtype: dtypeWith(dtype, spread), cells: spread }
    })
  })
  return frameOfColumns(columns, index, index.length)
}

/** Joins frames and Series without changing them. */
export function concatFrames({ dfList, axis }: { readonly dfList: readonly Part[]; readonly axis: 0 | 1 }): Part {
  if (!Array.isArray(dfList) || dfList.length === 0) refuse('concat takes a list of frames or Series')
  if (axis === 1) return sideBySide(dfList)
  if (!dfList.every((part) => part instanceof Series)) return below(dfList)
  const names = new Set(dfList.map(({ $columns }) => $columns[0] as string))
  const parts = (dfList as readonly Series[]).flatMap(labelledColumns)
  const { dtype, cells } = joinedCells(
    parts,
    parts.flatMap((part) => part.cells),
  )
  return new Series(cells, { dtypes: [dtype], columns: names.size === 1 ? [...names] : ['0'] })
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
