import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import { panel } from '../../src/backtest/make-panel.js'
import type { StrategyOrder } from '../../src/backtest/strategy.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { fromRows } from '../../src/table/from-rows.js'
import { barsOf, days, fillsOf, free, marketOf, type PriceRow, rejectedOf } from './small-market.js'

const minutes = ['1000', '1130', '1500']
const [d0, d1, d2] = days as [string, string, string]
const bond = '110001.SH'
const share = '600001.SH'

/** Orders by day and minute of the decision. */
const given = (orders: Readonly<Record<string, StrategyOrder[]>>) => ({
  orders: ({ day, minute }: { day: string; minute: string }) => orders[`${day} ${minute}`] ?? [],
  when: { at: 'every bar' as const },
})

const order = (symbol: string, side: 'buy' | 'sell', shares: number): StrategyOrder => ({ symbol, side, shares })

/** Bars whose opens are their own: the close less a tenth. */
const moving = (code: string, closes: (number | null)[][], change: (row: PriceRow) => Partial<PriceRow> = () => ({})) =>
  barsOf(code, minutes, closes).map((row) => {
    const open = Math.round((row.close as number) * 10 - 1) / 10
    return { ...row, open, low: open, ...change(row) }
  })

test('a decision at a bar is filled at the open of the next one, on the next day after the last', () => {
  const market = marketOf(
    moving(bond, [
      [100, 101, 102],
      [103, 104, 105],
    ]),
  )
  const result = backtest(
    market,
    given({ [`${d0} 1000`]: [order(bond, 'buy', 10)], [`${d0} 1500`]: [order(bond, 'buy', 20)] }),
    free,
  )
  expect(fillsOf(result)).toEqual([`${d0} 1130 ${bond} buy 10 100.9`, `${d1} 1000 ${bond} buy 20 102.9`])
  expect(result.days).toEqual([d0, d1])
  const closes = [10 * 102 - 1009, 30 * 105 - 1009 - 2058]
  expect([...result.equity], 'a value a day, at its last bar').toEqual(closes.map((gain) => 1e6 + gain))
  expect([...result.traded]).toEqual([1009, 2058])
})

test('shares bought today can not be sold today, bonds can, and shares can tomorrow', () => {
  const market = marketOf([
    ...moving(bond, [
      [100, 100, 100],
      [100, 100, 100],
    ]),
    ...moving(share, [
      [10, 10, 10],
      [10, 10, 10],
    ]),
  ])
  const all = (side: 'buy' | 'sell') => [order(bond, side, 100), order(share, side, 100)]
  const result = backtest(
    market,
    given({ [`${d0} 1000`]: all('buy'), [`${d0} 1130`]: all('sell'), [`${d0} 1500`]: [order(share, 'sell', 100)] }),
    free,
  )
  expect(fillsOf(result)).toEqual([
    `${d0} 1130 ${bond} buy 100 99.9`,
    `${d0} 1130 ${share} buy 100 9.9`,
    `${d0} 1500 ${bond} sell 100 99.9`,
    `${d1} 1000 ${share} sell 100 9.9`,
  ])
  expect(rejectedOf(result)).toEqual([`${d0} 1500 ${share} sell 100 0 T+1`])
  expect(objectsOf(result.positions).map((row) => [row['tradedate'], row['symbol'], row['sellable']])).toEqual([
    [d0, share, 0],
  ])
})

test('a portfolio that leaves a share on the day of its purchase is told T+1', () => {
  const market = marketOf(
    moving(share, [
      [10, 10, 10],
      [10, 10, 10],
    ]),
  )
  const weights = {
    weights: ({ minute }: { minute: string }, out: Float64Array) => {
      out[0] = minute === '1000' ? 0.5 : 0
    },
    when: { at: ['1000', '1130'] },
  }
  const result = backtest(market, weights, free)
  expect(rejectedOf(result)[0]).toBe(`${d0} 1500 ${share} sell 50500 0 T+1`)
})

test('the share of the volume is that of each bar, of both sides and all orders in it', () => {
  const market = marketOf(
    moving(
      bond,
      [
        [100, 100, 100],
        [100, 100, 100],
      ],
      () => ({ vol: 100 }),
    ),
  )
  const buys = [order(bond, 'buy', 60), order(bond, 'buy', 60), order(bond, 'sell', 10)]
  const result = backtest(market, given({ [`${d0} 1000`]: buys, [`${d0} 1130`]: [...buys, order(bond, 'sell', 50)] }), {
    ...free,
    maxVolumeShare: 0.1,
  })
  expect(fillsOf(result).map((line) => line.replace(` ${bond}`, ''))).toEqual([
    `${d0} 1130 buy 60 99.9`,
    `${d0} 1130 buy 40 99.9`,
    `${d0} 1500 sell 10 99.9`,
    `${d0} 1500 sell 50 99.9`,
    `${d0} 1500 buy 40 99.9`,
  ])
  expect(rejectedOf(result).map((line) => line.replace(` ${bond}`, ''))).toEqual([
    `${d0} 1130 sell 10 0 not-held`,
    `${d0} 1130 buy 60 40 volume`,
    `${d0} 1500 buy 60 40 volume`,
    `${d0} 1500 buy 60 0 volume`,
  ])
})

test('volumes with decimals are whole shares: 1.1 lots of a fund are 110', () => {
  const fund = '510300.SH'
  const market = marketOf(moving(fund, [[4, 4, 4]], () => ({ vol: 1.1 })))
  const result = backtest(market, given({ [`${d0} 1000`]: [order(fund, 'buy', 5000)] }), { ...free, maxVolumeShare: 1 })
  expect(fillsOf(result)).toEqual([`${d0} 1130 ${fund} buy 100 3.9`])
})

test('decisions at named bars see those bars', () => {
  const market = marketOf(
    moving(bond, [
      [100, 101, 102],
      [103, 104, 105],
    ]),
  )
  const seen: string[] = []
  const score = (bar: { day: string; minute: string; close: number }): number => {
    seen.push(`${bar.day} ${bar.minute} ${bar.close}`)
    return bar.close
  }
  backtest(
    market,
    { score, pick: { n: 1, side: 'lowest' }, when: { at: ['1000', '1500'] } },
    { ...free, lookahead: false },
  )
  expect(seen).toEqual([`${d0} 1000 100`, `${d0} 1500 102`, `${d1} 1000 103`, `${d1} 1500 105`])
})

test('the average price of a bar fills at amount / volume, on a tick', () => {
  const rows = moving(bond, [[100, 100, 100]]).map((row) => ({ ...row, vol: 3, amount: 3001 }))
  const market = panel(fromRows(rows), { columns: ['close', 'vol', 'amount'] })
  const result = backtest(market, given({ [`${d0} 1000`]: [order(bond, 'buy', 10)] }), {
    ...free,
    exec: { decide: 'close', fill: 'nextVwap' },
  })
  expect(fillsOf(result)).toEqual([`${d0} 1130 ${bond} buy 10 100.033`])
})

const fund = '510300.SH'
const halved = [
  [4, 4, 4],
  [4, 4, 4],
  [2, 2, 2.1],
]

test('ex-rights come before the first bar, by the previous close that it names', () => {
  const named = moving(fund, halved, (row) => ({ pre_close: row.tradedate === d2 ? 2 : 4 }))
  const hold = given({ [`${d0} 1000`]: [order(fund, 'buy', 1000)], [`${d2} 1000`]: [order(fund, 'sell', 2000)] })
  const result = backtest(marketOf(named), hold, free)
  expect(objectsOf(result.events)).toEqual([
    { tradedate: d2, trademin: '1000', symbol: fund, event: 'ex-rights', before: 1000, after: 2000, cash: 0 },
  ])
  expect(fillsOf(result).at(-1)).toBe(`${d2} 1130 ${fund} sell 2000 1.9`)
  expect(result.equity[1]).toBe(1e6 + 100)
})

test('an adj_factor says the same, and every bar of a day has the close of the day before', () => {
  const rows = moving(fund, halved).map((row) => ({ ...row, adj_factor: row.tradedate === d2 ? 2 : 1 }))
  const market = panel(fromRows(rows), { columns: ['open', 'close', 'vol', 'adj_factor'] })
  expect([...market.column('pre_close')]).toEqual([Number.NaN, Number.NaN, Number.NaN, 4, 4, 4, 2, 2, 2])
  const result = backtest(market, given({ [`${d0} 1000`]: [order(fund, 'buy', 1000)] }), free)
  expect(objectsOf(result.events)).toMatchObject([{ tradedate: d2, before: 1000, after: 2000 }])
  expect(result.warnings).toEqual(['only 3 days: figures of fewer than 20 days are mostly chance'])
})

test.each(['no column pre_close', 'an empty cell of it'])(
  '%s: a gap beyond the limit stops the position, and the result says so',
  (kind) => {
    const pre = kind === 'no column pre_close' ? {} : { pre_close: 4 }
    const rows = moving(fund, halved, (row) => (row.tradedate === d2 && 'pre_close' in pre ? { pre_close: null } : pre))
    const hold = given({
      [`${d0} 1000`]: [order(fund, 'buy', 1000)],
      [`${d2} 1000`]: [order(fund, 'sell', 1000), order(fund, 'buy', 100)],
    })
    const result = backtest(marketOf(rows), hold, free)
    expect(objectsOf(result.events)).toMatchObject([
      { tradedate: d2, trademin: '1000', event: 'stopped', before: 1000, after: 1000 },
    ])
    expect(rejectedOf(result)).toEqual([`${d2} 1130 ${fund} sell 1000 0 gap`, `${d2} 1130 ${fund} buy 100 0 gap`])
    expect(result.warnings.join('\n')).toContain(
      `${fund} jumped beyond its limits on ${d2} 1000 without a previous close`,
    )
    expect([...result.equity], 'kept at its last close').toEqual([1e6 + 100, 1e6 + 100, 1e6 + 100])
    expect(objectsOf(result.positions).map((row) => row['marked'])).toEqual(['today', 'today', 'stale'])
  },
)

test('a share that is suspended for part of a day keeps its last close, and is stale only when it had none that day', () => {
  const market = marketOf([
    ...moving(bond, [
      [100, 101, null],
      [null, null, null],
      [null, 103, null],
    ]),
    ...moving(share, [
      [9, 9, 9],
      [9, 9, 9],
      [9, 9, 9],
    ]),
  ])
  const result = backtest(market, given({ [`${d0} 1000`]: [order(bond, 'buy', 10)] }), free)
  const held = objectsOf(result.positions).map((row) => [row['value'], row['marked']])
  expect(held).toEqual([
    [1010, 'today'],
    [1010, 'stale'],
    [1030, 'today'],
  ])
})

test('without pre_close the limit of every bar is that of the close of the day before', () => {
  const rows = barsOf(fund, minutes, [
    [4, 4, 4],
    [4.2, 4.4, 4.399],
  ])
  const buys = { [`${d1} 1000`]: [order(fund, 'buy', 100)], [`${d1} 1130`]: [order(fund, 'buy', 200)] }
  const result = backtest(marketOf(rows), given(buys), free)
  expect(rejectedOf(result)).toEqual([`${d1} 1130 ${fund} buy 100 0 limit-up`])
  expect(fillsOf(result)).toEqual([`${d1} 1500 ${fund} buy 200 4.399`])
})
