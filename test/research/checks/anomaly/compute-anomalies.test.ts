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

const none = { resets: 'none' } as const

function rowOf(rows: readonly Row[], wanted: Row): Row | undefined {
  return rows.find((row) => Object.entries(wanted).every(([name, value]) => row[name] === value))
}

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
  expect(() => computeAnomalies(index(all), index(all))).toThrow(expect.objectContaining({ code: 'MISSING_COLUMN' }))
  expect(computeAnomalies(prices, index(all), all).table.numRows).toBe(1)
})
