/*
 * Rows and columns by position (iloc), by label (loc), by mask (query) and in order (sortValues).
 *
 * Stock danfo takes the label of a row for its position: after df.sortValues('v'), query(df['v'].gt(2)) returns a row with
 * v = 1 and leaves one with v = 3 out; a second query, or one on labels of text, crashes; sample() picks the same way.
 * loc looks every label up by search (five seconds for 1e5 rows), leaves the end of a slice out and takes ['09:30'] for
 * one; iloc of the row behind the last crashes and of ["1:1"] throws; at() of an unknown row crashes.
 *
 * Now positions are positions and labels labels. A mask has one boolean for each row (missing: not kept); as a Series it
 * goes by label. Slices of loc include both ends, as in pandas, those of iloc leave the end out.
 *
 * Stock danfo sorts [10, null, -5, 20] into -5, null, 10, 20 and anything with a NaN into disorder; a Series of text comes
 * out descending when it should ascend; equal numbers change places; 'b' stands before 'C'; a frame takes five seconds for
 * 1e5 rows; one row with a label of text can not be sorted; argSort gives labels.
 *
 * Now equal values keep their order, what is missing comes last both ways, text goes by its code units ('C' before 'b'),
 * and argSort gives positions.
 */
import { sentence } from '../../../contract/sentence.js'
import { floatColumn } from '../../table/present-cells.js'
import { sortRows } from '../../table/sort-rows.js'
import type { ColumnData } from '../../table/values.js'
import { getColumns, getLabels } from '../frame-store.js'
import {
  arrayOf,
  type Cells,
  cellsOf,
  columnOf,
  columnOfCells,
  type DataColumn,
  DataFrame,
  type InPlace,
  inWords,
  isNa,
  type Label,
  lengthOf,
  like,
  range,
  refuse,
  repair,
  repairBoth,
  result,
  Series,
  storedIn,
} from './model.js'
import { labelsAt, paired, pairing, placesOf } from './row-labels.js'

type Rows = Cells | Series

/** The rows of a frame, or the cells of a Series, at positions, in their order. */
export function pickRows<T extends DataFrame | Series>(data: T, positions: ArrayLike<number>): T {
  const index = labelsAt(getLabels(data), positions, lengthOf(data))
  const list = getColumns(data).list.map((column) => column.gatherLate(positions))
  return like(data, { list, index, length: positions.length })
}

function pickColumns(frame: DataFrame, positions: readonly number[]): DataFrame {
  const pick = <T>(list: readonly T[]): T[] => positions.map((column) => list[column] as T)
  const { list, length } = getColumns(frame)
  return like(frame, { list: pick(list), length, columns: pick(frame.$columns) })
}

/** Positions of the rows that a mask keeps. */
function kept(data: DataFrame | Series, mask: Rows): Int32Array {
  const found = new Int32Array(lengthOf(data))
  let count = 0
  const column = mask instanceof Series && !pairing(data, mask as Series) ? storedIn(mask as Series).content : undefined
  if (column?.type === 'boolean') {
    const { data: bytes, valid } = column
    for (let row = 0; row < bytes.length; row++) if (bytes[row] === 1 && valid?.[row] !== 0) found[count++] = row
    return found.slice(0, count)
  }
  const flags = paired(data, mask)
  for (let row = 0; row < flags.length; row++) {
    const flag = flags[row]
    if (flag === true) found[count++] = row
    else if (flag !== false && !isNa(flag)) refuse(sentence`a mask holds booleans, not ${String(flag)}`)
  }
  return found.slice(0, count)
}

function position(given: unknown, length: number): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given < length) return given
  return refuse(sentence`there is no position ${String(given)}: they go from 0 to ${length - 1}`)
}

function boundary(text: string, otherwise: number, length: number): number {
  const at = text.trim() === '' ? otherwise : Number(text)
  return Number.isInteger(at) && at >= 0 && at <= length
    ? at
    : refuse(sentence`'${text}' is no end of a slice of ${length}`)
}

/** Positions that iloc is asked for: whole numbers, or one slice as ["2:5"]. */
function positions(wanted: Cells, length: number): number[] {
  const [first] = wanted
  if (wanted.length !== 1 || typeof first !== 'string') return wanted.map((given) => position(given, length))
  const [start = '', end, ...rest] = first.split(':')
  if (end === undefined || rest.length > 0) return refuse(sentence`a slice reads "start:end", not '${first}'`)
  const from = boundary(start, 0, length)
  return range(Math.max(0, boundary(end, length, length) - from)).map((i) => from + i)
}

const quoted = /^(["'`])(.*)\1$/
/** Two labels, in quotes or not, with a colon between them; either may be left out. */
const slice = /^((["'`]).*?\2|[^:"'`]*):((["'`]).*?\4|[^:"'`]*)$/

/** Where a label stands: as it is, without quotes, or as the number that it spells. */
function labelPlace(places: ReadonlyMap<unknown, number>, given: unknown): number | undefined {
  const found = places.get(given)
  if (found !== undefined || typeof given !== 'string') return found
  const bare = quoted.exec(given)
  if (bare) return places.get(bare[2])
  return given.trim() === '' ? undefined : places.get(Number(given))
}

/** Positions of labels, or of one slice as ["a:c"], both ends included. */
function labelled(wanted: Cells, places: ReadonlyMap<unknown, number>, what: string): number[] {
  const place = (given: unknown): number =>
    labelPlace(places, given) ?? refuse(sentence`there is no ${what} '${String(given)}'`)
  const [first] = wanted
  if (wanted.length !== 1 || typeof first !== 'string' || labelPlace(places, first) !== undefined)
    return wanted.map(place)
  const [, start = '', , end] = slice.exec(first) ?? []
  if (end === undefined) return [place(first)]
  const from = start === '' ? 0 : place(start)
  const to = end === '' ? places.size - 1 : place(end)
  return range(Math.max(0, to - from + 1)).map((i) => from + i)
}

/** Positions of the rows that are asked for: those that a mask keeps, or those that `find` makes of what is given. */
function rowsWanted(data: DataFrame | Series, rows: unknown, find: (wanted: Cells) => number[]): ArrayLike<number> {
  if (!Array.isArray(rows) && !(rows instanceof Series)) refuse(sentence`rows are given as an array or a Series`)
  const wanted = Array.isArray(rows) ? (rows as Cells) : cellsOf(rows as Series)
  return wanted.some((cell) => typeof cell === 'boolean') ? kept(data, rows as Rows) : find(wanted)
}

function byPosition(data: DataFrame | Series, rows: unknown): ArrayLike<number> {
  return rowsWanted(data, rows, (wanted) => positions(wanted, lengthOf(data)))
}

function byLabel(data: DataFrame | Series, rows: unknown): ArrayLike<number> {
  return rowsWanted(data, rows, (wanted) => labelled(wanted, placesOf(data.$index), 'row'))
}

/** Where a row of a label stands. @throws QuotebookError INVALID_VALUE when there is none */
export function rowLabelled({ $index }: DataFrame | Series, label: Label): number {
  return placesOf($index).get(label) ?? refuse(sentence`there is no row '${label}'`)
}

interface RowsAndColumns {
  readonly rows?: unknown
  readonly columns?: unknown
}

interface Seeded {
  readonly seed?: number
}

/** Numbers from 0 up to 1 that a seed fixes: FNV-1a of its text into a mulberry32 generator. */
function random(seed: string): () => number {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) as number), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Positions that a seed draws (Fisher and Yates). */
function drawn(length: number, count: number, options: Seeded | undefined): number[] {
  if (!(count > 0 && count <= length)) refuse(sentence`${count} of ${length} rows can not be drawn`)
  const next = random(String(options?.seed ?? 1))
  const out = range(length)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    const [a, b] = [out[i], out[j]] as [number, number]
    out[i] = b
    out[j] = a
  }
  return out.slice(0, count)
}

/** What a cell is compared by. */
function keyOf(cell: unknown): number | string {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  if (cell instanceof Date || typeof cell === 'boolean') return Number(cell)
  return refuse(sentence`lists and objects have no order`)
}

/** A column in a form that has an order: dates as numbers. @throws QuotebookError INVALID_VALUE for a mixture, and for lists */
export function ordered(column: DataColumn): ColumnData {
  const { content } = column
  if (content.type !== 'cells' && content.type !== 'list') return content
  const keys = column.cells().map((cell) => (isNa(cell) ? null : keyOf(cell)))
  const isText = typeof keys.find((key) => key !== null) === 'string'
  const odd = keys.findIndex((key) => key !== null && (typeof key === 'string') !== isText)
  if (odd >= 0) refuse(sentence`text and numbers have no order: ${inWords(column.cellAt(odd))}`)
  if (isText) return { type: 'string', data: keys as (string | null)[] }
  return floatColumn(Float64Array.from(keys, (key) => (key === null ? Number.NaN : (key as number))))
}

/** Positions in the order of the cells: stable, missing last. */
export function orderOf(column: DataColumn, ascending = true): Int32Array {
  return sortRows([{ name: '', values: ordered(column), descending: !ascending }], column.length)
}

/** The same of cells. */
export function order(data: Cells, ascending?: boolean): Int32Array {
  return orderOf(columnOfCells(data), ascending)
}

interface SortOptions extends InPlace {
  readonly ascending?: boolean
}

repair<DataFrame>(DataFrame.prototype, {
  iloc({ rows, columns }: RowsAndColumns = {}): DataFrame {
    const frame = rows === undefined ? like(this, {}) : pickRows(this, byPosition(this, rows))
    return columns === undefined ? frame : pickColumns(frame, positions(arrayOf(columns), this.$columns.length))
  },

  loc({ rows, columns }: RowsAndColumns = {}): DataFrame {
    const frame = rows === undefined ? like(this, {}) : pickRows(this, byLabel(this, rows))
    if (columns === undefined) return frame
    return pickColumns(
      frame,
      labelled(arrayOf(columns), new Map(this.$columns.map((name, at) => [name, at])), 'column'),
    )
  },

  query(condition: unknown, options?: InPlace): DataFrame | undefined {
    const mask = Array.isArray(condition) || condition instanceof Series
    if (!mask) refuse(sentence`rows are given as an array or a Series`)
    return result(this, pickRows(this, kept(this, condition as Rows)), options)
  },

  sortValues(column: string, options?: SortOptions): DataFrame | undefined {
    return result(this, pickRows(this, orderOf(columnOf(this, column), options?.ascending)), options)
  },

  sortIndex(options?: SortOptions): DataFrame | undefined {
    return result(this, pickRows(this, order(this.$index, options?.ascending)), options)
  },
})

repair<Series>(Series.prototype, {
  iloc(rows: unknown): Series {
    return pickRows(this, byPosition(this, rows))
  },

  loc(rows: unknown): Series {
    return pickRows(this, byLabel(this, rows))
  },

  sortValues(options?: SortOptions): Series | undefined {
    return result(this, pickRows(this, orderOf(storedIn(this), options?.ascending)), options)
  },

  argSort(options?: SortOptions): Series {
    const places = orderOf(storedIn(this), options?.ascending)
    return new Series([...places], { columns: ['0'], dtypes: ['int32'] })
  },
})

repairBoth({
  /** The cell of a row, and of a frame's column. */
  at(row: Label, column: string): unknown {
    return columnOf(this, this.$isSeries ? this.$columns[0] : column).cellAt(rowLabelled(this, row))
  },

  /** The same by positions. */
  iat(row: number, column: number): unknown {
    const at = this.$isSeries ? 0 : position(column, this.$columns.length)
    return getColumns(this).list[at]?.cellAt(position(row, lengthOf(this)))
  },

  /** -1 of a Series draws all of it. */
  async sample(count = 5, options?: Seeded): Promise<DataFrame | Series> {
    const length = lengthOf(this)
    return pickRows(this, drawn(length, this.$isSeries && count === -1 ? length : count, options))
  },
})
