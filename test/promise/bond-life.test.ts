import {
  type BacktestOptions,
  backtest,
  checkLookahead,
  chinaRules,
  connect,
  type Data,
  defineStrategy,
  fromCsv,
  fromRows,
  loadPanel,
  panel,
  type StrategyOrder,
  sweep,
  sweepInThreads,
  toObjects,
  tradingDays,
} from 'quotebook'
import { expect, test } from 'vitest'
import { chances } from '../helper/chance.js'
import { file, removeFolders } from './helper/files.js'
import { bare, barsOf, days, type PriceRow, rejectedOf, rowsOf, thrownBy } from './helper/prices.js'

/** Terms of bonds, what instruments pay and the tax on it, and what a strategy sees of its holdings: every number by plain arithmetic. */

removeFolders()
const [d0, d1, d2, d3, d4] = days as [string, string, string, string, string]
const [bond, other, share, fund] = ['110001.SH', '110002.SH', '600001.SH', '510300.SH']
const columns = ['open', 'close', 'pre_close', 'vol'] as const
const priced = (rows: readonly PriceRow[], more: object = {}) =>
  panel(fromRows(rows) as Data, { columns: columns as never, ...more })
type Orders = Readonly<Record<string, readonly StrategyOrder[]>>
const order = (side: 'buy' | 'sell', symbol: string, shares: number): StrategyOrder => ({ side, symbol, shares })
const given = (orders: Orders) => ({ orders: ({ day }: { day: string }) => orders[day] ?? [] })
const run = (rows: readonly PriceRow[], orders: Orders, more: object, options: Partial<BacktestOptions> = {}) =>
  backtest(priced(rows, more), given(orders), { ...bare, ...options })
const eventsOf = (result: ReturnType<typeof run>) =>
  toObjects(result.events).map(({ tradedate, symbol, event, before, after, cash }) =>
    [tradedate, symbol, event, before, after, cash].join(' '),
  )

test('terms: a bond is paid after its last trading day, or else its maturity; days to maturity and the call are columns', () => {
  const rows = [...rowsOf(bond, [100, 101, 102]), ...rowsOf(other, [100, 100]), ...rowsOf(share, [9, 9, 9, 9, 9])]
  const terms = fromRows([
    { code: bond, maturity: '20290701', last_trade_day: d2, redemption_price: 100.31, announced_on: d1 },
    { code: other, maturity: d1, last_trade_day: null, redemption_price: null, announced_on: null },
  ])
  const market = panel(fromRows(rows), { columns: ['open', 'close', 'pre_close', 'vol'], terms })
  const row = (name: 'called' | 'days_to_maturity', day: number) =>
    [...market.cols[name].subarray(3 * day, 3 * day + 3)] as number[]
  expect([0, 1, 2, 3].map((day) => row('called', day))).toEqual([
    [0, 0, Number.NaN],
    [0, 0, Number.NaN],
    [1, 0, Number.NaN],
    [1, 0, Number.NaN],
  ])
  const toEnd = (Date.UTC(2029, 6, 1) - Date.UTC(2026, 6, 1)) / 86_400_000
  expect([row('days_to_maturity', 0), row('days_to_maturity', 2)]).toEqual([
    [toEnd, 1, Number.NaN],
    [toEnd - 2, -1, Number.NaN],
  ])
  // A column without any cell is none, whatever its type.
  for (const data of [
    fromRows([{ code: bond, maturity: '20290701', last_trade_day: null, redemption_price: null, announced_on: null }]),
    fromCsv(`code,maturity,last_trade_day,redemption_price,announced_on\n${bond},20290701,,,\n`),
  ]) {
    const without = panel(fromRows(rows), {
      columns: ['open', 'close', 'pre_close', 'vol'],
      terms: data as never,
    }).instruments
    expect(without.map(({ end }) => end?.price)).toEqual([undefined, undefined, undefined])
    expect(without[0]?.end?.day).toBeGreaterThan(3)
  }
  const seen: string[] = []
  const result = backtest(
    market,
    {
      universe: (bar) => bar.called === 0,
      score: (bar) => {
        seen.push(`${bar.day} ${bar.symbol} ${bar.days_to_maturity}`)
        return bar.close
      },
      pick: { n: 2, side: 'highest' },
    },
    { ...bare, lookahead: true },
  )
  expect(new Set(seen)).toEqual(
    new Set([`${d0} ${bond} ${toEnd}`, `${d0} ${other} 1`, `${d1} ${bond} ${toEnd - 1}`, `${d1} ${other} 0`]),
  )
  expect(result.lookahead?.ok).toBe(true)
  const held = run(
    rows,
    { [d0]: [order('buy', bond, 50), order('buy', other, 50)], [d3]: [order('buy', bond, 10)] },
    { terms },
  )
  expect(eventsOf(held)).toEqual([`${d2} ${other} end 50 0 5000`, `${d3} ${bond} end 50 0 5015.5`])
  expect(rejectedOf(held)).toEqual([`${d4} ${bond} buy 10 0 delisted`])
})

const termRow = { code: bond, last_trade_day: d3 }
// biome-ignore format: a table, one mistake a line
const refused: [object, string][] = [
  [{ terms: fromRows([{ ...termRow, redemtion_price: 100 }]) }, "MISSING_COLUMN: panel: terms have a column 'redemtion_price'; did you mean 'redemption_price'?"],
  [{ terms: fromRows([termRow]), delistings: [] }, 'USAGE: panel: terms or delistings, not both: terms say how bonds end'],
  [{ terms: fromRows([{ ...termRow, code: '11001' }]) }, "INVALID_VALUE: panel: terms name '11001', which is no code that the rules know"],
  [{ terms: fromRows([{ ...termRow, code: '113999.SH' }]) }, `INVALID_VALUE: panel: terms have no code of the prices: they have 113999.SH, the prices ${bond}`],
  [{ terms: fromRows([termRow, { ...termRow, code: '110001' }]) }, 'INVALID_VALUE: panel: two rows of terms of 110001'],
  [{ terms: fromRows([{ ...termRow, last_trade_day: '20260732' }]) }, `INVALID_VALUE: panel: last_trade_day of ${bond} is a day YYYYMMDD, not '20260732'`],
  [{ terms: fromRows([{ ...termRow, last_trade_day: d0 }]) }, `INVALID_VALUE: panel: ${bond} has a row on ${d1}, after its end`],
  [{ terms: fromRows([{ last_trade_day: d0 }]) }, 'MISSING_COLUMN: panel: terms have no column code'],
  [{ cashflows: fromRows([{ code: bond, ex_day: d1, cash_per_share: 1, kind: 'interest' }]) }, "INVALID_VALUE: panel: the kind of a cash flow is dividend or coupon, not 'interest'"],
  [{ cashflows: fromRows([{ code: bond, ex_day: d1, cash_per_share: -1, kind: 'coupon' }]) }, `INVALID_VALUE: panel: cash_per_share of ${bond} is yuan above 0, not -1`],
  [{ cashflows: fromRows([{ code: bond, ex_day: '20260704', cash_per_share: 1, kind: 'coupon' }]) }, `INVALID_VALUE: panel: the ex_day 20260704 of ${bond} is no trading day`],
  [{ cashflows: fromRows([{ code: bond, ex_day: d2, pay_day: d1, cash_per_share: 1, kind: 'coupon' }]) }, `INVALID_VALUE: panel: ${bond} pays on ${d1}, before its ex_day ${d2}`],
  [{ cashflows: fromRows([1, 2].map((cash_per_share) => ({ code: bond, ex_day: d2, cash_per_share, kind: 'coupon' }))) }, `INVALID_VALUE: panel: two cash flows of ${bond} on ${d2}; sum them first`],
]

test.each(refused)('%o is refused', (more, told) => {
  expect(thrownBy(() => priced(rowsOf(bond, [100, 100, 100, 100]), more))).toBe(told)
})

test('a coupon: who held before the ex day gets it less a fifth, and a pay day to come is owed', () => {
  const rows = [...rowsOf(bond, [110, 110, 110, 109, 109]), ...rowsOf(other, [100, 100, 100, 100, 100])]
  const cashflows = fromRows([
    { code: bond, ex_day: d2, pay_day: d4, cash_per_share: 1.805, kind: 'coupon' },
    { code: '113999.SH', ex_day: d2, pay_day: null, cash_per_share: 1, kind: 'coupon' },
  ])
  const result = run(rows, { [d0]: [order('buy', bond, 30)], [d1]: [order('buy', bond, 50)] }, { cashflows })
  // 30 x 1.805 = 54.15, of which a fifth are 10.83; the 50 that come on the ex day get nothing.
  expect(eventsOf(result)).toEqual([`${d2} ${bond} coupon 30 30 54.15`, `${d2} ${bond} tax 30 30 -10.83`])
  const account = toObjects(result.account).map(({ cash, owed, equity }) => [cash, owed, equity])
  const spent = 1e6 - 30 * 110 - 50 * 110
  expect(account.slice(2)).toEqual([
    [spent, 43.32, spent + 43.32 + 80 * 110],
    [spent, 43.32, spent + 43.32 + 80 * 109],
    [spent + 43.32, 0, spent + 43.32 + 80 * 109],
  ])
  expect(result.warnings.map(String)).toContain('cashflows: 1 codes are not among the prices')
})

test('a dividend takes the place of the ex-rights that it explains, to a tick; what it leaves comes as shares', () => {
  const dividend = (cash_per_share: number, ex_day = d2) => ({
    cashflows: fromRows([{ code: share, ex_day, cash_per_share, kind: 'dividend' }]),
  })
  const dropped = (pre: number, close = pre, at = 2) =>
    rowsOf(share, [10, 10, ...(at === 3 ? [null] : []), close, close], (day) => (day === at ? { pre_close: pre } : {}))
  const asked = { [d0]: [order('buy', share, 1000)] }
  // The exchange takes 0.385 off and rounds to 9.62, or takes nothing off, as of coupons.
  for (const [pre, close] of [
    [9.62, 9.62],
    [9.61, 9.6],
    [10, 9.7],
  ] as const) {
    const result = run(dropped(pre, close), asked, dividend(0.385), { commission: { rate: 0, min: 0 } })
    expect(eventsOf(result)).toEqual([`${d2} ${share} dividend 1000 1000 385`])
    expect(result.equity.at(-1)).toBe(1e6 - 0.1 - 10_000 + 385 + 1000 * close)
  }
  // Ten for ten and 0.5 in cash: (10 - 0.5) / 2.
  const both = run(dropped(4.75), asked, dividend(0.5))
  expect(eventsOf(both)).toEqual([`${d2} ${share} dividend 1000 1000 500`, `${d2} ${share} ex-rights 1000 2000 0`])
  expect(both.equity.at(-1)).toBe(1e6 - 0.1 - 10_000 + 500 + 2000 * 4.75)
  const none = run(dropped(4.75), asked, dividend(0.5), { exRights: 'none' })
  expect(eventsOf(none)).toHaveLength(1)
  // Suspended on the ex day: its mark is less what was paid, and nothing comes again when it trades.
  const late = run([...dropped(9.62, 9.62, 3), ...rowsOf(bond, [100, 100, 100, 100, 100])], asked, dividend(0.385))
  expect(eventsOf(late)).toEqual([`${d2} ${share} dividend 1000 1000 385`])
  expect([...late.equity].slice(2)).toEqual([1e6 - 0.1, 1e6 - 0.1 + 5, 1e6 - 0.1 + 5])
  expect(late.trades).toEqual([])
  // Of a fund no tax is due; sold before its pay day it is still owed, and part of the round trip.
  const owed = run(
    rowsOf(fund, [4, 4, 3.9, 3.9, 3.9], (day) => (day === 2 ? { pre_close: 3.9 } : {})),
    { [d0]: [order('buy', fund, 1000)], [d2]: [order('sell', fund, 1000)] },
    { cashflows: fromRows([{ code: fund, ex_day: d2, pay_day: d4, cash_per_share: 0.1, kind: 'dividend' }]) },
  )
  expect([owed.trades, owed.equity.at(-1)]).toEqual([[{ symbol: fund, pnl: 0 }], 1e6])
})

const years = tradingDays('20240102', '20260630')
/** A date so many months later, its day the last of the month where that has no such day; by the calendar of JavaScript. */
const later = (day: string, months: number): string => {
  const [y, m, d] = [Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6))]
  const last = new Date(Date.UTC(y, m + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(y, m + months, Math.min(d, last))).toISOString().slice(0, 10).replaceAll('-', '')
}

test('tax on a dividend at the sale: 20 % up to a month, 10 % up to a year, then none, to the day', () => {
  const flows = { cashflows: fromRows([{ code: share, ex_day: '20240201', cash_per_share: 1, kind: 'dividend' }]) }
  const rows = rowsOf(share, Array(years.length).fill(20), () => ({}), years)
  const before = (day: string): string => years[years.indexOf(day) - 1] as string
  // Bought on 2024-01-31 and sold on the last day of February, which a month of 30 days ends with; and so on.
  const taxed = (sold: string): number => {
    const orders = { [before('20240131')]: [order('buy', share, 1000)], [before(sold)]: [order('sell', share, 1000)] }
    const [, tax] = toObjects(run(rows, orders, flows).events)
    return tax === undefined ? 0 : -(tax['cash'] as number)
  }
  expect(['20240229', '20240301', '20250127', '20250205'].map(taxed)).toEqual([200, 100, 100, 0])
  expect(chinaRules.incomeTax?.every(({ source }) => source.length > 20)).toBe(true)
})

test.each([1, 2, 3, 4, 5, 6])('tax by lots, first in first out, as one that keeps every share apart: %d', (seed) => {
  const chance = chances(seed)
  const rows = rowsOf(share, Array(years.length).fill(20), () => ({}), years)
  const flows = years
    .filter(() => chance() < 0.01)
    .map((ex_day) => ({
      code: share,
      ex_day,
      cash_per_share: Math.round(chance() * 1e5) / 1e5 + 0.01,
      kind: 'dividend',
    }))
  const held: { bought: string; dividends: number }[] = []
  const orders: Record<string, StrategyOrder[]> = {}
  const wanted: string[] = []
  years.forEach((day, at) => {
    const flow = flows.find(({ ex_day }) => ex_day === day)
    if (flow) for (const one of held) one.dividends += Math.round(flow.cash_per_share * 1e5)
    const asked = orders[years[at - 1] ?? '']?.[0]
    if (asked?.side === 'buy') for (let n = 0; n < asked.shares; n++) held.push({ bought: day, dividends: 0 })
    if (asked?.side === 'sell') {
      let tax = 0
      for (const one of held.splice(0, asked.shares))
        tax += one.dividends * (day <= later(one.bought, 1) ? 20 : day <= later(one.bought, 12) ? 10 : 0)
      const fen = Math.floor((tax + 50_000) / 100_000)
      if (fen > 0) wanted.push(`${day} ${fen}`)
    }
    const luck = chance()
    if (luck < 0.05) orders[day] = [order('buy', share, 100 * (1 + Math.floor(chance() * 5)))]
    else if (luck < 0.1 && held.length > 0)
      orders[day] = [order('sell', share, Math.min(held.length, 100 * (1 + Math.floor(chance() * 3))))]
  })
  const result = run(rows, orders, { cashflows: fromRows(flows) })
  const taxes = toObjects(result.events).filter(({ event }) => event === 'tax')
  expect(taxes.map(({ tradedate, cash }) => `${tradedate} ${Math.round(-100 * (cash as number))}`)).toEqual(wanted)
  expect(wanted.length).toBeGreaterThan(5)
})

test('what a strategy sees of its holdings: days since the first purchase, and the mean price paid, ex-rights taken out', () => {
  const rows = rowsOf(share, [10, 10, 10.4, 5.3, 5.2, 5.2], (at) => (at === 3 ? { pre_close: 5.2 } : {}))
  const seen: unknown[] = []
  const steps: Orders = {
    [d0]: [order('buy', share, 100)],
    [d1]: [order('buy', share, 300)],
    [d3]: [order('sell', share, 400)],
  }
  backtest(
    priced(rows),
    {
      orders: (now) => {
        seen.push([now.heldDays[0], now.entryPrice[0]])
        return steps[now.day] ?? []
      },
    },
    bare,
  )
  // 100 at 10 and 300 at 10.4 are 4,120 for 400; ex-rights make 800 of them; half of these are sold.
  expect(seen).toEqual([
    [Number.NaN, Number.NaN],
    [0, 10],
    [1, 10.3],
    [2, 5.15],
    [3, 5.15],
    [4, 5.15],
  ])
})

const stop = ({ n = 3, loss = 0.05 }: { n?: number; loss?: number }) => ({
  universe: (bar: { heldDays: number; entryPrice: number; close: number }) =>
    bar.heldDays < n || !(bar.close < (1 - loss) * bar.entryPrice),
  score: (bar: { close: number }) => bar.close,
  pick: { n: 1, side: 'highest' as const, exitRank: 3 },
})

test('strategies that read them pass the look-ahead check, in sweeps and threads alike, and share no ranking', async () => {
  const codes = [bond, other, '110003.SH']
  const rows = codes.flatMap((code, at) =>
    rowsOf(
      code,
      days.map((_, day) => Math.round(1e4 + 900 * Math.sin(day * 0.9 + 2 * at)) / 100),
    ),
  )
  const market = priced(rows)
  const grid = { n: [1, 5], loss: [0.01, 0.1] }
  expect(checkLookahead(market, stop({}) as never, bare)).toEqual({ ok: true, cuts: 8 })
  const swept = sweep(market, grid, stop as never, bare)
  const alone = grid.n.flatMap((n) => grid.loss.map((loss) => backtest(market, stop({ n, loss }) as never, bare)))
  expect(swept.trials.map(({ performance }) => performance.total)).toEqual(
    alone.map(({ equity }) => (equity.at(-1) as number) / 1e6 - 1),
  )
  expect(new Set(alone.map(({ equity }) => equity.at(-1))).size).toBeGreaterThan(2)
  expect(thrownBy(() => sweep(market, grid, stop as never, { ...bare, scoreParams: ['n', 'loss'] }))).toMatch(
    /USAGE: sweep: score or universe reads heldDays, so runs can not share scoreParams/,
  )
  const module = file(
    'stop.mjs',
    `export const make = ({ n, loss }) => ({
      universe: (bar) => bar.heldDays < n || !(bar.close < (1 - loss) * bar.entryPrice),
      score: (bar) => bar.close, pick: { n: 1, side: 'highest', exitRank: 3 } })`,
  )
  const flowing = priced(rows, { cashflows: fromRows([{ code: bond, ex_day: d4, cash_per_share: 2, kind: 'coupon' }]) })
  const threaded = await sweepInThreads(flowing, grid, { module }, { ...bare, threads: 2 } as never)
  const here = sweep(flowing, grid, stop as never, bare)
  expect(threaded.trials.map(({ performance }) => performance.total)).toEqual(
    here.trials.map(({ performance }) => performance.total),
  )
  expect(flowing.hash).not.toBe(market.hash)
})

test('a file declares terms and cash flows as it declares its data; their columns are known to an editor', async () => {
  const terms = fromRows([{ code: '110059.SH', maturity: '20280101', announced_on: '20260601' }])
  const cashflows = fromRows([{ code: '110059.SH', ex_day: '20260615', cash_per_share: 1.5, kind: 'coupon' }])
  const file = defineStrategy({
    data: { dataset: 'convertible_daily', terms, cashflows },
    universe: (one) => one.called === 0,
    score: (one) => one.days_to_maturity,
    pick: { n: 1, side: 'lowest' },
  })
  // @ts-expect-error: without terms there is no such column
  defineStrategy({ data: { dataset: 'convertible_daily' }, score: (one) => one.called, pick: { n: 1, side: 'lowest' } })
  const { data, ...strategy } = file
  const market = await connect()
  const { panel: prices } = await loadPanel(market, data, { from: '20260520' })
  await market.close()
  const { fills } = backtest(prices, strategy as never, { cash: 1e6 })
  expect(toObjects(fills).map(({ tradedate, side }) => `${tradedate} ${side}`)).toEqual([
    '20260521 buy',
    '20260603 sell',
  ])
  const kept = backtest(prices, () => ({ '110059.SH': 0.5 }), { cash: 1e6 })
  expect(toObjects(kept.events).map(({ event }) => event)).toEqual(['coupon', 'tax'])
})

test('lots through ex-rights and an end: ten for ten keeps days of purchase and what is owed on them; an end is a sale', () => {
  const split = rowsOf(share, [10, 10, 9.5, 4.75, 4.75, 4.75], (at) => ({
    pre_close: [10, 10, 9.5, 4.75, 4.75, 4.75][at] as number,
  }))
  const cashflows = fromRows([{ code: share, ex_day: d2, cash_per_share: 0.5, kind: 'dividend' }])
  const orders = { [d0]: [order('buy', share, 1000)], [d3]: [order('sell', share, 500)] }
  const sold = run(split.slice(0, 5), orders, {
    cashflows,
    delistings: [{ symbol: share, day: days[5] as string, price: 4 }],
  })
  // 1,000 shares got 500 yuan and became 2,000: a quarter bears a fifth of 125, the rest a fifth of 375.
  expect(eventsOf(sold)).toEqual([
    `${d2} ${share} dividend 1000 1000 500`,
    `${d3} ${share} ex-rights 1000 2000 0`,
    `${d4} ${share} tax 2000 2000 -25`,
  ])
  const rows = [...split.slice(0, 5), ...rowsOf(bond, [100, 100, 100, 100, 100, 100])]
  const ended = run(rows, orders, { cashflows, delistings: [{ symbol: share, day: days[5] as string, price: 4 }] })
  expect(eventsOf(ended).slice(3)).toEqual([
    `${days[5]} ${share} tax 1500 1500 -75`,
    `${days[5]} ${share} end 1500 0 6000`,
  ])
})

test('before 2015-09-08 a dividend bears 5 % beyond a year, by its ex day', () => {
  const all = Array.from({ length: 820 }, (_, at) => new Date(Date.UTC(2014, 0, 2 + at)))
  const own = all.flatMap((one) =>
    one.getUTCDay() % 6 === 0 ? [] : [one.toISOString().slice(0, 10).replaceAll('-', '')],
  )
  const rows = rowsOf(share, Array(own.length).fill(20), () => ({}), own)
  const flows = ['20140603', '20151102'].map((ex_day) => ({ code: share, ex_day, cash_per_share: 1, kind: 'dividend' }))
  const first = own[0] as string
  const orders = { [first]: [order('buy', share, 1000)], [own.at(-2) as string]: [order('sell', share, 1000)] }
  expect(eventsOf(run(rows, orders, { cashflows: fromRows(flows) })).at(-1)).toBe(
    `${own.at(-1)} ${share} tax 1000 1000 -50`,
  )
})

test('bars: what a day pays comes before its first bar, and terms stand on each of its bars', () => {
  const rows = barsOf(
    bond,
    ['1000', '1500'],
    [
      [100, 100],
      [100, 100],
      [98, 98],
      [98, 98],
    ],
  )
  const terms = fromRows([{ code: bond, maturity: '20280703', announced_on: d1 }])
  const cashflows = fromRows([{ code: bond, ex_day: d2, cash_per_share: 2, kind: 'coupon' }])
  const market = panel(fromRows(rows) as Data, { columns: ['open', 'close', 'vol'] as never, terms, cashflows })
  expect([...market.column('called')]).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  expect([...market.column('days_to_maturity')].filter((_, bar) => bar % 2 === 1)).toEqual([733, 732, 731, 728])
  const result = backtest(market, given({ [d0]: [order('buy', bond, 100)] }), bare)
  expect(eventsOf(result)).toEqual([`${d2} ${bond} coupon 100 100 200`, `${d2} ${bond} tax 100 100 -40`])
  expect(result.equity.at(-1)).toBe(1e6 - 200 + 160)
})

test('a rule that holds at least five days holds five, a stop sells what fell and nothing else', async () => {
  const market = await connect()
  const { panel: prices } = await loadPanel(market, { dataset: 'convertible_daily' })
  await market.close()
  const low = (one: { close: number; cb_over_rate: number }): number => one.close + one.cb_over_rate
  const pick = { n: 5, side: 'lowest' as const }
  const heldFor = (score: (one: never) => number) => {
    const { trips } = backtest(prices, { score, pick } as never, { cash: 1e6 })
    return toObjects(trips).map(
      ({ opened, closed }) => prices.days.indexOf(String(closed)) - prices.days.indexOf(String(opened)),
    )
  }
  const patient = (one: { close: number; cb_over_rate: number; heldDays: number }) =>
    one.heldDays < 5 ? -Infinity : low(one)
  expect(Math.min(...heldFor(low as never))).toBeLessThan(5)
  expect(Math.min(...heldFor(patient as never))).toBeGreaterThanOrEqual(5)
  const all = {
    universe: (one: { close: number; entryPrice: number }) => !(one.close < 0.97 * one.entryPrice),
    score: low,
    pick: { n: 5, side: 'lowest', exitRank: 99 },
  }
  const stopped = backtest(prices, all as never, { cash: 1e6, minTradeLots: 50, slippageTicks: 0 })
  const bought = new Map<string, number>()
  for (const { symbol, side, price, tradedate } of toObjects(stopped.fills) as Record<string, number | string>[]) {
    if (side === 'buy') bought.set(String(symbol), Number(price))
    const at =
      (prices.days.indexOf(String(tradedate)) - 1) * prices.symbols.length + prices.symbols.indexOf(String(symbol))
    // What has no row on the day of the decision takes no part, and is sold.
    if (side === 'sell' && prices.present[at])
      expect(prices.cols.close[at]).toBeLessThan(0.97 * (bought.get(String(symbol)) as number))
  }
  expect(stopped.trades.length).toBeGreaterThan(0)
})
