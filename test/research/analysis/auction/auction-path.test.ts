import { Dictionary, Float32, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Column } from '../../../../src/contract/column.js'
import { columnsOf, numbers, rowsOf, strings } from '../../../../src/frame/read-columns.js'
import { toTable } from '../../../../src/frame/table/arrow.js'
import { toDataFrame } from '../../../../src/frame/to-data-frame.js'
import { concat } from '../../../../src/frame/verb/concat.js'
import { select } from '../../../../src/frame/verb/select.js'
import { auctionPath } from '../../../../src/research/analysis/auction/auction-path.js'
import { auctions, plain, shuffled, type Tick, ticksOf } from './help.js'

const own = {
  tradedate: 'day',
  symbol: 'stock',
  time: 'at',
  price: 'p',
  pct_chg: 'c',
  vol: 'v',
  amount: 'a',
  unmatched: 'u',
  side: 's',
}

test('the order of the rows, the day by day, the form and the names of columns change nothing', () => {
  fc.assert(
    fc.property(auctions, fc.nat(), (rows, seed) => {
      if (rows.length === 0) return
      const due = rowsOf(auctionPath(ticksOf(rows)))
      expect(due.length).toBe(rows.length)
      expect(rowsOf(auctionPath(ticksOf(shuffled(rows, seed))))).toEqual(due)
      const days = [...new Set(rows.map(({ tradedate }) => tradedate))]
      const parts = days.map((day) => auctionPath(ticksOf(rows.filter(({ tradedate }) => tradedate === day))))
      expect(rowsOf(concat(parts))).toEqual(due)
      expect(rowsOf(auctionPath(toDataFrame(ticksOf(rows))))).toEqual(due)
      const [day, stock, at, p, c, v, a, u, s] = ticksOf(rows).schema.fields.map((_, i) => ticksOf(rows).getChildAt(i))
      const renamed = new Table({ s, u, a, v, c, p, at, stock, day } as never)
      const sides = { buyers: 'b', sellers: 's' }
      expect(rowsOf(auctionPath(renamed, { columns: own, sides }))).toEqual(due)
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  )
})

test('steps add up to the way from the first price to the last, to the cent', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 2, maxLength: 50 }), (cents) => {
      const rows = cents.map((price, i) => ({ time: `09:16:${String(i).padStart(2, '0')}`, m_price: price / 100 }))
      const steps = numbers(auctionPath(ticksOf(rows)), 'price_step')
      expect(steps[0]).toBeNaN()
      const sum = steps.slice(1).reduce((all, step) => all + Math.round(step * 100), 0)
      expect(sum).toBe((cents.at(-1) as number) - (cents[0] as number))
      for (const step of steps.slice(1)) expect(step).toBe(Math.round(step * 100) / 100)
    }),
  )
})

test('no step leads into the auction', () => {
  const path = auctionPath(ticksOf([{ time: '09:14:57' }, { time: '09:15:00' }, { time: '09:15:03' }]))
  expect(rowsOf(select(path, 'phase', 'price_step', 'vol_step'))).toEqual([
    [null, null, null],
    ['may withdraw', null, null],
    ['may withdraw', 0, 0],
  ])
})

test('single precision is read as the decimal that was meant', () => {
  const words = new Dictionary(new Utf8(), new Int32())
  const prices = [10.34, 1480.07, 3.999]
  const table = new Table({
    tradedate: vectorFromArray(['20260729', '20260729', '20260729'], words),
    symbol: vectorFromArray(['510300.SH', '510300.SH', '510300.SH'], words),
    time: vectorFromArray(['09:15:03', '09:15:06', '09:15:09'], words),
    m_price: vectorFromArray(prices, new Float32()),
    auc_pct_chg: vectorFromArray([-1.2346, 0.0001, 12.5], new Float32()),
    auc_vol: vectorFromArray([12_345_678, 1, 0], new Float32()),
    um_vol: vectorFromArray([0, 5, 5], new Float32()),
    um_side: vectorFromArray([null, 'b', 's'], words),
  })
  const path = auctionPath(table)
  expect([...numbers(path, 'price')]).toEqual(prices)
  expect([...numbers(path, 'pct_chg')]).toEqual([-1.2346, 0.0001, 12.5])
  expect([...numbers(path, 'vol')]).toEqual([12_345_678, 1, 0])
  expect([...numbers(path, 'imbalance')]).toEqual([0, 5 / 6, -1])
})

test.each<[string, Partial<Tick>[], string]>([
  ['a key twice', [{}, { symbol: '600519.SH' }, {}], 'rows 1 and 3 are both of 20260729, 000001.SZ, 09:25:00'],
  ['one time in two spellings', [{}, { time: '092500' }], 'rows 1 and 2 are both of 20260729, 000001.SZ, 09:25:00'],
  ['no symbol', [{}, { symbol: null as never }], 'row 2: symbol is null, not a code'],
  ['a day of another form', [{ tradedate: '2026-07-29' }], "row 1: tradedate is '2026-07-29', not a day as 20260729"],
  ['no time of day', [{ time: '9:25:00' }], "row 1: time is '9:25:00', not a time of day as 09:25:00"],
  ['a time past midnight', [{ time: '24:00:00' }], "row 1: time is '24:00:00', not a time of day as 09:25:00"],
])('refused: %s', (_, rows, said) => {
  expect(() => auctionPath(ticksOf(rows))).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
  expect(() => auctionPath(ticksOf(rows))).toThrow(said)
})

test('a side of other words is not known, unless they are told', () => {
  const rows = [{ um_side: 'B' }, { um_side: 'S', time: '09:25:01' }]
  expect(numbers(auctionPath(ticksOf(rows)), 'unmatched')).toEqual(Float64Array.of(Number.NaN, Number.NaN))
  const sides = { buyers: 'B', sellers: 'S' }
  expect(numbers(auctionPath(ticksOf(rows), { sides }), 'unmatched')).toEqual(Float64Array.of(50, -50))
})

test('volumes below zero are not known; volumes of two units are not added', () => {
  const odd = ticksOf([{ um_vol: -5, auc_vol: -1 }])
  expect(rowsOf(select(auctionPath(odd), 'vol', 'unmatched', 'imbalance'))).toEqual([[null, null, null]])
  const volume = (unit: string): Column => ({ kind: 'number', unit, meaning: '' })
  const stated = toTable(columnsOf(ticksOf([plain])), { auc_vol: volume('lot'), um_vol: volume('share') })
  expect(() => auctionPath(stated)).toThrow('both volumes in one unit: auc_vol counts in lot, um_vol in share')
})

test('no rows make no rows, with all columns', () => {
  const path = auctionPath(ticksOf([plain]).slice(0, 0))
  expect([path.numRows, path.numCols, strings(path, 'symbol')]).toEqual([0, 11, []])
})
