import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import {
  auctionMatch,
  auctionPath,
  concat,
  connect,
  deflatedSharpe,
  eventStudy,
  factorStudy,
  flowCorrelation,
  fromRows,
  hitRate,
  type JoinedFlows,
  joinIndex,
  leadLag,
  netStreaks,
  numbers,
  openingGaps,
  performanceStats,
  probabilityOfOverfitting,
  rollingPerformance,
  southboundFlows,
  southboundNames,
  strings,
  toDataFrame,
  toObjects,
  tradingDays,
} from 'quotebook'
import { expect, test } from 'vitest'
import { realRows } from './helper/real-rows.js'

type Row = Readonly<Record<string, unknown>>

/* southbound flows */

const real = realRows('ggt_top10_20180727_6rows.csv', ['trade_date', 'ts_code', 'name', 'market_type']).map(
  ({ ts_code: code, ...row }): Row => ({ ...row, code }),
)

const plus = (a: number, b: number): number => Math.round((a + b) * 100) / 100

/** The rows of a stock on a day, one for each channel that it is listed in. */
function stock(
  trade_date: string,
  code: string,
  sides: { readonly sh?: readonly [number, number]; readonly sz?: readonly [number, number] },
): Row[] {
  const cells = (['sh', 'sz'] as const).map((prefix) => {
    const [buy, sell] = sides[prefix] ?? [null, null]
    const sum = buy === null ? null : plus(buy, sell)
    return {
      [`${prefix}_amount`]: sum,
      [`${prefix}_net_amount`]: buy === null ? null : plus(buy, -sell),
      [`${prefix}_buy`]: buy,
      [`${prefix}_sell`]: sell,
    }
  })
  const common = {
    trade_date,
    code,
    name: code,
    close: 10,
    p_change: 1,
    amount: null,
    net_amount: null,
    ...cells[0],
    ...cells[1],
  }
  return [...(sides.sh ? ['2'] : []), ...(sides.sz ? ['4'] : [])].map((market_type) => ({ ...common, market_type }))
}
const money = [
  'amount',
  'net_amount',
  'sh_amount',
  'sh_net_amount',
  'sh_buy',
  'sh_sell',
  'sz_amount',
  'sz_net_amount',
  'sz_buy',
  'sz_sell',
]
const topTen = (rows: readonly Row[]) =>
  fromRows(rows, { kinds: Object.fromEntries(money.map((name) => [name, 'number'])) as never })
const on = '全A等权'
const quotes = (changes: Readonly<Record<string, number | null>>) =>
  fromRows(
    Object.entries(changes).map(([tradedate, pct_chg]) => ({
      tradedate,
      symbol: '880008',
      name: on,
      close: 1000,
      pct_chg,
    })),
    { kinds: { pct_chg: 'number' } },
  )
const flowsOf = (nets: Readonly<Record<string, number>>) =>
  southboundFlows(
    topTen(
      Object.entries(nets).flatMap(([day, net]) => stock(day, '00700.HK', { sh: [10_000 + net, 10_000], sz: [1, 1] })),
    ),
  )

test('flows of six real rows: each channel of a stock once, shares of the turnover', () => {
  const rows = toObjects(southboundFlows(topTen(real)).table)
  expect(rows.map(({ channel, buy, sell, stocks }) => [channel, buy, sell, stocks])).toEqual([
    ['2', 75613060 + 96821220, 106570880 + 286362680, 2],
    ['4', 36143160 + 36370720 + 4236025 + 53023520, 76480180 + 12826080 + 40667025 + 82854480, 4],
    ['both', 172434280 + 129773425, 392933560 + 212827765, 4],
  ])
  const all = 383183900 + 135878000 + 182183940 + 112623340 + 49196800 + 44903050
  expect(rows[2]).toMatchObject({ turnover: all, largest: (383183900 + 135878000) / all })
})

const cents = fc.integer({ min: 0, max: 99_999_999_999 }).map((n) => n / 100)
const market = fc
  .array(fc.tuple(fc.nat(3), fc.nat(7), fc.option(fc.tuple(cents, cents)), fc.tuple(cents, cents)), {
    minLength: 1,
    maxLength: 25,
  })
  .map((list) => {
    const days = tradingDays('20260701', '20260707')
    const keys = new Map(list.map((one) => [`${one[0]} ${one[1]}`, one]))
    return [...keys.values()].flatMap(([day, code, sh, sz]) =>
      stock(days[day] as string, `00${100 + code}.HK`, { ...(sh && { sh }), sz }),
    )
  })

test('flows: net is buys less sells, both is the two channels together, exact; the order of rows and the form change nothing', () => {
  const inCents = (x: unknown): bigint => BigInt(Math.round(Number(x) * 100))
  fc.assert(
    fc.property(market, (rows) => {
      const table = topTen(rows)
      const found = toObjects(southboundFlows(table).table)
      for (const row of found) {
        expect(inCents(row.net)).toBe(inCents(row.buy) - inCents(row.sell))
        expect(inCents(row.turnover)).toBe(inCents(row.buy) + inCents(row.sell))
        if (row.channel !== 'both') continue
        const parts = found.filter((one) => one.trade_date === row.trade_date && one.channel !== 'both')
        for (const name of ['buy', 'sell', 'net', 'turnover'])
          expect(inCents(row[name])).toBe(parts.reduce((sum, one) => sum + inCents(one[name]), 0n))
      }
      expect(toObjects(southboundFlows(topTen(rows.toReversed())).table)).toEqual(found)
      expect(toObjects(southboundFlows(toDataFrame(table)).table)).toEqual(found)
    }),
    { numRuns: 30 },
  )
})

test('flows: rows that contradict each other make their sums null, and a lone channel has no other', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: [5, 2] })
  const flows = toObjects(southboundFlows(topTen([{ ...rows[0], sz_buy: 6 }, ...rows.slice(1)])).table)
  expect(flows.map(({ channel, buy, sell, largest }) => [channel, buy, sell, largest])).toEqual([
    ['2', 3, 1, 1],
    ['4', null, 2, null],
    ['both', null, 3, null],
  ])
  expect(strings(southboundFlows(topTen(rows.slice(0, 1))).table, 'channel')).toEqual(['2'])
})

test('flows: a rate makes yuan of Hong Kong dollars, the nearest double of the exact product; a wrong one is refused', () => {
  const rows = topTen(stock('20260701', '00700.HK', { sh: [1234567.89, 345.67] }))
  const net = (options: object) => numbers(southboundFlows(rows, options).table, 'net')[0]
  expect(net({ unit: 'Hong Kong dollar', rate: 0.91234 })).toBe(Number(123422222n * 91234n) / 1e7)
  expect(net({ unit: 'Hong Kong dollar', rate: { 20260702: 0.9 } })).toBeNaN()
  expect(southboundFlows(rows, { unit: 'Hong Kong dollar' }).unit).toBe('Hong Kong dollar')
  expect(() => net({ rate: 0.9 })).toThrow(
    "a rate turns Hong Kong dollars into yuan, and these are yuan; say unit: 'Hong Kong dollar' where the amounts that were sent are, or leave the rate out",
  )
  expect(() => net({ unit: 'HKD' })).toThrow("unit must be 'yuan' or 'Hong Kong dollar', not 'HKD'")
  expect(() => net({ unit: 'Hong Kong dollar', rate: 0 })).toThrow('the rate must be a number above 0, not 0')
})

test('names and streaks: runs over weekends and holidays, cut where nobody knows', () => {
  const days = ['20260427', '20260428', '20260430', '20260506', '20260507']
  const listed = (some: readonly string[], code: string) => some.flatMap((day) => stock(day, code, { sh: [3, 1] }))
  const names = toObjects(
    southboundNames(topTen([...listed(days, '00700.HK'), ...listed(['20260429', '20260508'], '00005.HK')])),
  )
  expect(names[0]).toMatchObject({ code: '00700.HK', days: 5, longest_run: 3, current_run: 0, net: 10, turnover: 20 })
  const nets = { 20260701: 5, 20260702: 3, 20260703: -1, 20260706: 0, 20260707: 2, 20260720: 4 }
  const streaks = toObjects(netStreaks(flowsOf(nets))).filter(({ channel }) => channel === 'both')
  expect(streaks.map(({ side, start, end, days: count, net, cut }) => [side, start, end, count, net, cut])).toEqual([
    ['buying', '20260701', '20260702', 2, 8, 'start'],
    ['selling', '20260703', '20260703', 1, -1, null],
    ['buying', '20260707', '20260707', 1, 2, 'end'],
    ['buying', '20260720', '20260720', 1, 4, 'both'],
  ])
})

/* joins and intervals */

// 2026: 30 April is a Thursday, 1, 4 and 5 May are holidays of the mainland.
const nets = { 20260429: 5, 20260430: -3, 20260506: 8, 20260508: 2 }
const changes = { 20260429: 0.5, 20260430: -0.2, 20260506: 1.1, 20260507: null, 20260508: 0.3, 20260511: 0.9 }
const pairs = (joined: JoinedFlows) =>
  toObjects(joined.table).map((row) => [row.trade_date, row.net, row.index_date, row.index_pct_chg])

test('a join: the next trading day is a prediction and the default, over holidays and never by rows', () => {
  const joined = joinIndex(flowsOf(nets), quotes(changes), { on })
  expect([joined.lag, joined.purpose, joined.index, joined.channel]).toEqual([
    1,
    'prediction',
    { symbol: '880008', name: on },
    'both',
  ])
  expect(pairs(joined)).toEqual([
    ['20260429', 5, '20260430', -0.2],
    ['20260430', -3, '20260506', 1.1],
    ['20260506', 8, '20260507', null],
    ['20260508', 2, '20260511', 0.9],
  ])
  expect(toObjects(joined.unmatched)).toEqual([
    {
      day: '20260508',
      has: 'index',
      why: 'no flow of 20260507, 1 trading day earlier: southbound trading rests, or its rows are missing',
    },
  ])
  for (const row of toObjects(joined.table)) expect(String(row.known_at) < String(row.index_known_at)).toBe(true)
  expect(joinIndex(flowsOf(nets), quotes(changes), { on, lag: 0 }).purpose).toBe('description')
  const { 20260430: _, ...gap } = changes
  expect(toObjects(joinIndex(flowsOf(nets), quotes(gap), { on }).unmatched)[0]).toEqual({
    day: '20260429',
    has: 'flow',
    why: 'the index has no row of 20260430, 1 trading day later',
  })
})

test('a join: what cannot be joined is refused with what would be right', () => {
  const join = (options: object) => () => joinIndex(flowsOf(nets), quotes(changes), { on, ...options })
  expect(join({ on: '全A等' })).toThrow(
    expect.objectContaining({ code: 'INVALID_VALUE', message: expect.stringContaining(on) }),
  )
  expect(join({ lag: 1.5 })).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
  expect(join({ channel: '3' })).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
  expect(join({ lags: 1 })).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

/** Two months of trading days. */
const days = tradingDays('20260401', '20260630')
const studied = (net: (i: number) => number, change: (i: number) => number | null) =>
  [
    flowsOf(Object.fromEntries(days.map((day, i) => [day, net(i)]))),
    quotes(Object.fromEntries(days.map((day, i) => [day, change(i)]))),
  ] as const
const joinedOf = (net: (i: number) => number, change: (i: number) => number | null) => {
  const [flows, index] = studied(net, change)
  return joinIndex(flows, index, { on, lag: 0 })
}

test('hit rate: hits over days, ties apart, the rate to beat, and the interval of Wilson', () => {
  const net = (i: number) => [5, -3, 8, 0, 2][i % 5] as number
  const change = (i: number) => [1, -1, -2, 1, 3][i % 5] as number
  const found = hitRate(joinedOf(net, change))
  const counted = days.filter((_, i) => net(i) !== 0).length
  const hits = days.filter((_, i) => net(i) * change(i) > 0).length
  const rising = days.filter((_, i) => net(i) !== 0 && change(i) > 0).length
  expect(found).toMatchObject({ hits, days: counted, ties: days.length - counted, share: hits / counted })
  expect(found.base).toBe(Math.max(rising, counted - rising) / counted)
  const [n, p, z] = [found.effective as number, hits / counted, 1.959963984540054]
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  expect(found.low).toBeCloseTo(centre - half, 12)
  expect(found.high).toBeCloseTo(Math.min(1, centre + half), 12)
  expect(n).toBeLessThanOrEqual(counted)
})

test('correlations: 1 and -1 of what goes together, null where nothing varies, and ends for all lags beyond those of one', () => {
  const wave = (i: number) => ((i * 7919) % 13) - 6.5
  expect(flowCorrelation(joinedOf(wave, (i) => wave(i) / 10)).spearman).toMatchObject({ value: 1, low: null })
  expect(flowCorrelation(joinedOf(wave, (i) => -(wave(i) ** 3))).spearman.value).toBeCloseTo(-1, 12)
  expect(flowCorrelation(joinedOf(wave, () => 1)).pearson).toEqual({
    value: null,
    low: null,
    high: null,
    effective: null,
  })
  const other = (i: number) => ((i * 104729) % 17) - 8
  const { pearson } = flowCorrelation(joinedOf(wave, other))
  expect(pearson.low).toBeLessThan(pearson.value as number)
  const [flows, index] = studied(wave, other)
  for (const row of toObjects(leadLag(flows, index, { on, lags: [0, 1, -1] }))) {
    expect(Number(row.all_low)).toBeLessThan(Number(row.low))
    expect(Number(row.spearman_all_high)).toBeGreaterThan(Number(row.spearman_high))
  }
  expect(() => leadLag(flows, index, { on, lags: [1, 1] })).toThrow('lags must hold at least one lag, and each once')
})

test('event study: finds what follows extreme days, compounds its path, and says nothing of few days', () => {
  const [buying, selling] = [
    [5, 12, 26, 33, 51],
    [16, 20, 38, 42, 46],
  ]
  const [flows, index] = studied(
    (i) => (buying.includes(i) ? 900 + i : selling.includes(i) ? -900 - i : (i % 5) - 2),
    (i) => (buying.includes(i - 1) ? 2 : selling.includes(i - 1) ? -1 : 0),
  )
  const study = eventStudy(flows, index, { on, before: 2, after: 3, quantile: 0.92 })
  expect(strings(study.events, 'trade_date')).toEqual(days.filter((_, i) => buying.includes(i) || selling.includes(i)))
  const rows = toObjects(study.table)
  const of = (side: string, name: string) => rows.filter((row) => row.side === side).map((row) => row[name])
  expect(of('buying', 'change')).toEqual([0, 0, 0, 2, 0, 0])
  expect(of('buying', 'purpose')).toEqual([...new Array(3).fill('description'), ...new Array(3).fill('prediction')])
  expect(Number(of('buying', 'low')[3])).toBeGreaterThan(0)
  expect(Number(of('selling', 'high')[3])).toBeLessThan(0)
  const steady = studied(
    (i) => (i === 20 ? 500 : 1),
    (i) => (i === 24 ? null : 10),
  )
  const path = toObjects(eventStudy(...steady, { on, quantile: 0.99 }).table).filter((row) => row.side === 'buying')
  for (const row of path.slice(0, 9)) expect(row.path).toBeCloseTo(100 * (1.1 ** Number(row.day) - 1), 9)
  expect(path.slice(9).map((row) => row.path)).toEqual([null, null])
  expect(() => eventStudy(flows, index, { on, quantile: 0.5 })).toThrow(
    'quantile must be above 0.5 and below 1, not 0.5',
  )
})

/* the opening auction */

const tick = {
  tradedate: '20260729',
  symbol: '000001.SZ',
  time: '09:25:00',
  m_price: 10.1,
  auc_pct_chg: 1,
  auc_vol: 100,
  auc_amt: 101_000,
  um_vol: 50,
  um_side: 'b',
}
const ticksOf = (rows: readonly Partial<Record<keyof typeof tick, unknown>>[]) =>
  fromRows(
    rows.map((row) => ({ ...tick, ...row })),
    {
      kinds: {
        m_price: 'number',
        auc_pct_chg: 'number',
        auc_vol: 'number',
        auc_amt: 'number',
        um_vol: 'number',
        um_side: 'label',
      } as never,
    },
  )
const match = (rows: Parameters<typeof ticksOf>[0], options = {}) =>
  toObjects(auctionMatch(ticksOf(rows), options))[0] ?? {}

test('auction path: signs, imbalance, steps and phases', () => {
  const rows = [
    { time: '09:15:03', m_price: 10.1, auc_vol: 100, um_vol: 100, um_side: 's' },
    { time: '09:20:00', m_price: 10.3, auc_vol: 300, um_vol: 0, um_side: null },
    { time: '09:25:00', m_price: 10.2, auc_vol: 150, um_vol: 50, um_side: 'b' },
    { time: '14:57:03', m_price: 10.4, auc_vol: 10, um_vol: 7, um_side: null },
  ]
  const path = toObjects(auctionPath(ticksOf(rows)))
  expect(path.map((row) => [row.phase, row.unmatched, row.imbalance, row.price_step, row.vol_step])).toEqual([
    ['may withdraw', -100, -0.5, null, null],
    ['firm', 0, 0, 0.2, 200],
    ['match', 50, 0.25, -0.1, -150],
    [null, null, null, null, null],
  ])
  expect(toObjects(auctionPath(ticksOf(rows.toReversed())))).toEqual(path)
})

test.each<[string, Parameters<typeof ticksOf>[0], Row]>([
  ['matched', [{}], { status: 'matched', price: 10.1, vol: 100, prev_close: 10, prev_source: 'implied', gap_pct: 1 }],
  [
    'no snapshot',
    [{ time: '09:24:59' }],
    { status: 'no snapshot', price: null, vol: null, gap_pct: null, prev_close: 10 },
  ],
  ['no trade', [{ auc_vol: 0 }], { status: 'no trade', price: null, vol: 0, gap_pct: null, imbalance: 1 }],
  [
    'a price of 0 is none',
    [{ m_price: 0, auc_pct_chg: -100, auc_vol: 0 }],
    { status: 'no trade', price: null, low: null, prev_close: null, prev_source: null },
  ],
  ['a price of 0, no volume known', [{ m_price: 0, auc_vol: null }], { status: 'no trade', price: null, vol: null }],
  ['a price of 0 beside a volume', [{ m_price: 0, auc_pct_chg: -100 }], { status: 'incomplete', vol: 100 }],
  ['no price known', [{ m_price: null }], { status: 'incomplete', price: null, vol: 100 }],
  ['no volume known', [{ auc_vol: null }], { status: 'incomplete', price: 10.1, vol: null, imbalance: null }],
  ['a side that is not known', [{ um_side: null }], { status: 'matched', unmatched: null, imbalance: null }],
  ['the last before 09:30', [{}, { time: '09:29:59.999' }], { status: 'matched', time: '09:29:59.999' }],
  ['unsettled', [{ m_price: 10.2, auc_pct_chg: 2 }, { time: '09:25:03' }], { status: 'unsettled', price: 10.1 }],
  ['later is another', [{}, { time: '09:30:00', m_price: 11 }], { status: 'matched', price: 10.1, high: 10.1 }],
])('auction match: %s', (_, rows, due) => {
  expect(match(rows)).toMatchObject(due)
})

test('previous close: all that the rounded percentage allows, narrowed by each snapshot, against the one given', () => {
  const dear = { symbol: '600519.SH', m_price: 1514.8, auc_pct_chg: 2.35 }
  // |(1514.80 / b - 1) x 100 - 2.35| <= 0.005
  expect(match([dear])).toMatchObject({ prev_close: null, prev_low: 1479.95, prev_high: 1480.09, gap_pct: 2.35 })
  expect(match([dear, { ...dear, time: '09:15:00', m_price: 1480.07, auc_pct_chg: 0 }])).toMatchObject({
    prev_low: 1480,
    prev_high: 1480.09,
  })
  const closes = (close: number) => ({
    closes: fromRows([
      { tradedate: '20260727', code: '000001.SZ', close: 9 },
      { tradedate: '20260728', code: '000001', close },
    ]),
  })
  expect(match([{}], closes(10))).toMatchObject({ prev_close: 10, prev_day: '20260728', prev_source: 'given' })
  expect(match([{}], closes(20))).toMatchObject({ prev_close: null, prev_source: 'conflict', gap_pct: null })
})

test('opening gaps: the largest first, what was seen of them, and whether they were filled', () => {
  const auctions = [
    ...ticksRows('000001.SZ', 10.5, 5, 10.2, 2),
    ...ticksRows('000002.SZ', 9.9, -1, 9.9, -1),
    ...ticksRows('000004.SZ', 10, 0, 10, 0),
  ]
  const closes = fromRows(
    ['000001', '000002', '000004'].map((code, i) => ({ tradedate: '20260729', code, close: [9.9, 9.8, 10][i] })),
  )
  expect(match(auctions.slice(0, 2))).toMatchObject({
    snapshots: 2,
    price_0920: 10.2,
    gap_0920_pct: 2,
    drift_pct: expect.closeTo((10.5 / 10.2 - 1) * 100, 9),
  })
  const { table, days: byDay } = openingGaps(auctionMatch(ticksOf(auctions)), { closes })
  expect(
    toObjects(table).map((row) => [row.symbol, row.direction, row.gap_pct, row.seen_pct, row.filled_close]),
  ).toEqual([
    ['000001.SZ', 'up', 5, 40, true],
    ['000002.SZ', 'down', -1, 100, false],
    ['000004.SZ', 'flat', 0, null, null],
  ])
  expect(toObjects(byDay)).toEqual([
    { tradedate: '20260729', symbols: 3, ups: 1, downs: 1, flats: 1, unknown: 0, median_gap_pct: 0, matched_pct: 100 },
  ])
})

function ticksRows(symbol: string, price: number, change: number, early: number, earlyChange: number) {
  return [
    { symbol, time: '09:20:00', m_price: early, auc_pct_chg: earlyChange },
    { symbol, m_price: price, auc_pct_chg: change },
  ]
}

test('auctions of the sample: each is matched, a day by itself or many together', async () => {
  const { ticks } = await connect()
  const [one, other] = [await ticks.read('20260728'), await ticks.read('20260729')]
  const [first, second] = [auctionMatch(one), auctionMatch(other)]
  expect(new Set(strings(second, 'status'))).toEqual(new Set(['matched']))
  expect(toObjects(auctionMatch(concat([other, one])))).toEqual([...toObjects(first), ...toObjects(second)])
})

test('ticks without their columns are refused by all their names, and other names can be told', () => {
  const few = fromRows([{ tradedate: '20260729', symbol: '000001.SZ', m_price: 1 }])
  expect(() => auctionPath(few)).toThrow(
    expect.objectContaining({
      code: 'MISSING_COLUMN',
      message:
        "auctionPath needs time, auc_pct_chg (pct_chg), auc_vol (vol), um_vol (unmatched), um_side (side); the ticks have: tradedate, symbol, m_price; another name is told by { columns: { time: '…' } }",
    }),
  )
  const { m_price: last, ...rest } = tick
  expect(numbers(auctionPath(fromRows([{ ...rest, last }]), { columns: { price: 'last' } }), 'price')[0]).toBe(10.1)
  expect(() => auctionPath(ticksOf([{}, {}]))).toThrow('rows 1 and 2 are both of 20260729, 000001.SZ, 09:25:00')
})

/* what it was worth */

const curve = {
  days: ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708'],
  equity: [98, 102, 95, 97, 110, 108],
  start: 100,
}

test('figures of an account by hand: total, cagr, drawdown from the start, months, round trips', () => {
  const trades = [{ pnl: 3 }, { pnl: -1 }, { pnl: 5 }, { pnl: -1 }, { pnl: null }]
  const found = performanceStats({ ...curve, trades, turnover: 1.5 })
  expect(found.total).toBeCloseTo(0.08, 14)
  expect(found.cagr).toBeCloseTo(1.08 ** (365.25 / 7) - 1, 6)
  expect(found.annualReturn).toBeCloseTo(1.08 ** (252 / 6) - 1, 9)
  expect(found.maxDrawdown).toMatchObject({
    peak: '20260702',
    trough: '20260703',
    peakRow: 2,
    troughRow: 3,
    recoveredRow: 5,
  })
  expect(found.maxDrawdown.depth).toBe(95 / 102 - 1)
  expect(found).toMatchObject({
    winRate: 0.5,
    profitFactor: 4,
    roundTrips: 4,
    turnover: 1.5,
    observations: 6,
    longestLosingRun: 1,
  })
  expect(found.monthly?.map(({ period, days: count }) => [period, count])).toEqual([['202607', 6]])
  expect(found.best).toMatchObject({ day: '20260707', row: 5 })
})

/* Figures that pandas and the formulas of empyrical gave, see test/fixture/pandas/performance.py. */
const stored = JSON.parse(readFileSync('test/fixture/pandas/performance.json', 'utf8'))
function near(found: unknown, due: number | null | undefined, where: string): void {
  if (due === null || due === undefined) expect(found ?? Number.NaN, where).toBeNaN()
  else expect(Math.abs(Number(found) - due), where).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(due)))
}

test('figures, rolling figures and a study of scores are those of pandas', () => {
  const { days: dates, returns, market: benchmark, figures, rolled, study } = stored
  const found = performanceStats({ days: dates, returns }, { benchmark, riskFree: 0.02, mar: 0.0001 })
  const { deepest, ...rest } = figures
  for (const [name, due] of Object.entries(rest)) near(found[name as 'total'], due as number, name)
  near(found.maxDrawdown.depth, deepest, 'drawdown')
  const rows = toObjects(rollingPerformance({ days: dates, returns }, 20, { benchmark, riskFree: 0.02 }))
  for (const [name, cells] of Object.entries(rolled))
    for (const [at, row] of rows.entries()) near(row[name], (cells as number[])[at + 19], name)
  const symbols = Array.from({ length: 30 }, (_, s) => String(s))
  const signal = {
    times: study.score.map((_: unknown, t: number) => String(t)),
    symbols,
    score: study.score.flat(),
    forward: study.forward.map((one: number[][]) => one.flat()),
  }
  const { horizons } = factorStudy(signal)
  study.horizons.forEach((due: Record<string, number | null>, at: number) => {
    for (const name of ['meanIc', 'stdIc', 'spread'] as const) near(horizons[at]?.[name], due[name] as number, name)
    near(horizons[at]?.plainT, due['t'] as number, 't')
  })
})

test('beta of twice a benchmark is 2, alpha what is added a year; ratios do not hang on the size of positions', () => {
  const returns = fc
    .array(
      fc.integer({ min: -300, max: 300 }).map((n) => n / 1000),
      { minLength: 5, maxLength: 50 },
    )
    .filter((x) => new Set(x).size > 2)
  fc.assert(
    fc.property(returns, (benchmark) => {
      const found = performanceStats(
        benchmark.map((r) => 2 * r + 0.001),
        { benchmark },
      )
      expect(found.beta).toBeCloseTo(2, 9)
      expect(found.alpha).toBeCloseTo(0.252, 9)
      const [one, half] = [performanceStats(benchmark), performanceStats(benchmark.map((r) => r / 2))]
      expect(half.sharpe).toBeCloseTo(one.sharpe, 9)
      expect(half.volatility).toBeCloseTo(one.volatility / 2, 9)
    }),
    { numRuns: 50 },
  )
})

test('what can not be measured is refused in a line', () => {
  const said =
    (input: unknown, options: object = {}) =>
    () =>
      performanceStats(input as number[], options)
  const name = 'performanceStats'
  expect(said([0.1, Number.NaN])).toThrow(`${name}: returns, row 2: a return is a number of at least -1, not NaN`)
  expect(said({ days: curve.days, equity: [1, 2], start: 1 })).toThrow(`${name}: there are 6 days for 2 numbers`)
  expect(said({ days: ['20260702', '20260701'], returns: [0, 0] })).toThrow('days must ascend')
  expect(said([0], { benchmark: [0, 1] })).toThrow('the benchmark has 2 returns for 1')
  expect(said([0], { periodsPerYear: 0 })).toThrow('periodsPerYear must be a number above 0, not 0')
  expect(said(7)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  // Values of an account, in yuan and as a curve from 1, where returns belong; a hundredfold in a period, and gains without exception of fewer, stay.
  const instead = 'give the values of an account as { days, equity, start }, as a result of backtest has them'
  const grown = Array.from({ length: 20 }, (_, at) => 1 + at / 100)
  expect(said([1e6, 1.01e6])).toThrow(`${name}: returns, row 1: 1000000 would be a return of 100000000 %; ${instead}`)
  expect(said(grown)).toThrow(`${name}: returns, row 1: 1 would be a return of 100 %; ${instead}`)
  expect(said([0], { benchmark: [3000] })).toThrow(`${name}: benchmark: returns, row 1: 3000`)
  for (const honest of [[100, -1], grown.slice(1), [...grown, 0.4], Array<number>(250).fill(1)])
    expect(said(honest)).not.toThrow()
})

test('Sharpe ratios of the examples of Bailey and López de Prado, probabilistic (2012) and deflated (2014)', () => {
  const months = { sharpe: 0.458, observations: 24, periodsPerYear: 1 }
  const alone = (moments = {}) => deflatedSharpe({ ...months, ...moments, trials: 1, variance: 0 }).probability
  expect(alone()).toBeCloseTo(0.982, 3)
  expect(alone({ skew: -2.448, kurtosis: 7.164 })).toBeCloseTo(0.913, 3)
  const best = { sharpe: 2.5, observations: 1250, skew: -3, kurtosis: 7, periodsPerYear: 250, variance: 0.5 }
  const found = deflatedSharpe({ ...best, trials: 100 })
  expect(found.expectedMaximum / Math.sqrt(250)).toBeCloseTo(0.1132, 4)
  expect(found.probability).toBeCloseTo(0.9004, 4)
  expect(deflatedSharpe({ ...best, trials: 46 }).probability).toBeCloseTo(0.9505, 4)
  expect(() => deflatedSharpe({ ...best, trials: 0 })).toThrow('trials must be a number above 0, not 0')
})

test('overfitting: what wins in one half and loses in the other is luck, what is best everywhere is none', () => {
  const noise = (seed: number, by: number) =>
    Array.from({ length: 64 }, (_, day) => (((day + 1) * seed * 7919) % 97) / 9700 - 0.005 + by)
  const trials = [3, 5, 7, 11].map((seed) => noise(seed, 0))
  expect(probabilityOfOverfitting([...trials, noise(13, 0.02)], { blocks: 8 })).toEqual({
    probability: 0,
    lossProbability: 0,
    combinations: 70,
  })
  const turning = [1, -1].map((sign) =>
    Array.from({ length: 40 }, (_, day) => sign * (day < 20 ? 0.01 : -0.01) + 0.001 * (day % 3)),
  )
  expect(probabilityOfOverfitting(turning, { blocks: 2 })).toEqual({
    probability: 1,
    lossProbability: 1,
    combinations: 2,
  })
  expect(() => probabilityOfOverfitting(trials, { blocks: 3 })).toThrow('blocks must be even, not 3')
})

test('intervals of a bootstrap hang on the seed alone and hold the figure', () => {
  const returns = Array.from({ length: 120 }, (_, day) => ((day * 7919) % 101) / 5000 - 0.009)
  const at = (seed: number) => performanceStats(returns, { resamples: 200, seed })
  expect(at(7).intervals).toEqual(at(7).intervals)
  expect(at(8).intervals).not.toEqual(at(7).intervals)
  expect(at(7).intervals?.sharpe.low).toBeLessThan(at(7).sharpe)
  expect(at(7).intervals?.sharpe.high).toBeGreaterThan(at(7).sharpe)
})
