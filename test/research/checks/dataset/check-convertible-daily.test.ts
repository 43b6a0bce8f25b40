import { expect, test } from 'vitest'
import { bondLimits, convertibleDailyCheck } from '../../../../src/research/checks/dataset/check-convertible-daily.js'
import { type Row, tableFrom } from '../../analysis/help.js'
import { changed, sampleRows, verdictsOf, whysOf } from './sample-tables.js'

const name = 'convertible_daily'

/** A bond's day with change and percentage as they must be. */
function day(tradedate: string, pre_close: number, close: number, more: Row = {}): Row {
  return {
    tradedate,
    symbol: '123124',
    code: '123124.SZ',
    pre_close,
    open: close,
    high: close,
    low: close,
    close,
    change: Math.round((close - pre_close) * 1000) / 1000,
    pct_chg: Math.round(((close - pre_close) / pre_close) * 1e6) / 1e4,
    vol: 100,
    amount: Math.round(close * 100_000) / 100,
    ...more,
  }
}

const one = (row: Row) => {
  const check = convertibleDailyCheck.check(tableFrom(name, [row]))
  return [verdictsOf(check)[0], whysOf(check)[0]]
}

test('property: open, high and low out of order, turnover and volume of another size are found', async () => {
  const sound = sampleRows(name).slice(0, 40)
  const off: Readonly<Record<string, (row: Record<string, number>) => Row>> = {
    open: ({ high = 0 }) => ({ open: high + 0.001 }),
    'open below': ({ low = 0 }) => ({ open: Number((low - 0.001).toFixed(3)) }),
    high: ({ open = 0, close = 0 }) => ({ high: Number((Math.max(open, close) - 0.001).toFixed(3)) }),
    low: ({ open = 0, close = 0 }) => ({ low: Math.min(open, close) + 0.001 }),
    vol: ({ vol = 0 }) => ({ vol: vol * 10 + 20 }),
    amount: ({ amount = 0, high = 0 }) => ({ amount: amount * 2 + high * 20 }),
    'amount of no volume': () => ({ vol: 0 }),
    'negative vol': ({ vol = 0 }) => ({ vol: -vol - 1 }),
    'negative amount': ({ amount = 0 }) => ({ amount: -amount - 1 }),
  }
  for (const [told, make] of Object.entries(off)) {
    for (let at = 0; at < sound.length; at += 7) {
      const cells = make(sound[at] as Record<string, number>)
      const verdict = verdictsOf(convertibleDailyCheck.check(changed(name, sound, at, cells)))[at]
      expect([told, verdict !== 'pass']).toEqual([told, true])
    }
  }
})

test('null is left open, never taken for 0', () => {
  expect(one(day('20260706', 100, 110, { change: null, pct_chg: null }))).toEqual([
    'unverifiable',
    'null: change, pct_chg; the rest was checked',
  ])
  expect(one(day('20260706', 100, 110, { vol: null, change: 11 }))[0]).toBe('mismatch')
  const nothing = { pre_close: null, open: null, high: null, low: null, close: null, change: null, pct_chg: null }
  expect(one(day('20260706', 100, 110, { ...nothing, vol: null, amount: null }))[0]).toBe('unverifiable')
})

test('a day without trade may have 0 for prices; with trade it may not', () => {
  const idle = { open: 0, high: 0, low: 0, close: 0, change: 0, pct_chg: 0, amount: 0 }
  expect(one(day('20260706', 100, 100, { ...idle, vol: 0 }))[0]).toBe('warn')
  expect(one(day('20260706', 100, 100, { ...idle, vol: 5 }))[0]).toBe('mismatch')
  const still = convertibleDailyCheck.check(
    tableFrom(name, [
      day('20260706', 100, 101),
      day('20260707', 101, 101, { ...idle, close: null, change: null, pct_chg: null, vol: 0 }),
      day('20260708', 101, 102),
      day('20260709', 101, 102),
    ]),
  )
  expect(verdictsOf(still)).toEqual(['pass', 'warn', 'pass', 'mismatch'])
})

test('a day without trade may carry the close before it beside zeros', () => {
  const idle = { open: 0, high: 0, low: 0, vol: 0, amount: 0 }
  const still = [day('20260706', 100, 101), day('20260707', 101, 101, idle), day('20260708', 101, 102)]
  const check = convertibleDailyCheck.check(tableFrom(name, still))
  expect(verdictsOf(check)).toEqual(['pass', 'warn', 'pass'])
  expect(whysOf(check)[1]).not.toContain('above high')
})

test('the previous close across days without a row', () => {
  const check = convertibleDailyCheck.check(
    tableFrom(name, [
      day('20260701', 100, 101),
      day('20260706', 101, 102),
      day('20260708', 103, 104),
      day('20260708', 103, 104),
    ]),
  )
  expect(verdictsOf(check)).toEqual(['pass', 'pass', 'gap', 'duplicate'])
  expect(whysOf(check)[2]).toContain('1 trading day between without a close')
})

test('price limits: 20 % since 2022-08-01, the first day at 100 yuan wider, none before', () => {
  expect(bondLimits('20220729', 100, false)).toBeUndefined()
  expect(bondLimits('20220801', 113.337, false)).toEqual({ up: 136.004, down: 90.67, told: '20 %' })
  expect(bondLimits('20220801', 100, true)).toEqual({ up: 157.3, down: 56.7, told: '+57.3 / -43.3 % of a first day' })
  expect(bondLimits('20220801', 100, false)).toEqual({ up: 120, down: 80, told: '20 %' })
  expect(one(day('20260706', 113.337, 136.004))[0]).toBe('pass')
  expect(one(day('20260706', 113.337, 136.005))).toEqual(['warn', 'high is beyond the limit of 20 %'])
  expect(one(day('20260706', 113.337, 90.669))[0]).toBe('warn')
  expect(one(day('20260706', 100, 157.3))[0]).toBe('pass')
  expect(one(day('20260706', 100, 157.301))[0]).toBe('warn')
  expect(one(day('20220729', 100, 300))[0]).toBe('pass')
})
