/*
 * How data becomes a frame, and which types its columns have.
 *
 * Stock danfo takes the cells of row objects in the order of each object: of [{ a: 1, b: 2 }, { b: 3, a: 4 }] the column a
 * is [1, 3], and a missing key moves all cells behind it. It adopts the caller's rows and writes to them later
 * (`df['v'] = …`, copy(), asType, fillNa), makes cells like { 0: 1.5, 1: 2 } of typed arrays ({ a: Float64Array }), makes "a,b" of
 * the list ['a', 'b'], and keeps every cell twice unless asked for `lowMemoryMode`. A Series with the name 'v' in the place
 * of a list of names takes its letters for names, and a frame without rows has no type for its columns.
 *
 * Now cells go by their key, what is not there is missing, objects of any class and typed arrays will do, lists stay
 * lists. A frame keeps columns (see ../frame-store.ts) and is in low memory mode, in danfo's words: `$data` and `values` are
 * rows made of them when they are asked for. The caller's arrays are copied.
 *
 * Stock danfo looks at the first 20 cells and takes text of digits for numbers: '000001' is an int32, and the sum of
 * ['000001', '000002'] is '0000001000002'. Twenty nulls make a float32 of text; [null, true] is a float32; a column that
 * begins with undefined or a bigint can not be read, and a Series of Dates not be made.
 *
 * Now every cell counts and text is text (see ../infer-column.ts).
 */
import { sentence } from '../../../contract/sentence.js'
import { DataColumns, dtypesOf, handOut, setColumns } from '../frame-store.js'
import {
  arrayOf,
  type Cells,
  Config,
  cellsAt,
  cellsOf,
  columnOfCells,
  type DataFrame,
  firstRepeated,
  inferred,
  type Label,
  lengthOf,
  NDframe,
  range,
  refuse,
  repair,
  type Series,
  Utils,
} from './model.js'

interface Given {
  readonly data: unknown
  readonly index: readonly Label[] | undefined
  readonly columns: string | readonly string[] | undefined
  readonly dtypes: readonly string[] | undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  const isList = Array.isArray(value) || ArrayBuffer.isView(value)
  return typeof value === 'object' && value !== null && !isList && !(value instanceof Date)
}

function cellsIn(value: unknown, name: string): Cells {
  if (Array.isArray(value)) return value
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>)
  if (isObject(value) && value['$isSeries'] === true) return cellsOf(value as unknown as Series)
  return refuse(sentence`column '${name}' is not a list of cells`)
}

/** The keys of all objects in the order of their appearance. */
function keysOf(objects: readonly object[]): string[] {
  const keys = new Set<string>()
  for (const object of objects) for (const key of Object.keys(object)) keys.add(key)
  return [...keys]
}

/** Which keys are read and what the columns are called: names that are no keys are new names for the keys in order. */
function chosen(
  keys: readonly string[],
  named: string | readonly string[] | undefined,
): [keys: readonly string[], names: readonly string[]] {
  if (!named) return [keys, keys]
  const columns = arrayOf(named)
  if (columns.every((name) => keys.includes(name))) return [columns, columns]
  if (columns.length === keys.length) return [keys, columns]
  return refuse(sentence`the columns ${columns.join(', ')} are not those of the data: ${keys.join(', ')}`)
}

const knownTypes: ReadonlySet<string> = new Set(['float32', 'int32', 'string', 'boolean', 'datetime', 'undefined'])

repair(Config.prototype, {
  get isLowMemoryMode(): boolean {
    return true
  },
})

repair(Utils.prototype, {
  isObject,

  /** One cell a row, whatever the first is. */
  is1DArray(cells: unknown): boolean {
    if (ArrayBuffer.isView(cells) || cells instanceof DataColumns) return true
    return Array.isArray(cells) && cells.length > 0 && !Array.isArray(cells[0]) && !isObject(cells[0])
  },

  convert2DArrayToSeriesArray: (cells: unknown): unknown => cells,
})

/**
 * The columns of rows, or of cells that are a row each; `width` says how many of no rows.
 * @throws QuotebookError INVALID_VALUE for a row that is longer or shorter than the first
 */
export function listsOfRows(given: Cells, width = 0): readonly Cells[] {
  const isRows = given.length === 0 || Array.isArray(given[0])
  const rows = (
    isRows ? given : given.map((cell) => (ArrayBuffer.isView(cell) ? cellsIn(cell, '') : [cell]))
  ) as readonly Cells[]
  const most = rows[0]?.length ?? width
  const odd = rows.findIndex((row) => row.length !== most)
  if (odd !== -1) refuse(sentence`row ${odd + 1} has ${rows[odd]?.length} cells where the first has ${most}`)
  return range(most).map((at) => cellsAt(rows, at))
}

const fields: PropertyDescriptorMap = {}

/** Puts danfo's own fields among the keys of a frame: whoever compares frames key by key compares their rows then. */
function showFields(data: DataFrame | Series): void {
  for (const name of ['$data', '$index', '$dtypes'])
    fields[name] ??= { ...Object.getOwnPropertyDescriptor(NDframe.prototype, name), enumerable: true }
  Object.defineProperties(data, fields)
}

/** Cells as columns, of the types that are given or of those that they have. */
function columnsFrom(lists: readonly Cells[], length: number, dtypes: readonly string[] | undefined): DataColumns {
  if (!dtypes || dtypes.length === 0) return new DataColumns(lists.map(inferred), length)
  if (length > 0 && dtypes.length !== lists.length)
    refuse(sentence`${dtypes.length} types do not go with ${lists.length} columns`)
  const unknown = dtypes.find((dtype) => !knownTypes.has(dtype))
  if (unknown !== undefined) refuse(sentence`there is no type '${unknown}'; there are ${[...knownTypes].join(', ')}`)
  return new DataColumns(
    lists.map((cells, at) => columnOfCells([...cells], dtypes[at])),
    length,
  )
}

/** Columns, or lists of cells, with labels, types and names as they are given. */
function load(
  data: DataFrame | Series,
  content: DataColumns | readonly Cells[],
  length: number,
  { index, columns, dtypes }: Omit<Given, 'data'>,
): void {
  showFields(data)
  const isKept = content instanceof DataColumns
  const width = isKept ? content.list.length : content.length
  const own = data.$isSeries ? ['0'] : range(width).map(String)
  const names = columns && !(data.$isSeries && columns.length === 0) ? [...arrayOf(columns)] : own
  if (length > 0 && names.length !== width) refuse(sentence`${names.length} names do not go with ${width} columns`)
  const twice = firstRepeated(names)
  if (twice !== undefined) refuse(sentence`two columns are called '${twice}'`)
  data.$columns = names
  setColumns(data, isKept ? content : columnsFrom(length > 0 ? content : names.map(() => []), length, dtypes))
  data.$setIndex(index)
}

/** Rows in the place of others, or a Series' cells. */
function checkShape(data: DataFrame | Series, rows: unknown): asserts rows is readonly Cells[] {
  if (!Array.isArray(rows)) refuse(sentence`rows are given as an array`)
  const [length, width] = data.shape
  if (rows.length !== length) refuse(sentence`${rows.length} rows do not go in the place of ${length}`)
  const odd = data.$isSeries ? -1 : rows.findIndex((row) => !Array.isArray(row) || row.length !== width)
  if (odd !== -1) refuse(sentence`row ${odd + 1} has not ${width} cells, one for each column`)
}

repair<DataFrame | Series>(NDframe.prototype, {
  get $data(): unknown[] {
    return handOut(this)
  },

  /** Rows in the place of those before, whose columns keep their types as far as the cells fit them. */
  set $data(rows: readonly Cells[]) {
    checkShape(this, rows)
    const types = this.$dtypes
    setColumns(this, columnsFrom(this.$isSeries ? [rows] : listsOfRows(rows, types.length), rows.length, types))
  },

  get $dtypes(): string[] {
    return dtypesOf(this)
  },

  /** danfo's constructor sets none, before there are columns. */
  set $dtypes(_: unknown) {},

  get shape(): readonly [number, number] {
    return [lengthOf(this), this.$columns.length]
  },

  /** danfo's own methods that make cells anew, of a Series, put them in their place so. */
  $setValues(cells: Cells): void {
    setColumns(this, new DataColumns([inferred(cells)]))
  },

  loadArrayIntoNdframe({ data, ...given }: Given): void {
    const cells = ArrayBuffer.isView(data) ? cellsIn(data, '') : (data as Cells)
    if (data instanceof DataColumns) load(this, data, data.length, given)
    else load(this, this.$isSeries ? [cells] : listsOfRows(cells), cells.length, given)
  },

  loadObjectIntoNdframe({ data, ...given }: Given & { readonly type: 1 | 2 }): void {
    if (this.$isSeries) {
      load(this, [data as Cells], (data as Cells).length, given)
      return
    }
    const objects = Array.isArray(data) ? (data as readonly Readonly<Record<string, unknown>>[]) : undefined
    const object = data as Readonly<Record<string, unknown>>
    const [keys, columns] = chosen(objects ? keysOf(objects) : Object.keys(object), given.columns)
    const lists = keys.map((key) => (objects ? objects.map((each) => each[key]) : cellsIn(object[key], key)))
    const odd = lists.findIndex(({ length }) => length !== lists[0]?.length)
    if (odd !== -1)
      refuse(sentence`column '${keys[odd]}' has ${lists[odd]?.length} cells where '${keys[0]}' has ${lists[0]?.length}`)
    load(this, lists, objects?.length ?? lists[0]?.length ?? 0, { ...given, columns })
  },
})
