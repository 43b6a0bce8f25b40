import { expect, test } from 'vitest'
import { indexNames } from '../../../../src/contract/catalogue/theme-daily.js'
import { themeDailyCheck } from '../../../../src/research/checks/dataset/check-theme-daily.js'
import { answerFrom, type Row, tableFrom } from '../../analysis/help.js'
import { verdictsOf, whysOf } from './sample-tables.js'

const name = 'theme_daily'
const none = { pass: 0, 'within-rounding': 0, unverifiable: 0, gap: 0, warn: 0, duplicate: 0, mismatch: 0 }

function day(tradedate: string, index: string, pre_close: number, close: number, more: Row = {}): Row {
  return {
    tradedate,
    symbol: String(880_001 + indexNames.indexOf(index)),
    name: index,
    type: 'tj',
    open: close,
    high: Math.max(close, pre_close),
    low: Math.min(close, pre_close),
    close,
    pre_close,
    change: Math.round((close - pre_close) * 100) / 100,
    pct_chg: pre_close === 0 ? null : Math.round(((close - pre_close) / pre_close) * 1e6) / 1e4,
    vol: 1,
    amount: 1,
    ...more,
  }
}

const check = (...rows: Row[]) => themeDailyCheck.check(tableFrom(name, rows))

test('rounding explains a change, and a hundredth more is wrong', () => {
  expect(verdictsOf(check(day('20260706', '全A等权', 1000, 1010.5, { change: 10.51 })))).toEqual(['within-rounding'])
  expect(verdictsOf(check(day('20260706', '全A等权', 1000, 1010.5, { change: 10.52 })))).toEqual(['mismatch'])
})

test('range; an index that counts stocks may mean something else by open and close', () => {
  const at = (index: string, more: Row) => verdictsOf(check(day('20260706', index, 1000, 1010, more)))[0]
  expect(at('全A等权', { open: 1011 })).toBe('mismatch')
  expect(at('涨跌家数', { open: 1011 })).toBe('warn')
  expect(at('北证停板', { low: 1010.5, high: 1020 })).toBe('warn')
  expect(at('涨跌家数', { high: 999 })).toBe('mismatch')
  expect(at('全A等权', { open: 999.99 })).toBe('mismatch')
})

test('points below 0 are points; after a close of 0 there is no percentage', () => {
  expect(
    verdictsOf(
      check(
        day('20260706', '主板涨跌', -20, 15),
        day('20260707', '主板涨跌', 15, 0),
        day('20260708', '主板涨跌', 0, 7),
      ),
    ),
  ).toEqual(['pass', 'pass', 'pass'])
  expect(verdictsOf(check(day('20260708', '主板涨跌', 0, 7, { pct_chg: 0 })))).toEqual(['warn'])
})

test('the close before: the next trading day, days between missing, more decimals on one side', () => {
  const run = (pre: number, date: string, close = 1010) =>
    verdictsOf(check(day('20260706', '全A等权', 1000, close), day(date, '全A等权', pre, 1020)))[1]
  expect(run(1010, '20260707')).toBe('pass')
  expect(run(1010.01, '20260707')).toBe('mismatch')
  expect(run(1010.01, '20260708')).toBe('gap')
  expect(run(1010, '20260708')).toBe('pass')
})

test('names: missing, unknown, null, twice, changed', () => {
  const gone = check(
    day('20260706', '全A等权', 1000, 1010),
    day('20260706', 'REITs', 1000, 1010),
    day('20260707', 'REITs', 1010, 1020),
  )
  expect(verdictsOf(gone)).toEqual(['pass', 'pass', 'gap'])
  expect(whysOf(gone)[2]).toBe('20260707 lacks 1 of 2 names: 全A等权')
  const odd = check(
    day('20260706', '全A等权', 1000, 1010, { name: '未名指数' }),
    day('20260706', 'REITs', 1000, 1010, { name: null }),
    day('20260706', '可转债', 1000, 1010),
    day('20260706', '可转债', 1000, 1010),
    day('20260706', '通用回购', 1000, 1010, { symbol: '880047' }),
  )
  expect(verdictsOf(odd)).toEqual(['warn', 'unverifiable', 'pass', 'duplicate', 'mismatch'])
  expect(whysOf(odd)[4]).toBe(
    'symbol 880047 has the name 通用回购 here and 可转债 before; the index has two rows of this day',
  )
})

test('an answer for all symbols must have all 48; one for a few need not', () => {
  const rows = indexNames.slice(1).map((index) => day('20260706', index, 1000, 1010))
  expect(themeDailyCheck.check(answerFrom(name, rows, { type: 'tj' })).counts).toEqual({ ...none, pass: 46, gap: 1 })
  expect(themeDailyCheck.check(answerFrom(name, rows, { type: 'tj', symbols: ['880002'] })).counts.pass).toBe(47)
})
