import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundHalfUp } from '../../../src/checks/exact/decimal.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import { cellArray, type FlagArray, type TextArray } from '../../../src/frame/verb/cell-array.js'
import { derive } from '../../../src/frame/verb/derive.js'
import { filter } from '../../../src/frame/verb/filter.js'
import { type NumberArray, numberArray } from '../../../src/frame/verb/number-array.js'
import { rolling } from '../../../src/frame/verb/rolling.js'
import { pctChange, shift } from '../../../src/frame/verb/shift.js'
import { when } from '../../../src/frame/verb/when.js'
import { declarationIn } from '../../../src/table/declaration.js'
import { cells, plain, rows, tableOf } from './data.js'

/* Expected values: test/fixture/pandas/expressions.py. */
type Cell = number | string | boolean | null
type Results = Record<string, Cell[]>
const pandas = JSON.parse(readFileSync('test/fixture/pandas/expressions.json', 'utf8')) as Record<
  'pairs' | 'scalar' | 'single' | 'round' | 'flags' | 'texts',
  Results
> &
  Record<'x' | 'y' | 'p' | 'q' | 's' | 't' | 'when', Cell[]>

const floats = (list: readonly Cell[]): NumberArray =>
  numberArray(Float64Array.from(list, (cell) => (cell === null ? Number.NaN : Number(cell))))
const flags = (list: readonly Cell[]): FlagArray => cellArray<FlagArray>([...list] as boolean[])
const texts = (list: readonly Cell[]): TextArray => cellArray<TextArray>([...list] as string[])
/** Cells as JSON has them, -0 as 0. */
const listed = (made: unknown): Cell[] =>
  Array.from(made as ArrayLike<Cell>, (cell) =>
    typeof cell !== 'number' ? cell : Number.isNaN(cell) ? null : Number.isFinite(cell) ? cell + 0 : String(cell),
  )
// biome-ignore lint/suspicious/noExplicitAny: methods by name
const call = (own: any, name: string, ...given: unknown[]): Cell[] => listed(own[name](...given))
const near = (wanted: readonly Cell[]): unknown[] =>
  listed(wanted).map((cell) =>
    typeof cell === 'number' && cell !== 0 && !Number.isInteger(cell) ? expect.closeTo(cell, 10) : cell,
  )

test.each(Object.entries(pandas.pairs))('%s of two columns is that of nullable columns of pandas', (name, wanted) => {
  const made = call(floats(pandas.x), name, floats(pandas.y))
  // numpy's remainder by floats that are no binary fractions differs in the last digits
  expect(made).toEqual(name === 'mod' ? near(wanted) : listed(wanted))
  expect(call(floats(pandas.x), name, pandas.y)).toEqual(made)
})

test.each(Object.entries(pandas.scalar))('%s of a column and a number', (name, wanted) => {
  expect(call(floats(pandas.x), name, 3)).toEqual(wanted)
})

test.each(Object.entries(pandas.single))('%s of a column', (name, wanted) => {
  expect(call(floats(pandas.x), name)).toEqual(listed(wanted))
})

test.each(Object.entries(pandas.round))('round to %s decimals is that of Python’s Decimal', (places, wanted) => {
  expect(call(floats(pandas.x), 'round', Number(places))).toEqual(listed(wanted))
})

test('logic of three values, texts, and choices are those of pandas', () => {
  for (const [name, wanted] of Object.entries(pandas.flags))
    expect(call(flags(pandas.p), name, flags(pandas.q))).toEqual(wanted)
  for (const [name, wanted] of Object.entries(pandas.texts))
    expect(call(texts(pandas.s), name, texts(pandas.t))).toEqual(wanted)
  const [x, y] = [floats(pandas.x), floats(pandas.y)]
  expect(listed(when(x.gt(y), x, y))).toEqual(pandas.when)
  expect([...when(flags(pandas.q).orElse(false), 'up', texts(['a', 'b', 'c', null, 'e', 'f', 'g', 'h', 'i']))]).toEqual(
    ['up', 'b', 'c', 'up', 'e', 'f', 'up', 'h', 'i'],
  )
  expect([...when(flags([true, false, null]), null, 1)]).toEqual([Number.NaN, 1, Number.NaN])
  expect([...when(flags([true, false, null]), false, flags([null, true, true])).not()]).toEqual([true, false, null])
})

test('rounding is exact in decimals, whatever the number', () => {
  const any = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer({ min: -1e9, max: 1e9 }).map((n) => (n + 0.5) / 1000),
  )
  fc.assert(
    fc.property(any, fc.integer({ min: 0, max: 12 }), (x, places) => {
      const [made] = floats([x]).round(places)
      expect(made === 0 ? 0 : made).toBe(Number.isFinite(x) ? roundHalfUp(x, places) || 0 : x)
    }),
    { numRuns: 3000 },
  )
})

test('an expression is what JavaScript makes of each row, in groups and orders too, and filter takes the same', () => {
  fc.assert(
    fc.property(rows(20), fc.boolean(), fc.constantFrom([], 'code', ['code', 'flag']), (list, asFrame, by) => {
      const table = tableOf(list)
      const data = asFrame ? (toDataFrame(table) as unknown as typeof table) : table
      const spread = (c: { x: NumberArray; i: NumberArray }) => c.x.minus(c.i).over(c.i).times(100)
      const made = derive(
        data,
        { spread, up: (c) => spread(c).gt(c.x), before: (c) => c.x.lag().orElse(-1) },
        { by: by as never },
      )
      const old = derive(
        data,
        {
          spread: (c) => c.x.map((x, row) => ((x - (c.i[row] as number)) / (c.i[row] as number)) * 100),
          up: (c) =>
            Array.from(c.x, (x, row) => {
              const own = ((x - (c.i[row] as number)) / (c.i[row] as number)) * 100
              return Number.isNaN(own) || Number.isNaN(x) ? null : own > x
            }),
          before: (c) => shift(c.x).map((x) => (Number.isNaN(x) ? -1 : x)),
        },
        { by: by as never },
      )
      expect(plain(made)).toEqual(plain(old))
      expect(plain(filter(data, (c) => spread(c).gt(c.x), { by: by as never }))).toEqual(
        plain(
          filter(
            data,
            plain(old).map(({ up }) => up as boolean | null),
          ),
        ),
      )
    }),
    { numRuns: 150 },
  )
})

test('laws: not, De Morgan, comparisons that exclude each other, when', () => {
  const list = fc.array(fc.tuple(cells.x, cells.x, cells.flag, cells.flag), { maxLength: 12 })
  fc.assert(
    fc.property(list, (all) => {
      const [x, y] = [floats(all.map(([a]) => a)), floats(all.map(([, b]) => b))]
      const [p, q] = [flags(all.map(([, , a]) => a)), flags(all.map(([, , , b]) => b))]
      expect([...p.and(q).not()]).toEqual([...p.not().or(q.not())])
      expect([...x.lt(y).not()]).toEqual([...x.ge(y)])
      expect([...x.le(y)]).toEqual([...x.lt(y).or(x.eq(y))])
      expect([...x.ne(y)]).toEqual([...x.eq(y).not()])
      expect(listed(when(x.lt(y), x, y))).toEqual(listed(x.least(y)))
      expect(listed(when(x.isMissing(), 1, x))).toEqual(listed(x.orElse(1)))
      expect(listed(x.neg().neg())).toEqual(listed(x))
      expect(listed(x.lag(2).lead(2))).toEqual(listed(x.map((v, row) => (row < x.length - 2 ? v : Number.NaN))))
    }),
    { numRuns: 300 },
  )
})

const table = tableOf([
  { code: 'a', x: 1, i: 2, flag: true },
  { code: 'b', x: 3, i: null, flag: null },
])

test('what windows and shifts make computes on, and the types of results are known', () => {
  const made = derive(table, {
    ma: (c) =>
      c.x
        .over(rolling(c.x, 2, 'mean'))
        .minus(1)
        .round(4),
    jump: (c) => pctChange(c.x).abs().gt(0.5),
    both: (c) => c.flag.and(c.code.eq('a')),
    label: (c) => when(c.x.gt(2), 'high', c.code),
  })
  expect(plain(made).map(({ ma, jump, both, label }) => [ma, jump, both, label])).toEqual([
    [null, null, true, 'a'],
    [0.5, true, false, 'high'],
  ])
  const label: string | null | undefined = made.getChild('label')?.get(0)
  const jump: boolean | null | undefined = made.getChild('jump')?.get(1)
  expect([label, jump]).toEqual(['a', true])
  expect(made.schema.fields.slice(-4).map(({ type }) => String(type))).toEqual([
    'Float64',
    'Bool',
    'Bool',
    'Dictionary<Int32, Utf8>',
  ])
  const copied = derive(table, { same: (c) => c.x, sum: (c) => c.x.plus(c.i) }).schema.fields.slice(-2)
  expect(copied.map((field) => declarationIn(field)?.unit)).toEqual([undefined, undefined])
})

test('what is not a column, no number, or of another length is refused', () => {
  // @ts-expect-error a typo
  expect(() => derive(table, { y: (c) => c.xx.plus(1) })).toThrow("there is no column 'xx'")
  // @ts-expect-error arithmetic on text
  expect(() => derive(table, { y: (c) => c.code.plus(1) })).toThrow('not a function')
  // @ts-expect-error text as an operand
  expect(() => derive(table, { y: (c) => c.x.plus(c.code) })).toThrow("an operand, row 1: 'a' is not a number")
  // @ts-expect-error nothing as an operand
  expect(() => derive(table, { y: (c) => c.x.least() })).toThrow('an operand must be given an array of numbers')
  // @ts-expect-error text compared with a number
  expect(() => derive(table, { y: (c) => c.code.eq(1) })).toThrow('an operand must be string or a column of it, not 1')
  // @ts-expect-error numbers are no test
  expect(() => derive(table, { y: (c) => when(c.x, 1, 2) })).toThrow('an operand must be boolean or a column of it')
  // @ts-expect-error a result compared as one
  expect(() => derive(table, { y: (c) => c.x.plus(1) > 2 })).toThrow('an array of cells')
  expect(() => derive(table, { y: (c) => c.x.plus([1]) })).toThrow('operands: the arrays have 2 and 1 rows')
  expect(() => derive(table, { y: (c) => c.x.round(0.5) })).toThrow(
    'round: decimals must be a whole number of at least 0',
  )
})
