import { Dictionary, Float32, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { Column } from '../../../../src/contract/column.js'
import { columnsOf, numbers, rowsOf, strings } from '../../../../src/frame/read-columns.js'
import { toTable } from '../../../../src/frame/table/arrow.js'
import { select } from '../../../../src/frame/verb/select.js'
import { auctionPath } from '../../../../src/research/analysis/auction/auction-path.js'
import { plain, type Tick, ticksOf } from './help.js'

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
