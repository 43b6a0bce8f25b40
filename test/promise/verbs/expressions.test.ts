import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import fc from 'fast-check'
import {
  derive,
  type FlagArray,
  fromRows,
  type NumberArray,
  pctChange,
  rolling,
  select,
  type TextArray,
  when,
} from 'quotebook'
import { expect, test } from 'vitest'
import { cells, plain, tableOf } from '../helper/rows.js'

/* Expected values: test/fixture/pandas/expressions.py. */
type Cell = number | string | boolean | null
type Results = Record<string, Cell[]>
const pandas = JSON.parse(readFileSync('test/fixture/pandas/expressions.json', 'utf8')) as Record<
  'pairs' | 'scalar' | 'single' | 'round' | 'flags' | 'texts',
  Results
> &
  Record<'x' | 'y' | 'p' | 'q' | 's' | 't' | 'when', Cell[]>

/** A column as `derive` hands it over. */
function column(list: readonly Cell[], kind: 'number' | 'boolean' | 'label'): unknown {
  let found: unknown
  derive(
    fromRows(
      list.map((cell) => [cell]),
      { columns: ['v'], kinds: { v: kind } },
    ),
    {
      w: ({ v }) => {
        found = v
        return 0
      },
    },
  )
  return found
}
const floats = (list: readonly Cell[]) =>
  column(
    list.map((cell) => (cell === null ? null : Number(cell))),
    'number',
  ) as NumberArray
const flags = (list: readonly Cell[]) => column(list, 'boolean') as FlagArray
const texts = (list: readonly Cell[]) => column(list, 'label') as TextArray
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

/** The decimal that a number prints as, rounded with halves away from zero. */
function roundHalfUp(x: number, places: number): number {
  const [digits = '', exponent = '0'] = String(Math.abs(x)).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const move = Number(exponent) - fraction.length + places
  if (move >= 0) return x
  const unit = 10n ** BigInt(Math.min(-move, 800))
  return Math.sign(x) * Number(`${(BigInt(whole + fraction) + unit / 2n) / unit}e${-places}`)
}

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
    { numRuns: 60 },
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
    { numRuns: 60 },
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
  expect(copied.map((field) => field.metadata.get('unit'))).toEqual([undefined, undefined])
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

test('a column of text or flags is an array like any other, however it is looked at', () => {
  const looks: Record<string, (cells: readonly unknown[]) => unknown> = {
    index: (cells) => [cells[0], cells[1], cells[2], cells[3]],
    length: (cells) => cells.length,
    spread: (cells) => [...cells],
    from: (cells) => Array.from(cells),
    map: (cells) => cells.map((cell) => cell),
    'map of another': (cells) => Array.prototype.map.call(cells, (cell) => cell),
    slice: (cells) => cells.slice(1),
    json: (cells) => JSON.stringify(cells),
    has: (cells) => [0 in cells, 2 in cells, 9 in cells],
    // biome-ignore lint/suspicious/useIsArray: that is what is asked
    array: (cells) => [Array.isArray(cells), cells instanceof Array, cells.constructor === Array],
    entries: (cells) => [...cells.entries()],
    printed: (cells) => inspect(cells),
    'sorted in place': (cells) => (cells as unknown[]).sort().join(),
  }
  const words = ['b', null, 'a']
  const wanted = { text: words, flag: [true, null, false] }
  for (const [name, look] of Object.entries(looks)) {
    derive(tableOf(words.map((code, row) => ({ code, x: row === 1 ? null : 1 - row }))), {
      none: (c) => {
        expect([name, look(c.code)]).toEqual([name, look([...wanted.text])])
        expect([name, look(c.x.gt(0))]).toEqual([name, look([...wanted.flag])])
        return 1
      },
    })
  }
})

test('what is written to a column of text is what it computes with', () => {
  const table = tableOf([{ code: 'a' }, { code: 'b' }, { code: null }])
  const made = derive(table, {
    is: (c) => {
      const own = c.code as unknown as (string | null)[]
      own[2] = 'b'
      return (own as unknown as typeof c.code).eq('b')
    },
    was: (c) => c.code.eq('b'),
  })
  expect(plain(select(made, 'is', 'was'))).toEqual([
    { is: false, was: false },
    { is: true, was: true },
    { is: true, was: null },
  ])
})
