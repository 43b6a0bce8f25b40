/*
 * Rows and columns by position (iloc), by label (loc) and by mask (query).
 *
 * Stock danfo takes the label of a row for its position: after df.sortValues('v'), query(df['v'].gt(2)) returns a row with
 * v = 1 and leaves one with v = 3 out; a second query, or one on labels of text, crashes; sample() picks the same way.
 * loc looks every label up by search (five seconds for 1e5 rows), leaves the end of a slice out and takes ['09:30'] for
 * one; iloc of the row behind the last crashes and of ["1:1"] throws; at() of an unknown row crashes.
 *
 * Now positions are positions and labels labels. A mask has one boolean for each row (missing: not kept); as a Series it
 * goes by label. Slices of loc include both ends, as in pandas, those of iloc leave the end out.
 */

import { shuffled } from '../tensor64.js'
import {
  become,
  columnAt,
  DataFrame,
  type Frame,
  frameLike,
  type Label,
  listOf,
  range,
  refuse,
  repair,
  Series,
  type Vector,
  vectorLike,
} from './danfo.js'
import { paired, placesOf, unique } from './labels.js'
import { isMissing } from './missing.js'

type Rows = readonly unknown[] | Vector

/** The rows of a frame at positions, in their order. */
export function take(frame: Frame, at: readonly number[]): Frame {
  const rows = at.map((row) => frame.$data[row] as Frame['values'][number])
  return frameLike(frame, { rows, index: subset(frame.$index, at) })
}

/** Labels at positions: as unique as the positions are. */
function subset(index: readonly Label[], at: readonly number[]): readonly Label[] {
  const labels = at.map((row) => index[row] as Label)
  return new Set(at).size === at.length ? unique(labels) : labels
}

export function takeCells(vector: Vector, at: readonly number[]): Vector {
  return vectorLike(
    vector,
    at.map((row) => vector.$data[row]),
    vector.$dtypes[0],
    subset(vector.$index, at),
  )
}

function takeColumns(frame: Frame, at: readonly number[]): Frame {
  const names = at.map((column) => frame.$columns[column] as string)
  const rows = frame.$data.map((row) => at.map((column) => row[column]))
  return frameLike(frame, { rows, columns: names, dtypes: at.map((column) => frame.$dtypes[column] as string) })
}

/** Positions of the rows that a mask keeps. */
function kept(nd: Frame | Vector, mask: Rows): number[] {
  const flags = paired(nd, mask)
  const at: number[] = []
  for (let row = 0; row < flags.length; row++) {
    const flag = flags[row]
    if (flag === true) at.push(row)
    else if (flag !== false && !isMissing(flag)) refuse(`a mask holds booleans, not ${String(flag)}`)
  }
  return at
}

const cellsOf = (rows: Rows): readonly unknown[] => (Array.isArray(rows) ? rows : (rows as Vector).$data)
const isMask = (cells: readonly unknown[]): boolean => cells.some((cell) => typeof cell === 'boolean')

function position(given: unknown, length: number): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given < length) return given
  return refuse(`there is no position ${String(given)}: they go from 0 to ${length - 1}`)
}

function boundary(text: string, otherwise: number, length: number): number {
  const at = text.trim() === '' ? otherwise : Number(text)
  return Number.isInteger(at) && at >= 0 && at <= length ? at : refuse(`'${text}' is no end of a slice of ${length}`)
}

/** Positions that iloc is asked for: whole numbers, or one slice as ["2:5"]. */
function positions(wanted: readonly unknown[], length: number): number[] {
  const [first] = wanted
  if (wanted.length !== 1 || typeof first !== 'string') return wanted.map((given) => position(given, length))
  const [start = '', end, ...rest] = first.split(':')
  if (end === undefined || rest.length > 0) return refuse(`a slice reads "start:end", not '${first}'`)
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
function labelled(wanted: readonly unknown[], places: ReadonlyMap<unknown, number>, what: string): number[] {
  const place = (given: unknown): number =>
    labelPlace(places, given) ?? refuse(`there is no ${what} '${String(given)}'`)
  const [first] = wanted
  if (wanted.length !== 1 || typeof first !== 'string' || labelPlace(places, first) !== undefined)
    return wanted.map(place)
  const [, start = '', , end] = slice.exec(first) ?? []
  if (end === undefined) return [place(first)]
  const from = start === '' ? 0 : place(start)
  const to = end === '' ? places.size - 1 : place(end)
  return range(Math.max(0, to - from + 1)).map((i) => from + i)
}

function rowsWanted(rows: unknown): Rows {
  return Array.isArray(rows) || rows instanceof Series
    ? (rows as Rows)
    : refuse('rows are given as an array or a Series')
}

function byPosition(nd: Frame | Vector, rows: unknown): number[] {
  const wanted = rowsWanted(rows)
  return isMask(cellsOf(wanted)) ? kept(nd, wanted) : positions(cellsOf(wanted), nd.$index.length)
}

function byLabel(nd: Frame | Vector, rows: unknown): number[] {
  const wanted = rowsWanted(rows)
  return isMask(cellsOf(wanted)) ? kept(nd, wanted) : labelled(cellsOf(wanted), placesOf(nd.$index), 'row')
}

interface Wanted {
  readonly rows?: unknown
  readonly columns?: unknown
}

/** Positions that a seed draws. */
function drawn(length: number, count: number, seed: number): number[] {
  if (!(count > 0 && count <= length)) refuse(`${count} of ${length} rows can not be drawn`)
  return shuffled(range(length), String(seed)).slice(0, count)
}

repair<Frame>(DataFrame.prototype, {
  iloc({ rows, columns }: Wanted = {}): Frame {
    const frame = rows === undefined ? this : take(this, byPosition(this, rows))
    return columns === undefined
      ? frameLike(frame, {})
      : takeColumns(frame, positions(listOf(columns), this.$columns.length))
  },

  loc({ rows, columns }: Wanted = {}): Frame {
    const frame = rows === undefined ? this : take(this, byLabel(this, rows))
    if (columns === undefined) return frameLike(frame, {})
    return takeColumns(frame, labelled(listOf(columns), new Map(this.$columns.map((name, at) => [name, at])), 'column'))
  },

  query(condition: unknown, options?: { readonly inplace?: boolean }): Frame | undefined {
    const frame = take(this, kept(this, rowsWanted(condition)))
    return options?.inplace ? become(this, { rows: frame.$data, index: frame.$index }) : frame
  },

  async sample(count = 5, options?: { readonly seed?: number }): Promise<Frame> {
    return take(this, drawn(this.$data.length, count, options?.seed ?? 1))
  },

  at(row: Label, column: string): unknown {
    const place = placesOf(this.$index).get(row) ?? refuse(`there is no row '${row}'`)
    return this.$data[place]?.[columnAt(this, column)]
  },

  iat(row: number, column: number): unknown {
    return this.$data[position(row, this.$data.length)]?.[position(column, this.$columns.length)]
  },
})

repair<Vector>(Series.prototype, {
  iloc(rows: unknown): Vector {
    return takeCells(this, byPosition(this, rows))
  },

  loc(rows: unknown): Vector {
    return takeCells(this, byLabel(this, rows))
  },

  async sample(count = 5, options?: { readonly seed?: number }): Promise<Vector> {
    const { length } = this.$data
    return takeCells(this, drawn(length, count === -1 ? length : count, options?.seed ?? 1))
  },

  at(row: Label): unknown {
    return this.$data[placesOf(this.$index).get(row) ?? refuse(`there is no row '${row}'`)]
  },

  iat(row: number): unknown {
    return this.$data[position(row, this.$data.length)]
  },
})
