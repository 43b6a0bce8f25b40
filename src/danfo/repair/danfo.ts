/*
 * danfo as the repairs see it: its classes with the members that they use, and how a repair is put in its place. This is
 * the bundle's private copy (see ../bundle.mjs); an installed danfojs-node is not touched.
 *
 * Two rules hold for every repair. A row is never written to: what changes cells makes new rows, so frames may share
 * them. An index is never written to either, and holds no label twice.
 */
import * as base from 'danfojs-node/dist/danfojs-base/index.js'
import { QuotebookError } from '../../contract/error.js'

export type Row = readonly unknown[]
export type Label = string | number

/** What DataFrame and Series have in common. */
interface Nd {
  readonly index: readonly Label[]
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
  readonly shape: readonly [number, number]
  $index: readonly Label[]
  $columns: readonly string[]
  $dtypes: readonly string[]
  $isSeries: boolean
  $setIndex(index: readonly Label[] | undefined): void
  $setDtypes(dtypes: readonly string[] | undefined): void
  $setColumnNames(columns: readonly string[] | undefined): void
}

export interface Frame extends Nd {
  readonly values: readonly Row[]
  $data: readonly Row[]
  $setInternalColumnDataProperty(column?: string): void
}

export interface Vector extends Nd {
  readonly values: readonly unknown[]
  $data: readonly unknown[]
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

interface Class<T> {
  new (data: unknown, options?: Options): T
  readonly prototype: T
}

export const DataFrame = base.DataFrame as unknown as Class<Frame>
export const Series = base.Series as unknown as Class<Vector>
export const { Config, Dt, LabelEncoder, NDframe, OneHotEncoder, Str, Utils } = base

/** Puts methods and getters on a prototype; `this` in them is one of its objects. */
export function repair<T extends object>(prototype: object, members: object & ThisType<T>): void {
  const found = Object.getOwnPropertyDescriptors(members)
  for (const descriptor of Object.values(found)) descriptor.enumerable = false
  Object.defineProperties(prototype, found)
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

export interface Parts {
  readonly rows: readonly Row[]
  readonly index: readonly Label[]
  readonly columns: readonly string[]
  readonly dtypes: readonly string[]
}

const partsOf = (frame: Frame): Parts => ({
  rows: frame.$data,
  index: frame.$index,
  columns: frame.$columns,
  dtypes: frame.$dtypes,
})

/** A frame like another in all that is not given anew. */
export function frameLike(frame: Frame, changed: Partial<Parts>): Frame {
  const { rows, index, columns, dtypes } = { ...partsOf(frame), ...changed }
  return new DataFrame(rows, { index, columns, dtypes })
}

/** A frame of rows whose types are still to be found. */
export function frameOf(rows: readonly Row[], index: readonly Label[], columns: readonly string[]): Frame {
  if (rows.length === 0) return new DataFrame([], { columns, dtypes: columns.map(() => 'float32') })
  return new DataFrame(rows, { index, columns })
}

/** Changes a frame itself, its column properties included, and gives undefined as danfo's `inplace` does. */
export function become(frame: Frame, changed: Partial<Parts>): undefined {
  const { rows, index, columns, dtypes } = { ...partsOf(frame), ...changed }
  for (const name of frame.$columns) Reflect.deleteProperty(frame, name)
  frame.$data = rows
  frame.$index = index
  frame.$columns = columns
  frame.$dtypes = dtypes
  frame.$setInternalColumnDataProperty()
}

/** A Series with the index and name of another; its type is found when it is not given. */
export function vectorLike(vector: Vector, values: readonly unknown[], dtype?: string, index = vector.$index): Vector {
  const options = { index, columns: vector.$columns }
  return new Series(values, dtype === undefined ? options : { ...options, dtypes: [dtype] })
}

/** Changes a Series itself, and gives undefined as danfo's `inplace` does. */
export function becomeVector(vector: Vector, { $data, $index, $dtypes }: Vector): undefined {
  vector.$data = $data
  vector.$index = $index
  vector.$dtypes = $dtypes
}

/** The cells of one column. */
export function cellsAt(rows: readonly Row[], at: number): unknown[] {
  const cells = new Array<unknown>(rows.length)
  for (let row = 0; row < cells.length; row++) cells[row] = (rows[row] as Row)[at]
  return cells
}

/** Rows of columns; `length` says how many when there is no column. */
export function rowsOf(columns: readonly (readonly unknown[])[], length = columns[0]?.length ?? 0): unknown[][] {
  const rows = new Array<unknown[]>(length)
  for (let row = 0; row < length; row++) {
    const cells = new Array<unknown>(columns.length)
    for (let at = 0; at < cells.length; at++) cells[at] = (columns[at] as readonly unknown[])[row]
    rows[row] = cells
  }
  return rows
}

/** Where a column stands. @throws QuotebookError INVALID_VALUE when there is none of that name */
export function columnAt({ $columns }: Frame, name: unknown): number {
  const at = $columns.indexOf(name as string)
  return at === -1 ? refuse(`there is no column '${String(name)}'; the columns are ${$columns.join(', ')}`) : at
}

/** Numbers from 0 up to `length`, exclusive. */
export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}
