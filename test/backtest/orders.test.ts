import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import type { BacktestOptions } from '../../src/backtest/backtest-options.js'
import type { StrategyOrder } from '../../src/backtest/strategy.js'
import { days, fillsOf, free, marketOf, type PriceRow, rejectedOf, rowsOf, thrownBy } from './small-market.js'

const a = '110001.SH'
const b = '110002.SH'
const [d0, d1, d2] = days as [string, string, string]

/** One bond at 100 whose second day is `next`, and orders given on the first. */
function run(next: Partial<PriceRow>, orders: StrategyOrder[], options: Partial<BacktestOptions> = {}) {
  const rows = [...rowsOf(a, [100, 100, 100], (at) => (at === 1 ? next : {})), ...rowsOf(b, [100, 100, 100])]
  const strategy = { orders: ({ day }: { day: string }) => (day === d0 ? orders : []) }
  return backtest(marketOf(rows), strategy, { ...free, ...options })
}

const buy = (more: Partial<StrategyOrder> = {}): StrategyOrder => ({ symbol: a, side: 'buy', shares: 100, ...more })

test('a limit to buy: a better open fills at the open, a bar that goes through it at the limit, one that touches it not at all', () => {
  expect(fillsOf(run({ open: 98, low: 97 }, [buy({ limit: 99 })]))).toEqual([`${d1} ${a} buy 100 98`])
  expect(fillsOf(run({ open: 100, low: 98.999 }, [buy({ limit: 99 })]))).toEqual([`${d1} ${a} buy 100 99`])
  const touched = run({ open: 100, low: 99 }, [buy({ limit: 99 })])
  expect(fillsOf(touched)).toEqual([])
  expect(rejectedOf(touched)).toEqual([`${d1} ${a} buy 100 0 price`])
})

test('a limit to sell, the other way round', () => {
  const sold = (next: Partial<PriceRow>) => {
    const rows = rowsOf(a, [100, 100, 100], (at) => (at === 2 ? next : {}))
    const orders = ({ day }: { day: string }): StrategyOrder[] =>
      day === d0 ? [buy()] : day === d1 ? [{ symbol: a, side: 'sell', shares: 100, limit: 101 }] : []
    const result = backtest(marketOf(rows), { orders }, free)
    return [...fillsOf(result).slice(1), ...rejectedOf(result)]
  }
  expect(sold({ open: 102, high: 103 })).toEqual([`${d2} ${a} sell 100 102`])
  expect(sold({ open: 100, high: 101.001 })).toEqual([`${d2} ${a} sell 100 101`])
  expect(sold({ open: 100, high: 101 })).toEqual([`${d2} ${a} sell 100 0 price`])
})

test('slippage worsens a fill, never beyond its limit', () => {
  expect(fillsOf(run({ open: 98 }, [buy({ limit: 99 })], { slippageTicks: 3 }))).toEqual([`${d1} ${a} buy 100 98.003`])
  expect(fillsOf(run({ open: 98.999 }, [buy({ limit: 99 })], { slippageTicks: 3 }))).toEqual([`${d1} ${a} buy 100 99`])
  expect(fillsOf(run({ open: 100, low: 98 }, [buy({ limit: 99 })], { slippageTicks: 3 }))).toEqual([
    `${d1} ${a} buy 100 99`,
  ])
  const sell: StrategyOrder = { symbol: a, side: 'sell', shares: 100, limit: 100, at: 'close' }
  const both = run({}, [buy(), sell], { slippageTicks: 3 })
  expect(fillsOf(both)).toEqual([`${d1} ${a} buy 100 100.003`, `${d1} ${a} sell 100 100`])
})

test('a limit between two ticks is the one that is harder to fill; what doubles leave beside a tick does not count', () => {
  const limits = { '98.9999': 98.999, '99.0009': 99, [String(0.1 * 3 * 330)]: 99 }
  for (const [limit, price] of Object.entries(limits)) {
    expect(fillsOf(run({ open: 100, low: 98 }, [buy({ limit: Number(limit) })]))).toEqual([
      `${d1} ${a} buy 100 ${price}`,
    ])
  }
})

test('a limit at the close looks at the close alone', () => {
  const atClose = buy({ limit: 99, at: 'close' })
  expect(fillsOf(run({ open: 98, low: 97, close: 98.5 }, [atClose]))).toEqual([`${d1} ${a} buy 100 98.5`])
  expect(rejectedOf(run({ open: 98, low: 97, close: 100 }, [atClose]))).toEqual([`${d1} ${a} buy 100 0 price`])
  const seen = run({}, [buy({ limit: 99 })], { exec: { decide: 'close', fill: 'sameClose' } })
  expect(fillsOf(seen), 'the low of the day is known to who decides at its close').toEqual([])
})

test('at the open or the close, whatever the account does else', () => {
  const next = { open: 101, close: 102, high: 102 }
  const [open, close] = [buy({ at: 'open' }), buy({ at: 'close' })]
  for (const fill of ['nextOpen', 'nextClose'] as const) {
    const result = run(next, [close, open], { exec: { decide: 'close', fill } })
    expect(fillsOf(result), fill).toEqual([`${d1} ${a} buy 100 101`, `${d1} ${a} buy 100 102`])
  }
  expect(fillsOf(run(next, [buy()], { exec: { decide: 'close', fill: 'nextClose' } }))).toEqual([
    `${d1} ${a} buy 100 102`,
  ])
  expect(thrownBy(() => run(next, [open], { exec: { decide: 'close', fill: 'sameClose' } }))).toMatch(
    /^USAGE: .*sameClose/,
  )
})

test('sells come before buys and pay for them; those of the close do not pay for buys of the open', () => {
  const orders =
    (at: 'open' | 'close') =>
    (now: { day: string }): StrategyOrder[] => {
      if (now.day === d0) return [buy({ shares: 1000 })]
      if (now.day !== d1) return []
      return [
        { symbol: b, side: 'buy', shares: 1000, at: 'open' },
        { symbol: a, side: 'sell', shares: 1000, at },
      ]
    }
  const market = marketOf([...rowsOf(a, [100, 100, 100]), ...rowsOf(b, [100, 100, 100])])
  const options = { ...free, cash: 100_000 }
  expect(fillsOf(backtest(market, { orders: orders('open') }, options)).slice(1)).toEqual([
    `${d2} ${a} sell 1000 100`,
    `${d2} ${b} buy 1000 100`,
  ])
  const late = backtest(market, { orders: orders('close') }, options)
  expect(fillsOf(late).slice(1)).toEqual([`${d2} ${a} sell 1000 100`])
  expect(rejectedOf(late)).toEqual([`${d2} ${b} buy 1000 0 cash`])
})

test('a bond bought at the open can be sold at the close; a share can not', () => {
  const share = '600001.SH'
  const round = (symbol: string): StrategyOrder[] => [
    { symbol, side: 'sell', shares: 100, at: 'close' },
    { symbol, side: 'buy', shares: 100, at: 'open' },
  ]
  const market = marketOf([...rowsOf(a, [100, 100, 100]), ...rowsOf(share, [10, 10, 10])])
  const orders = ({ day }: { day: string }) => (day === d0 ? [...round(a), ...round(share)] : [])
  const result = backtest(market, { orders }, free)
  expect(fillsOf(result)).toEqual([`${d1} ${a} buy 100 100`, `${d1} ${share} buy 100 10`, `${d1} ${a} sell 100 100`])
  expect(rejectedOf(result)).toEqual([`${d1} ${share} sell 100 0 T+1`])
})

test('what is not held can not be sold, and is said', () => {
  expect(rejectedOf(run({}, [{ symbol: b, side: 'sell', shares: 100 }]))).toEqual([`${d1} ${b} sell 100 0 not-held`])
  const more = run({}, [buy(), { symbol: a, side: 'sell', shares: 250, at: 'close' }])
  expect(fillsOf(more)).toEqual([`${d1} ${a} buy 100 100`, `${d1} ${a} sell 100 100`])
  expect(rejectedOf(more)).toEqual([`${d1} ${a} sell 250 100 not-held`])
})

test('an order lives for one bar', () => {
  const rows = rowsOf(a, [100, null, 100, 100])
  const result = backtest(
    marketOf([...rows, ...rowsOf(b, [9, 9, 9, 9])]),
    { orders: ({ day }) => (day === d0 ? [buy()] : []) },
    free,
  )
  expect(fillsOf(result)).toEqual([])
  expect(rejectedOf(result)).toEqual([`${d1} ${a} buy 100 0 suspended`])
})

test('whole lots: an order of 105 bonds fills 100 and says so', () => {
  const result = run({}, [buy({ shares: 105 })])
  expect(fillsOf(result)).toEqual([`${d1} ${a} buy 100 100`])
  expect(rejectedOf(result)).toEqual([`${d1} ${a} buy 105 100 lot`])
})

test('orders of another shape are refused', () => {
  const wrong = (order: unknown): string => thrownBy(() => run({}, [order as StrategyOrder]))
  expect(wrong(buy({ shares: 1.5 }))).toBe(
    'USAGE: strategy: an order of 1.5 110001.SH; shares are a whole number above 0',
  )
  expect(wrong(buy({ shares: -100 }))).toMatch(/above 0$/)
  expect(wrong(buy({ symbol: '110009.SH' }))).toBe(
    "USAGE: strategy: an order for 110009.SH, which the panel does not have; did you mean '110001.SH'?",
  )
  expect(wrong({ ...buy(), side: 'short' })).toBe(
    "USAGE: strategy: the order for 110001.SH has side 'short'; it is 'buy' or 'sell'",
  )
  expect(wrong(buy({ limit: Number.NaN }))).toBe('USAGE: strategy: a limit of NaN for 110001.SH; it is a price in yuan')
  expect(wrong({ ...buy(), at: 'noon' })).toMatch(/^USAGE: .*'noon'; it is at 'open' or 'close'$/)
  expect(wrong(undefined)).toMatch(/^USAGE: an order must be an object/)
})

test('a limit order needs the low of its bar, an order at the open the open', () => {
  const rows = rowsOf(a, [100, 100, 100])
  const orders = (order: StrategyOrder) => ({ orders: ({ day }: { day: string }) => (day === d0 ? [order] : []) })
  const short = (columns: ('open' | 'close' | 'vol')[]) => marketOf(rows, { columns })
  expect(thrownBy(() => backtest(short(['open', 'close', 'vol']), orders(buy({ limit: 99 })), free))).toMatch(
    /^MISSING_COLUMN: .*'low'/,
  )
  const closes = { ...free, exec: { decide: 'close', fill: 'nextClose' } } as const
  expect(thrownBy(() => backtest(short(['close', 'vol']), orders(buy({ at: 'open' })), closes))).toMatch(
    /^MISSING_COLUMN: .*'open'/,
  )
})
