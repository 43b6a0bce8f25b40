/* Deep: a quarter of a minute and more of random sequences. */
import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asTable } from '../../../src/frame/as-table.js'
import { DataFrame, Series } from '../../../src/frame/danfo-classes.js'
import { rowsOf } from '../../../src/frame/read-columns.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import type { ColumnData } from '../../../src/frame/table/values.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import {
  type Cell,
  cellsAt,
  checkFrame,
  checkTable,
  dtypeOf,
  fitsTable,
  missing,
  numbered,
  type PlainFrame,
  pick,
  pickColumns,
  plainCell,
  plainRows,
  putCell,
  putColumn,
} from './plain-frame.js'

/*
 * Random sequences of operations on frames, beside the same on plain arrays. After every step all frames, Series and tables
 * that were ever made are compared with theirs: what one changes must not be seen in another.
 */

interface Live {
  readonly frame: DataFrame
  plain: PlainFrame
  /** Counts changes in place: rows that were handed out before one are no longer the frame's. */
  changes: number
}

interface Kept {
  readonly of: Live
  readonly changes: number
  readonly row: number
  readonly cells: Cell[]
}

interface LiveSeries {
  readonly series: Series
  cells: readonly Cell[]
}

interface World {
  readonly frames: Live[]
  readonly series: LiveSeries[]
  readonly tables: { readonly table: Table; readonly rows: Cell[][] }[]
  readonly kept: Kept[]
  names: number
}

/** A number below another. */
type Dice = (below: number) => number

type Assignable = Record<string, unknown>

const kinds = ['whole', 'number', 'flag', 'text', 'date', 'list'] as const
type CellKind = (typeof kinds)[number]

const day = [new Date(0), new Date(864e5)] as const
const list = [['a', 'b'], ['c']] as const
const cellMakers: Record<CellKind, (dice: Dice) => Cell> = {
  whole: (dice) => dice(5) - 2,
  number: (dice) => [0.5, -1.25, 3, 1e15, Number.NaN, null, undefined][dice(7)],
  flag: (dice) => [true, false, null][dice(3)],
  text: (dice) => ['a', 'b', '000001', '', null, undefined][dice(6)],
  date: (dice) => [...day, null][dice(3)],
  list: (dice) => [...list, null][dice(3)],
}

const cellsOf = (kind: CellKind, count: number, dice: Dice): Cell[] => numbered(count).map(() => cellMakers[kind](dice))
const one = <T>(items: readonly T[], dice: Dice): T => items[dice(items.length)] as T
const nameIn = (world: World): string => `c${world.names++}`

function add(world: World, frame: unknown, plain: PlainFrame): void {
  world.frames.push({ frame: frame as DataFrame, plain, changes: 0 })
}

/** Puts in what a method made: a new frame, or the frame itself when it was called `inplace`. */
function put(world: World, live: Live, made: unknown, plain: PlainFrame, inplace: boolean): void {
  if (!inplace) {
    add(world, made, plain)
    return
  }
  expect(made).toBe(undefined)
  live.plain = plain
  live.changes++
}

function givenColumns(world: World, dice: Dice): { readonly names: string[]; readonly lists: Cell[][] } {
  const height = 1 + dice(5)
  const names = numbered(1 + dice(4)).map(() => nameIn(world))
  return { names, lists: names.map(() => cellsOf(one(kinds, dice), height, dice)) }
}

function plainOf(names: readonly string[], lists: readonly Cell[][]): PlainFrame {
  const height = lists[0]?.length ?? 0
  const rows = numbered(height).map((row) => lists.map((cells) => cells[row]))
  return { columns: names, dtypes: lists.map(dtypeOf), labels: numbered(height), rows }
}

function makeFrame(world: World, dice: Dice): void {
  const { names, lists } = givenColumns(world, dice)
  const plain = plainOf(names, lists)
  const rows = plain.rows.map((row) => [...row])
  const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
  const byName = Object.fromEntries(names.map((name, at) => [name, [...(lists[at] as Cell[])]]))
  const way = dice(3)
  if (way === 0) add(world, new DataFrame(rows as never, { columns: names }), plain)
  else if (way === 1) add(world, new DataFrame(objects as never), plain)
  else add(world, new DataFrame(byName as never), plain)
  // The caller's arrays stay the caller's.
  for (const row of rows) row[0] = 'leak'
  for (const object of objects) object[names[0] as string] = 'leak'
  ;(byName[names[0] as string] as Cell[])[0] = 'leak'
}

/** Columns of a table with what a frame should have for them. */
function tableColumns(height: number, dice: Dice): (readonly [ColumnData, Cell[], dtype: string])[] {
  const valid = Uint8Array.from(numbered(height), () => Math.min(1, dice(3)))
  const holes = (cells: Cell[]): Cell[] => cells.map((cell, row) => (valid[row] === 1 ? cell : null))
  const whole = Int32Array.from(numbered(height), () => dice(9))
  const real = Float64Array.from(numbered(height), () => dice(9) / 4)
  const codes = Int32Array.from(numbered(height), () => dice(3) - 1)
  const texts = numbered(height).map(() => one(['x', '000002', null], dice))
  const lists = numbered(height).map(() => one([['p', 'q'], ['r'], null], dice))
  const hasHole = valid.includes(0)
  return [
    [{ type: 'float', data: real, valid }, holes([...real]), 'float32'],
    [{ type: 'int', data: whole, valid }, holes([...whole]), hasHole ? 'float32' : 'int32'],
    [{ type: 'int', data: whole, valid: null }, [...whole], 'int32'],
    [
      { type: 'boolean', data: Uint8Array.from(whole, (n) => n % 2), valid },
      holes([...whole].map((n) => n % 2 === 1)),
      'boolean',
    ],
    [
      { type: 'dictionary', data: codes, dictionary: ['u', 'v'] },
      [...codes].map((code) => ['u', 'v'][code] ?? null),
      'string',
    ],
    [{ type: 'string', data: texts }, texts, 'string'],
    [{ type: 'list', data: lists }, lists.map(plainCell), 'string'],
  ]
}

function makeTable(world: World, dice: Dice): void {
  const height = dice(6)
  const all = tableColumns(height, dice)
  const chosen = numbered(1 + dice(5)).map(() => one(all, dice))
  const names = chosen.map(() => nameIn(world))
  const columns = new Map(chosen.map(([data], at) => [names[at] as string, data]))
  const table = toTable({ length: height, columns }, {})
  const cells = chosen.map(([, of]) => of)
  const plain = { ...plainOf(names, cells), labels: numbered(height), dtypes: chosen.map(([, , dtype]) => dtype) }
  const frame = toDataFrame(table)
  expect(asTable(frame)).toBe(table)
  world.tables.push({ table, rows: plainRows(plain.rows) })
  add(world, frame, plain)
}

type Step = (world: World, live: Live, dice: Dice) => void

/** Cells of any kind for a column, as what a caller may give: an array, typed numbers, a Series of the frame itself. */
function givenCells(
  live: Live,
  dice: Dice,
): { readonly given: unknown; readonly cells: Cell[]; readonly dtype: string } {
  const { plain, frame } = live
  const height = plain.rows.length
  const way = dice(4)
  if (way === 0) {
    const numbers = Float64Array.from(numbered(height), () => dice(9) / 2)
    return { given: numbers, cells: [...numbers], dtype: dtypeOf([...numbers]) }
  }
  const at = dice(Math.max(1, plain.columns.length))
  if (way === 1 && plain.columns.length > 0) {
    const cells = cellsAt(plain, at)
    return { given: frame.column(plain.columns[at] as string), cells, dtype: dtypeOf(cells) }
  }
  const cells = cellsOf(one(kinds, dice), height, dice)
  return { given: [...cells], cells, dtype: dtypeOf(cells) }
}

const setColumn: Step = (world, live, dice) => {
  const { plain, frame } = live
  const isNew = dice(2) === 0 || plain.columns.length === 0
  const name = isNew ? nameIn(world) : one(plain.columns, dice)
  const { given, ...column } = givenCells(live, dice)
  const at = isNew ? plain.columns.length : plain.columns.indexOf(name)
  const changed = putColumn(plain, { name, ...column }, at, isNew ? 0 : 1)
  const way = dice(3)
  if (way === 0) {
    ;(frame as unknown as Assignable)[name] = given
    put(world, live, undefined, changed, true)
  } else put(world, live, frame.addColumn(name, given as never, { inplace: way === 1 }), changed, way === 1)
  if (Array.isArray(given) || ArrayBuffer.isView(given)) (given as Cell[])[0] = 77
}

/** A cell of the kind that a column has; text among anything now and then. */
function cellFor(plain: PlainFrame, at: number, dice: Dice): Cell {
  if (dice(12) === 0) return 'odd'
  const present = cellsAt(plain, at).find((cell) => !missing(cell))
  if (typeof present === 'number') return dice(4) === 0 ? null : dice(9)
  if (typeof present === 'boolean') return [true, false, null][dice(3)]
  if (present instanceof Date) return day[1]
  if (Array.isArray(present)) return list[1]
  return ['neu', '', undefined][dice(3)]
}

const writeCell: Step = (_, live, dice) => {
  const { plain, frame } = live
  if (plain.rows.length === 0 || plain.columns.length === 0) return
  const [row, at] = [dice(plain.rows.length), dice(plain.columns.length)]
  const cell = cellFor(plain, at, dice)
  ;((frame.values as Cell[][])[row] as Cell[])[at] = cell
  live.plain = putCell(plain, row, at, cell)
}

const keepRow: Step = (world, live, dice) => {
  if (live.plain.rows.length === 0) return
  const row = dice(live.plain.rows.length)
  world.kept.push({ of: live, changes: live.changes, row, cells: (live.frame.values as Cell[][])[row] as Cell[] })
}

const writeKept: Step = (world, _, dice) => {
  const kept = one(world.kept, dice)
  if (!kept || kept.cells.length === 0) return
  const { of, changes, row, cells } = kept
  const at = dice(cells.length)
  const isOwn = of.changes === changes
  const cell = isOwn ? cellFor(of.plain, at, dice) : 'late'
  cells[at] = cell
  if (isOwn) of.plain = putCell(of.plain, row, at, cell)
}

const setData: Step = (world, live, dice) => {
  const { plain, frame } = live
  const rows = plain.rows.map((row) => row.map((_, at) => cellFor(plain, at, dice)))
  ;(frame as unknown as { $data: Cell[][] }).$data = rows
  put(world, live, undefined, { ...plain, rows: rows.map((row) => [...row]) }, true)
  for (const row of rows) row.fill('leak')
}

const query: Step = (world, live, dice) => {
  const { plain, frame } = live
  const mask = plain.rows.map(() => dice(3) > 0)
  const inplace = dice(3) === 0
  const rows = numbered(mask.length).filter((row) => mask[row])
  const index = [...plain.labels]
  const given = dice(2) === 0 || mask.length === 0 ? mask : new Series(mask, { index })
  put(world, live, frame.query(given as never, { inplace }), pick(plain, rows), inplace)
}

const drop: Step = (world, live, dice) => {
  const { plain, frame } = live
  const inplace = dice(2) === 0
  if (dice(2) === 0 && plain.rows.length > 0) {
    const gone = dice(plain.rows.length)
    const rows = numbered(plain.rows.length).filter((row) => row !== gone)
    put(world, live, frame.drop({ index: [plain.labels[gone] as string], inplace }), pick(plain, rows), inplace)
  } else if (plain.columns.length > 1) {
    const gone = dice(plain.columns.length)
    const places = plain.columns.map((_, at) => at).filter((at) => at !== gone)
    const made = frame.drop({ columns: [plain.columns[gone] as string], inplace })
    put(world, live, made, pickColumns(plain, places), inplace)
  }
}

const copy: Step = (world, live) => add(world, live.frame.copy(), live.plain)

const writeSeries = (live: LiveSeries, dice: Dice): void => {
  if (live.cells.length === 0) return
  const row = dice(live.cells.length)
  const cell = ['new', 1.5, null][dice(3)]
  ;(live.series.values as Cell[])[row] = cell
  live.cells = live.cells.with(row, cell)
}

/** A Series of a column; it and one of those before are written to. */
const takeSeries: Step = (world, live, dice) => {
  const { plain, frame } = live
  if (plain.columns.length === 0) return
  const at = dice(plain.columns.length)
  const series = frame.column(plain.columns[at] as string)
  const taken = { series, cells: cellsAt(plain, at) }
  world.series.push(taken)
  if (dice(2) === 0) writeSeries(taken, dice)
  writeSeries(one(world.series, dice), dice)
}

const toTableStep: Step = (world, { frame, plain }) => {
  if (!fitsTable(plain)) return
  const table = asTable(frame)
  world.tables.push({ table, rows: plainRows(rowsOf(table)) })
  const again = toDataFrame(table)
  add(world, again, { ...plain, labels: numbered(plain.rows.length), dtypes: [...again.dtypes] })
  if (plain.rows.length > 0) expect(asTable(frame)).toBe(table)
}

const steps = {
  makeFrame: (world: World, _: Live, dice: Dice) => makeFrame(world, dice),
  makeTable: (world: World, _: Live, dice: Dice) => makeTable(world, dice),
  setColumn,
  writeCell,
  keepRow,
  writeKept,
  setData,
  query,
  drop,
  copy,
  takeSeries,
  toTableStep,
} satisfies Record<string, Step>

type StepName = keyof typeof steps

/** What is looked at after a step: everything, or the columns alone, so that no rows are handed out, or nothing. */
type Look = 'all' | 'columns' | 'nothing'

function look({ frames, series, tables }: World, how: Look): void {
  if (how === 'nothing') return
  for (const { frame, plain } of frames) how === 'all' ? checkFrame(frame, plain) : checkTable(frame, plain)
  if (how === 'columns') return
  for (const live of series) expect(live.series.values.map(plainCell)).toEqual(live.cells.map(plainCell))
  for (const { table, rows } of tables) expect(plainRows(rowsOf(table))).toEqual(rows)
}

/** Numbers out of a list, around and around. */
function diceOf(numbers: readonly number[]): Dice {
  let next = 0
  return (below) => {
    const drawn = (numbers[next % numbers.length] as number) + Math.floor(next / numbers.length)
    next++
    return drawn % below
  }
}

const step = fc.record({
  name: fc.constantFrom(...(Object.keys(steps) as StepName[])),
  look: fc.constantFrom<Look>('all', 'all', 'columns', 'nothing'),
  numbers: fc.array(fc.nat(5039), { minLength: 7, maxLength: 11 }),
})

test('frames, Series and tables are what plain arrays are, whatever is done to the others', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 24, size: 'max' }), (list) => {
      const world: World = { frames: [], series: [], tables: [], kept: [], names: 0 }
      makeFrame(world, diceOf(list[0]?.numbers ?? [0]))
      makeTable(world, diceOf(list[1]?.numbers ?? [0]))
      for (const { name, look: how, numbers } of list) {
        const dice = diceOf(numbers)
        steps[name](world, one(world.frames, dice), dice)
        look(world, how)
      }
      look(world, 'all')
    }),
    { numRuns: Number(process.env['RUNS'] ?? 250) },
  )
})
