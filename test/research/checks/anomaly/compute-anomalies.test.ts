import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { type AnomalyRules, anomalyRules } from '../../../../src/research/checks/anomaly/anomaly-rules.js'
import {
  type ComputeAnomaliesOptions,
  computeAnomalies,
} from '../../../../src/research/checks/anomaly/compute/compute-anomalies.js'

type Row = Readonly<Record<string, unknown>>

const calendar = tradingDays('20220101', '20261231')
const codes = ['000002.SH', '399107.SZ', '399102.SZ', '000688.SH', '899050.BJ']

interface Given extends ComputeAnomaliesOptions {
  readonly symbol?: string
  readonly from?: string
  /** Closes of the benchmark; 4000 on every day when absent. */
  readonly index?: readonly number[]
  readonly rules?: AnomalyRules
  /** More columns, by day. */
  readonly more?: (at: number) => Row
}

/** A stock's closes on trading days one after the other; null is a day without trading. */
function run(closes: readonly (number | null)[], given: Given = {}) {
  const { symbol = '600000', from = '20260803', index, rules, more = () => ({}), ...options } = given
  const days = calendar.filter((date) => date >= from)
  const prices = closes.map((close, at) => ({ tradedate: days[at], symbol, close, ...more(at) }))
  const benchmarks = codes.flatMap((code) =>
    closes.map((_, at) => ({ tradedate: days[at], code, close: index?.[at] ?? 4000 })),
  )
  const made = computeAnomalies(fromRows(prices), fromRows(benchmarks), calendar, rules, options)
  return { table: toObjects(made.table), events: toObjects(made.events), refused: toObjects(made.refused), days }
}

/** Closes in cents that follow percentages, halves up. */
function path(base: number, ...changes: readonly number[]): number[] {
  const closes = [Math.round(base * 100)]
  for (const change of changes) closes.push(Math.round((closes.at(-1) as number) * (1 + change / 100)))
  return closes.map((cents) => cents / 100)
}

const none = { resets: 'none' } as const

function rowOf(rows: readonly Row[], wanted: Row): Row | undefined {
  return rows.find((row) => Object.entries(wanted).every(([name, value]) => row[name] === value))
}

test('nine days of +10 %, then flat: 135.79 in ten days', () => {
  const closes = [1_000_000]
  for (let day = 0; day < 9; day++) closes.push(Math.round((closes.at(-1) as number) * 1100) / 1000)
  const { table, days } = run([...closes, closes.at(-1) as number], none)
  expect(rowOf(table, { tradedate: days[10], measure: 'severe', window_days: 10 })).toMatchObject({
    deviation_pct: 135.7948,
    elapsed_days: 10,
    status: 'triggered',
    since: days[1],
  })
})

test('a window shifted by a day is seen: the base is the close before the first of three days', () => {
  const { table, days } = run([10, 10.3, 11, 11.8, 12.5], none)
  expect(rowOf(table, { tradedate: days[3], measure: 'abnormal' })).toMatchObject({
    deviation_pct: 18,
    elapsed_days: 3,
  })
  expect(rowOf(table, { tradedate: days[4], measure: 'abnormal' })).toMatchObject({
    deviation_pct: 21.3592,
    elapsed_days: 3,
    since: days[2],
  })
})

test('the price is rounded away from safety, and must lie within the limit price', () => {
  const { table, days } = run([10.01, 10.97, 11.5], none)
  const up = rowOf(table, { tradedate: days[3], direction: 'up' })
  expect(up).toMatchObject({ trigger_price: 12.02, required_pct_chg: 4.4522 })
  const { table: falling } = run([10.01, 9.2, 8.8], none)
  // 10.01 x 0.8 = 8.008
  expect(rowOf(falling, { tradedate: days[3], direction: 'down' })).toMatchObject({ trigger_price: 8 })
  // 12.02 is within 12.02 = 10.93 x 1.1 = 12.023, and not within 12.01 = 10.92 x 1.1 = 12.012
  expect(rowOf(run([10.01, 10.93], none).table, { tradedate: days[2], direction: 'up' })?.trigger_price).toBe(12.02)
  expect(rowOf(run([10.01, 10.92], none).table, { tradedate: days[2], direction: 'up' })).toBeUndefined()
})

test('an event restarts its own measure on the next day, and only with resets', () => {
  const closes = path(10, 9, 9, 9, 9, 9, 9, 9, 9, 9)
  const { events, days } = run(closes)
  const abnormal = events.filter(({ measure }) => measure === 'abnormal').map(({ tradedate }) => tradedate)
  expect(abnormal).toEqual([days[3], days[6], days[9]])
  expect(events.filter(({ measure }) => measure !== 'abnormal')).toMatchObject([
    { tradedate: days[9], measure: 'severe' },
  ])
  expect(run(closes, none).events.filter(({ measure }) => measure === 'abnormal')).toHaveLength(7)
  const given = [{ symbol: '600000.SH', tradedate: days[4] as string, measure: 'abnormal' }] as const
  const after = run(closes, { resets: given }).events.filter(({ measure }) => measure === 'abnormal')
  expect(after.map(({ tradedate }) => tradedate)).toEqual([days[3], days[4], days[7], days[8], days[9]])
})

test('a fourth movement in the same direction within ten days is severe on a main board, the third elsewhere', () => {
  const up = path(10, 10, 10, 0, 10, 10, 0, 10, 10, 10, 10)
  const flat = { ...anomalyRules, severe: [] }
  const { table, events, days } = run(up, { rules: flat })
  expect(events.map(({ measure, tradedate }) => [measure, tradedate])).toEqual([
    ['abnormal', days[2]],
    ['abnormal', days[5]],
    ['abnormal', days[8]],
    ['abnormal', days[10]],
    ['severe by count', days[10]],
  ])
  expect(rowOf(table, { tradedate: days[10], measure: 'severe by count' })).toMatchObject({
    elapsed_days: 9,
    since: days[2],
    rule: '连续10个交易日内4次出现同向异常波动（涨）',
  })
  const growth = path(10, 15, 15, 15, 15, 15, 15)
  const three = run(growth, { symbol: '300001', rules: flat })
  expect(rowOf(three.events, { measure: 'severe by count' })?.tradedate).toBe(days[6])
  expect(
    rowOf(run(growth.slice(0, -1), { symbol: '300001', rules: flat }).table, { measure: 'severe by count' }),
  ).toMatchObject({
    tradedate: days[6],
    status: 'reachable',
  })
})

test('suspended days count by the stock not at all, by the market with the close carried on', () => {
  const closes = [10, 10.9, null, null, null, 11.95, 12.1]
  const index = [4000, 4000, 3960, 3960, 3960, 3960, 3960]
  const byStock = run(closes, { ...none, index })
  const { days } = byStock
  expect(rowOf(byStock.table, { tradedate: days[6], direction: 'up' })).toMatchObject({
    elapsed_days: 3,
    since: days[1],
    deviation_pct: 22,
  })
  const byMarket = run(closes, { ...none, index, days: 'market' })
  // Intervals of two and three days of the market have the same carried close and index before them: the shorter.
  expect(rowOf(byMarket.table, { tradedate: days[6], direction: 'up' })).toMatchObject({
    elapsed_days: 2,
    since: days[5],
    deviation_pct: 11.0092,
  })
  expect(byMarket.table.every(({ tradedate }) => ![days[2], days[3], days[4]].includes(tradedate as string))).toBe(true)
  const two = [
    ...[10, 10.9, 11.5].map((close, at) => ({ tradedate: days[at], symbol: '600001', close })),
    ...[10, 10.9, 11.5, 11.9].map((close, at) => ({ tradedate: days[at], symbol: '600002', close })),
  ]
  const benchmarks = fromRows(days.slice(0, 4).map((tradedate) => ({ tradedate, code: '000002.SH', close: 4000 })))
  const forecast = toObjects(computeAnomalies(fromRows(two), benchmarks).table).filter((row) => row.pct_chg === null)
  expect(forecast.map(({ symbol, tradedate }) => [symbol, tradedate])).toEqual([['600002', days[4]]])
})

test('the rules of each board say how its days are counted, the option says it for all', () => {
  const closes = [10, 10.9, null, null, null, 11.95, 12.1]
  const counting = [
    { boards: ['SSE main'], days: 'market', source: 'a test' },
    { boards: ['SZSE main'], days: 'stock', source: 'a test' },
  ] as const
  const rules: AnomalyRules = { ...anomalyRules, counting }
  const last = (given: Given): unknown => {
    const { table, days } = run(closes, { ...none, ...given })
    return rowOf(table, { tradedate: days[6], direction: 'up' })?.elapsed_days
  }
  expect([last({ rules }), last({ rules, symbol: '000001' })]).toEqual([2, 3])
  expect([last({ rules, days: 'stock' }), last({ rules, symbol: '000001', days: 'market' })]).toEqual([3, 2])
  const { counting: _, ...without } = anomalyRules
  expect(() => last({ rules: without as AnomalyRules })).toThrow(/no table 'counting'/)
})

test('Beijing before its index: the mean change of its stocks, which the caller gives', () => {
  const days = tradingDays('20221111', '20221130')
  const prices = fromRows([10, 12.9, 14.2, 14.3].map((close, i) => ({ tradedate: days[i], symbol: '830001', close })))
  const levels = (code: string) => days.slice(0, 4).map((tradedate, i) => ({ tradedate, code, close: 100 + i }))
  const made = computeAnomalies(prices, fromRows([...levels('BSE-MEAN'), ...levels('899050.BJ')]), days)
  expect(rowOf(toObjects(made.table), { tradedate: days[2], measure: 'abnormal' })).toMatchObject({
    benchmark: 'BSE-MEAN',
    benchmark_pct: 2,
    deviation_pct: 40,
    status: 'triggered',
  })
  const { table } = computeAnomalies(prices, fromRows(levels('BSE-MEAN')), calendar)
  expect(toObjects(table).length).toBeGreaterThan(0)
  expect(() => computeAnomalies(prices, fromRows(levels('899050.BJ')), days)).toThrow(
    /no close of BSE-MEAN on 202211\d\d \(the mean change of all stocks/,
  )
})

test('days without limit after listing lie outside every interval', () => {
  const closes = [10, 25, 18, 30, 28, 30, 33, 36.3]
  const list_date = '20260803'
  const { table, events, refused, days } = run(closes, { more: () => ({ list_date }) })
  expect(refused).toEqual([])
  expect(rowOf(table, { tradedate: days[5] })).toBeUndefined()
  expect(events).toMatchObject([{ tradedate: days[7], measure: 'abnormal' }])
  expect(rowOf(table, { tradedate: days[7], status: 'triggered' })).toMatchObject({
    since: days[5],
    deviation_pct: 29.6429,
  })
  expect(run(closes).refused).toMatchObject([{ symbol: '600000', tradedate: days[1] }])
  expect(run(closes, { symbol: '920001', more: () => ({ list_date }) }).refused).toMatchObject([{ tradedate: days[1] }])
  const unlimited = [1, 2, 3].map((at) => ({ symbol: '600000', tradedate: days[at] as string }))
  const named = run(closes, { unlimited })
  expect(named.refused).toEqual([])
  expect(named.table.every(({ since }) => String(since) > String(days[3]))).toBe(true)
})

test('ex-rights by reference price, by factor and in adjusted closes give the same', () => {
  // Ten for ten on the fourth day: 12.40 becomes 6.20, and the factor doubles.
  const raw = [10, 10.8, 11.5, 12.4, 6.7, 7.3]
  const pre = [null, 10, 10.8, 11.5, 6.2, 6.7]
  const factor = [3, 3, 3, 3, 6, 6]
  const byPre = run(raw, { ...none, more: (at) => ({ pre_close: pre[at] }) })
  const byFactor = run(raw, { ...none, more: (at) => ({ adj_factor: factor[at] }) })
  expect(byPre.refused).toEqual([])
  expect(byPre.table.length).toBeGreaterThan(3)
  expect(byFactor.table).toEqual(byPre.table)
  const adjusted = run(
    raw.map((close, at) => close * (factor[at] === 3 ? 1 : 2)),
    none,
  )
  const relative = ({ trigger_price, ...row }: Row): Row => row
  expect(adjusted.table.map(relative)).toEqual(byPre.table.map(relative))
  expect(run(raw).refused).toMatchObject([{ symbol: '600000', tradedate: byPre.days[4] }])
})

test.each([
  ['a price of 0', [10, 10.1, 0, 10], {}, 2, /close is 0/],
  ['a price below 0', [10, -0.2], {}, 1, /additive/],
  ['a reference price of 0', [10, 10.1], { more: () => ({ pre_close: 0 }) }, 0, /pre_close is 0/],
  [
    'a missing reference price',
    [10, 10.1, 10.2],
    { more: (at: number) => ({ pre_close: at === 2 ? null : 10 }) },
    2,
    /null/,
  ],
  ['a missing factor', [10, 10.1], { more: (at: number) => ({ adj_factor: at === 1 ? null : 1 }) }, 1, /adj_factor/],
  ['a return beyond the limit', [10, 10.1, 11.3], {}, 2, /beyond the limit of 10 %/],
  ['a fall beyond the limit', [10, 8.9], {}, 1, /beyond the limit/],
  ['an index', [10, 10.1], { symbol: '000001.SH' }, 0, /board/],
] as const)('refused: %s', (_, closes, given, at, why) => {
  const { table, refused, days } = run(closes, given as Given)
  expect(table).toEqual([])
  expect(refused).toMatchObject([{ tradedate: days[at], why: expect.stringMatching(why) }])
})

test('limit moves that rounding explains are not refused', () => {
  // 1.05 x 1.1 = 1.155, limit 1.16: +10.48 %. As back-adjusted closes the cents are gone.
  expect(run([1.05, 1.16], none).refused).toEqual([])
  expect(run([525, 580], none).refused).toEqual([])
  expect(run([525, 582], none).refused).toHaveLength(1)
  expect(run([525, 580], { ...none, more: (at) => ({ pre_close: at === 0 ? null : 525 }) }).refused).toHaveLength(1)
})

test('one stock that is refused does not take others with it; a doubled day and a day outside the calendar', () => {
  const rows = [
    { tradedate: '20260803', symbol: '600000', close: 10 },
    { tradedate: '20260803', symbol: '600001', close: 10 },
    { tradedate: '20260803', symbol: '600001', close: 10 },
    { tradedate: '20260802', symbol: '600002', close: 10 },
    { tradedate: '20260803', symbol: '600002', close: 10 },
    { tradedate: '20260804', symbol: '600000', close: 11 },
    { tradedate: '20260805', symbol: '600000', close: 12.1 },
  ]
  const benchmarks = fromRows(
    rows
      .filter(({ symbol }) => symbol === '600000')
      .map((row) => ({ tradedate: row.tradedate, code: '000002.SH', close: 4000 })),
  )
  const made = computeAnomalies(fromRows(rows), benchmarks)
  expect(toObjects(made.refused).map(({ symbol, tradedate }) => [symbol, tradedate])).toEqual([
    ['600001', '20260803'],
    ['600002', '20260802'],
  ])
  expect(toObjects(made.events)).toMatchObject([{ symbol: '600000', tradedate: '20260805' }])
})

test('what the whole table cannot be computed with is an error', () => {
  const prices = fromRows(
    [10, 11, 12.1].map((close, at) => ({ tradedate: `2026080${at + 3}`, symbol: '600000', close })),
  )
  const index = (days: readonly string[], close = 4000) =>
    fromRows(days.map((tradedate) => ({ tradedate, code: '000002.SH', close })))
  const all = ['20260803', '20260804', '20260805']
  expect(() => computeAnomalies(prices, index(all.slice(1)))).toThrow(/no close of 000002.SH on 20260803/)
  expect(() => computeAnomalies(prices, index([...all, '20260803']))).toThrow(/twice/)
  expect(() => computeAnomalies(prices, index(all, -1))).toThrow(/is -1/)
  expect(() => computeAnomalies(prices, index(all), ['20260804', '20260803'])).toThrow(/not ascending/)
  expect(() => computeAnomalies(prices, index(all), all, undefined, { adjustment: 'additive' })).toThrow(/additive/)
  expect(() => computeAnomalies(index(all), index(all))).toThrow(expect.objectContaining({ code: 'MISSING_COLUMN' }))
  expect(computeAnomalies(prices, index(all), all).table.numRows).toBe(1)
})

test('a nearer price of a less extreme interval: triggered rows are the same, reachable ones more', () => {
  const closes = [12.5, 12, 12.1, 12.2, 13]
  const index = [4000, 4000, 3300, 3300, 3300]
  const extreme = run(closes, { ...none, index })
  const nearest = run(closes, { ...none, index, interval: 'nearest' })
  const key = ({ tradedate, rule, status }: Row): string => `${tradedate} ${rule} ${status}`
  const triggered = (rows: readonly Row[]): string[] => rows.map(key).filter((text) => text.endsWith('triggered'))
  expect(triggered(nearest.table)).toEqual(triggered(extreme.table))
  for (const row of extreme.table) {
    const other = rowOf(nearest.table, { tradedate: row.tradedate, rule: row.rule })
    const sign = row.direction === 'up' ? 1 : -1
    expect(sign * Number(other?.required_pct_chg)).toBeLessThanOrEqual(sign * Number(row.required_pct_chg))
  }
})
