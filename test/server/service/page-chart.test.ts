import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { answerChart } from '../../../src/server/service/page/client/chart-data.js'
import { filterRows, nextOrder, orderRows, type RowOrder } from '../../../src/server/service/page/client/order-rows.js'

const etf: Dataset = datasetOf('etf_minute')
const financing: Dataset = datasetOf('transfer_financing')
const fields = ['tradedate', 'symbol', 'trademin', 'close', 'vol', 'vwap']
const form = { title: 'a chart', language: 'en' } as const
const row = ['20260701', 'A', '1000', 1, 1, 1]
const later = ['20260701', 'A', '1030', 1, 1, 1]

test.each<[why: string, dataset: Dataset, names: readonly string[], rows: unknown[][], says: object]>([
  ['no day', datasetOf('news'), ['title'], [['x']], { why: 'noChart' }],
  ['no time', etf, ['tradedate', 'symbol', 'close'], [], { why: 'chartNeeds', places: { names: 'trademin' } }],
  ['no price', etf, ['tradedate', 'trademin', 'symbol'], [], { why: 'chartNeeds', places: { names: 'close' } }],
  ['one point', etf, fields, [row], { why: 'chartPoints', places: { name: 'trademin' } }],
  ['two rows at a place', etf, fields, [row, row, later], { why: 'chartTwice' }],
])('no chart rather than a wrong one: %s', (_, dataset, names, rows, says) =>
  expect(answerChart(dataset, names, rows, form)).toEqual(says),
)

type Drawn = [panel: string, kind: string, name: string | undefined, values: unknown[]]

test.each<
  [what: string, dataset: Dataset, names: readonly string[], rows: unknown[][], places: string[], drawn: Drawn[]]
>([
  [
    'a symbol: price and vwap as lines, volume as bars, null as a gap, places in order',
    etf,
    fields,
    [
      ['20260701', 'A', '1000', 1.5, 20, null],
      ['20260701', 'A', '0930', 1.4, null, 1.41],
    ],
    ['09:30', '10:00'],
    [
      ['close, vwap (yuan)', 'line', 'close', [1.4, 1.5]],
      ['close, vwap (yuan)', 'line', 'vwap', [1.41, null]],
      ['vol (lot)', 'bar', 'vol', [null, 20]],
    ],
  ],
  [
    'two symbols: a line each, a gap where a symbol has no row',
    datasetOf('convertible_daily'),
    ['tradedate', 'code', 'name', 'close'],
    [
      ['20260701', 'A', 'old', 1],
      ['20260701', 'B', 'b', 2],
      ['20260702', 'A', 'new', 3],
      ['20260703', 'B', null, 4],
    ],
    ['2026-07-01', '2026-07-02', '2026-07-03'],
    [
      ['close (yuan)', 'line', 'A new', [1, 3, null]],
      ['close (yuan)', 'line', 'B', [2, null, 4]],
    ],
  ],
  [
    'prices of one symbol: candles, volume by their rise, a gap where a price lacks',
    etf,
    ['tradedate', 'symbol', 'trademin', 'open', 'high', 'low', 'close', 'vwap', 'vol'],
    [
      ['20260701', 'A', '0930', 1, 3, 0.5, 2, 1.5, 10],
      ['20260701', 'A', '1000', 2, 3, null, 1, 1.6, 20],
    ],
    ['09:30', '10:00'],
    [
      ['open, high, low, close, vwap (yuan)', 'candles', undefined, [[1, 2, 0.5, 3], null]],
      ['open, high, low, close, vwap (yuan)', 'line', 'vwap', [1.5, 1.6]],
      ['vol (lot)', 'bar', undefined, [10, 20]],
      ['vol (lot)', 'bar', undefined, [null, null]],
    ],
  ],
  [
    'balances above, flows below',
    financing,
    ['tradedate', 'auction_amount', 'closing_balance'],
    [
      ['20260701', 1, 2],
      ['20260702', null, 4],
    ],
    ['2026-07-01', '2026-07-02'],
    [
      [expect.stringContaining('closing_balance'), 'line', 'closing_balance', [2, 4]],
      [expect.stringContaining('auction_amount'), 'line', 'auction_amount', [1, null]],
    ],
  ],
])('%s', (_, dataset, names, rows, places, drawn) => {
  const chart = answerChart(dataset, names, rows, form)
  if ('why' in chart) throw new Error(chart.why)
  const { x, panels } = chart.plot
  expect(x).toEqual({ dates: places })
  const series = panels.flatMap((panel) =>
    panel.series.map((one) => {
      const values = one.kind === 'candles' || one.kind === 'whiskers' ? one.at : one.at.map(([, value]) => value)
      return [panel.name, one.kind, 'name' in one ? one.name : undefined, values]
    }),
  )
  expect(series).toEqual(drawn)
})

test('eight series at most, and the rest are counted', () => {
  const rows = Array.from({ length: 20 }, (_, i) => ['20260701', `S${i >> 1}`, i % 2 ? '1000' : '0930', i, i, i])
  expect(answerChart(etf, fields, rows, form)).toMatchObject({ drawn: 8, groups: 10 })
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
