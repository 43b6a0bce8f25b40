import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import { derive, describe, shift, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { plain, rows, tableOf } from '../helper/rows.js'

test('derive adds columns of every type and replaces those of the same name', () => {
  const table = derive(
    tableOf([
      { code: 'a', x: 1 },
      { code: null, x: null },
    ]),
    {
      double: ({ x }) => x.map((value) => value * 2),
      one: () => 1,
      code: ({ code }) => code.map((text) => (text === null ? 'none' : `${text}.SZ`)),
      big: ({ x }) => Array.from(x, (value) => value > 0),
      whole: () => Int32Array.of(7, 8),
      nothing: () => null,
    },
  )
  expect(plain(table)).toEqual([
    { code: 'a.SZ', name: null, x: 1, i: null, flag: null, double: 2, one: 1, big: true, whole: 7, nothing: null },
    {
      code: 'none',
      name: null,
      x: null,
      i: null,
      flag: null,
      double: null,
      one: 1,
      big: false,
      whole: 8,
      nothing: null,
    },
  ])
  expect(table.schema.fields.slice(5).map(({ type }) => String(type))).toEqual([
    'Float64',
    'Float64',
    'Bool',
    'Int32',
    'Float64',
  ])
  const double: number | null | undefined = table.getChild('double')?.get(0)
  expect(double).toBe(2)
})

test('with `by` and `order` a window stays in its group, and rows keep their places', () => {
  fc.assert(
    fc.property(rows(20), (list) => {
      const table = derive(tableOf(list), { before: ({ x }) => shift(x) }, { by: 'code', order: ['i', '-flag'] })
      const wanted = list.map((row, at) => {
        const rank = ({ i, flag }: (typeof list)[number]) => [
          i === null ? Infinity : Number(i),
          flag === null ? 2 : flag ? 0 : 1,
        ]
        const earlier = list.flatMap((other, place) => {
          const [a = 0, b = 0, c = 0, d = 0] = [...rank(other), ...rank(row)]
          const less = a < c || (a === c && (b < d || (b === d && place < at)))
          return other['code'] === row['code'] && less ? [{ other, a, b, place }] : []
        })
        earlier.sort((one, two) => (one.a === two.a ? one.b - two.b || one.place - two.place : one.a < two.a ? -1 : 1))
        const cell = earlier.at(-1)?.other['x'] ?? null
        return cell === 0 ? 0 : cell
      })
      expect(plain(table).map((row) => row['before'])).toEqual(wanted)
    }),
    { numRuns: 30 },
  )
})

test('arrays are the caller’s own, and the input stays as it was', () => {
  const table = tableOf([{ x: 1 }, { x: 2 }])
  derive(table, { y: ({ x }) => x.fill(9) })
  derive(table, { y: ({ x }) => x.fill(9) }, { by: 'code' })
  expect(plain(table).map(({ x }) => x)).toEqual([1, 2])
})

test('no rows, no groups', () => {
  expect(plain(derive(tableOf([]), { y: ({ x }) => x }))).toEqual([])
  expect(plain(derive(tableOf([]), { y: ({ x }) => x }, { by: 'code' }))).toEqual([])
})

test('what does not fit is refused', () => {
  const table = tableOf([{ x: 1 }, { x: 2 }])
  expect(() => derive(table, { y: () => [1] })).toThrow("column 'y': the function made 1 values for 2 rows")
  expect(() => derive(table, { y: () => [1, 'a'] as never })).toThrow("column 'y': text beside numbers")
  expect(() => derive(table, { y: () => [1, {}] as never })).toThrow(
    "column 'y': cells are numbers, text, booleans or null",
  )
  // @ts-expect-error a typo
  expect(() => derive(table, { y: (c) => c.xx })).toThrow("there is no column 'xx'")
  // @ts-expect-error a typo
  expect(() => derive(table, {}, { by: 'cod' })).toThrow("no column 'cod'")
})

test('a DataFrame stays one', () => {
  const frame = derive(toDataFrame(tableOf([{ code: '000001', x: 2 }])), { y: ({ x }) => x })
  expect(frame.y.values).toEqual([2])
  expect(frame.code.values).toEqual(['000001'])
})

test('describe has a row for each column', () => {
  const list = [1, 2, 3, 4, null].map((x) => ({ code: x === 1 ? '1' : null, x, flag: true }))
  expect(plain(describe(tableOf(list, ['code', 'x', 'flag'])))).toEqual([
    {
      column: 'code',
      kind: 'code',
      count: 1,
      missing: 4,
      distinct: 1,
      mean: null,
      std: null,
      min: null,
      q25: null,
      median: null,
      q75: null,
      max: null,
    },
    {
      column: 'x',
      kind: 'number',
      count: 4,
      missing: 1,
      distinct: 4,
      mean: 2.5,
      std: Math.sqrt(5 / 3),
      min: 1,
      q25: 1.75,
      median: 2.5,
      q75: 3.25,
      max: 4,
    },
    {
      column: 'flag',
      kind: 'boolean',
      count: 5,
      missing: 0,
      distinct: 1,
      mean: null,
      std: null,
      min: null,
      q25: null,
      median: null,
      q75: null,
      max: null,
    },
  ])
  expect(describe(tableOf([])).numRows).toBe(5)
})

test('columns that the compiler does not know are arrays of anything, not of numbers', () => {
  const table: Table = tableOf([{ code: 'a', x: 1 }])
  const made = derive(table, {
    length: ({ code }) => code?.map((text: string) => text.length) ?? null,
    double: ({ x }) => x?.map((value) => value * 2) ?? null,
    before: ({ x }) => shift(x ?? []),
  })
  expect(plain(made)[0]).toMatchObject({ length: 1, double: 2, before: null })
  // @ts-expect-error arrays are not compared with numbers
  expect(() => derive(table, { up: ({ x }) => x > 0 })).toThrow('array of cells')
})
