import { expect, test } from 'vitest'
import { tradingDays } from '../../../src/contract/calendar.js'
import { computed, differences, oracle, type Row } from './oracle-compare.js'
import type { Market, Price } from './oracle-markets.js'

const august = tradingDays('20260803', '20261231')

/** Closes of one stock on the days from a date on (null: suspended), against levels of its index. */
function one(closes: readonly (number | null)[], levels: readonly number[], more: Partial<Asked> = {}): Market {
  const days = more.days ?? august
  const { symbol = '600000', code = '000002.SH', name = null, listed = null, options } = more
  return {
    prices: closes.map((close, i) => ({ tradedate: days[i] ?? '', symbol, name, list_date: listed, close })),
    benchmarks: levels.map((close, i) => ({ tradedate: days[i] ?? '', code, close })),
    calendar: days.slice(0, closes.length + 1),
    st: [],
    options: { days: 'stock', resets: 'none', unlimited: [], ...options },
  }
}

interface Asked {
  readonly days: readonly string[]
  readonly symbol: string
  readonly code: string
  readonly name: string | null
  readonly listed: string | null
  readonly options: Partial<Market['options']>
}

/** 1000 and nine times +10 %, exactly. */
const nines = [1000, 1100, 1210, 1331, 1464.1, 1610.51, 1771.561, 1948.7171, 2143.58881, 2357.947691]
const flat = (days: number): number[] => Array.from({ length: days }, () => 1000)

interface Case {
  readonly market: Market
  readonly where: Row
  readonly cells: Row
}

/** Both give the same for each market, and it has these cells in the one row that is meant. */
function hold(cases: readonly Case[]): void {
  const answers = oracle(cases.map(({ market }) => market))
  for (const [i, { market, where, cells }] of cases.entries()) {
    const answer = answers[i]
    if (!answer) throw new Error('no answer')
    expect(differences(computed(market), answer)).toEqual([])
    const rows = answer.rows.filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject(cells)
  }
}

test('cases that were worked by hand', () => {
  const ten = [10, 11, 12.1, 13.31, 14.64, 16.1, 17.71, 19.48, 21.43, 23.57, 23.57]
  const around = [10, 10.5, null, null, 11.2, 12]
  const rising = [1000, 1001, 1002, 1003, 1004, 1005]
  hold([
    // +10, +10, +10 against an index at rest is 33.10, not 30.
    {
      market: one([10, 11, 12.1, 13.31], flat(4)),
      where: { tradedate: august[3], measure: 'abnormal' },
      cells: { elapsed_days: 3, deviation_pct: '33.1000', status: 'triggered', trigger_price: '12.00' },
    },
    // 10, 10, 0 against 5, 0, 5 is 10.75, not 10.
    {
      market: one([10, 11, 12.1, 12.1], [100, 105, 105, 110.25]),
      where: { tradedate: august[3], measure: 'abnormal' },
      cells: { elapsed_days: 3, deviation_pct: '10.7500', benchmark_pct: '10.2500', status: 'reachable' },
    },
    // +5 % a day: the next day needs 1.2 / 1.1025 - 1 = 8.8435 %.
    {
      market: one([100, 105, 110.25], flat(3)),
      where: { tradedate: august[3], measure: 'abnormal' },
      cells: { deviation_pct: '10.2500', required_pct_chg: '8.8435', trigger_price: '120.00', pct_chg: null },
    },
    // Nine days of +10 %, each rounded to the cent, then none: 1.1 ^ 9 - 1 is 135.79 %.
    {
      market: one(ten, flat(11)),
      where: { tradedate: august[10], measure: 'severe', window_days: 10 },
      cells: { elapsed_days: 10, deviation_pct: '135.7000', status: 'triggered', trigger_price: '20.00' },
    },
    {
      market: one([...nines, nines[9] ?? 0], flat(11)),
      where: { tradedate: august[10], measure: 'severe', window_days: 10 },
      cells: { elapsed_days: 10, deviation_pct: '135.7948', status: 'triggered' },
    },
    // 321 / 3200 = 10.03125 %, and -481 / 3200 = -15.03125 %: halves go away from zero.
    {
      market: one([32, 34, 35.21, 35.21], flat(4)),
      where: { tradedate: august[3], measure: 'abnormal' },
      cells: { deviation_pct: '10.0313', status: 'reachable' },
    },
    {
      market: one([32, 30, 27.19, 27.19], flat(4)),
      where: { tradedate: august[3], measure: 'abnormal' },
      cells: { deviation_pct: '-15.0313', status: 'reachable' },
    },
    // Two suspended days do not count: the third day traded is the third day; the index runs on meanwhile.
    {
      market: one(around, rising),
      where: { tradedate: august[5], measure: 'abnormal' },
      cells: { elapsed_days: 3, deviation_pct: '19.5000', required_pct_chg: '7.5893', status: 'reachable' },
    },
    // Counted as market days, the window begins on the day of resumption.
    {
      market: one(around, rising, { options: { days: 'market' } }),
      where: { tradedate: august[6], measure: 'abnormal' },
      cells: { elapsed_days: 2, since: august[4], deviation_pct: '14.0863' },
    },
  ])
})

test('a threshold is reached when it is met exactly, and missed by a cent', () => {
  const kinds = [
    { closes: [10, 10.9, 11.8, 12], by: -0.01, more: {} },
    { closes: [10, 9.1, 8.3, 8], by: 0.01, more: {} },
    { closes: [10, 11.5, 12.5, 13], by: -0.01, more: { symbol: '300001', code: '399102.SZ' } },
    { closes: [10, 8.5, 7.5, 7], by: 0.01, more: { symbol: '688001', code: '000688.SH' } },
    { closes: [10, 12, 13, 14], by: -0.01, more: { symbol: '920001', code: '899050.BJ' } },
    { closes: [25, 26.2, 27.2, 28], by: -0.01, more: { name: 'ST甲', days: tradingDays('20260601', '20260630') } },
    { closes: [25, 23.9, 22.9, 22], by: 0.01, more: { name: '*ST乙', days: tradingDays('20230410', '20230428') } },
    { closes: [20, 21, 22, 23], by: -0.01, more: { name: 'ST甲', days: tradingDays('20230301', '20230331') } },
    { closes: [5, 5.5, 5.8, 6], by: -0.01, more: { name: 'ST甲', days: tradingDays('20260706', '20260731') } },
  ]
  hold(
    kinds.flatMap(({ closes, by, more }) => {
      const where = { tradedate: ('days' in more ? more.days : august)[3], measure: 'abnormal' }
      const trigger_price = closes[3]?.toFixed(2)
      const short = closes.with(3, Number(((closes[3] ?? 0) + by).toFixed(2)))
      return [
        { market: one(closes, flat(4), more), where, cells: { status: 'triggered', trigger_price } },
        { market: one(short, flat(4), more), where, cells: { status: 'reachable', trigger_price } },
      ]
    }),
  )
})

test('a suspended day without limit is still one, counted by the market', () => {
  const days = tradingDays('20260803', '20260831')
  const star = {
    symbol: '688001',
    code: '000688.SH',
    listed: days[0] ?? null,
    days,
    options: { days: 'market' },
  } as const
  const closes = [10, 14, 13, 15, null, 16.5, 17]
  const levels = [1000, 1000, 1000, 1000, 950, 950, 950]
  // Its first interval begins after the fifth day, with the close of the fourth that the fifth carries on.
  hold([
    {
      market: one(closes, levels, star),
      where: { tradedate: days[6], measure: 'abnormal', direction: 'up' },
      cells: { since: days[5], elapsed_days: 2, benchmark_pct: '0.0000', deviation_pct: '13.3333' },
    },
  ])
})

test('equal intervals stay equal where doubles make them differ', () => {
  // The stock stands still over its ex-right day, 1.1 shares for one, so two intervals have the same base.
  const bases = Array.from({ length: 60 }, (_, i) => 11 * (90 + i))
  const differ = bases.filter((cents) => ((cents / 110) * 1.1).toFixed(99) > (cents / 100).toFixed(99))
  expect(differ.length).toBeGreaterThan(3)
  hold(
    differ.map((cents) => {
      const after = (cents * 10) / 11
      const closes = [cents, after, Math.floor(after * 1.095), Math.floor(after * 1.14)].map((x) => x / 100)
      const market = one(closes, flat(4))
      const prices = market.prices.map((row, i) => ({ ...row, adj_factor: i === 0 ? 1 : 1.1 }))
      return {
        market: { ...market, prices },
        where: { tradedate: august[3], measure: 'abnormal', direction: 'up' },
        cells: { elapsed_days: 2, since: august[2], status: 'reachable' },
      }
    }),
  )
})

test('a stock with several faults is refused for the first', () => {
  const market = one([10, 10.5, 13, 12.5, 12, 12], flat(6))
  const prices = [
    ...market.prices,
    ...market.prices.slice(4, 5),
    { ...market.prices[5], tradedate: '20260815' } as Price,
  ]
  const several = { ...market, prices }
  const [answer] = oracle([several])
  expect(answer?.refused).toEqual([{ symbol: '600000', tradedate: august[2], kind: 'limit' }])
  expect(answer && differences(computed(several), answer)).toEqual([])
})

test('the announcements of 600206 in November 2024 come out of a path that has them', () => {
  const days = tradingDays('20241106', '20241129')
  const closes = [
    10, 10.7, 11.45, 12.25, 13.47, 14.82, 14.82, 14.82, 14.82, 14.82, 15.86, 16.97, 18.16, 18.16, 16.35, 14.72,
  ]
  const levels = closes.map((_, i) => (i < 14 ? 1000 : 1000 + 6 * (i - 13)))
  const market = one(closes, levels, { days, symbol: '600206', options: { resets: 'computed' } })
  const [answer] = oracle([market])
  const events = answer?.events.map(({ tradedate, measure, direction }) => `${tradedate} ${measure} ${direction}`)
  expect(events).toEqual([
    '20241111 abnormal up',
    '20241113 abnormal up',
    '20241122 abnormal up',
    '20241127 abnormal down',
  ])
  const lengths = answer?.rows.filter(({ status }) => status === 'triggered').map(({ elapsed_days }) => elapsed_days)
  expect(lengths).toEqual([3, 2, 3, 2])
  expect(answer && differences(computed(market), answer)).toEqual([])
})
