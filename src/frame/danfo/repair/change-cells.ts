/*
 * Copies, conversions, what fills gaps and takes the place of values, and rows for columns.
 *
 * In stock danfo a copy shares its rows with the source, and setting a column of one changes the other; asType and
 * fillNa(…, { columns }) change the source without `inplace`; asType makes 0 of null and 12 of '12abc', and no cells at
 * all of 'datetime'; dropNa({ axis: 0 }) overlooks null; fillNa('') is refused. replace(1, 'x') leaves the type int32 on
 * the text it has put in, and takes no null for the new value; transpose({ inplace: true }) leaves the old columns on the
 * frame, which then throw, and none of the new ones.
 *
 * Now a copy is a copy. asType keeps what is missing and refuses text that is no number. Types follow the cells; after
 * replace, a column that holds nothing but missing values keeps its own. A frame without rows can be transposed, too.
 */
import { getColumns, getLabels } from '../frame-store.js'
import { inferred, retyped } from './infer-types.js'
import {
  type Axis,
  type Cells,
  cellsOf,
  columnAt,
  columnOfNumbers,
  columnsToRows,
  DataFrame,
  dtypeOfNumbers,
  dtypeWith,
  firstRepeated,
  frameLike,
  frameOf,
  frameOfColumns,
  type InPlace,
  inWords,
  isNa,
  labelled,
  labelledColumns,
  lengthOf,
  listOf,
  listsAlong,
  naOf,
  numbersOf,
  range,
  refuse,
  repair,
  result,
  rowsOfFrame,
  Series,
  seriesLike,
  type TypedCells,
} from './model.js'
import { pickRows } from './pick-rows.js'

interface Columns {
  readonly columns?: string | readonly string[]
}

/** The same frame or Series with some of its columns made anew, by place; all of them when none are named. */
function withChanged<T extends DataFrame | Series>(
  data: T,
  names: string | readonly string[] | undefined,
  change: (column: TypedCells, which: number) => TypedCells,
): T {
  const places = names === undefined ? undefined : listOf(names).map((name) => columnAt(data, name))
  const columns = labelledColumns(data).map((column, at) => {
    if (places?.includes(at) === false) return column
    const made = change(column, places ? places.lastIndexOf(at) : at)
    return made === column ? column : { ...made, name: column.name }
  })
  if (!data.$isSeries) return frameOfColumns(columns, getLabels(data), lengthOf(data)) as T
  const { cells, dtype } = columns[0] as TypedCells
  return seriesLike(data, cells, dtype) as T
}

function numberIn(cell: unknown): number {
  const number = typeof cell === 'string' && cell.trim() === '' ? Number.NaN : Number(cell)
  return Number.isNaN(number) ? refuse(`${inWords(cell)} is not a number`) : number
}

const conversions: Readonly<Record<string, (cell: unknown) => unknown>> = {
  float32: numberIn,
  int32: (cell) => Math.trunc(numberIn(cell)),
  string: String,
  boolean: Boolean,
}

function converted(before: Cells, dtype: string): TypedCells {
  const convert = conversions[dtype] ?? refuse(`asType knows ${Object.keys(conversions).join(', ')}, not '${dtype}'`)
  const cells = before.map((cell) => (isNa(cell) ? naOf(dtype) : convert(cell)))
  return { dtype: dtypeWith(dtype, cells), cells }
}

/** @throws QuotebookError INVALID_VALUE for what does not fill gaps: nothing, or an object of values by column */
function checkFilling(value: unknown): void {
  if (isNa(value)) refuse('fillNa needs a value')
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date))
    refuse('fillNa takes a value, or a list of values with { columns }, not an object')
}

function filled(column: TypedCells, value: unknown): TypedCells {
  return column.cells.some(isNa) ? inferred(column.cells.map((cell) => (isNa(cell) ? value : cell))) : column
}

function checkReplaced(value: unknown): void {
  if (isNa(value)) refuse('replace finds values, not what is missing; use fillNa')
  if (typeof value === 'object') refuse('replace takes one value and the one to put in its place')
}

function replaced(column: TypedCells, value: unknown, by: unknown): TypedCells {
  const { cells, dtype } = column
  if (!cells.includes(value)) return column
  return retyped(
    cells.map((cell) => (cell === value ? by : cell)),
    dtype,
  )
}

/** Positions of the rows in which nothing is missing. */
function wholeRows({ list, length }: ReturnType<typeof getColumns>): number[] {
  const missing = new Uint8Array(length)
  for (const column of list) {
    const cells = column.cells()
    for (let row = 0; row < length; row++) if (isNa(cells[row])) missing[row] = 1
  }
  return range(length).filter((row) => missing[row] === 0)
}

function transposed(frame: DataFrame): DataFrame {
  const names = frame.$index.map(String)
  const twice = firstRepeated(names)
  if (twice !== undefined) refuse(`two columns would be called '${twice}'`)
  return frameOf(columnsToRows(rowsOfFrame(frame), frame.$columns.length), frame.$columns, names)
}

/** A frame with the cells of each column (axis 0) or of each row (axis 1) made anew, and types found from them. */
export function mapAlong(frame: DataFrame, axis: 0 | 1, make: (cells: Cells, at: number) => Cells): DataFrame {
  const lists = listsAlong(frame, axis).map(make)
  if (axis === 1 || lengthOf(frame) === 0) return frameOf(axis === 1 ? lists : [], getLabels(frame), frame.$columns)
  const columns = lists.map((cells, at) => ({ ...inferred(cells), name: frame.$columns[at] as string }))
  return frameOfColumns(columns, getLabels(frame), lengthOf(frame))
}

/** A frame with the numbers of each column made anew. @throws QuotebookError INVALID_VALUE for text and dates */
export function frameOfNumbers(frame: DataFrame, make: (numbers: Float64Array, at: number) => Float64Array): DataFrame {
  const columns = getColumns(frame).list.map((column, at) => {
    const made = make(numbersOf(column), at)
    const dtype = made.length === 0 ? 'float32' : dtypeOfNumbers(made)
    return labelled(frame.$columns[at] as string, dtype, columnOfNumbers(made))
  })
  return frameOfColumns(columns, getLabels(frame), lengthOf(frame))
}

repair<DataFrame>(DataFrame.prototype, {
  copy(): DataFrame {
    return frameLike(this, { dtypes: [...this.$dtypes], columns: [...this.$columns] })
  },

  isNa(): DataFrame {
    const columns = labelledColumns(this).map(({ name, cells }) => ({ name, dtype: 'boolean', cells: cells.map(isNa) }))
    return frameOfColumns(columns, getLabels(this), lengthOf(this))
  },

  asType(column: string, dtype: string, options?: InPlace): DataFrame | undefined {
    const made = withChanged(this, column, ({ cells }) => converted(cells, dtype))
    return result(this, made, options)
  },

  dropNa(options?: InPlace & Axis): DataFrame | undefined {
    if (options?.axis !== 0) return result(this, pickRows(this, wholeRows(getColumns(this))), options)
    const columns = labelledColumns(this)
    const kept = columns.filter(({ cells }) => !cells.some(isNa))
    return result(this, frameOfColumns(kept, getLabels(this), lengthOf(this)), options)
  },

  get T(): DataFrame {
    return transposed(this)
  },

  transpose(options?: InPlace): DataFrame | undefined {
    return result(this, transposed(this), options)
  },
})

repair<Series>(Series.prototype, {
  map(mapper: unknown, options?: InPlace): Series | undefined {
    const isFunction = typeof mapper === 'function'
    if (!isFunction && (typeof mapper !== 'object' || mapper === null)) refuse('map takes a function or an object')
    const own = mapper as Readonly<Record<string, unknown>>
    const cells = cellsOf(this).map((cell, row) => {
      if (isFunction) return mapper(cell, row)
      return Object.hasOwn(own, String(cell)) ? own[String(cell)] : cell
    })
    return result(this, seriesLike(this, cells), options)
  },

  asType(dtype: string, options?: InPlace): Series | undefined {
    const made = withChanged(this, undefined, ({ cells }) => converted(cells, dtype))
    return result(this, made, options)
  },

  dropNa(options?: InPlace): Series | undefined {
    return result(this, pickRows(this, wholeRows(getColumns(this))), options)
  },
})

for (const prototype of [DataFrame.prototype, Series.prototype]) {
  repair<DataFrame | Series>(prototype, {
    fillNa(values: unknown, options?: InPlace & Columns): DataFrame | Series | undefined {
      checkFilling(values)
      const names = this.$isSeries ? undefined : options?.columns
      const list = Array.isArray(values) && !this.$isSeries ? (values as Cells) : undefined
      if (list && list.length !== (names === undefined ? undefined : listOf(names).length))
        refuse('fillNa takes a list of values with as many columns')
      const made = withChanged(this, names, (column, which) => filled(column, list ? list[which] : values))
      return result(this, made, options)
    },

    replace(value: unknown, by: unknown, options?: InPlace & Columns): DataFrame | Series | undefined {
      checkReplaced(value)
      const names = this.$isSeries ? undefined : options?.columns
      const made = withChanged(this, names, (column) => replaced(column, value, by))
      return result(this, made, options)
    },
  })
}
