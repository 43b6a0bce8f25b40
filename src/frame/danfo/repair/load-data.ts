/*
 * How data becomes a frame.
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
 */
import { DataColumns, getColumns, handOut, lengthOf, setColumns } from '../frame-store.js'
import { inferred, inferredColumns } from './infer-types.js'
import {
  type Cells,
  Config,
  cellsAt,
  cellsOf,
  columnsToRows,
  type DataFrame,
  firstRepeated,
  listOf,
  NDframe,
  range,
  refuse,
  repair,
  type Series,
  storedColumns,
  type TypedCells,
  Utils,
} from './model.js'

interface Given {
  readonly data: unknown
  readonly index: readonly (string | number)[] | undefined
  readonly columns: string | readonly string[] | undefined
  readonly dtypes: readonly string[] | undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value) &&
    !(value instanceof Date)
  )
}

function cellsIn(value: unknown, name: string): Cells {
  if (Array.isArray(value)) return value
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>)
  if (isObject(value) && value['$isSeries'] === true) return cellsOf(value as unknown as Series)
  return refuse(`column '${name}' is not a list of cells`)
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
  const columns = listOf(named)
  if (columns.every((name) => keys.includes(name))) return [columns, columns]
  if (columns.length === keys.length) return [keys, columns]
  return refuse(`the columns ${columns.join(', ')} are not those of the data: ${keys.join(', ')}`)
}

/** A copy of the names given, so that later changes of the caller's list change no frame. */
function namesOf(columns: string | readonly string[] | undefined, data: DataFrame | Series): readonly string[] {
  if (typeof columns === 'string') return [columns]
  if (columns && !(data.$isSeries && columns.length === 0)) return [...columns]
  return data.$isSeries ? ['0'] : range(getColumns(data).list.length).map(String)
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

  range(start: number, end: number): number[] {
    return Array.from({ length: Math.max(0, end - start + 1) }, (_, i) => start + i)
  },
})

/** The one column of a Series, from cells of any kind. */
function seriesColumn(given: Cells, dtype: string | undefined): TypedCells {
  const { cells, dtype: found } = dtype === undefined && given.length > 0 ? inferred(given) : { cells: given, dtype }
  return { dtype: found ?? 'undefined', cells: cells === given ? [...cells] : cells }
}

/** The columns of rows, or of cells that are one each. */
function frameColumns(given: Cells, dtypes: readonly string[] | undefined): readonly TypedCells[] {
  const isRows = given.length === 0 || Array.isArray(given[0])
  const rows = isRows ? given : given.map((cell) => (ArrayBuffer.isView(cell) ? cellsIn(cell, '') : [cell]))
  if (!dtypes) return inferredColumns(rows as readonly Cells[])
  const { length } = (rows[0] as Cells | undefined) ?? dtypes
  return Array.from({ length }, (_, at) => ({
    dtype: dtypes[at] ?? 'undefined',
    cells: cellsAt(rows as readonly Cells[], at),
  }))
}

function emptyColumns(count: number): DataColumns {
  return storedColumns(
    range(count).map(() => ({ dtype: 'undefined', cells: [] })),
    0,
  )
}

function checkShape(data: DataFrame | Series, rows: unknown): asserts rows is readonly Cells[] {
  if (!Array.isArray(rows)) refuse('rows are given as an array')
  const [length, width] = [lengthOf(data), data.$columns.length]
  if (rows.length !== length) refuse(`${rows.length} rows do not go in the place of ${length}`)
  const odd = data.$isSeries ? -1 : rows.findIndex((row) => !Array.isArray(row) || row.length !== width)
  if (odd !== -1) refuse(`row ${odd + 1} has not ${width} cells, one for each column`)
}

const fields: PropertyDescriptorMap = {}

/** Puts danfo's own fields among the keys of a frame: whoever compares frames key by key compares their rows then. */
function showFields(data: DataFrame | Series): void {
  for (const name of ['$data', '$index'])
    fields[name] ??= { ...Object.getOwnPropertyDescriptor(NDframe.prototype, name), enumerable: true }
  Object.defineProperties(data, fields)
}

repair<(DataFrame | Series) & { loadArrayIntoNdframe(given: Given): void }>(NDframe.prototype, {
  get $data(): unknown[] {
    return handOut(this)
  },

  /** Rows in the place of those before, whose columns keep their types as far as the cells fit them. */
  set $data(rows: readonly Cells[]) {
    checkShape(this, rows)
    const types = this.$dtypes
    const columns = this.$isSeries ? [seriesColumn(rows, types[0])] : frameColumns(rows, types)
    setColumns(this, storedColumns(columns, rows.length))
  },

  get shape(): readonly [number, number] {
    const length = lengthOf(this)
    if (length === 0) return [0, this.$columns.length]
    return [length, getColumns(this).list.length]
  },

  loadArrayIntoNdframe({ data, index, columns, dtypes }: Given): void {
    showFields(this)
    let types = dtypes && dtypes.length > 0 ? [...dtypes] : undefined
    if (data instanceof DataColumns) setColumns(this, data)
    else {
      const cells = ArrayBuffer.isView(data) ? cellsIn(data, '') : (data as Cells)
      const made = this.$isSeries ? [seriesColumn(cells, types?.[0])] : frameColumns(cells, types)
      setColumns(this, storedColumns(made, cells.length))
      if (cells.length > 0) types ??= made.map(({ dtype }) => dtype)
    }
    const names = namesOf(columns, this)
    if (lengthOf(this) === 0 && getColumns(this).list.length !== names.length)
      setColumns(this, emptyColumns(names.length))
    this.$setIndex(index)
    this.$setDtypes(types ?? names.map(() => 'undefined'))
    this.$setColumnNames(names)
  },

  $setDtypes(dtypes: readonly string[]): void {
    const [rows, width] = this.shape
    if (rows > 0 && dtypes.length !== width) refuse(`${dtypes.length} types do not go with ${width} columns`)
    const unknown = dtypes.find((dtype) => !knownTypes.has(dtype))
    if (unknown !== undefined) refuse(`there is no type '${unknown}'; there are ${[...knownTypes].join(', ')}`)
    this.$dtypes = dtypes
  },

  $setColumnNames(names: readonly string[]): void {
    const [rows, width] = this.shape
    if (rows > 0 && names.length !== width) refuse(`${names.length} names do not go with ${width} columns`)
    const twice = firstRepeated(names)
    if (twice !== undefined) refuse(`two columns are called '${twice}'`)
    this.$columns = names
  },

  loadObjectIntoNdframe({ data, ...given }: Given & { readonly type: 1 | 2 }): void {
    if (this.$isSeries) {
      this.loadArrayIntoNdframe({ ...given, data })
    } else if (Array.isArray(data)) {
      const objects = data as readonly Readonly<Record<string, unknown>>[]
      const [keys, columns] = chosen(keysOf(objects), given.columns)
      this.loadArrayIntoNdframe({ ...given, columns, data: objects.map((object) => keys.map((key) => object[key])) })
    } else {
      const object = data as Readonly<Record<string, unknown>>
      const [keys, columns] = chosen(Object.keys(object), given.columns)
      const lists = keys.map((key) => cellsIn(object[key], key))
      const odd = lists.findIndex(({ length }) => length !== lists[0]?.length)
      if (odd !== -1)
        refuse(`column '${keys[odd]}' has ${lists[odd]?.length} cells where '${keys[0]}' has ${lists[0]?.length}`)
      this.loadArrayIntoNdframe({ ...given, columns, data: columnsToRows(lists) })
    }
  },
})
