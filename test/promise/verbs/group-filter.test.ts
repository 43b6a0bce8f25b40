import fc from 'fast-check'
import { filter, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { plain, positive, type Row, rows, tableOf } from '../helper/rows.js'

test('filter by groups keeps a group, or the rows of it that a mask names, in their places', () => {
  fc.assert(
    fc.property(rows(20), fc.integer({ min: 1, max: 4 }), fc.boolean(), (list, least, asFrame) => {
      const data = tableOf(list)
      const given = asFrame ? (toDataFrame(data) as unknown as typeof data) : data
      const sizeOf = (row: Row): number => list.filter((other) => other['code'] === row['code']).length
      const whole = filter(given, (c) => c.x.length >= least, { by: 'code' })
      expect(plain(whole)).toEqual(positive(list.filter((row) => sizeOf(row) >= least)))
      const first = filter(given, (c) => Array.from(c.x, (_, at) => at < least), { by: ['code'] })
      const wanted = list.filter(
        (row, at) => list.slice(0, at).filter((other) => other['code'] === row['code']).length < least,
      )
      expect(plain(first)).toEqual(positive(wanted))
    }),
    { numRuns: 25 },
  )
})

test('filter by groups hands over rows in order, and takes null as no', () => {
  const table = tableOf([
    { code: 'a', i: 3, x: 1 },
    { code: 'b', i: 1, x: 2 },
    { code: 'a', i: 1, x: 3 },
    { code: 'a', i: 2, x: 4 },
  ])
  const last = filter(table, ({ i }) => Uint8Array.from(i, (_, at) => (at === i.length - 1 ? 1 : 0)), {
    by: 'code',
    order: 'i',
  })
  expect(plain(last).map(({ x }) => x)).toEqual([1, 2])
  expect(filter(table, () => null, { by: 'code' }).numRows).toBe(0)
  expect(filter(table, ({ x }) => Array.from(x, () => null), { by: 'code' }).numRows).toBe(0)
  expect(() => filter(table, () => [true], { by: 'code' })).toThrow('the mask has 1 rows and the group 3')
  // @ts-expect-error neither an answer nor a mask
  expect(() => filter(table, ({ x }) => x, { by: 'code' })).toThrow('the test of a filter must be')
  // @ts-expect-error a column compared as one
  expect(() => filter(table, ({ x }) => x > 1, { by: 'code' })).toThrow('array of cells')
  // @ts-expect-error a typo
  expect(() => filter(table, () => true, { by: 'cod' })).toThrow("no column 'cod'")
  // @ts-expect-error no groups
  expect(() => filter(table, () => true, {})).toThrow('names of columns must be')
  expect(() => filter(table, [true] as never, { by: 'code' })).toThrow('the test of a group must be a function')
})
