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
import { nameHint } from '../../../contract/nearest.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { floatsIn } from '../../table/values.js'
import { type Cells, columnOfCells, DataColumn, isNa, rowsOfColumns } from '../data-column.js'
import { DataColumns, getColumns, getLabels, type Label, lengthOf, setColumns, setLabels } from '../frame-store.js'
import { inferred } from '../infer-column.js'

export { firstRepeated } from '../../table/shape.js'
export {
  type Cells,
  columnOfCells,
  columnOfNumbers,
  type DataColumn,
  dtypeOfNumbers,
  dtypeWith,
  isNa,
  naOf,
  tidied,
} from '../data-column.js'
export { type Label, lengthOf } from '../frame-store.js'
export { inferred, joinedCells, retyped } from '../infer-column.js'

/** What DataFrame and Series have in common. */
interface NdBase {
  readonly index: readonly Label[]
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
  readonly shape: readonly [number, number]
  $index: readonly Label[]
  $columns: readonly string[]
  readonly $dtypes: readonly string[]
  $setIndex(index: readonly Label[] | undefined): void
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

/** The same methods for frames and for Series. */
export function repairBoth(members: object & ThisType<DataFrame | Series>): void {
  for (const prototype of [DataFrame.prototype, Series.prototype]) repair(prototype, members)
}

/** Methods by name that differ in one parameter only: `sum`, `mean`, … made by one function. */
export function methods<K extends string, F>(names: readonly K[], make: (name: K) => F): Record<K, F> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, F>
}

/** @throws QuotebookError INVALID_VALUE, always */
export function refuse(message: Words): never {
  throw new QuotebookError('INVALID_VALUE', message)
}

/** A cell as messages show it. */
export function inWords(cell: unknown): string {
  return typeof cell === 'bigint' ? `${cell}n` : (JSON.stringify(cell) ?? String(cell))
}

/** One name, or a list of names, as a list. */
export function arrayOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}

/** Numbers from 0 up to `length`, exclusive. */
export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

/** A number of a cell, NaN of a missing one. @throws QuotebookError INVALID_VALUE for text, lists and dates */
export function numberOf(cell: unknown): number {
  if (isNa(cell)) return Number.NaN
  if (typeof cell === 'number' || typeof cell === 'boolean') return Number(cell)
  return refuse(sentence`${inWords(cell)} is not a number`)
}

/** Flags as a column. @param data 1 for true */
export function columnOfFlags(data: Uint8Array): DataColumn {
  return new DataColumn(data.length, { type: 'boolean', data, valid: null }, 'boolean')
}

/** The cells at one place of rows. */
export function cellsAt(rows: readonly Cells[], at: number): unknown[] {
  const cells = new Array<unknown>(rows.length)
  for (let row = 0; row < cells.length; row++) cells[row] = (rows[row] as Cells)[at]
  return cells
}

/** The column of a Series as it is kept. */
export function storedIn(series: Series): DataColumn {
  return getColumns(series).list[0] as DataColumn
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

/** The cells of each column (axis 0) or of each row (axis 1). */
export function listsAlong(frame: DataFrame, axis: 0 | 1): readonly Cells[] {
  return axis === 1 ? rowsOfFrame(frame) : getColumns(frame).list.map((column) => column.cells())
}

/** Where a column stands. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnAt({ $columns }: DataFrame | Series, name: unknown): number {
  const at = $columns.indexOf(name as string)
  if (at !== -1) return at
  const hint = nameHint(String(name), $columns, sentence`the columns are ${$columns.join(', ')}`)
  return refuse(sentence`there is no column '${String(name)}'; ${hint}`)
}

/** A column by its name. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnOf(data: DataFrame | Series, name: unknown): DataColumn {
  return getColumns(data).list[columnAt(data, name)] as DataColumn
}

/** A frame of columns; `length` says how many rows it has when there is no column. */
export function frameOf(
  columns: readonly string[],
  list: readonly DataColumn[],
  index?: readonly Label[],
  length = list[0]?.length ?? 0,
): DataFrame {
  return new DataFrame(new DataColumns(list, length), { columns, index })
}

/** A frame of columns whose types are still to be found. */
export function frameOfCells(
  columns: readonly string[],
  lists: readonly Cells[],
  index?: readonly Label[],
  length = lists[0]?.length ?? 0,
): DataFrame {
  const list = lists.map((cells) => (length > 0 ? inferred(cells) : columnOfCells([], 'float32')))
  return frameOf(columns, list, index, length)
}

interface Parts {
  readonly list: readonly DataColumn[]
  readonly length: number
  readonly index: readonly Label[] | undefined
  readonly columns: readonly string[]
}

/** A frame or a Series like another in all that is not given anew. */
export function like<T extends DataFrame | Series>(data: T, changed: Partial<Parts>): T {
  const { list = getColumns(data).list, index = getLabels(data), columns = data.$columns } = changed
  const { length = list[0]?.length ?? lengthOf(data) } = changed
  const Class = data.$isSeries ? Series : DataFrame
  return new Class(new DataColumns(list, length), { index, columns }) as T
}

/** A Series of cells with the index and name of another; their type is found when it is not given. */
export function seriesLike(series: Series, cells: Cells, dtype?: string): Series {
  return like(series, { list: [dtype === undefined ? inferred(cells) : columnOfCells(cells, dtype)] })
}

/** What a method hands back: its result, or undefined when `inplace` was asked for, and the object is the result then. */
export function result<T extends DataFrame | Series>(own: T, made: T, options: InPlace | undefined): T | undefined {
  if (!options?.inplace) return made
  if (!own.$isSeries) for (const name of own.$columns) Reflect.deleteProperty(own, name)
  setColumns(own, getColumns(made))
  setLabels(own, getLabels(made))
  own.$columns = made.$columns
  if (!own.$isSeries) own.$setInternalColumnDataProperty()
  return undefined
}
