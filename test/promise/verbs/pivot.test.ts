import fc from 'fast-check'
import { pivot } from 'quotebook'
import { expect, test } from 'vitest'
import { plain, type Row, tableOf } from '../helper/rows.js'

const list = fc.array(
  fc.record({
    code: fc.constantFrom(null, '000001', '1', '中'),
    i: fc.constantFrom(1, 2, -3, 10),
    x: fc.constantFrom(null, 1, 2, 12345678901.23),
  }),
  { maxLength: 14 },
)

test('pivot is the slow look-up of each cell', () => {
  fc.assert(
    fc.property(list, (rows) => {
      const order = (cells: readonly (string | number | null)[]) =>
        [...new Set(cells)].sort((a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
      const down = order(rows.map(({ code }) => code))
      const across = order(rows.map(({ i }) => i))
      const wanted = down.map((code): Row => {
        const own = across.map((i): [string, number | null] => {
          const cells = rows.filter((row) => row.code === code && row.i === i && row.x !== null)
          return [String(i), (cells.at(-1)?.x as number | undefined) ?? null]
        })
        return Object.fromEntries([['code', code], ...own])
      })
      const table = pivot(tableOf(rows), { index: 'code', columns: 'i', values: 'x', op: 'last' })
      expect(plain(table)).toEqual(wanted)
      expect(table.schema.names).toEqual(['code', ...across.map(String)])
    }),
    { numRuns: 30 },
  )
})

const rows = [
  { code: 'a', name: 'x', x: 1 },
  { code: 'b', name: 'x', x: 2 },
  { code: 'a', name: 'x', x: 3 },
]

test('two rows of one cell are refused unless it is said what to make of them', () => {
  expect(() => pivot(tableOf(rows), { index: 'code', columns: 'name', values: 'x' })).toThrow(
    'rows 1 and 3 are of one cell (the same code, name); say what to make of them',
  )
  const table = pivot(tableOf(rows), { index: 'code', columns: 'name', values: 'x', op: 'sum' })
  expect(plain(table)).toEqual([
    { code: 'a', x: 4 },
    { code: 'b', x: 2 },
  ])
  expect(table.schema.fields[1]?.metadata.get('unit')).toBe('yuan')
})

test('names that can not be are refused', () => {
  const one = (name: string | null) => tableOf([{ code: 'a', name, x: 1 }])
  expect(() => pivot(one(null), { index: 'code', columns: 'name', values: 'x' })).toThrow(
    "column 'name', row 1: a missing value",
  )
  expect(() => pivot(one('code'), { index: 'code', columns: 'name', values: 'x' })).toThrow(
    "two columns would be named 'code'",
  )
  // @ts-expect-error a typo
  expect(() => pivot(one('a'), { index: 'cod', columns: 'name', values: 'x' })).toThrow("no column 'cod'")
})
