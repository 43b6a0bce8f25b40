import { describe, expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import { panel } from '../../src/backtest/make-panel.js'
import type { Strategy } from '../../src/backtest/strategy.js'
import { fromRows } from '../../src/table/from-rows.js'

const days = ['20260701', '20260702', '20260703', '20260706', '20260707']
const rows = days.flatMap((tradedate, day) =>
  ['123001.SZ', '123002.SZ'].map((code, place) => ({ tradedate, code, open: 100 + day, close: 101 + day + place })),
)
const prices = panel(fromRows(rows), { columns: ['open', 'close'] })
const good = { score: (bar: { close: number }) => bar.close, pick: { n: 1, side: 'lowest' } } as const

const wrong: [string, object, RegExp][] = [
  ['a schedule of an unknown name', { when: { week: 1 } }, /when has no option 'week'; did you mean 'weekly'/],
  ['two schedules', { when: { weekly: 1, monthly: 1 } }, /weekly and monthly: take one/],
  ['a weekday by name', { when: { weekly: 'Mon' } }, /1 Monday to 5 Friday/],
  ['a bar that there is not', { when: { at: ['0930'] } }, /no bar closes at 0930/],
  ['a name in pick', { pick: { n: 1, side: 'lowest', keepwithin: 2 } }, /no 'keepwithin' in pick/],
  ['a side that there is not', { pick: { n: 1, side: 'low' } }, /'lowest' or 'highest'/],
]

test('an error of looking ahead names a remedy that helps: on bars, lag goes back a bar and not a day', () => {
  const bars = rows.flatMap((row) => [
    { ...row, trademin: '0930' },
    { ...row, trademin: '1000' },
  ])
  const flows = { data: fromRows([{ tradedate: '20260701', net: 1 }]), columns: ['net'], symbol: false } as const
  const join = [{ ...flows, knownAt: '18:00:00' }]
  const reads = { ...good, score: (bar: { net: number }) => bar.net }
  const daily = panel(fromRows(rows), { columns: ['open', 'close'], join })
  expect(() => backtest(daily, reads, { cash: 1e5 })).toThrow(/use lag\('net', 1\), or join it with lagDays: 1$/)
  const inDay = panel(fromRows(bars), { columns: ['open', 'close'], join })
  expect(() => backtest(inDay, reads, { cash: 1e5 })).toThrow(/made at 10:00:00: join it with lagDays: 1$/)
})

describe('a strategy of another shape', () => {
  test.each(wrong)('%s is refused', (_, change, said) => {
    const strategy = { ...good, ...change } as unknown as Strategy<'open' | 'close'>
    expect(() => backtest(prices, strategy, { cash: 1e5 })).toThrow(said)
  })

  test('and the same without it runs', () => {
    expect(backtest(prices, { ...good, when: { weekly: 1 } }, { cash: 1e5 }).fills.numRows).toBe(1)
  })
})
