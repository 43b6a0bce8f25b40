import { expect, test } from 'vitest'
import { datasetOf, datasets } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { type ChartData, chartData, chartRule } from '../../../src/server/service/page/client/chart-data.js'
import { filterRows, nextOrder, orderRows, type RowOrder } from '../../../src/server/service/page/client/order-rows.js'

const etf = datasetOf('etf_minute')
const fields = ['tradedate', 'symbol', 'trademin', 'close', 'vol', 'vwap']
const drawn = (data: ReturnType<typeof chartData>): ChartData => {
  if ('why' in data) throw new Error(data.why)
  return data
}

test('charts are for minute bars and daily series', () => {
  const charted = (datasets as readonly Dataset[]).filter((dataset) => chartRule(dataset)).map(({ name }) => name)
  expect(charted).toEqual([
    'convertible_minute',
    'etf_minute',
    'theme_daily',
    'convertible_daily',
    'transfer_financing',
  ])
})

test('one symbol: price and vwap as lines, volume as bars, null as a gap, places in order', () => {
  const data = drawn(
    chartData(etf, fields, [
      ['20260701', 'A', '1000', 1.5, 20, null],
      ['20260701', 'A', '0930', 1.4, null, 1.41],
    ]),
  )
  expect(data.places).toEqual(['09:30', '10:00'])
  expect(data.panels.map(({ kind, unit }) => [kind, unit])).toEqual([
    ['line', 'yuan'],
    ['bar', 'lot'],
  ])
  expect(data.panels.flatMap(({ lines }) => lines.map(({ name, values }) => [name, values]))).toEqual([
    ['close', [1.4, 1.5]],
    ['vwap', [1.41, null]],
    ['vol', [null, 20]],
  ])
})

test('several symbols: a line each, a gap where a symbol has no row', () => {
  const data = drawn(
    chartData(
      datasetOf('convertible_daily'),
      ['tradedate', 'code', 'name', 'close'],
      [
        ['20260701', 'A', 'old', 1],
        ['20260701', 'B', 'b', 2],
        ['20260702', 'A', 'new', 3],
        ['20260703', 'B', null, 4],
      ],
    ),
  )
  expect(data.places).toEqual(['2026-07-01', '2026-07-02', '2026-07-03'])
  expect(data.panels).toHaveLength(1)
  expect(data.panels[0]?.lines.map(({ name, values }) => [name, values])).toEqual([
    ['A new', [1, 3, null]],
    ['B', [2, null, 4]],
  ])
})

test('eight series at most, and the rest are counted', () => {
  const rows = Array.from({ length: 20 }, (_, i) => ['20260701', `S${i >> 1}`, i % 2 ? '1000' : '0930', i, i, i])
  const data = drawn(chartData(etf, fields, rows))
  expect([data.drawn, data.groups, data.panels[0]?.lines.length]).toEqual([8, 10, 8])
})

test('balances above, flows below', () => {
  const dataset = datasetOf('transfer_financing')
  const names = Object.keys(dataset.columns)
  const data = drawn(
    chartData(dataset, names, [
      ['20260701', 1, 2, 3, 4, 5],
      ['20260702', 6, null, 8, 9, 10],
    ]),
  )
  expect(data.panels.map(({ columns }) => columns)).toEqual([
    ['opening_balance', 'closing_balance'],
    ['auction_amount', 'reborrow_amount', 'repayment_amount'],
  ])
})

test('no chart rather than a wrong one', () => {
  const row = ['20260701', 'A', '1000', 1, 1, 1]
  expect(chartData(datasetOf('news'), ['title'], [['x']])).toEqual({ why: 'noChart' })
  expect(chartData(etf, ['tradedate', 'symbol', 'close'], [])).toEqual({
    why: 'chartNeeds',
    places: { names: 'trademin' },
  })
  expect(chartData(etf, ['tradedate', 'trademin', 'symbol'], [])).toEqual({
    why: 'chartNeeds',
    places: { names: 'close' },
  })
  expect(chartData(etf, fields, [row])).toEqual({ why: 'chartPoints', places: { name: 'trademin' } })
  const twice = [row, row, ['20260701', 'A', '1030', 1, 1, 1]]
  expect(chartData(etf, fields, twice)).toEqual({ why: 'chartTwice' })
  const balance = chartData(
    datasetOf('transfer_financing'),
    ['tradedate', 'auction_amount'],
    [
      ['20260701', 1],
      ['20260702', 2],
    ],
  )
  expect(drawn(balance).panels.map(({ columns }) => columns)).toEqual([['auction_amount']])
})

test('bars of one symbol are candles, with what is known besides as lines; a bar that lacks a price is a gap', () => {
  const names = ['tradedate', 'symbol', 'trademin', 'open', 'high', 'low', 'close', 'vwap', 'vol']
  const data = drawn(
    chartData(etf, names, [
      ['20260701', 'A', '0930', 1, 3, 0.5, 2, 1.5, 10],
      ['20260701', 'A', '1000', 2, 3, null, 1, 1.6, 20],
    ]),
  )
  expect(data.panels.map(({ kind, candles, lines }) => [kind, candles, lines.map(({ name }) => name)])).toEqual([
    ['line', [[1, 2, 0.5, 3], null], ['vwap']],
    ['bar', undefined, ['vol']],
  ])
})

test('rows by a column: numbers by size, texts by their characters, missing values last both ways', () => {
  const rows = [
    ['b', 10],
    ['a', null],
    [null, 9],
    ['c', { digits: '10000000000000000001' }],
  ]
  const by = (column: number, isDescending: boolean) => orderRows(rows, { column, isDescending }).map((row) => row[0])
  expect(by(1, false)).toEqual([null, 'b', 'c', 'a'])
  expect(by(1, true)).toEqual(['c', 'b', null, 'a'])
  expect(by(0, false)).toEqual(['a', 'b', 'c', null])
  expect(by(0, true)).toEqual(['c', 'b', 'a', null])
  const turns: (RowOrder | undefined)[] = []
  for (const column of [0, 0, 0, 1]) turns.push(nextOrder(turns.at(-1), column))
  expect(turns.map((one) => one?.isDescending)).toEqual([false, true, undefined, false])
})

test('rows that hold a text, in any cell and any case; nothing asked is all', () => {
  const rows = [
    ['510300.SH', 'Fund', 1.25],
    ['123124.SZ', null, 3],
  ]
  expect(filterRows(rows, ' fund ')).toEqual([rows[0]])
  expect(filterRows(rows, '25')).toEqual([rows[0]])
  expect(filterRows(rows, 'null')).toEqual([])
  expect(filterRows(rows, '')).toEqual(rows)
})
