import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backtest, connect, loadPanel, planOrders, type Strategy, sql, sweep, toObjects } from 'quotebook'
import { afterAll, expect, test } from 'vitest'
import { folder, removeFolders } from './helper/files.js'
import { eveningOf, type PaperDay, paperDays } from './helper/paper.js'
import { bare, barsOf, days, fillsOf, marketOf, type PriceName, rejectedOf, rowsOf, thrownBy } from './helper/prices.js'

/** Panels of bars: which bar an order is filled at, and days that are made of them. */

removeFolders()
const connected = await connect()
afterAll(() => connected.close())

const [fund, other] = ['510300.SH', '510500.SH']
const minutes = ['0930', '1000', '1030']
const [d0, d1, d2] = days as [string, string, string]
const rows = [
  ...barsOf(fund, minutes, [
    [1, 1.01, 1.02],
    [1.03, 1.04, 1.05],
    [1.06, 1.07, 1.08],
  ]),
  ...barsOf(other, minutes, [
    [2, 2.01, 2.02],
    [2.03, 2.04, 2.05],
    [2.06, 2.07, 2.08],
  ]),
].map((row) => (row.trademin === '0930' ? { ...row, vol: 30 } : row))
const market = marketOf(rows)
const half: Strategy<PriceName> = { weights: () => ({ [fund]: 0.5 }), when: { days: [d0] } }

test('an order of the evening is filled after the opening auction, unless the auction is asked for', () => {
  const at = (fill: 'nextOpen' | 'nextClose' | 'nextAuction') =>
    fillsOf(backtest(market, half, { ...bare, exec: { decide: 'close', fill } }))
  expect(fillsOf(backtest(market, half, bare))).toEqual([`${d1} 1000 ${fund} buy 490100 1.04`])
  expect(at('nextOpen')).toEqual(at('nextClose'))
  expect(at('nextAuction')).toEqual([`${d1} 0930 ${fund} buy 490100 1.03`])
  const early = { decide: 'open', fill: 'nextOpen' } as const
  const opens: Strategy<PriceName> = { ...half, when: { at: ['1030'], every: 9 } } as never
  expect(fillsOf(backtest(market, opens, { ...bare, exec: early }))).toEqual([`${d1} 1000 ${fund} buy 490100 1.04`])
})

test('the volume of the auction binds only who asks for it, and is then said with its share of the orders', () => {
  const both: Strategy<PriceName> = { weights: () => ({ [fund]: 0.5, [other]: 0 }), when: { days: [d0] } }
  const run = (fill: 'nextOpen' | 'nextAuction') =>
    backtest(market, both, { ...bare, maxVolumeShare: 0.1, exec: { decide: 'close', fill } })
  expect([run('nextOpen').warnings.map(String), rejectedOf(run('nextOpen'))]).toEqual([
    expect.not.arrayContaining([expect.stringContaining('volume')]),
    [],
  ])
  const auction = run('nextAuction')
  expect(rejectedOf(auction)).toEqual([`${d1} 0930 ${fund} buy 490100 300 volume`])
  expect(auction.warnings).toContainEqual(
    expect.objectContaining({ code: 'VOLUME_LIMIT', values: expect.objectContaining({ count: 1, orders: 1 }) }),
  )
  expect(String(auction.warnings.find((one) => String(one).includes('volume')))).toBe(
    '1 of 1 orders (100.0 %) were cut or refused by the volume of their bar',
  )
})

test('a decision at the auction takes the place of the one that waits; an exit takes only its own name out of it', () => {
  const everyBar: Strategy<PriceName> = {
    weights: (now) => ({ [now.minute === '0930' ? other : fund]: now.day === d0 && now.minute !== '1030' ? 0 : 0.5 }),
    when: { at: 'every bar' },
  }
  expect(fillsOf(backtest(market, everyBar, bare))[0]).toBe(`${d1} 1000 ${other} buy 246300 2.04`)
  const exits: Strategy<PriceName> = {
    weights: () => ({ [fund]: 0.4, [other]: 0.4 }),
    exit: (bar) => bar.symbol === fund && bar.day === d2 && bar.minute === '0930',
    when: { days: [d0, d1] },
  }
  const fills = fillsOf(backtest(market, exits, bare)).filter((line) => line.startsWith(d2))
  expect(fills).toEqual([`${d2} 1000 ${fund} sell 392100 1.07`, `${d2} 1000 ${other} sell 1800 2.07`])
})

test('bars that are all of the auction are filled there', () => {
  const only = marketOf(rows.filter(({ trademin }) => trademin === '0930'))
  expect(fillsOf(backtest(only, half, bare))).toEqual([`${d1} ${fund} buy 500000 1.03`])
})

const momentum = [
  'export default {',
  "  data: { dataset: 'etf_minute', params: { period: '30m' }, columns: ['open', 'close', 'vol'], history: 10 },",
  "  score: (fund) => fund.close / fund.lag('close', 45),",
  "  pick: { n: 3, side: 'highest', exitRank: 5 },",
  '  when: { every: 2 },',
  '}',
]

test('plan, paper account, sweep and the look-ahead check go by the same bar as the backtest', async () => {
  const file = join(folder(), 'momentum.mjs')
  writeFileSync(file, momentum.join('\n'))
  const { default: own } = (await import(file)) as { default: { data: never } & Strategy }
  const { data, ...strategy } = own
  const span = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708'] as const
  const { panel } = await loadPanel(connected, data, { from: span[0], to: span.at(-1) })
  const result = backtest(panel, strategy as never, { cash: 300_000 })
  expect(result.lookahead).toMatchObject({ ok: true })
  expect(new Set(toObjects(result.fills).map(({ trademin }) => trademin))).toEqual(new Set(['1000']))
  const evening = eveningOf(file)
  const account = join(folder(), 'paper')
  for (const day of span) expect((await evening(account, day)).err).not.toContain('error')
  const kept = paperDays(account)
  expect(kept.map(({ equity }) => equity)).toEqual([...result.equity])
  type Row = { readonly symbol: string; readonly side: string; readonly shares: number; readonly wanted: number }
  const keysOf = (all: readonly object[]): string[] =>
    (all as readonly Row[]).map(({ symbol, side, shares, wanted }) => `${symbol} ${side} ${wanted ?? shares}`)
  for (const [at, one] of kept.slice(0, -1).entries()) {
    const { fills, rejected } = kept[at + 1] as PaperDay
    const isCut = (row: object): boolean => keysOf(rejected).some((key) => key.startsWith(`${(row as Row).symbol} `))
    const done = [...fills.filter((row) => !isCut(row)), ...rejected]
    expect(keysOf(one.plan.orders).sort()).toEqual(keysOf(done).sort())
  }
  const swept = sweep(
    panel,
    { n: [3] },
    ({ n }) => ({ ...strategy, pick: { n, side: 'highest', exitRank: 5 } }) as never,
    {
      cash: 300_000,
    },
  )
  expect(swept.trials[0]?.performance.total).toBeCloseTo((result.equity.at(-1) as number) / 300_000 - 1, 12)
  const { orders } = planOrders(panel, strategy as never, { cash: 300_000 })
  expect(orders.every(({ lastClose }) => lastClose !== null)).toBe(true)
})

test("bars: 'day' makes the days that DuckDB makes of the bars", async () => {
  const span = { from: '20260701', to: '20260710' }
  const data = { dataset: 'etf_minute', params: { period: '30m' }, bars: 'day', history: 2 } as const
  const { panel: daily } = await loadPanel(connected, data, span)
  const table = await connected.query('etf_minute', { symbols: 'all', period: '30m' } as never, {
    days: { from: daily.days[0] as string, to: span.to },
  })
  const days = await sql(
    `select tradedate, symbol, first(open order by trademin) filter (vol is distinct from 0) as open, max(high) filter (vol is distinct from 0) as high,
       min(low) filter (vol is distinct from 0) as low, last(close order by trademin) filter (vol is distinct from 0) as close, sum(vol) as vol,
       sum(amount) as amount, last(vwap order by trademin) filter (vwap is not null) as vwap
     from bars group by all order by tradedate, symbol`,
    { tables: { bars: table } },
  )
  const names = ['open', 'high', 'low', 'close', 'vol', 'amount', 'vwap'] as const
  expect([daily.days.length, daily.minutes, days.numRows]).toEqual([10, [''], daily.present.filter(Boolean).length])
  for (const row of toObjects(days) as Record<string, string | number | null>[]) {
    const cell =
      daily.days.indexOf(String(row.tradedate)) * daily.symbols.length + daily.symbols.indexOf(String(row.symbol))
    for (const name of names) {
      const [found, wanted] = [daily.cols[name][cell] as number, Number(row[name] ?? Number.NaN)]
      if (name === 'amount') expect(found / wanted).toBeCloseTo(1, 12)
      else expect(`${row.symbol} ${name} ${found}`).toBe(`${row.symbol} ${name} ${wanted}`)
    }
  }
})

test("bars: 'day' leaves out prices of bars without trade; a day without any has none, and nothing trades on it", () => {
  const idle = (one: (typeof rows)[number]) => ({ ...one, open: 9, high: 9, low: 9, close: 9, vol: 0 })
  const some = rows.map((row) =>
    row.code === fund && (row.tradedate === d1 || row.trademin === '1030' || row.trademin === '0930') ? idle(row) : row,
  )
  const daily = marketOf(some, { bars: 'day' })
  expect([...daily.cols.close]).toEqual([1.01, 2.02, Number.NaN, 2.05, 1.07, 2.08])
  expect([...daily.cols.vol]).toEqual([1e6, 2_000_030, 0, 2_000_030, 1e6, 2_000_030])
  expect([...daily.cols.open].slice(0, 2)).toEqual([1.01, 2])
  expect(rejectedOf(backtest(daily, half, bare))).toEqual([`${d1} ${fund} buy 495000 0 suspended`])
  expect(thrownBy(() => marketOf(some, { bars: 'week' as never }))).toBe("USAGE: panel: bars is 'day', not 'week'")
  const noBars = () => marketOf(rowsOf(fund, [1, 2]), { bars: 'day' })
  expect(thrownBy(noBars)).toBe("USAGE: panel: bars: 'day' makes days of bars, and the data has days")
})
