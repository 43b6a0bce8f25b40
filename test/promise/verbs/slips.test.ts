import { asofJoin, derive, fromRows, groupBy, join, rank } from 'quotebook'
import { expect, test } from 'vitest'

/* Slips that JavaScript lets pass, and that would be a column of wrong numbers. */

const bars = fromRows([
  { symbol: '000001', day: '20260729', close: 101, open: 100 },
  { symbol: '000002', day: '20260730', close: 99, open: 98 },
])

test.each<[string, (c: never) => unknown]>([
  ['compared', (c: { close: number }) => c.close > 100],
  ['subtracted', (c: { close: number; open: number }) => c.close - c.open],
  ['added', (c: { close: number; open: number }) => c.close + c.open],
])('a column that is %s as a whole is refused, not computed', (_, make) => {
  expect(() => derive(bars, { made: make as never })).toThrow(/is an array of cells.*cell by cell/)
  expect(() => derive(bars, { made: make as never }, { by: 'symbol' })).toThrow(/is an array of cells/)
  expect(() => groupBy(bars, 'symbol', { made: make as never })).toThrow(/is an array of cells/)
})

test('a function that returns nothing is refused', () => {
  expect(() => derive(bars, { made: (() => undefined) as never })).toThrow(
    "column 'made': the function returned nothing",
  )
})

test.each([
  ['day', '2026-07-29', "'day' holds days as YYYYMMDD, 'day' days as YYYY-MM-DD"],
  ['symbol', '000001.SZ', "'symbol' holds codes without exchange, 'symbol' codes with exchange behind"],
  ['symbol', 'sz000001', 'codes with exchange before'],
])('keys that would match nowhere for their spelling are refused: %s and %s', (key, other, message) => {
  const right = fromRows([{ [key]: other, x: 1 }], { kinds: { [key]: 'text' } })
  expect(() => join(bars, right, { on: key })).toThrow(message)
})

test('keys of one spelling, of mixed ones, and of no known one are joined', () => {
  const right = (key: string, values: string[]) => fromRows(values.map((value) => ({ [key]: value, x: 1 })))
  expect(join(bars, right('day', ['20260731']), { on: 'day' }).numRows).toBe(2)
  expect(join(bars, right('symbol', ['000001.SZ', '000001']), { on: 'symbol', how: 'inner' }).numRows).toBe(1)
  expect(join(bars, right('symbol', ['Ping An']), { on: 'symbol', how: 'inner' }).numRows).toBe(0)
})

test('an instrument that both sides have under no common spelling is refused by both joins, with its two spellings', () => {
  const kinds = { kinds: { symbol: 'code' as const } }
  const side = (...codes: string[]) =>
    fromRows(
      codes.map((symbol, day) => ({ symbol, day, x: 1 })),
      kinds,
    )
  const left = side('600000.SH', '300750')
  for (const other of ['600000.XSHG', 'SH600000', 'sh.600000', '600000.sh', '600000']) {
    const right = side('000002.SZ', other, 'none')
    const message = `'symbol' holds 600000.SH, 'symbol' ${other}; they would match nowhere: write both in one spelling first`
    for (const how of ['left', 'inner', 'outer'] as const)
      expect(() => join(left, right, { on: 'symbol', how })).toThrow(message)
    expect(() => asofJoin(left, right, { on: 'day', by: 'symbol' })).toThrow(message)
  }
  // The index of Shanghai is another instrument than the share of Shenzhen.
  expect(join(side('000001.SZ', 'x'), side('000001.SH', 'y'), { on: 'symbol', how: 'inner' }).numRows).toBe(0)
})

test('ranks as parts of one are those of pandas rank(pct=True)', () => {
  const x = [3, Number.NaN, 1, 3, 2]
  expect([...rank(x, { percent: true })]).toEqual([0.875, Number.NaN, 0.25, 0.875, 0.5])
  expect([...rank(x, { percent: true, method: 'dense' })]).toEqual([1, Number.NaN, 1 / 3, 1, 2 / 3])
})
