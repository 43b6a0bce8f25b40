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
 * lists, and every frame is in low memory mode. Rows with `dtypes` are adopted as they are, and never written to.
 */
import { inferred, inferredRows } from './infer-types.js'
import {
  type Cells,
  Config,
  columnsToRows,
  type DataFrame,
  listOf,
  NDframe,
  refuse,
  repair,
  type Series,
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

function cellsIn(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>)
  if (isObject(value) && value['$isSeries'] === true) return [...(value as unknown as Series).$data]
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
  const { length } = data.$isSeries ? [0] : ((data as DataFrame).$data[0] ?? [])
  return Array.from({ length }, (_, at) => String(at))
}

repair(Config.prototype, {
  get isLowMemoryMode(): boolean {
    return true
  },
})

repair(Utils.prototype, {
  isObject,

  /** One cell a row, whatever the first is. */
  is1DArray(cells: unknown): boolean {
    if (ArrayBuffer.isView(cells)) return true
    return Array.isArray(cells) && cells.length > 0 && !Array.isArray(cells[0]) && !isObject(cells[0])
  },

  convert2DArrayToSeriesArray: (cells: unknown): unknown => cells,

  range(start: number, end: number): number[] {
    return Array.from({ length: Math.max(0, end - start + 1) }, (_, i) => start + i)
  },
})

repair<(DataFrame | Series) & { loadArrayIntoNdframe(given: Given): void }>(NDframe.prototype, {
  loadArrayIntoNdframe({ data, index, columns, dtypes }: Given): void {
    const cells = ArrayBuffer.isView(data) ? cellsIn(data, '') : (data as Cells)
    let types = dtypes && dtypes.length > 0 ? [...dtypes] : undefined
    if (this.$isSeries) {
      const found = types || cells.length === 0 ? undefined : inferred(cells)
      this.$data = found ? (found.cells === data ? [...cells] : found.cells) : cells
      types ??= found && [found.dtype]
    } else {
      const rows = (
        Array.isArray(cells[0]) || cells.length === 0
          ? cells
          : cells.map((cell) => (ArrayBuffer.isView(cell) ? cellsIn(cell, '') : [cell]))
      ) as readonly Cells[]
      const found = types || rows.length === 0 ? undefined : inferredRows(rows)
      this.$data = found?.rows ?? rows
      types ??= found?.dtypes
    }
    const names = namesOf(columns, this)
    if (cells.length === 0) types ??= names.map(() => 'undefined')
    this.$setIndex(index)
    this.$setDtypes(types)
    this.$setColumnNames(names)
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
