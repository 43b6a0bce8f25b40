/*
 * danfo as the repairs see it: its classes with the members that they use, frames as columns, what is missing, and how a
 * repair is put in its place. The classes are the bundle's private copy (see ../bundle.mjs); an installed danfojs-node is
 * not touched.
 *
 * Two rules hold for every repair. A column is never written to: what changes cells makes new columns, so frames may share
 * them. An index is never written to either, and holds no label twice.
 */
import * as base from 'danfojs-node/dist/danfojs-base/index.js'
import { QuotebookError } from '../../../contract/error.js'
import { floatsIn } from '../../table/values.js'
import { contentFrom, DataColumn, rowsOfColumns } from '../data-column.js'
import { DataColumns, getColumns, getLabels, type Label, setColumns, setLabels } from '../frame-store.js'
import { type Cells, isNa } from '../missing.js'

export { type Label, lengthOf } from '../frame-store.js'
export { type Cells, dtypeWith, isNa, isNumeric, naOf, tidied } from '../missing.js'

/** What DataFrame and Series have in common. */
interface NdBase {
  readonly index: readonly Label[]
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
  readonly shape: readonly [number, number]
  $index: readonly Label[]
  $columns: readonly string[]
  $dtypes: readonly string[]
  $setIndex(index: readonly Label[] | undefined): void
  $setDtypes(dtypes: readonly string[]): void
  $setColumnNames(columns: readonly string[]): void
}

export interface DataFrame extends NdBase {
  readonly $isSeries: false
  $setInternalColumnDataProperty(column?: string): void
}

export interface Series extends NdBase {
  readonly $isSeries: true
}

interface Options {
  readonly index?: readonly Label[] | undefined
  readonly columns?: readonly string[]
  readonly dtypes?: readonly string[]
}

/** Options of methods that may change what they are called on. */
export interface InPlace {
  readonly inplace?: boolean
}

/** Which way a method goes; what 0 and 1 mean differs from method to method, as in danfo. */
export interface Axis {
  readonly axis?: 0 | 1
}

interface Class<T> {
  new (data: unknown, options?: Options): T
  readonly prototype: T
}

export const DataFrame = base.DataFrame as unknown as Class<DataFrame>
export const Series = base.Series as unknown as Class<Series>
export const { Config, Dt, NDframe, Str, Utils } = base

/** Puts methods and getters on a prototype; `this` in them is one of its objects. */
export function repair<T extends object>(prototype: object, members: object & ThisType<T>): void {
  const found = Object.getOwnPropertyDescriptors(members)
  for (const descriptor of Object.values(found)) descriptor.enumerable = false
  Object.defineProperties(prototype, found)
}

/** Methods by name that differ in one parameter only: `sum`, `mean`, … made by one function. */
export function methods<K extends string, F>(names: readonly K[], make: (name: K) => F): Record<K, F> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, F>
}

/** @throws QuotebookError INVALID_VALUE, always */
export function refuse(message: string): never {
  throw new QuotebookError('INVALID_VALUE', message)
}

/** A cell as messages show it. */
export function inWords(cell: unknown): string {
  return typeof cell === 'bigint' ? `${cell}n` : (JSON.stringify(cell) ?? String(cell))
}

/** One name, or a list of names, as a list. */
export function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}

/** Numbers from 0 up to `length`, exclusive. */
export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

/** The first of some texts that comes twice. */
export function firstRepeated(texts: readonly string[]): string | undefined {
  return texts.find((text, at) => texts.indexOf(text) !== at)
}

/** A number of a cell, NaN of a missing one. @throws QuotebookError INVALID_VALUE for text, lists and dates */
export function numberOf(cell: unknown): number {
  if (isNa(cell)) return Number.NaN
  if (typeof cell === 'number' || typeof cell === 'boolean') return Number(cell)
  return refuse(`${inWords(cell)} is not a number`)
}

/** The cells of a column and their type. */
export interface TypedCells {
  readonly dtype: string
  readonly cells: Cells
}

export interface LabelledCells extends TypedCells {
  readonly name: string
}

/** The cells at one place of rows. */
export function cellsAt(rows: readonly Cells[], at: number): unknown[] {
  const cells = new Array<unknown>(rows.length)
  for (let row = 0; row < cells.length; row++) cells[row] = (rows[row] as Cells)[at]
  return cells
}

/** Rows of columns; `length` says how many when there is no column. */
export function columnsToRows(columns: readonly Cells[], length = columns[0]?.length ?? 0): unknown[][] {
  return rowsOfColumns(
    columns.map((cells) => new DataColumn(length, { type: 'cells', data: cells })),
    length,
  )
}

/** The column of a Series as it is kept. */
export function storedIn(series: Series): DataColumn {
  return getColumns(series).list[0] ?? new DataColumn(0, { type: 'cells', data: [] })
}

/** The cells of a Series, to be read only. */
export function cellsOf(series: Series): Cells {
  return storedIn(series).cells()
}

/** The numbers of a column, NaN where missing, to be read only. @throws QuotebookError INVALID_VALUE for text, lists and dates */
export function numbersOf(column: DataColumn): Float64Array {
  const { content } = column
  const known = content.type === 'cells' ? undefined : floatsIn(content)
  return known ?? Float64Array.from(column.cells(), numberOf)
}

/** The rows of a frame, made anew. */
export function rowsOfFrame(frame: DataFrame): readonly Cells[] {
  const { list, length } = getColumns(frame)
  return rowsOfColumns(list, length)
}

/** Where a column stands. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnAt({ $columns }: DataFrame | Series, name: unknown): number {
  const at = $columns.indexOf(name as string)
  return at === -1 ? refuse(`there is no column '${String(name)}'; the columns are ${$columns.join(', ')}`) : at
}

/** The column that the cells of a labelled one were read from; not there for one that was put together anew. */
const origins = new WeakMap<TypedCells, DataColumn>()

/** Cells are read when they are first asked for. */
export function labelled(name: string, dtype: string, column: DataColumn): LabelledCells {
  let cells: Cells | undefined
  const made: LabelledCells = {
    name,
    dtype,
    get cells(): Cells {
      cells ??= column.cells()
      return cells
    },
  }
  origins.set(made, column)
  return made
}

/** A labelled column as it is kept. */
function stored(column: TypedCells): DataColumn {
  return origins.get(column) ?? new DataColumn(column.cells.length, contentFrom(column.cells, column.dtype))
}

/** Columns of cells that were just made, as a frame keeps them. */
export function storedColumns(columns: readonly TypedCells[], length: number): DataColumns {
  return new DataColumns(columns.map(stored), length)
}

/** A column by its name. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnOf(frame: DataFrame, name: unknown): LabelledCells {
  const at = columnAt(frame, name)
  const column = getColumns(frame).list[at] as DataColumn
  return labelled(frame.$columns[at] as string, frame.$dtypes[at] as string, column)
}

/** The columns of a frame, or the one of a Series. */
export function labelledColumns(data: DataFrame | Series): LabelledCells[] {
  const { list } = getColumns(data)
  const none = new DataColumn(0, { type: 'cells', data: [] })
  return data.$columns.map((name, at) => labelled(name, data.$dtypes[at] ?? 'undefined', list[at] ?? none))
}

/** A frame of columns whose types are known; `length` says how many rows it has when there is no column. */
export function frameOfColumns(
  columns: readonly LabelledCells[],
  index?: readonly Label[],
  length = columns[0]?.cells.length ?? 0,
): DataFrame {
  return new DataFrame(storedColumns(columns, length), {
    columns: columns.map(({ name }) => name),
    dtypes: columns.map(({ dtype }) => dtype),
    index: length > 0 ? index : [],
  })
}

/** A frame of rows whose types are still to be found. */
export function frameOf(
  rows: readonly Cells[],
  index: readonly Label[] | undefined,
  columns: readonly string[],
): DataFrame {
  if (rows.length === 0) return new DataFrame([], { columns, dtypes: columns.map(() => 'float32') })
  return new DataFrame(rows, { index, columns })
}

/** The cells of each column (axis 0) or of each row (axis 1). */
export function listsAlong(frame: DataFrame, axis: 0 | 1): readonly Cells[] {
  return axis === 1 ? rowsOfFrame(frame) : getColumns(frame).list.map((column) => column.cells())
}

interface FrameParts {
  readonly list: readonly DataColumn[]
  readonly index: readonly Label[] | undefined
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
}

/** A frame like another in all that is not given anew. */
export function frameLike(frame: DataFrame, changed: Partial<FrameParts>): DataFrame {
  const before = getColumns(frame)
  const { list = before.list, index = getLabels(frame), columns = frame.$columns, dtypes = frame.$dtypes } = changed
  return new DataFrame(new DataColumns(list, list[0]?.length ?? before.length), { index, columns, dtypes })
}

/** A Series of a column with the index and name of another. */
export function seriesOf(series: Series, column: DataColumn, dtype: string, index = getLabels(series)): Series {
  return new Series(new DataColumns([column]), { index, columns: series.$columns, dtypes: [dtype] })
}

/** The type of numbers: whole ones are int32, others and missing ones float32. */
export function dtypeOfNumbers(data: Float64Array): string {
  return data.length === 0 ? 'undefined' : data.every(Number.isInteger) ? 'int32' : 'float32'
}

export function columnOfNumbers(data: Float64Array): DataColumn {
  return new DataColumn(data.length, { type: 'float', data, valid: null })
}

/** @param data 1 for true */
export function columnOfFlags(data: Uint8Array): DataColumn {
  return new DataColumn(data.length, { type: 'boolean', data, valid: null })
}

/** A Series of numbers with the index and name of another. */
export function seriesOfNumbers(series: Series, data: Float64Array): Series {
  return seriesOf(series, columnOfNumbers(data), dtypeOfNumbers(data))
}

/** A Series with the index and name of another; its type is found when it is not given. */
export function seriesLike(series: Series, cells: Cells, dtype?: string, index = getLabels(series)): Series {
  if (dtype !== undefined)
    return seriesOf(series, new DataColumn(cells.length, contentFrom(cells, dtype)), dtype, index)
  return new Series(cells, { index, columns: series.$columns })
}

/** What a method hands back: its result, or undefined when `inplace` was asked for, and the object is the result then. */
export function result<T extends DataFrame | Series>(own: T, made: T, options: InPlace | undefined): T | undefined {
  if (!options?.inplace) return made
  if (!own.$isSeries) for (const name of own.$columns) Reflect.deleteProperty(own, name)
  setColumns(own, getColumns(made))
  setLabels(own, getLabels(made))
  own.$columns = made.$columns
  own.$dtypes = made.$dtypes
  if (!own.$isSeries) own.$setInternalColumnDataProperty()
  return undefined
}
