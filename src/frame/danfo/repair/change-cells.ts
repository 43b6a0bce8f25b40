/*
 * Copies, conversions, what fills gaps and takes the place of values, rows for columns, and rows put at the end.
 *
 * In stock danfo a copy shares its rows with the source, and setting a column of one changes the other; asType and
 * fillNa(…, { columns }) change the source without `inplace`; asType makes 0 of null and 12 of '12abc', and no cells at
 * all of 'datetime'; dropNa({ axis: 0 }) overlooks null; fillNa('') is refused. replace(1, 'x') leaves the type int32 on
 * the text it has put in, and takes no null for the new value; transpose({ inplace: true }) leaves the old columns on the
 * frame, which then throw, and none of the new ones.
 *
 * Now a copy is a copy. asType keeps what is missing and refuses text that is no number. Types follow the cells; after
 * replace, a column that holds nothing but missing values keeps its own. A frame without rows can be transposed, too.
 *
 * In stock danfo append(…, 0) throws because 0 is false, `inplace` throws because the length changes, and a row's cells go
 * under the wrong names when a frame has its columns in another order.
 *
 * Now a frame is appended by its column names, and so is a Series that has them for labels. Columns keep their types as far
 * as the cells allow, and gaps their column's sign.
 */
import { sentence } from '../../../contract/sentence.js'
import { toFloats } from '../../verb/array-statistics.js'
import { type NumberArray, numberArray } from '../../verb/number-array.js'
import { getColumns, getLabels } from '../frame-store.js'
import {
  type Axis,
  arrayOf,
  type Cells,
  cellsAt,
  cellsOf,
  columnAt,
  columnOf,
  columnOfCells,
  columnOfNumbers,
  type DataColumn,
  DataFrame,
  dtypeWith,
  firstRepeated,
  frameOf,
  frameOfCells,
  type InPlace,
  inferred,
  inWords,
  isNa,
  joinedCells,
  type Label,
  lengthOf,
  like,
  listsAlong,
  naOf,
  numbersOf,
  range,
  refuse,
  repair,
  repairBoth,
  result,
  retyped,
  rowsOfFrame,
  Series,
  seriesLike,
} from './model.js'
import { pickRows } from './pick-rows.js'
import { alongColumns, paired } from './row-labels.js'

interface Columns {
  readonly columns?: string | readonly string[]
}

/** The same frame or Series with some of its columns made anew, by place; all of them when none are named. */
function withChanged<T extends DataFrame | Series>(
  data: T,
  names: string | readonly string[] | undefined,
  change: (cells: Cells, column: DataColumn, which: number) => DataColumn,
): T {
  const places = names === undefined ? undefined : arrayOf(names).map((name) => columnAt(data, name))
  const list = getColumns(data).list.map((column, at) => {
    if (places?.includes(at) === false) return column
    return change(column.cells(), column, places ? places.lastIndexOf(at) : at)
  })
  return like(data, { list })
}

function numberIn(cell: unknown): number {
  const number = typeof cell === 'string' && cell.trim() === '' ? Number.NaN : Number(cell)
  return Number.isNaN(number) ? refuse(sentence`${inWords(cell)} is not a number`) : number
}

const conversions: Readonly<Record<string, (cell: unknown) => unknown>> = {
  float32: numberIn,
  int32: (cell) => Math.trunc(numberIn(cell)),
  string: String,
  boolean: Boolean,
}

function converted(before: Cells, dtype: string): DataColumn {
  const convert =
    conversions[dtype] ?? refuse(sentence`asType knows ${Object.keys(conversions).join(', ')}, not '${dtype}'`)
  const cells = before.map((cell) => (isNa(cell) ? naOf(dtype) : convert(cell)))
  return columnOfCells(cells, dtypeWith(dtype, cells))
}

/** @throws QuotebookError INVALID_VALUE for what does not fill gaps: nothing, or an object of values by column */
function checkFilling(value: unknown): void {
  if (isNa(value)) refuse(sentence`fillNa needs a value`)
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date))
    refuse(sentence`fillNa takes a value, or a list of values with { columns }, not an object`)
}

function checkReplaced(value: unknown): void {
  if (isNa(value)) refuse(sentence`replace finds values, not what is missing; use fillNa`)
  if (typeof value === 'object') refuse(sentence`replace takes one value and the one to put in its place`)
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
  if (twice !== undefined) refuse(sentence`two columns would be called '${twice}'`)
  return frameOfCells(names, rowsOfFrame(frame), frame.$columns, frame.$columns.length)
}

/** A frame with the cells of each column (axis 0) or of each row (axis 1) made anew, and types found from them. */
export function mapAlong(frame: DataFrame, axis: 0 | 1, make: (cells: Cells) => Cells): DataFrame {
  const made = listsAlong(frame, axis).map(make)
  const lists = axis === 0 ? made : frame.$columns.map((_, at) => cellsAt(made, at))
  return frameOfCells(frame.$columns, lists, getLabels(frame), lengthOf(frame))
}

/** The same with the numbers of each column made anew. @throws QuotebookError INVALID_VALUE for text and dates */
export function mapNumbers<T extends DataFrame | Series>(
  data: T,
  make: (numbers: NumberArray, at: number) => Float64Array,
): T {
  const made = getColumns(data).list.map((column, at) => make(numberArray(numbersOf(column)), at))
  const isEmpty = !data.$isSeries && lengthOf(data) === 0
  return like(data, {
    list: made.map((numbers) =>
      isEmpty ? columnOfCells([], 'float32') : columnOfNumbers(toFloats(numbers, sentence`an operand`)),
    ),
  })
}

/** Frames one below the other, columns by name; rows are numbered anew, and what a frame lacks is missing. */
export function appendFrames(frames: readonly DataFrame[]): DataFrame {
  const names = [...new Set(frames.flatMap(({ $columns }) => $columns))]
  const list = names.map((name) => {
    const found = frames.map((frame) => (frame.$columns.includes(name) ? columnOf(frame, name) : undefined))
    const cells = found.flatMap((own, i) => own?.cells() ?? new Array(lengthOf(frames[i] as DataFrame)).fill(null))
    return joinedCells(
      found.flatMap((own) => own ?? []),
      cells,
    )
  })
  return frameOf(names, list)
}

/** The labels of a frame or Series and of what is put at its end. */
function longerIndex(before: readonly Label[], added: Label | readonly Label[], count: number): readonly Label[] {
  const labels = arrayOf(added)
  if (labels.some(isNa)) refuse(sentence`append needs a label for each row`)
  if (labels.length !== count) refuse(sentence`${labels.length} labels do not go with ${count} rows`)
  return [...before, ...labels]
}

/** The cells that are to be put at the end of each column. */
function cellsAdded(data: DataFrame | Series, given: unknown): readonly Cells[] {
  if (data.$isSeries)
    return [given instanceof Series ? cellsOf(given as Series) : Array.isArray(given) ? given : [given]]
  if (given instanceof DataFrame) {
    const other = given as DataFrame
    const lists = data.$columns.map((name) => columnOf(other, name).cells())
    if (other.$columns.length !== lists.length)
      refuse(sentence`a frame of ${other.$columns.length} columns does not go below ${lists.length}`)
    return lists
  }
  const cells = given instanceof Series ? paired({ $index: alongColumns(data, given) }, given) : given
  if (!Array.isArray(cells)) return refuse(sentence`append takes a row, rows, a Series or a frame`)
  const rows = (Array.isArray(cells[0]) ? cells : [cells]) as readonly Cells[]
  const odd = rows.find((row) => row.length !== data.$columns.length)
  if (odd) refuse(sentence`${odd.length} cells do not make a row of ${data.$columns.length}`)
  return data.$columns.map((_, at) => cellsAt(rows, at))
}

repair<DataFrame>(DataFrame.prototype, {
  copy(): DataFrame {
    return like(this, {})
  },

  isNa(): DataFrame {
    return like(this, { list: listsAlong(this, 0).map((cells) => columnOfCells(cells.map(isNa), 'boolean')) })
  },

  asType(column: string, dtype: string, options?: InPlace): DataFrame | undefined {
    const made = withChanged(this, column, (cells) => converted(cells, dtype))
    return result(this, made, options)
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
    if (!isFunction && (typeof mapper !== 'object' || mapper === null))
      refuse(sentence`map takes a function or an object`)
    const own = mapper as Readonly<Record<string, unknown>>
    const cells = cellsOf(this).map((cell, row) => {
      if (isFunction) return mapper(cell, row)
      return Object.hasOwn(own, String(cell)) ? own[String(cell)] : cell
    })
    return result(this, seriesLike(this, cells), options)
  },

  asType(dtype: string, options?: InPlace): Series | undefined {
    const made = withChanged(this, undefined, (cells) => converted(cells, dtype))
    return result(this, made, options)
  },
})

repairBoth({
  /** Rows, or with axis 0 columns, in which nothing is missing. */
  dropNa(options?: InPlace & Axis): DataFrame | Series | undefined {
    if (this.$isSeries || options?.axis !== 0) return result(this, pickRows(this, wholeRows(getColumns(this))), options)
    const columns = this.$columns.filter((name) => !columnOf(this, name).cells().some(isNa))
    const list = columns.map((name) => columnOf(this, name))
    return result(this, like(this, { columns, list, length: lengthOf(this) }), options)
  },

  fillNa(values: unknown, options?: InPlace & Columns): DataFrame | Series | undefined {
    checkFilling(values)
    const names = this.$isSeries ? undefined : options?.columns
    const list = Array.isArray(values) && !this.$isSeries ? (values as Cells) : undefined
    if (list && list.length !== (names === undefined ? undefined : arrayOf(names).length))
      refuse(sentence`fillNa takes a list of values with as many columns`)
    const made = withChanged(this, names, (cells, column, which) => {
      const value = list ? list[which] : values
      return cells.some(isNa) ? inferred(cells.map((cell) => (isNa(cell) ? value : cell))) : column
    })
    return result(this, made, options)
  },

  replace(value: unknown, by: unknown, options?: InPlace & Columns): DataFrame | Series | undefined {
    checkReplaced(value)
    const names = this.$isSeries ? undefined : options?.columns
    const made = withChanged(this, names, (cells, column) => {
      if (!cells.includes(value)) return column
      return retyped(
        cells.map((cell) => (cell === value ? by : cell)),
        column.dtype,
      )
    })
    return result(this, made, options)
  },

  append(given: unknown, labels: Label | readonly Label[], options?: InPlace): DataFrame | Series | undefined {
    const added = cellsAdded(this, given)
    const index = longerIndex(this.$index, labels, added[0]?.length ?? 0)
    const list = getColumns(this).list.map((before, at) => {
      const more = retyped(added[at] as Cells, before.dtype)
      return joinedCells([before, more], [...before.cells(), ...more.cells()])
    })
    return result(this, like(this, { list, index }), options)
  },
})
