/*
 * danfo as the repairs see it: its classes with the members that they use, frames as columns, what is missing, and how a
 * repair is put in its place. The classes are the bundle's private copy (see ../bundle.mjs); an installed danfojs-node is
 * not touched.
 *
 * Two rules hold for every repair. A row is never written to: what changes cells makes new rows, so frames may share
 * them. An index is never written to either, and holds no label twice.
 */
import * as base from 'danfojs-node/dist/danfojs-base/index.js'
import { QuotebookError } from '../../contract/error.js'

export type Cells = readonly unknown[]
export type Label = string | number

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
  $setDtypes(dtypes: readonly string[] | undefined): void
  $setColumnNames(columns: readonly string[] | undefined): void
}

export interface DataFrame extends NdBase {
  readonly values: readonly Cells[]
  readonly $isSeries: false
  $data: readonly Cells[]
  $setInternalColumnDataProperty(column?: string): void
}

export interface Series extends NdBase {
  readonly values: Cells
  readonly $isSeries: true
  $data: Cells
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
export const { Config, Dt, LabelEncoder, NDframe, OneHotEncoder, Str, Utils } = base

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

/*
 * The one rule for what is missing: null, undefined and NaN are, and all mean the same. A column of numbers has NaN for
 * it and any other column null.
 */

export function isNa(cell: unknown): cell is null | undefined {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

export function isNumeric(dtype: string | undefined): boolean {
  return dtype === 'float32' || dtype === 'int32'
}

/** What stands for a missing value in a column of a type. */
export function naOf(dtype: string | undefined): number | null {
  return isNumeric(dtype) || dtype === 'undefined' ? Number.NaN : null
}

/** Cells with the sign of a type for what is missing. */
export function tidied(cells: Cells, dtype: string): Cells {
  const na = naOf(dtype)
  return cells.map((cell) => (isNa(cell) ? na : cell))
}

/** The type of whole numbers, and that of a column without rows (`undefined`), is `float32` as soon as one is missing. */
export function dtypeWith(dtype: string, cells: Cells): string {
  return (dtype === 'int32' || dtype === 'undefined') && cells.some(isNa) ? 'float32' : dtype
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

/** The cells of one column. */
export function cellsAt(rows: readonly Cells[], at: number): unknown[] {
  const cells = new Array<unknown>(rows.length)
  for (let row = 0; row < cells.length; row++) cells[row] = (rows[row] as Cells)[at]
  return cells
}

/** Rows of columns; `length` says how many when there is no column. */
export function columnsToRows(columns: readonly Cells[], length = columns[0]?.length ?? 0): unknown[][] {
  const rows = new Array<unknown[]>(length)
  for (let row = 0; row < length; row++) {
    const cells = new Array<unknown>(columns.length)
    for (let at = 0; at < cells.length; at++) cells[at] = (columns[at] as Cells)[row]
    rows[row] = cells
  }
  return rows
}

/** Where a column stands. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnAt({ $columns }: DataFrame, name: unknown): number {
  const at = $columns.indexOf(name as string)
  return at === -1 ? refuse(`there is no column '${String(name)}'; the columns are ${$columns.join(', ')}`) : at
}

/** A column by its name. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnOf(frame: DataFrame, name: unknown): LabelledCells {
  const at = columnAt(frame, name)
  return {
    name: frame.$columns[at] as string,
    dtype: frame.$dtypes[at] as string,
    cells: cellsAt(frame.$data, at),
  }
}

/** The columns of a frame, or the one of a Series. */
export function labelledColumns(data: DataFrame | Series): LabelledCells[] {
  return data.$columns.map((name, at) => ({
    name,
    dtype: data.$dtypes[at] ?? 'undefined',
    cells: data.$isSeries ? data.$data : cellsAt(data.$data, at),
  }))
}

/** A frame of columns whose types are known; `length` says how many rows it has when there is no column. */
export function frameOfColumns(
  columns: readonly LabelledCells[],
  index?: readonly Label[],
  length = columns[0]?.cells.length ?? 0,
): DataFrame {
  const rows = columnsToRows(
    columns.map(({ cells }) => cells),
    length,
  )
  return new DataFrame(rows, {
    columns: columns.map(({ name }) => name),
    dtypes: columns.map(({ dtype }) => dtype),
    index: length > 0 ? index : [],
  })
}

/** A frame of rows whose types are still to be found. */
export function frameOf(rows: readonly Cells[], index: readonly Label[], columns: readonly string[]): DataFrame {
  if (rows.length === 0) return new DataFrame([], { columns, dtypes: columns.map(() => 'float32') })
  return new DataFrame(rows, { index, columns })
}

/** A frame with the cells of each column (axis 0) or of each row (axis 1) made anew, and types found from them. */
export function mapAlong(frame: DataFrame, axis: 0 | 1, make: (cells: Cells) => Cells): DataFrame {
  const { $data, $index, $columns } = frame
  const rows = axis === 1 ? $data.map(make) : columnsToRows(listsAlong(frame, 0).map(make), $data.length)
  return frameOf(rows, $index, $columns)
}

/** The cells of each column (axis 0) or of each row (axis 1). */
export function listsAlong({ $data, $columns }: DataFrame, axis: 0 | 1): readonly Cells[] {
  return axis === 1 ? $data : $columns.map((_, at) => cellsAt($data, at))
}

export interface FrameParts {
  readonly rows: readonly Cells[]
  readonly index: readonly Label[]
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
}

/** A frame like another in all that is not given anew. */
export function frameLike({ $data, $index, $columns, $dtypes }: DataFrame, changed: Partial<FrameParts>): DataFrame {
  const { rows = $data, index = $index, columns = $columns, dtypes = $dtypes } = changed
  return new DataFrame(rows, { index, columns, dtypes })
}

/** A Series with the index and name of another; its type is found when it is not given. */
export function seriesLike(series: Series, cells: Cells, dtype?: string, index = series.$index): Series {
  const options = { index, columns: series.$columns }
  return new Series(cells, dtype === undefined ? options : { ...options, dtypes: [dtype] })
}

/** What a method hands back: its result, or undefined when `inplace` was asked for, and the object is the result then. */
export function result<T extends DataFrame | Series>(own: T, made: T, options: InPlace | undefined): T | undefined {
  if (!options?.inplace) return made
  if (!own.$isSeries) for (const name of own.$columns) Reflect.deleteProperty(own, name)
  own.$data = made.$data
  own.$index = made.$index
  own.$columns = made.$columns
  own.$dtypes = made.$dtypes
  if (!own.$isSeries) own.$setInternalColumnDataProperty()
  return undefined
}
