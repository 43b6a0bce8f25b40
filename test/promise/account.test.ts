import {
  type BacktestOptions,
  type BacktestResult,
  backtest,
  fromRows,
  panel,
  type StrategyOrder,
  toObjects,
  tradingDays,
} from 'quotebook'
import { expect, test } from 'vitest'
import {
  bare,
  barsOf,
  days,
  fillsOf,
  free,
  marketOf,
  type PriceRow,
  rejectedOf,
  rowsOf,
  thrownBy,
} from './helper/prices.js'

/** The account of a backtest in small worlds: every number is worked out in the test, by plain arithmetic in fen and mills. */

const [d0, d1, d2, d3] = days as [string, string, string, string]
const [bond, share, fund] = ['110001.SH', '600001.SH', '510300.SH']
const yuan = (fen: number): number => fen / 100
const halfUp = (value: number): number => Math.floor(value + 0.5 + 1e-9)
const usual = { cash: 1e6, lookahead: false } as const

type Orders = Readonly<Record<string, readonly StrategyOrder[]>>

/** Orders by the day of the decision, and its minute where there is one. */
const given = (orders: Orders) => ({
  orders: ({ day, minute }: { day: string; minute: string }) => orders[`${day} ${minute}`.trim()] ?? [],
  when: { at: 'every bar' as const },
})
const order = (side: 'buy' | 'sell', symbol: string, shares: number, more: object = {}): StrategyOrder => ({
  side,
  symbol,
  shares,
  ...more,
})
const run = (rows: readonly PriceRow[], orders: Orders, options: Partial<BacktestOptions> = {}, more = {}) =>
  backtest(marketOf(rows, more), given(orders), { ...bare, ...options })
const costsOf = ({ fills }: BacktestResult) =>
  toObjects(fills).map(({ amount, commission, stamp, transfer }) => [amount, commission, stamp, transfer])
const cashOf = ({ account }: BacktestResult) => toObjects(account).map(({ cash }) => cash)

test('world 1, lots: each class in its own lots, what is left stays cash, less than a lot is refused', () => {
  const prices = { '110001.SH': 103.215, '510300.SH': 4.015, '600001.SH': 10.03, '688001.SH': 12.34, '920001.BJ': 7.77 }
  const steps = { '110001.SH': 10, '510300.SH': 100, '600001.SH': 100, '688001.SH': 1, '920001.BJ': 1 }
  const market = marketOf(Object.entries(prices).flatMap(([code, price]) => rowsOf(code, [price, price, price])))
  const fifths = { weights: (_: unknown, weights: Float64Array) => void weights.fill(0.2), when: { days: [d0] } }
  const result = backtest(market, fifths, { ...bare, cash: 100_000 })
  const shares = Object.entries(prices).map(([code, price]) => {
    const step = steps[code as keyof typeof steps]
    return [code, Math.floor(20_000 / price / step) * step] as const
  })
  expect(shares.map(([, count]) => count)).toEqual([190, 4900, 1900, 1620, 2574])
  expect(fillsOf(result)).toEqual(
    shares.map(([code, count]) => `${d1} ${code} buy ${count} ${prices[code as keyof typeof prices]}`),
  )
  // The state and the exchange take 0.001 % of shares: 19, 20 and 20 fen.
  const spent =
    59 + shares.reduce((sum, [code, count]) => sum + halfUp(100 * prices[code as keyof typeof prices] * count), 0)
  expect(cashOf(result)).toEqual([100_000, yuan(1e7 - spent), yuan(1e7 - spent)])
  const poor = backtest(market, fifths, { ...bare, cash: 10_000 })
  // 2,000 yuan: 162 shares of the STAR board, which takes 200 at least, 257 of Beijing.
  expect(rejectedOf(poor)).toEqual([`${d1} 688001.SH buy 0 0 lot`])
  expect(fillsOf(poor).at(-1)).toBe(`${d1} 920001.BJ buy 257 7.77`)
})

// biome-ignore format: a table, one class a line
const limits = [
  ['600001.SH', 10.05, 11.06, 9.05, 0.01, {}],
  ['000002.SZ', 10.05, 11.06, 9.05, 0.01, {}],
  ['300001.SZ', 10.07, 12.08, 8.06, 0.01, {}],
  ['688001.SH', 10.07, 12.08, 8.06, 0.01, {}],
  ['920001.BJ', 10.05, 13.06, 7.04, 0.01, {}],
  ['510300.SH', 4.015, 4.417, 3.614, 0.001, {}],
  ['588000.SH', 4.015, 4.818, 3.212, 0.001, {}],
  ['110001.SH', 103.215, 123.858, 82.572, 0.001, {}],
  ['600001.SH', 10.05, 10.55, 9.55, 0.01, { st: fromRows([{ tradedate: d1, code: '600001.SH' }]) }],
  ['159920.SZ', 4.015, 4.818, 3.212, 0.001, { classes: { '159920.SZ': 'ETF 20%' } }],
  ['110001.SH', 103.215, 162.357, 58.523, 0.001, { listed: { '110001.SH': d1 } }],
] as const

test.each(limits)('world 2, price limits: %s after %d is refused at %d and %d, filled a tick within', (...world) => {
  const [code, pre, up, down, tick, more] = world
  const within = (price: number, ticks: number): number => halfUp((price + ticks * tick) * 1000) / 1000
  const first = 'listed' in more ? [] : rowsOf(code, [pre])
  const at = (open: number) => [
    ...first,
    ...rowsOf(code, [null, open], () => ({ pre_close: pre })),
    ...rowsOf('110009.SH', [100, 100]),
  ]
  const bought = (open: number) => run(at(open), { [d0]: [order('buy', code, 200)] }, {}, more)
  expect(rejectedOf(bought(up))).toEqual([`${d1} ${code} buy 200 0 limit-up`])
  expect(fillsOf(bought(within(up, -1)))).toEqual([`${d1} ${code} buy 200 ${within(up, -1)}`])
  expect(fillsOf(bought(down))).toEqual([`${d1} ${code} buy 200 ${down}`])
  if (first.length === 0) return
  const held = (open: number) =>
    run(
      [...rowsOf(code, [pre, pre]), ...rowsOf(code, [null, null, open], () => ({ pre_close: pre }))],
      { [d0]: [order('buy', code, 200)], [d1]: [order('sell', code, 200)] },
      {},
      'st' in more ? { st: fromRows([{ tradedate: d2, code }]) } : more,
    )
  expect(rejectedOf(held(down))).toEqual([`${d2} ${code} sell 200 0 limit-down`])
  expect(fillsOf(held(within(down, 1)))[1]).toBe(`${d2} ${code} sell 200 ${within(down, 1)}`)
})

test('world 2, dates: ST has 5 % up to 20260703 and 10 % from 20260706; first days of a listing have no limit', () => {
  const st = fromRows(days.slice(0, 6).map((tradedate) => ({ tradedate, code: share })))
  const rise = rowsOf(share, [10, 10, 10.5, 10.5, 11.55])
  const buys = Object.fromEntries(days.slice(0, 4).map((day) => [day, [order('buy', share, 100)]]))
  expect(rejectedOf(run(rise, buys, {}, { st }))).toEqual([
    `${d2} ${share} buy 100 0 limit-up`,
    `${days[4]} ${share} buy 100 0 limit-up`,
  ])
  const early = rowsOf(share, [10, 10, 10, 10, 10.5])
  expect(rejectedOf(run(early, buys, {}, { st }))).toEqual([])
  const fresh = run(
    [...rowsOf(bond, Array(9).fill(100)), ...rowsOf(share, [null, 10, 20, 40, 20, 40, 44])],
    Object.fromEntries(days.slice(0, 6).map((day) => [day, [order('buy', share, 100)]])),
    {},
    { listed: { [share]: d1 } },
  )
  expect(rejectedOf(fresh)).toEqual([`${days[6]} ${share} buy 100 0 limit-up`])
})

test('world 3, T+1: a share may be sold on the next day, a bond and an ETF T+0 on the same', () => {
  const both = [...rowsOf(bond, [100, 100, 100]), ...rowsOf(share, [10, 10, 10]), ...rowsOf('513100.SH', [2, 2, 2])]
  const all = (side: 'buy' | 'sell', at: 'open' | 'close') =>
    [bond, share, '513100.SH'].map((code) => order(side, code, 100, { at }))
  const result = run(both, { [d0]: [...all('buy', 'open'), ...all('sell', 'close')], [d1]: all('sell', 'open') })
  expect(fillsOf(result)).toEqual([
    `${d1} ${bond} buy 100 100`,
    `${d1} ${share} buy 100 10`,
    `${d1} 513100.SH buy 100 2`,
    `${d1} ${bond} sell 100 100`,
    `${d1} 513100.SH sell 100 2`,
    `${d2} ${share} sell 100 10`,
  ])
  expect(rejectedOf(result)).toEqual([
    `${d1} ${share} sell 100 0 T+1`,
    `${d2} ${bond} sell 100 0 not-held`,
    `${d2} 513100.SH sell 100 0 not-held`,
  ])
  expect(toObjects(result.positions)).toMatchObject([{ tradedate: d1, symbol: share, shares: 100, sellable: 0 }])
})

test('world 4, suspension: nothing is filled, the holding keeps its last close, stale, and is said to', () => {
  const rows = [...rowsOf(bond, [100, 101, null, null, 103]), ...rowsOf(share, [9, 9, 9, 9, 9])]
  const result = run(rows, { [d0]: [order('buy', bond, 10)], [d1]: [order('sell', bond, 10)] })
  expect(rejectedOf(result)).toEqual([`${d2} ${bond} sell 10 0 suspended`])
  expect(toObjects(result.positions).map(({ tradedate, value, marked }) => [tradedate, value, marked])).toEqual([
    [d1, 1010, 'today'],
    [d2, 1010, 'stale'],
    [d3, 1010, 'stale'],
    [days[4], 1030, 'today'],
  ])
  expect([...result.equity]).toEqual([1e6, 1e6, 1e6, 1e6, 1e6 + 20])
  expect(result.warnings.map(String)).toContain(
    '2 daily values of holdings are of an earlier close: suspended, or without a row',
  )
})

test('world 5, delistings: paid before the open at the price named or the last close, and gone after', () => {
  const rows = [...rowsOf(bond, [100, 101]), ...rowsOf('110002.SH', [100, 99]), ...rowsOf(share, [9, 9, 9, 9])]
  const buys = [order('buy', bond, 50), order('buy', '110002.SH', 50)]
  const delistings = [
    { symbol: bond, day: d2, price: 100.701 },
    { symbol: '110002.SH', day: d2 },
  ]
  const result = run(rows, { [d0]: buys, [d2]: [order('buy', bond, 10)] }, {}, { delistings })
  expect(toObjects(result.events)).toEqual([
    { tradedate: d2, symbol: bond, event: 'end', before: 50, after: 0, cash: 5035.05 },
    { tradedate: d2, symbol: '110002.SH', event: 'end', before: 50, after: 0, cash: 4950 },
  ])
  expect(rejectedOf(result)).toEqual([`${d3} ${bond} buy 10 0 delisted`])
  expect(result.trades).toEqual([
    { symbol: bond, pnl: yuan(503_505 - 505_000) },
    { symbol: '110002.SH', pnl: 0 },
  ])
  expect(result.equity.at(-1)).toBe(yuan(1e8 - 505_000 - 495_000 + 503_505 + 495_000))
})

test('world 6, commissions and taxes: by class and by the rules of the day, each half up to the fen', () => {
  const on = (from: string, until: string, code = share, price = 10) => {
    const own = tradingDays(from, until)
    return { rows: rowsOf(code, Array(own.length).fill(price), () => ({}), own), own }
  }
  const traded = (from: string, until: string, count: number, code = share, price = 10) => {
    const { rows, own } = on(from, until, code, price)
    const [first, next] = own as [string, string]
    const asked = { [first]: [order('buy', code, count)], [next]: [order('sell', code, count)] }
    return costsOf(backtest(marketOf(rows), given(asked), { ...usual, slippageTicks: 0 }))
  }
  // 10,000 shares of 10 yuan: 0.025 % commission, 0.001 % transfer (before 2022-04-29 0.002 %), stamp on sells 0.05 % (before 2023-08-28 0.1 %).
  expect(traded('20260701', '20260703', 10_000)).toEqual([
    [100_000, 25, 0, 1],
    [100_000, 25, 50, 1],
  ])
  expect(traded('20220425', '20220428', 10_000)).toEqual([
    [100_000, 25, 0, 2],
    [100_000, 25, 100, 2],
  ])
  expect(traded('20230824', '20230828', 10_000)).toEqual([
    [100_000, 25, 0, 1],
    [100_000, 25, 50, 1],
  ])
  expect(traded('20230822', '20230825', 10_000)[1]).toEqual([100_000, 25, 100, 1])
  // At least 5 yuan; 1,003 x 0.001 % = 1.003 fen, 1,003 x 0.05 % = 50.15 fen.
  expect(traded('20260701', '20260703', 100, share, 10.03)).toEqual([
    [1003, 5, 0, 0.01],
    [1003, 5, 0.5, 0.01],
  ])
  // Bonds: 0.02 %, at least 1 yuan, no taxes. Funds: 0.025 %, at least 5, no taxes.
  expect(traded('20260701', '20260703', 500, bond, 103.215)[0]).toEqual([51_607.5, 10.32, 0, 0])
  expect(traded('20260701', '20260703', 10, bond, 100)[1]).toEqual([1000, 1, 0, 0])
  expect(traded('20260701', '20260703', 100_000, fund, 4)[1]).toEqual([400_000, 100, 0, 0])
  const { rows } = on('20260701', '20260703')
  const commission = { rate: 0.001, min: 3, byClass: { 'convertible bond': { rate: 0, min: 0 } } }
  const own = backtest(marketOf(rows), given({ [d0]: [order('buy', share, 1000)] }), { ...usual, commission })
  expect(costsOf(own)).toEqual([[10_010, 10.01, 0, 0.1]])
  expect(cashOf(own).at(-1)).toBe(yuan(1e8 - 1_001_000 - 1001 - 10))
})

test('world 7, cash: as many lots as it pays with all costs, what sells bring is there for buys, and it is never below 0', () => {
  const rows = [...rowsOf(share, [10, 10, 10, 10]), ...rowsOf(bond, [100, 100, 100, 100])]
  const options = { ...usual, cash: 100_000, slippageTicks: 0 }
  const all = backtest(marketOf(rows), given({ [d0]: [order('buy', share, 10_000)] }), options)
  // 10,000 shares would cost 100,000 + 25 + 1; 9,900 cost 99,000 + 24.75 + 0.99.
  expect(fillsOf(all)).toEqual([`${d1} ${share} buy 9900 10`])
  expect(rejectedOf(all)).toEqual([`${d1} ${share} buy 10000 9900 cash`])
  expect(cashOf(all).at(-1)).toBe(yuan(10_000_000 - 9_900_000 - 2475 - 99))
  const swap = [order('buy', bond, 900), order('sell', share, 9900)]
  const turned = backtest(marketOf(rows), given({ [d0]: [order('buy', share, 10_000)], [d1]: swap }), options)
  expect(fillsOf(turned).slice(1)).toEqual([`${d2} ${share} sell 9900 10`, `${d2} ${bond} buy 900 100`])
  const late = [order('buy', bond, 900, { at: 'open' }), order('sell', share, 9900, { at: 'close' })]
  const apart = backtest(marketOf(rows), given({ [d0]: [order('buy', share, 10_000)], [d1]: late }), options)
  expect(rejectedOf(apart)[1], 'what the close brings does not pay at the open').toBe(`${d2} ${bond} buy 900 0 cash`)
  expect(Math.min(...(cashOf(turned) as number[]))).toBeGreaterThanOrEqual(0)
})

test('world 8, slippage: in ticks or basis points against the trader, never beyond the limits of the day', () => {
  const rows = [...rowsOf(share, [10, 10, 10]), ...rowsOf(bond, [100, 100, 100])]
  const round = {
    [d0]: [order('buy', share, 100), order('buy', bond, 10)],
    [d1]: [order('sell', share, 100), order('sell', bond, 10)],
  }
  const prices = (options: object) => toObjects(run(rows, round, options).fills).map(({ price }) => price)
  expect(prices({ slippageTicks: 0 })).toEqual([10, 100, 100, 10])
  expect(prices({ slippageTicks: undefined }), 'one tick unless given').toEqual([10.01, 100.001, 99.999, 9.99])
  expect(prices({ slippageTicks: 3 })).toEqual([10.03, 100.003, 99.997, 9.97])
  // 5 basis points of 10 are half a tick, of 100 fifty ticks.
  expect(prices({ slippageTicks: undefined, slippageBps: 5 })).toEqual([10.01, 100.05, 99.95, 9.99])
  const near = rowsOf(share, [10, 10], (at) => (at === 1 ? { open: 10.99, high: 10.99 } : {}))
  expect(fillsOf(run(near, { [d0]: [order('buy', share, 100)] }, { slippageTicks: 3 }))).toEqual([
    `${d1} ${share} buy 100 11`,
  ])
})

test('world 9, the share of the volume: of each bar, of both sides and all orders in it; a missing volume gives none', () => {
  const rows = [
    ...rowsOf(bond, [100, 100, 100], () => ({ vol: 105 })),
    ...rowsOf(fund, [4, 4, 4], (at) => ({ vol: at === 1 ? 1.1 : null })),
  ]
  const result = run(
    rows,
    {
      [d0]: [order('buy', bond, 60), order('buy', bond, 60), order('buy', fund, 5000)],
      [d1]: [order('sell', bond, 60), order('buy', bond, 60), order('sell', fund, 100)],
    },
    { maxVolumeShare: 0.1 },
  )
  // 105 lots of ten bonds: a tenth are 105, in whole lots 100. 1.1 lots of a fund are 110 shares: a tenth is no lot.
  expect(fillsOf(result)).toEqual([
    `${d1} ${bond} buy 60 100`,
    `${d1} ${bond} buy 40 100`,
    `${d2} ${bond} sell 60 100`,
    `${d2} ${bond} buy 40 100`,
  ])
  expect(rejectedOf(result)).toEqual([
    `${d1} ${bond} buy 60 40 volume`,
    `${d1} ${fund} buy 5000 0 volume`,
    `${d2} ${fund} sell 100 0 not-held`,
    `${d2} ${bond} buy 60 40 volume`,
  ])
  const still = rowsOf(bond, [100, 100], () => ({ vol: 0 }))
  expect(rejectedOf(run(still, { [d0]: [order('buy', bond, 10)] }))).toEqual([`${d1} ${bond} buy 10 0 volume`])
})

test('world 10, ex-rights: the difference to the previous close of the exchange comes as shares, in cash, or not at all', () => {
  const split = rowsOf(fund, [12, 12, 5.9, 6], (at) => (at === 2 ? { pre_close: 5.9 } : {}))
  const held = (exRights: 'shares' | 'cash' | 'none') => run(split, { [d0]: [order('buy', fund, 1000)] }, { exRights })
  // 12,000 yuan at 5.90 are 2,033 shares and 5.30 yuan.
  expect(toObjects(held('shares').events)).toEqual([
    { tradedate: d2, symbol: fund, event: 'ex-rights', before: 1000, after: 2033, cash: 5.3 },
  ])
  expect([...held('shares').equity].slice(1)).toEqual([1e6, 1e6, yuan(1e8 - 1_200_000 + 2033 * 600 + 530)])
  expect(toObjects(held('cash').events)).toMatchObject([{ before: 1000, after: 1000, cash: 6100 }])
  expect([...held('cash').equity].slice(1)).toEqual([1e6, 1e6, 1e6 + 100])
  expect(held('none').events.numRows).toBe(0)
  expect([...held('none').equity].slice(1)).toEqual([1e6, 1e6 - 6100, 1e6 - 6000])
  const factors = [1, 1, 12 / 5.9, 12 / 5.9]
  const data = split.map(({ pre_close: _, ...row }, at) => ({ ...row, adj_factor: factors[at] }))
  const factored = panel(fromRows(data), { columns: ['open', 'close', 'vol', 'adj_factor'] })
  const result = backtest(factored, given({ [d0]: [order('buy', fund, 1000)] }), bare)
  expect(toObjects(result.events), 'an adj_factor says the same').toMatchObject([{ before: 1000, after: 2033 }])
})

test('world 11, a gap that nothing explains: the position is stopped at its last close, and a warning says so', () => {
  const rows = rowsOf(fund, [4, 4, 2, 2.1], (at) => ({ pre_close: at > 1 ? null : 4 }))
  const asked = { [d0]: [order('buy', fund, 1000)], [d2]: [order('sell', fund, 1000), order('buy', fund, 100)] }
  const result = run(rows, asked)
  expect(toObjects(result.events)).toMatchObject([{ tradedate: d2, event: 'stopped', before: 1000, after: 1000 }])
  expect(rejectedOf(result)).toEqual([`${d3} ${fund} sell 1000 0 gap`, `${d3} ${fund} buy 100 0 gap`])
  expect([...result.equity]).toEqual([1e6, 1e6, 1e6, 1e6])
  expect(result.warnings.map(String)).toContain(
    `${fund} jumped beyond its limits on ${d2} without a previous close that explains it; it is kept at its last close: give pre_close or adj_factor`,
  )
})

test('when it is decided and when it is filled: every pair, and a warning where nobody can trade', () => {
  const rows = rowsOf(
    bond,
    [100, 100, 110],
    (at) =>
      ({ open: 100 + at, close: 105 + at, low: 100, high: 107, pre_close: 104 + at, vol: 10, amount: 10_333 }) as never,
  )
  const priced = panel(fromRows(rows), { columns: ['open', 'close', 'vol', 'amount'] })
  const filled = (decide: 'open' | 'close', fill: 'nextOpen' | 'nextClose' | 'nextVwap' | 'sameClose') =>
    fillsOf(backtest(priced, given({ [d0]: [order('buy', bond, 10)] }), { ...bare, exec: { decide, fill } }))[0]
  for (const decide of ['open', 'close'] as const) {
    expect(filled(decide, 'nextOpen')).toBe(`${d1} ${bond} buy 10 101`)
    expect(filled(decide, 'nextClose')).toBe(`${d1} ${bond} buy 10 106`)
    // 10,333 yuan for ten lots of ten bonds.
    expect(filled(decide, 'nextVwap')).toBe(`${d1} ${bond} buy 10 103.33`)
    expect(filled(decide, 'sameClose')).toBe(`${d0} ${bond} buy 10 105`)
  }
  const seen = backtest(priced, given({ [d0]: [order('buy', bond, 10)] }), {
    ...bare,
    exec: { decide: 'close', fill: 'sameClose' },
  })
  expect(seen.warnings).toEqual([
    'only 3 days: figures of fewer than 20 days are mostly chance',
    'orders are filled at the close by which they were decided: nobody can trade at that price',
    'no column pre_close: limits go by the last close, and ex-rights are not known',
  ])
})

// biome-ignore format: a table, one bar a line
const placed: [string, Partial<PriceRow>, object, string][] = [
  ['a better open fills at the open', { open: 98, low: 97 }, { limit: 99 }, 'buy 100 98'],
  ['a bar that goes through it at the limit', { open: 100, low: 98.999 }, { limit: 99 }, 'buy 100 99'],
  ['one that touches it not at all', { open: 100, low: 99 }, { limit: 99 }, 'buy 100 0 price'],
  ['a limit between ticks is the one harder to fill', { open: 100, low: 98 }, { limit: 98.9999 }, 'buy 100 98.999'],
  ['what doubles leave beside a tick does not count', { open: 100, low: 98 }, { limit: 0.1 * 3 * 330 }, 'buy 100 99'],
  ['a limit at the close looks at the close alone', { open: 98, low: 97, close: 98.5 }, { limit: 99, at: 'close' }, 'buy 100 98.5'],
  ['and not at the low', { open: 98, low: 97, close: 100 }, { limit: 99, at: 'close' }, 'buy 100 0 price'],
  ['a sale at a better open', { open: 102, high: 103 }, { side: 'sell', limit: 101 }, 'sell 100 102'],
  ['a sale at its limit', { open: 100, high: 101.001 }, { side: 'sell', limit: 101 }, 'sell 100 101'],
  ['a sale that is touched', { open: 100, high: 101 }, { side: 'sell', limit: 101 }, 'sell 100 0 price'],
  ['an odd rest', {}, { shares: 105 }, 'buy 100 100,buy 105 100 lot'],
]

test.each(placed)('orders with a limit: %s', (_, next, more, told) => {
  const rows = rowsOf(bond, [100, 100, 100], (at) => (at === 2 ? next : {}))
  const asked = { ...order('buy', bond, 100), ...more }
  const result = run(rows, { [d0]: asked.side === 'sell' ? [order('buy', bond, 100)] : [], [d1]: [asked] })
  const lines = [...fillsOf(result), ...rejectedOf(result)].filter((line) => line.startsWith(d2))
  expect(lines.map((line) => line.replace(`${d2} ${bond} `, '')).join()).toBe(told)
})

test('an order lives for one bar; slippage does not go beyond its limit; what is not held is not sold', () => {
  const rows = [...rowsOf(bond, [100, null, 100, 100]), ...rowsOf(share, [9, 9, 9, 9])]
  const result = run(rows, { [d0]: [order('buy', bond, 100)], [d2]: [order('sell', share, 100)] })
  expect(rejectedOf(result)).toEqual([`${d1} ${bond} buy 100 0 suspended`, `${d3} ${share} sell 100 0 not-held`])
  const slow = { [d0]: [order('buy', bond, 100, { limit: 100.001 })] }
  expect(fillsOf(run(rowsOf(bond, [100, 100]), slow, { slippageTicks: 3 }))).toEqual([`${d1} ${bond} buy 100 100.001`])
})

test('bars: a decision is filled at the next bar, the next day after the last; a value a day at its last bar', () => {
  const minutes = ['1000', '1130', '1500']
  const rows = [
    ...barsOf(bond, minutes, [
      [100, 101, 102],
      [103, 104, 105],
    ]).map((row) => ({ ...row, open: (row.close as number) - 0.1, low: (row.close as number) - 0.1 })),
    ...barsOf(fund, minutes, [
      [10, 10, 10],
      [10, 10, 10],
    ]),
  ]
  const result = run(rows, {
    [`${d0} 1000`]: [order('buy', bond, 10), order('buy', fund, 100)],
    [`${d0} 1130`]: [order('sell', fund, 100)],
    [`${d0} 1500`]: [order('buy', bond, 20), order('sell', fund, 100)],
  })
  expect(fillsOf(result)).toEqual([
    `${d0} 1130 ${bond} buy 10 100.9`,
    `${d0} 1130 ${fund} buy 100 10`,
    `${d1} 1000 ${fund} sell 100 10`,
    `${d1} 1000 ${bond} buy 20 102.9`,
  ])
  expect(rejectedOf(result)).toEqual([`${d0} 1500 ${fund} sell 100 0 T+1`])
  expect(result.days).toEqual([d0, d1])
  expect([...result.equity]).toEqual([1e6 + 10 * 102 - 1009, 1e6 + 30 * 105 - 1009 - 2058])
  expect([...result.traded]).toEqual([1009 + 1000, 2058 + 1000])
})

test('without pre_close the limit of every bar is that of the close of the day before', () => {
  const rows = barsOf(
    fund,
    ['1000', '1130', '1500'],
    [
      [4, 4, 4],
      [4.2, 4.4, 4.399],
    ],
  )
  const buys = { [`${d1} 1000`]: [order('buy', fund, 100)], [`${d1} 1130`]: [order('buy', fund, 200)] }
  const result = run(rows, buys)
  expect(rejectedOf(result)).toEqual([`${d1} 1130 ${fund} buy 100 0 limit-up`])
  expect(fillsOf(result)).toEqual([`${d1} 1500 ${fund} buy 200 4.399`])
})

test('ranks: the best n are held, one that is held stays within its rank, equal scores go by code, NaN takes no part', () => {
  const codes = ['110001.SH', '110002.SH', '110003.SH', '110004.SH']
  const flat = marketOf(codes.flatMap((code) => rowsOf(code, [100, 100, 100, 100, 100])))
  // The score of a bond by day: the second falls to rank 2, then to rank 3.
  const scores = [
    [3, 1, 4, 5],
    [2, 2.5, 9, 9],
    [1, 3, 2, 9],
    [1, 3, 2, 9],
    [Number.NaN, 1, 1, 1],
  ] as const
  const score = (bar: { day: string; index: number }): number => scores[days.indexOf(bar.day)]?.[bar.index] as number
  const held = (exitRank?: number) =>
    fillsOf(backtest(flat, { score, pick: { n: 1, side: 'lowest', ...(exitRank && { exitRank }) } }, bare)).map(
      (line) => line.slice(9, -4).replaceAll('.SH', ''),
    )
  expect(held()).toEqual(['110002 buy 10000', '110002 sell 10000', '110001 buy 10000'].map((line) => line))
  expect(held(2)).toEqual(['110002 buy 10000', '110002 sell 10000', '110001 buy 10000'])
  expect(held(3)).toEqual(['110002 buy 10000'])
  const equal = backtest(
    flat,
    { score: ({ index }) => (index < 1 ? Number.NaN : 1), pick: { n: 2, side: 'highest' } },
    bare,
  )
  expect(fillsOf(equal)).toEqual([`${d1} 110002.SH buy 5000 100`, `${d1} 110003.SH buy 5000 100`])
})

test('minTradeLots of one leaves a difference of less than its value alone', () => {
  const market = marketOf(rowsOf(share, [10, 10, 10.1, 10.1, 11, 11, 11].concat(Array(20).fill(11))))
  const half = { weights: (_: unknown, weights: Float64Array) => void weights.fill(0.5) }
  const banded = (minTradeLots: number) => fillsOf(backtest(market, half, { ...bare, cash: 100_000, minTradeLots }))
  // Sized at the close before. 5000 shares; at 10.1 the account is worth 100,500 and the target 4,975.2 shares: 24.8 less, of which 100 would be sold.
  expect(banded(0).slice(0, 2)).toEqual([`${d1} ${share} buy 5000 10`, `${d2} ${share} sell 100 10.1`])
  // At 11 it is worth 105,000 and the target 4,772.7 shares: 227.3 less, and whole lots below it are 4,700.
  expect(banded(1)).toEqual([`${d1} ${share} buy 5000 10`, `${days[5]} ${share} sell 300 11`])
  expect(banded(3)).toEqual([`${d1} ${share} buy 5000 10`])
})

test('shares by code that are returned trade as those that fill the array', () => {
  const market = marketOf([...rowsOf('110001.SH', [100, 101, 102]), ...rowsOf('110002.SH', [100, 99, 98])])
  const shares = { '110002.SH': 0.5, '110001.SH': 0.3 }
  const wanted = backtest(market, (_, weights) => void weights.set([0.3, 0.5]), bare)
  for (const weights of [() => shares, () => new Map(Object.entries(shares))]) {
    expect([...backtest(market, { weights }, bare).equity]).toEqual([...wanted.equity])
  }
  expect(wanted.fills.numRows).toBeGreaterThan(2)
})

test('a result adds up: fills, costs and holdings are the cash and the equity, round trips the sum of their cash', () => {
  const prices = [10, 10.2, 9.9, 10.4, 10.1, 9.7, 10.3, 10.6]
  const market = marketOf([...rowsOf(share, prices), ...rowsOf('600002.SH', [...prices].reverse())])
  const strategy = { score: (bar: { close: number }) => bar.close, pick: { n: 1, side: 'lowest' } } as const
  const result = backtest(market, strategy, { cash: 123_456.78, params: { n: 1 } })
  let cash = 12_345_678
  const held = new Map<string, number>()
  const fills = toObjects(result.fills) as Record<string, number>[]
  result.days.forEach((day, at) => {
    for (const fill of fills.filter(({ tradedate }) => String(tradedate) === day)) {
      const { symbol, side, shares = 0, price = 0, amount = 0, commission = 0, stamp = 0, transfer = 0 } = fill
      const sign = String(side) === 'buy' ? 1 : -1
      expect(amount).toBe(yuan(halfUp(shares * price * 100)))
      held.set(String(symbol), (held.get(String(symbol)) ?? 0) + sign * shares)
      cash -= sign * Math.round(amount * 100) + Math.round((commission + stamp + transfer) * 100)
    }
    const row = toObjects(result.account)[at] as Record<string, number>
    const value = [...held].reduce((sum, [code, shares]) => {
      const close = code === share ? prices[at] : [...prices].reverse()[at]
      return sum + halfUp(shares * (close as number) * 100)
    }, 0)
    expect([row.cash, row.equity]).toEqual([yuan(cash), yuan(cash + value)])
    expect(result.equity[at]).toBe(yuan(cash + value))
    expect(result.returns[at]).toBe(
      (result.equity[at] as number) / (at ? (result.equity[at - 1] as number) : 123_456.78) - 1,
    )
  })
  expect(fills.length).toBeGreaterThan(6)
  expect(result.trades.map(({ pnl }) => pnl)).toEqual(toObjects(result.trips).map(({ pnl }) => pnl))
  const traded = result.traded.reduce((sum, one) => sum + one, 0)
  const mean = result.equity.reduce((sum, one) => sum + one, 0) / 8
  expect(result.turnover).toBeCloseTo(((traded / 2 / mean) * 252) / 8, 9)
})

test('equal inputs have equal hashes; other prices, another strategy, other options or params have others', () => {
  const score = (bar: { close: number }): number => bar.close
  const hashes = (closes: number[], own: typeof score = score, more: object = {}) => {
    const market = marketOf(rowsOf(bond, closes))
    return backtest(market, { score: own, pick: { n: 1, side: 'lowest' } }, { ...bare, ...more }).hashes
  }
  const right = hashes([100, 101])
  expect(right.run).toMatch(/^[0-9a-f]{64}$/)
  expect(hashes([100, 101])).toEqual(right)
  expect(hashes([100, 102])).toMatchObject({ strategy: right.strategy })
  expect(hashes([100, 102]).panel).not.toBe(right.panel)
  expect(hashes([100, 101], (bar) => -bar.close).strategy).not.toBe(right.strategy)
  for (const more of [{ cash: 2e6 }, { params: { w: 1 } }]) {
    const { panel: prices, run: whole } = hashes([100, 101], score, more)
    expect([prices === right.panel, whole === right.run]).toEqual([true, false])
  }
})

// biome-ignore format: a table, one option a line
const refused: [object | undefined, string][] = [
  [{ cash: 0 }, 'backtest: cash is yuan at the start, above 0 and in whole fen, not 0'],
  [{ cash: '1000000' }, "backtest: cash is yuan at the start, above 0 and in whole fen, not '1000000'"],
  [{ cash: 1e13 }, 'backtest: an account of more than a trillion yuan can not be kept to the fen'],
  [{ slippageTicks: 0.5 }, 'backtest: slippageTicks is a whole number from 0, not 0.5'],
  [{ slippageTicks: 1, slippageBps: 1 }, 'backtest: slippageTicks or slippageBps, not both'],
  [{ slippageBps: -1 }, 'backtest: slippageBps is from 0 to 10000, not -1'],
  [{ maxVolumeShare: 0 }, 'backtest: maxVolumeShare is above 0 and at most 1, or null; not 0'],
  [{ minTradeLots: -1 }, 'backtest: minTradeLots is a whole number of lots, from 0, not -1'],
  [{ exRights: 'drop' }, "backtest: exRights is 'shares', 'cash' or 'none', not 'drop'"],
  [{ exec: 'nextOpen' }, 'exec takes an object of options (decide, fill), not a string'],
  [{ exec: { decide: 'noon', fill: 'nextOpen' } }, "backtest: exec: { decide } is 'close' or 'open', not 'noon'"],
  [{ exec: { decide: 'close' } }, 'backtest: exec: { fill } is one of nextOpen, nextClose, nextVwap, nextAuction, sameClose; not undefined'],
  [{ commission: 0.0003 }, 'commission takes an object of options (rate, min, byClass), not 0.0003'],
  [{ commission: { rat: 0.0003 } }, "commission has no option 'rat'; did you mean 'rate'?"],
  [{ commission: { rate: 3 } }, 'backtest: a commission rate is a share of the amount such as 0.00025, not 3'],
  [{ commission: { min: -5 } }, 'backtest: the least commission is in yuan, from 0, not -5'],
]

test.each(refused)('options %j are refused in one line', (options, told) => {
  const market = marketOf(rowsOf(share, [10, 10]))
  expect(thrownBy(() => backtest(market, () => {}, { ...free, slippageTicks: undefined, ...options } as never))).toBe(
    `USAGE: ${told}`,
  )
})

test('an account that comes to more than can be counted to the fen is refused, with the day and the instrument that it comes by', () => {
  const closes = [100, 100, 1e12, 1e12]
  const more = "4000000000000 can't be kept to the fen: see the prices and volumes of 110001.SH up to that day"
  const orders = { [d0]: [order('buy', bond, 9_000)], [d2]: [order('sell', bond, 9_000)] }
  const told = (rows: PriceRow[]) => thrownBy(() => run(rows, orders, { cash: 1e6 }, { ignore: [bond] }))
  expect(told(rowsOf(bond, closes))).toBe(
    `INVALID_VALUE: the account comes to 9000000000100000 yuan by 110001.SH on ${d2}, and more than ${more}`,
  )
})

test('prices that are not raw, volumes that are none, columns that are not there', () => {
  const all = { score: (bar: { close: number }) => bar.close, pick: { n: 1, side: 'lowest' as const } }
  const told = (rows: readonly PriceRow[], more = {}, options = {}) =>
    thrownBy(() => backtest(marketOf(rows, more), all, { ...bare, ...options }))
  expect(told(rowsOf(share, [10, 10.12345]))).toBe(
    `INVALID_VALUE: open of ${share} on ${d1} is 10.12345: a backtest wants raw prices, in whole thousandths of a yuan`,
  )
  expect(told(rowsOf(share, [10, -1]))).toMatch(/^INVALID_VALUE: open of 600001.SH on 20260702 is -1/)
  expect(told(rowsOf(share, [10, 10], () => ({ vol: -5 })))).toBe(
    `INVALID_VALUE: vol of ${share} on ${d1} is -5: a volume is a number from 0`,
  )
  expect(told(rowsOf(share, [10, 10]), { columns: ['close'] })).toMatch(
    /^MISSING_COLUMN: the panel has no column 'open'; there are: close/,
  )
  const limited = marketOf(rowsOf(share, [10, 10]), { columns: ['open', 'close'] })
  expect(thrownBy(() => backtest(limited, given({ [d0]: [order('buy', share, 100, { limit: 9 })] }), bare))).toMatch(
    /^MISSING_COLUMN: the panel has no column 'low'/,
  )
})
