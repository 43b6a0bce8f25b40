/*
 * Frames below each other (axis 0) and side by side (axis 1).
 *
 * Stock danfo pushes the rows of the others into the columns of the first frame, which then throws; frames of one column
 * become a Series without a name; more than some 1e5 rows throw `Maximum call stack size exceeded`; side by side goes by
 * position, whatever the labels say; types are guessed anew.
 *
 * Now the sources stay as they are. Below each other gives fresh labels, and Series only of Series; side by side goes by
 * label, with every label once, in order of appearance. Columns keep their types, and gaps their column's sign.
 */
import { cellsAt, DataFrame, type Frame, type Label, refuse, rowsOf, Series, type Vector } from './danfo.js'
import { inferred } from './inference.js'
import { placesOf, unique } from './labels.js'
import { dtypeWith, isMissing, isNumeric, missingOf } from './missing.js'

export interface Column {
  readonly name: string
  readonly dtype: string
  readonly cells: readonly unknown[]
}

function columnsOf(part: Frame | Vector): Column[] {
  const { $columns, $dtypes } = part
  return $columns.map((name, at) => ({
    name,
    dtype: $dtypes[at] ?? 'undefined',
    cells: part.$isSeries ? (part as Vector).$data : cellsAt((part as Frame).$data, at),
  }))
}

function frameOfColumns(columns: readonly Column[], index: readonly Label[] | undefined, length: number): Frame {
  const options = { columns: columns.map(({ name }) => name), dtypes: columns.map(({ dtype }) => dtype) }
  return new DataFrame(
    rowsOf(
      columns.map(({ cells }) => cells),
      length,
    ),
    { ...options, index: length > 0 ? index : [] },
  )
}

/** One type for columns that come together; of unlike ones it is found from the cells. */
export function joinedType(parts: readonly Column[], cells: readonly unknown[]): string {
  const types = [...new Set(parts.filter((part) => part.cells.length > 0).map(({ dtype }) => dtype))]
  const [first = parts[0]?.dtype ?? 'undefined'] = types
  if (types.length <= 1) return dtypeWith(first, cells)
  return types.every(isNumeric) ? 'float32' : inferred(cells).dtype
}

/** Cells with the sign of a type for what is missing. */
export function tidied(cells: readonly unknown[], dtype: string): readonly unknown[] {
  const missing = missingOf(dtype)
  return cells.map((cell) => (isMissing(cell) ? missing : cell))
}

function below(list: readonly (Frame | Vector)[]): Frame {
  const parts = list.map(columnsOf)
  const names = [...new Set(parts.flatMap((columns) => columns.map(({ name }) => name)))]
  const columns = names.map((name) => {
    const same = parts.flatMap((found) => found.filter((column) => column.name === name))
    const cells = list.flatMap(({ shape }, i) => {
      return [
        ...(parts[i]?.find((column) => column.name === name)?.cells ?? new Array<undefined>(shape[0]).fill(undefined)),
      ]
    })
    const dtype = joinedType(same, cells)
    return { name, dtype, cells: tidied(cells, dtype) }
  })
  return frameOfColumns(
    columns,
    undefined,
    list.reduce((sum, { shape }) => sum + shape[0], 0),
  )
}

function beside(list: readonly (Frame | Vector)[]): Frame {
  const index = unique([...new Set(list.flatMap(({ $index }) => [...$index]))])
  const times = new Map<string, number>()
  const columns = list.flatMap((part) => {
    const places = placesOf(part.$index)
    return columnsOf(part).map(({ name, dtype, cells }) => {
      const before = times.get(name) ?? 0
      times.set(name, before + 1)
      const missing = missingOf(dtype)
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
export function concat({
  dfList,
  axis,
}: {
  readonly dfList: readonly (Frame | Vector)[]
  readonly axis: 0 | 1
}): Frame | Vector {
  if (!Array.isArray(dfList) || dfList.length === 0) refuse('concat takes a list of frames or Series')
  if (axis === 1) return beside(dfList)
  if (!dfList.every((part) => part instanceof Series)) return below(dfList)
  const names = new Set(dfList.map(({ $columns }) => $columns[0] as string))
  const parts = (dfList as readonly Vector[]).flatMap(columnsOf)
  const cells = parts.flatMap((part) => [...part.cells])
  const dtype = joinedType(parts, cells)
  return new Series(tidied(cells, dtype), { dtypes: [dtype], columns: names.size === 1 ? [...names] : ['0'] })
}
