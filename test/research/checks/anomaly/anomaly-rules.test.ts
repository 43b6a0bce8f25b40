import { expect, test } from 'vitest'
import { isDate } from '../../../../src/contract/date.js'
import { type Board, boardOf, priceLimits } from '../../../../src/contract/trading-rules.js'
import {
  anomalyRules,
  benchmarkOf,
  countRules,
  daysWithoutLimit,
  parseRule,
  priceLimit,
  severeRules,
  severeThresholds,
} from '../../../../src/research/checks/anomaly/anomaly-rules.js'

const boards: Board[] = ['SSE main', 'SZSE main', 'ChiNext', 'STAR', 'BSE']

test.each([
  ['600000', 'SSE main'],
  ['605388.SH', 'SSE main'],
  ['000001', 'SZSE main'],
  ['000001.SZ', 'SZSE main'],
  ['003816', 'SZSE main'],
  ['300750', 'ChiNext'],
  ['302132', 'ChiNext'],
  ['688001', 'STAR'],
  ['689009', 'STAR'],
  ['920002', 'BSE'],
  ['836957.BJ', 'BSE'],
  ['430047', 'BSE'],
  ['000001.SH', undefined],
  ['900901', undefined],
  ['200002', undefined],
  ['510300', undefined],
  ['123124', undefined],
  ['00700.HK', undefined],
  ['', undefined],
])('%s is of board %s', (symbol, board) => {
  expect(boardOf(symbol)).toBe(board)
})

test('every text that the table writes is read back', () => {
  for (const board of boards)
    for (const { days, direction, threshold, text } of severeRules(board, '20260706'))
      expect(parseRule(text)).toEqual({ days, direction, threshold })
  expect(severeRules('SSE main', '20260706')[0]?.text).toBe('连续10个交易日内日收盘价格涨幅偏离值累计达到+100%')
  expect(severeRules('SSE main', '20260706')[3]?.text).toBe('连续30个交易日内日收盘价格跌幅偏离值累计达到-70%')
})

test('each board and day has one limit, each row a source and real days', () => {
  for (const board of boards)
    for (const date of ['20190102', '20200823', '20200824', '20260705', '20260706', '20301231'])
      for (const isST of [true, false]) expect(priceLimit(board, isST, date)).toBeGreaterThan(0)
  for (const row of [...severeThresholds, ...priceLimits]) {
    expect(row.source).not.toBe('')
    expect(row.from === '00000000' || isDate(row.from)).toBe(true)
  }
})

test('counts, days without limit and benchmarks have their dates; every row has a source', () => {
  const times = (board: Board): unknown => countRules(board, '20260901').map((rule) => [rule.times, rule.direction])
  expect(boards.map(times)).toEqual(
    [4, 4, 3, 3, 3].map((n) => [
      [n, 'up'],
      [n, 'down'],
    ]),
  )
  expect(countRules('SSE main', '20230407')).toEqual([])
  expect(parseRule(countRules('STAR', '20260901')[0]?.text ?? '')).toBeUndefined()
  expect(boards.map((board) => daysWithoutLimit(board, '20260901'))).toEqual([5, 5, 5, 5, 1])
  expect(boards.map((board) => daysWithoutLimit(board, '20200821'))).toEqual([1, 1, 1, 5, 1])
  expect(daysWithoutLimit('SSE main', '20230407')).toBe(1)
  expect(benchmarkOf('BSE', '20221118')).toMatchObject({ code: 'BSE-MEAN' })
  expect(() => benchmarkOf('BSE', '20211112')).toThrow(RangeError)
  expect(benchmarkOf('BSE', '20221121').code).toBe('899050.BJ')
  expect(() => benchmarkOf('STAR', '20200722')).toThrow(RangeError)
  for (const row of Object.values(anomalyRules).flat()) expect(row.source).not.toBe('')
})

test.each([
  ['连续10个交易日内收盘价格涨幅偏离值累计达到100%', 10, 'up', 100],
  ['10日涨幅偏离值累计达100％', 10, 'up', 100],
  ['连续十个交易日内跌幅偏离值累计达到50%', 10, 'down', -50],
  ['连续30个交易日内日收盘价格涨跌幅偏离值累计达到-70%', 30, 'down', -70],
  ['连续三十个交易日涨幅偏离值达到+200%', 30, 'up', 200],
  ['deviation up 100% within 10 consecutive trading days', 10, 'up', 100],
  ['连续二十个交易日内涨幅偏离值累计达到100%', 20, 'up', 100],
  ['连续三十五个交易日内涨幅偏离值累计达到100%', 35, 'up', 100],
  ['连续十二个交易日内涨幅偏离值累计达到100%', 12, 'up', 100],
  ['连续两个交易日内跌幅偏离值累计达到20%', 2, 'down', -20],
  ['30-day deviation reaches -70%', 30, 'down', -70],
  ['10 trading days: falls 50 percent', 10, 'down', -50],
  ['10d +150%', 10, 'up', 150],
])('%s', (text, days, direction, threshold) => {
  expect(parseRule(text)).toEqual({ days, direction, threshold })
})

test.each([
  '',
  '异常波动',
  '连续10个交易日内4次出现同向异常波动',
  '涨幅偏离值累计达到100%',
  '连续10个交易日内涨幅偏离值累计达到-50%',
  '连续10个交易日内日收盘价格涨跌幅偏离值累计达到±100%',
  '连续10个交易日+100%或连续30个交易日+200%',
  '连续10个交易日涨幅0%',
  '连续一百个交易日涨幅100%',
  '连续一二个交易日涨幅100%',
  '连续十十个交易日涨幅100%',
])('not a rule: %s', (text) => {
  expect(parseRule(text)).toBeUndefined()
})
