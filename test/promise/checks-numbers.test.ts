import fc from 'fast-check'
import {
  type AnomalyOptions,
  type CheckResult,
  type ComputeAnomaliesOptions,
  checkAnomalies,
  checkBars,
  checkVwap,
  computeAnomalies,
  connect,
  fromRows,
  numbers,
  type PricedAnomalyOptions,
  resampleBars,
  strings,
  type Table,
  toObjects,
  tradingDays,
  type VwapOptions,
} from 'quotebook'
import { expect, test } from 'vitest'
import { checkNamed } from './helper/check-tables.js'
import { realRows } from './helper/real-rows.js'

type Row = Readonly<Record<string, unknown>>

function southbound(table: Table): CheckResult<string> {
  const [run] = checkNamed('southbound', 'southbound_top10').runs({ southbound_top10: [table] })
  return run?.result as CheckResult<string>
}

const closes = ['0930', '1000', '1030', '1100', '1130', '1330', '1400', '1430', '1500']

/** Bars of 30 minutes of one day. */
function bars(
  cells: readonly (readonly [vol: number | null, amount: number | null, vwap?: number | null])[],
  more: Row = {},
) {
  return fromRows(
    cells.map(([vol, amount, vwap = null], i) => ({
      tradedate: '20260701',
      symbol: '510300.SH',
      trademin: closes[i],
      period: '30m',
      vol,
      amount,
      vwap,
      ...more,
    })),
    { kinds: { vol: 'number', amount: 'number', vwap: 'number' } },
  )
}

const verdicts = (table: ReturnType<typeof bars>, options?: VwapOptions) => {
  const found = checkVwap(table, options).table
  return { verdict: strings(found, 'verdict'), why: strings(found, 'why'), value: [...numbers(found, 'recomputed')] }
}

/* vwap */

test('vwap: cumulative turnover over cumulative lots, halves up at the third decimal, as decimals and not as doubles', () => {
  // 1.0005 and 2.0015 are below their decimals as doubles: half to even or a plain product would round them down.
  const ties = bars([
    [10, 1000.5],
    [0, 0],
    [10, 3002.5],
    [20, 4003],
  ])
  expect(verdicts(ties).value).toEqual([1.001, 1.001, 2.002, 2.002])
  expect(verdicts(bars([[3, 1]], {}), { factor: 1 }).value).toEqual([0.333])
  expect(verdicts(bars([[7, 0.35]], {}), { factor: 1 }).value).toEqual([0.05])
  expect(verdicts(bars([[2, 0.001]], {}), { factor: 1 }).value).toEqual([0.001])
  // 0.1 + 0.2 of turnover is 0.3, and 1e15 with cents is beyond doubles.
  expect(
    verdicts(
      bars(
        [
          [1, 0.1],
          [1, 0.2],
        ],
        {},
      ),
      { factor: 1 },
    ).value,
  ).toEqual([0.1, 0.15])
  expect(
    verdicts(
      bars([
        [1e9, 9007199254740.99],
        [1e9, 0.01],
      ]),
      { factor: 1 },
    ).value,
  ).toEqual([9007.199, 4503.6])
})

/** Turnover in units of 10^-3 yuan over volume, by whole numbers alone. */
function byHand(cells: readonly (readonly [vol: number, cents: number])[], factor: number): number[] {
  let [cents, units] = [0n, 0n]
  let last = Number.NaN
  return cells.map(([vol, own]) => {
    cents += BigInt(own)
    units += BigInt(vol) * BigInt(factor)
    if (vol > 0) last = Number((20n * cents + units) / (2n * units)) / 1000
    return last
  })
}

test('vwap: whatever the bars, it is what whole numbers give', () => {
  const bar = fc.tuple(
    fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1e9 })),
    fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 9e13 })),
  )
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1, maxLength: 9 }), fc.constantFrom(1, 10, 100), (cells, factor) => {
      const made = bars(cells.map(([vol, cents]) => [vol, cents / 100]))
      expect(verdicts(made, { factor }).value).toEqual(byHand(cells, factor))
    }),
    { numRuns: 100 },
  )
})

test('vwap: real minutes of twelve days end on the same value as their bars of 15 and 30 minutes', () => {
  const rows = realRows('688001.SH.1m.csv', ['tradedate', 'symbol', 'trademin'])
  const table = fromRows(rows.map(({ vol_shares: vol, ...row }) => ({ ...row, vol })))
  const minute = numbers(checkVwap(table, { factor: 1 }).table, 'recomputed')
  const days = Array.from({ length: 12 }, (_, day) => minute[day * 240 + 239])
  const first = rows.slice(0, 240)
  const turnover = first.reduce((sum, row) => sum + BigInt(Math.round(Number(row.amount) * 100)), 0n)
  const shares = first.reduce((sum, row) => sum + BigInt(Number(row.vol_shares)), 0n)
  expect(days[0]).toBe(Number((20n * turnover + shares) / (2n * shares)) / 1000)
  for (const [period, count] of [
    ['15m', 16],
    ['30m', 8],
  ] as const) {
    const found = numbers(checkVwap(resampleBars(table, period), { factor: 1 }).table, 'recomputed')
    expect(days).toEqual(Array.from({ length: 12 }, (_, day) => found[day * count + count - 1]))
  }
})

test('vwap: real minutes of a bond are explained by volumes that were rounded to lots bar by bar, and by nothing less', () => {
  const rows = realRows('123124.SZ.20211102.1m.head.csv', ['datetime']).map((row) => ({
    tradedate: '20211102',
    symbol: '123124.SZ',
    trademin: String(row.datetime).slice(11, 16).replace(':', ''),
    vol: row.vol_lots,
    amount: row.amount,
    vwap: row.vendor_avg,
  }))
  const lots = ['lot-bound', 'lot-bound', 'lot-bound', 'lot-bound']
  const found = checkVwap(fromRows(rows), { lots: 'each bar' })
  expect(strings(found.table, 'verdict')).toEqual(['equal', ...lots])
  expect([numbers(found.table, 'low')[4], numbers(found.table, 'high')[4]]).toEqual([119.6524, 120.1048])
  const total = checkVwap(fromRows(rows), { lots: 'total' })
  expect(strings(total.table, 'verdict')).toEqual(['equal', 'lot-bound', 'lot-bound', 'mismatch', 'mismatch'])
  expect(strings(total.table, 'why')[3]).toBe('explained only if each bar was rounded to whole lots by itself')
})

test.each<[string, Parameters<typeof bars>[0], readonly string[], readonly (string | null)[]]>([
  [
    'null before the first trade',
    [
      [0, 0, null],
      [10, 1500, 1.5],
    ],
    ['equal', 'equal'],
    ['null before the first trade', null],
  ],
  ['a value before the first trade', [[0, 0, 1.5]], ['null-rule'], ['a value before the first trade']],
  ['null where a value is due', [[10, 1500, null]], ['null-rule'], ['null where a value is due']],
  [
    'a volume that is null',
    [
      [10, 1500, 1.5],
      [null, 1500, 1.5],
      [10, 1500, 1.5],
    ],
    ['equal', 'unverifiable', 'unverifiable'],
    [null, 'vol of 1000 is null', 'vol of 1000 is null'],
  ],
  ['a turnover below 0', [[10, -1, 1.5]], ['unverifiable'], ['amount of 0930 is negative']],
])('vwap: %s', (_, cells, verdict, why) => {
  const found = verdicts(bars(cells))
  expect([found.verdict, found.why.map((one, i) => (why[i] === null ? null : one))]).toEqual([verdict, why])
})

test('vwap: one wrong turnover is told from the first bar that has it, with its amount', () => {
  const shares = [
    [100, 4000],
    [200, 8020],
    [150, 6045],
    [300, 12060],
    [50, 2030],
  ] as const
  let [turnover, volume] = [0, 0]
  const cells = shares.map(([vol, amount], i) => {
    turnover += amount + (i === 2 ? 500 : 0)
    volume += vol
    return [vol, amount, Math.round((turnover / volume) * 1000) / 1000] as const
  })
  const { verdict, why } = verdicts(bars(cells), { factor: 1 })
  expect(verdict).toEqual(['equal', 'equal', 'mismatch', 'mismatch', 'mismatch'])
  expect(why[2]).toMatch(/^from 1030 on, (499\.\d+|500(\.\d+)?) yuan too much \([\d.]+ to [\d.]+\)/)
  expect(why.slice(3)).toEqual([null, null])
})

test('vwap: the factor comes from the option, the dataset or the number of the code, or it is asked for', () => {
  const value = (symbol: string, options?: VwapOptions) => verdicts(bars([[10, 15000]], { symbol }), options).value[0]
  expect([value('123124.SZ'), value('110059.SH'), value('159915.SZ'), value('510300.SH')]).toEqual([150, 150, 15, 15])
  expect([value('600000.SH', { factor: 100 }), value('600000.SH', { dataset: 'convertible_minute' })]).toEqual([
    15, 150,
  ])
  expect(() => value('600000.SH')).toThrow(
    '600000.SH is not the number of a convertible bond or an ETF: say how many units its volume counts in, as in { factor: 100 } for lots of shares or { factor: 1 } for shares',
  )
  expect(() => value('510300.SH', { factor: 0 })).toThrow('factor must be a number above 0, not 0')
  expect(() => value('510300.SH', { factors: 1 } as never)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

/* bars */

const sound = { open: 4.01, high: 4.05, low: 4, close: 4.02, vol: 100, amount: 40_200 }
const dayOf = (changes: Readonly<Record<string, Row>> = {}, without: readonly string[] = []) =>
  fromRows(
    closes
      .filter((trademin) => !without.includes(trademin))
      .map((trademin) => ({ tradedate: '20260701', symbol: '510300.SH', trademin, ...sound, ...changes[trademin] })),
  )
const barFindings = (table: ReturnType<typeof dayOf>) => {
  const found = checkBars(table).table
  const why = strings(found, 'why')
  return strings(found, 'verdict').flatMap((verdict, row) => (verdict === 'pass' ? [] : [[verdict, why[row]]]))
}

test.each<[Row, string, string]>([
  [{ vol: -5, amount: -0.5 }, 'negative', 'vol, amount below 0: the cumulative value fell'],
  [{ low: 4.06 }, 'out-of-range', 'low 4.06 is above high 4.05'],
  [{ close: 4.051 }, 'out-of-range', 'close 4.051 lies outside 4 to 4.05'],
  [{ amount: 40_907 }, 'out-of-range', 'amount / (vol x factor) lies outside low to high'],
  [{ amount: 39_598 }, 'out-of-range', 'amount / (vol x factor) lies outside low to high'],
  [{ amount: null, high: null }, 'incomplete', 'no high, amount'],
])('bars: %j is %s', (change, verdict, why) => {
  expect(barFindings(dayOf())).toEqual([])
  expect(barFindings(dayOf({ '1030': change }))).toEqual([[verdict, why]])
})

test('bars: those that are missing are named at the next, and a lot and a unit either way are allowed', () => {
  expect(barFindings(dayOf({}, ['1330', '1430', '1500']))).toEqual([
    ['gap', '1330 missing before it, 1430, 1500 missing after it'],
  ])
  expect(checkBars(dayOf({}, ['1330']), { missing: 'no trade' }).counts.gap).toBe(0)
  for (const amount of [40_906, 39_599]) expect(barFindings(dayOf({ '1030': { amount } }))).toEqual([])
})

test('bars: minutes become buckets, days weeks and months; prices of what traded, sums of decimals', () => {
  const minute = (trademin: string, vol: number, amount: number, close: number) => ({
    tradedate: '20260701',
    symbol: '510300.SH',
    trademin,
    open: close,
    high: close + 0.5,
    low: close - 0.5,
    close,
    vol,
    amount,
  })
  const rows = [
    minute('0931', 0, 0, 9),
    minute('0932', 2, 0.1, 3),
    minute('0933', 3, 0.2, 2),
    minute('1000', 1, 0.3, 4),
    minute('1001', 1, 1, 5),
  ]
  const half = toObjects(resampleBars(fromRows(rows.toReversed()), '30m'))
  expect(half).toEqual([
    {
      tradedate: '20260701',
      symbol: '510300.SH',
      trademin: '1000',
      period: '30m',
      open: 3,
      high: 4.5,
      low: 1.5,
      close: 4,
      vol: 6,
      amount: 0.6,
      bars: 4,
    },
    {
      tradedate: '20260701',
      symbol: '510300.SH',
      trademin: '1030',
      period: '30m',
      open: 5,
      high: 5.5,
      low: 4.5,
      close: 5,
      vol: 1,
      amount: 1,
      bars: 1,
    },
  ])
  // 2026-06-19 is a holiday; 06-29 to 07-03 is a week over two months.
  const days = ['20260615', '20260616', '20260618', '20260629', '20260630', '20260701']
  const daily = days
    .map((tradedate, i) => ({ ...minute('', 10, 1, i + 2), tradedate }))
    .map(({ trademin: _, ...row }) => row)
  const short = (period: 'week' | 'month') =>
    toObjects(resampleBars(fromRows(daily), period)).map((row) => [
      row.tradedate,
      row.open,
      row.close,
      row.bars,
      row.trading_days,
    ])
  expect(short('week')).toEqual([
    ['20260618', 2, 4, 3, 4],
    ['20260701', 5, 7, 3, 5],
  ])
  expect(short('month')).toEqual([
    ['20260630', 2, 6, 5, 21],
    ['20260701', 7, 7, 1, 23],
  ])
  expect(() => resampleBars(fromRows([minute('1131', 1, 1, 1)]), '30m')).toThrow(
    '1131 is no minute of a session: they are 0930 to 1130 and 1301 to 1500',
  )
  expect(() => resampleBars(fromRows(daily), 'day')).toThrow(
    'resampleBars takes bars of minutes; these are of whole days already',
  )
})

/* southbound */

test('southbound: six real rows of 2018, of which two count a channel twice', () => {
  const rows = realRows('ggt_top10_20180727_6rows.csv', ['trade_date', 'ts_code', 'name', 'market_type'])
  const found = southbound(fromRows(rows.map(({ ts_code: code, ...row }) => ({ ...row, code }))))
  expect(found.counts).toEqual({ equal: 4, unverifiable: 0, 'double-count': 2, 'null-rule': 0, mismatch: 0 })
  expect(strings(found.table, 'twice')).toEqual(['sh', null, null, null, null, 'sz'])
  expect([...numbers(found.table, 'difference')]).toEqual([182183940, 0, 0, 0, 0, 135878000])
  expect(strings(found.worst, 'name')).toEqual(['吉利汽车', '腾讯控股'])
})

test('southbound: one cent off in any column of a sound row is found', () => {
  const row = {
    trade_date: '20260701',
    code: '00700.HK',
    name: 'x',
    close: 10,
    p_change: 1,
    rank: null,
    market_type: '2',
    amount: 11,
    net_amount: 3,
    sh_amount: 4,
    sh_net_amount: 2,
    sh_buy: 3,
    sh_sell: 1,
    sz_amount: 7,
    sz_net_amount: 3,
    sz_buy: 5,
    sz_sell: 2,
  } as const
  const kinds = { rank: 'integer' } as const
  const wide = { ...row, net_amount: 5 }
  const check = (one: Row) => southbound(fromRows([one], { kinds: kinds as never }))
  expect(check(wide).counts.equal).toBe(1)
  for (const name of [
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
  ] as const) {
    const found = check({ ...wide, [name]: wide[name] + 0.01 })
    expect([name, found.ok]).toEqual([name, false])
  }
  expect(strings(check({ ...wide, amount: 15 }).table, 'why')).toEqual(['amount counts sh_amount twice'])
})

/* anomaly */

const calendar = tradingDays('20220101', '20261231')
const indices = ['000002.SH', '399107.SZ', '399102.SZ', '000688.SH', '899050.BJ']

/** A stock's closes on trading days one after the other, null without trading, beside an index. */
function run(
  given: readonly (number | null)[],
  more: ComputeAnomaliesOptions & { symbol?: string; from?: string; index?: readonly number[]; name?: string } = {},
) {
  const { symbol = '600000', from = '20260803', index, name, ...options } = more
  const days = calendar.filter((date) => date >= from)
  const prices = given.map((close, at) => ({ tradedate: days[at], symbol, close, ...(name !== undefined && { name }) }))
  const benchmarks = indices.flatMap((code) =>
    given.map((_, at) => ({ tradedate: days[at], code, close: index?.[at] ?? 4000 })),
  )
  const made = computeAnomalies(fromRows(prices), fromRows(benchmarks), calendar, undefined, options)
  return {
    table: toObjects(made.table),
    events: toObjects(made.events),
    refused: toObjects(made.refused),
    days,
    made,
    prices,
    benchmarks,
  }
}

const rowOf = (rows: readonly Row[], wanted: Row) =>
  rows.find((row) => Object.entries(wanted).every(([name, value]) => row[name] === value))
const none = { resets: 'none' } as const

test('anomaly: growth over an interval less that of the index, the change that is needed, and its price', () => {
  const { table, days } = run([10, 11, 12.1, 13.31], none)
  expect(rowOf(table, { tradedate: days[3], measure: 'abnormal' })).toMatchObject({
    deviation_pct: 33.1,
    elapsed_days: 3,
    status: 'triggered',
    since: days[1],
    pct_chg: 10,
    required_pct_chg: -0.8264,
    trigger_price: 12,
  })
  const five = run([10_000, 10_500, 11_025], none)
  expect(rowOf(five.table, { tradedate: five.days[3], measure: 'abnormal' })).toMatchObject({
    required_pct_chg: 8.8435,
    deviation_pct: 10.25,
    elapsed_days: 2,
    trigger_price: 12_000,
    pct_chg: null,
    status: 'reachable',
    computed_on: five.days[2],
  })
  const beside = run([1000, 1100, 1210, 1210], { ...none, index: [1000, 1050, 1050, 1102.5] })
  expect(rowOf(beside.table, { tradedate: beside.days[3], direction: 'up' })).toMatchObject({
    deviation_pct: 10.75,
    benchmark_pct: 10.25,
    elapsed_days: 3,
  })
  expect(rowOf(run([10, 10.95, 12], none).table, { tradedate: days[2], measure: 'abnormal' })?.status).toBe('triggered')
  for (const [close, status] of [
    [120.01, 'triggered'],
    [119.99, 'reachable'],
  ] as const)
    expect(rowOf(run([100, 109.5, close], none).table, { tradedate: days[2], measure: 'abnormal' })?.status).toBe(
      status,
    )
  expect(rowOf(run([10, 10.95, 11.99], none).table, { tradedate: days[2], measure: 'abnormal' })?.status).toBe(
    'reachable',
  )
})

test('anomaly: 601008 against the SSE Composite, 2020-11-16 to 18, is +31.8549', async () => {
  const { anomalyRules } = await import('quotebook')
  const benchmark = {
    boards: ['SSE main'],
    code: '000001.SH',
    name: '上证指数',
    from: '00000000',
    source: 'a test',
  } as const
  const [prices, index] = ['601008.SH.daily.csv', '000001.SH.daily.csv'].map((file) =>
    fromRows(realRows(file, ['tradedate', 'symbol', 'code'])),
  )
  const { table, events } = computeAnomalies(prices as never, index as never, undefined, {
    ...anomalyRules,
    benchmarks: [benchmark],
  })
  expect(
    rowOf(
      toObjects(
        computeAnomalies(prices as never, index as never, undefined, { ...anomalyRules, benchmarks: [benchmark] }, none)
          .table,
      ),
      { tradedate: '20201118' },
    ),
  ).toMatchObject({
    symbol: '601008',
    deviation_pct: 31.8549,
    benchmark_pct: 1.1238,
    elapsed_days: 3,
    since: '20201116',
    benchmark: '000001.SH',
    status: 'triggered',
  })
  expect(toObjects(events).map(({ tradedate, measure }) => [tradedate, measure])).toEqual([
    ['20201116', 'abnormal'],
    ['20201118', 'abnormal'],
  ])
  expect(table.numRows).toBeGreaterThan(0)
})

test('anomaly: 605255 in 2025 has the movements that it announced, block by block, with its verification halts', () => {
  const dates = [
    ['20250822', '20250903'],
    ['20250909', '20250910'],
    ['20250918', '20250923'],
  ].flatMap(([from = '', to = '']) => tradingDays(from, to))
  const cents = [2664]
  for (const _ of dates) cents.push(Math.floor(((cents.at(-1) as number) * 110 + 50) / 100))
  expect(cents.at(-1)).toBe(11128)
  const all = ['20250814', ...dates].map((tradedate, i) => ({
    tradedate,
    symbol: '605255',
    close: (cents[i] as number) / 100,
  }))
  const index = tradingDays('20250814', '20250923').map((tradedate) => ({ tradedate, code: '000002.SH', close: 4000 }))
  const halts = ['20250904', '20250911'].map((tradedate) => ({ symbol: '605255.SH', tradedate }))
  const events = toObjects(computeAnomalies(fromRows(all), fromRows(index), undefined, undefined, { halts }).events)
  const count = (from: string, to: string) => {
    const own = events.filter(({ tradedate }) => from <= String(tradedate) && String(tradedate) <= to)
    const abnormal = own.filter(({ measure }) => measure === 'abnormal').length
    return [abnormal, own.length - abnormal]
  }
  expect([count('20250822', '20250903'), count('20250909', '20250910'), count('20250918', '20250923')]).toEqual([
    [4, 2],
    [1, 0],
    [2, 0],
  ])
})

test('anomaly: 300963 up to 2025-05-23 deviates by the 102.27 that was announced', () => {
  const path = [16.72, 17.1, 16.9, 18.6, 20.9, 22.4, 23.5, 25.1, 26.4, 28.18, 33.82]
  const { table } = run(path, { symbol: '300963', from: '20250509' })
  expect(rowOf(table, { measure: 'severe', status: 'triggered' })).toMatchObject({
    tradedate: '20250523',
    since: '20250512',
    elapsed_days: 10,
    deviation_pct: 102.2727,
  })
})

test('anomaly: thresholds by board, day and mark; days without trading; prices that cannot be', () => {
  const of = (symbol: string, from: string, name?: string) =>
    run([10, 10.5, 11.02, 11.57], { symbol, from, ...(name !== undefined && { name }), ...none }).table.find(
      ({ measure }) => measure === 'abnormal',
    )?.threshold_pct
  expect([
    of('600696', '20260610', '*ST名'),
    of('600696', '20260701', '*ST名'),
    of('600696', '20230301', '*ST名'),
    of('000609', '20230301', '*ST名'),
  ]).toEqual([12, 20, 15, 12])
  const paused = [10, 10.9, null, null, null, 11.95, 12.1]
  const last = (days?: 'stock' | 'market') => {
    const { table, days: dates } = run(paused, { ...none, ...(days && { days }) })
    return rowOf(table, { tradedate: dates[6], direction: 'up' })?.elapsed_days
  }
  expect([last('stock'), last('market')]).toEqual([3, 2])
  expect(run([10, 25, 26]).refused).toMatchObject([
    { symbol: '600000', why: expect.stringContaining('beyond the limit of 10 %') },
  ])
  expect(() => run([10, 11], { days: 'both' as never })).toThrow(
    "computeAnomalies: option days is 'both'; it takes 'stock' or 'market'",
  )
})

test('anomaly: with prices every row is what they give, a last digit differs, a row that is missing is absent', () => {
  const { prices: one, benchmarks } = run([...new Array(32).fill(10), 11, 12.1, 13.31, 14.64, 16.1, 17.71])
  const prices = [...one, ...one.map((row) => ({ ...row, symbol: '600001' }))]
  const quotes = { prices: fromRows(prices), benchmarks: fromRows(benchmarks), calendar }
  const table = toObjects(computeAnomalies(quotes.prices, quotes.benchmarks, calendar, undefined, none).table)
  const columns = [
    'tradedate',
    'symbol',
    'name',
    'pct_chg',
    'rule',
    'elapsed_days',
    'deviation_pct',
    'required_pct_chg',
    'trigger_price',
    'status',
  ]
  const rows = table
    .filter(({ measure }) => measure !== 'severe by count')
    .map((row) => Object.fromEntries(columns.map((name) => [name, name === 'name' ? `名${row.symbol}` : row[name]])))
  const check = (some: readonly Row[]) => checkAnomalies(fromRows(some), quotes as PricedAnomalyOptions)
  const whole = check(rows)
  expect([whole.counts.equal, whole.ok, whole.absent.numRows]).toEqual([rows.length, true, 0])
  const at = rows.findIndex(({ pct_chg: change }) => change !== null)
  const off = { ...rows[at], deviation_pct: Math.round((Number(rows[at]?.deviation_pct) + 0.0001) * 1e4) / 1e4 }
  const wrong = check(rows.with(at, off))
  expect([strings(wrong.table, 'verdict')[at], strings(wrong.table, 'differs')[at], wrong.ok]).toEqual([
    'mismatch',
    'deviation_pct',
    false,
  ])
  expect(check(rows.toSpliced(at, 1)).absent.numRows).toBe(1)
  expect(() => checkAnomalies(fromRows(rows), { prices: quotes.prices } as AnomalyOptions)).toThrow(
    'prices and benchmarks are given together: a deviation needs both',
  )
})

test('anomaly: without prices a changed digit of any column of the sample is found in nine of ten cases', async () => {
  const market = await connect()
  const days = tradingDays('20260713', '20260729')
  const all = await Promise.all(days.map((tradedate) => market.query('anomaly_forecast', { tradedate })))
  const rows = all.flatMap((table) => toObjects(table))
  const verdictOf = (some: readonly Row[], at: number) => strings(checkAnomalies(fromRows(some)).table, 'verdict')[at]
  expect(new Set(strings(checkAnomalies(fromRows(rows)).table, 'verdict'))).toEqual(new Set(['pass']))
  let [tried, missed] = [0, 0]
  for (const name of ['elapsed_days', 'deviation_pct', 'required_pct_chg', 'trigger_price', 'pct_chg', 'status']) {
    for (let i = 0; i < 6; i++) {
      const at = (i * 37 + 11) % rows.length
      const value = rows[at]?.[name]
      if (value === null) continue
      const step = name === 'elapsed_days' ? 1 : 10 ** ((i % 3) - 2)
      const other =
        typeof value === 'number'
          ? Number((value + step).toFixed(4))
          : value === 'triggered'
            ? 'reachable'
            : 'triggered'
      tried++
      if (verdictOf(rows.with(at, { ...rows[at], [name]: other }), at) === 'pass') missed++
    }
  }
  expect(missed).toBeLessThanOrEqual(tried / 10)
})
