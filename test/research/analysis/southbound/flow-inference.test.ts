import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { normalQuantile } from '../../../../src/research/analysis/normal-distribution.js'
import { eventStudy } from '../../../../src/research/analysis/southbound/event-study.js'
import { flowCorrelation, hitRate, wilson } from '../../../../src/research/analysis/southbound/flow-correlation.js'
import { autocorrelations, effectiveDays, z95 } from '../../../../src/research/analysis/southbound/flow-inference.js'
import { type JoinedFlows, joinIndex } from '../../../../src/research/analysis/southbound/index-join.js'
import { southboundFlows } from '../../../../src/research/analysis/southbound/southbound-flows.js'
import { numberColumn, resultTable } from '../../../../src/research/checks/check-columns.js'
import { python, tableFrom } from '../help.js'
import { quote, stock } from './help.js'

const runs = Number(process.env['RUNS'] ?? 1)
const on = '全A等权'

test("the normal distribution's quantiles are Python's", () => {
  const at = [1e-300, 1e-20, 1e-7, 0.001, 0.02, 0.05, 0.0749, 0.0751, 0.3, 0.5, 0.7, 0.924, 0.926, 0.975, 0.99999]
  const script = 'import sys, json, statistics as s; print([s.NormalDist().inv_cdf(p) for p in json.load(sys.stdin)])'
  const expected = python(script, at) as number[]
  at.forEach((p, i) => {
    expect(Math.abs(normalQuantile(p) - (expected[i] as number))).toBeLessThan(
      1e-13 * Math.abs(expected[i] as number) + 1e-15,
    )
  })
  expect(z95).toBeCloseTo(1.959963984540054, 14)
})

test("Wilson's interval has its published values", () => {
  // Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3.
  const of = (hits: number, n: number) => wilson(hits / n, n).map((end) => end.toFixed(4))
  expect(of(81, 263)).toEqual(['0.2553', '0.3662'])
  expect(of(15, 148)).toEqual(['0.0624', '0.1605'])
  expect(of(0, 20)).toEqual(['0.0000', '0.1611'])
  expect(of(1, 29)).toEqual(['0.0061', '0.1718'])
})

test('effective days: all of them without memory, Quenouille where it fades at a constant rate, fewer where it lasts', () => {
  expect(effectiveDays(100, [0, 0, 0])).toBe(100)
  expect(effectiveDays(100, [-0.5, 0.25])).toBe(100)
  expect(effectiveDays(100, [0.5])).toBeCloseTo(100 / 3, 12)
  const faint = Array.from({ length: 10 }, () => 0.2)
  expect(effectiveDays(100, faint)).toBeCloseTo(100 / (1 + 2 * 0.2 * (10 - 0.55)), 12)
  const [first, second] = autocorrelations(Float64Array.of(1, 2, Number.NaN, 4, 5), 2)
  // Deviations -2, -1, 1, 2: products of neighbours 2 + 2 of three due, two days apart 0 + 0 of two due; squares 10.
  expect([first, second]).toEqual([(4 / 10) * (3 / 2), ((-2 * 0 + -1 * 1) / 10) * (2 / 1)])
  expect([...autocorrelations(Float64Array.of(3, 3, 3), 2)]).toEqual([0, 0])
})

/** A joined table of so many days. */
function joinedOf(net: ArrayLike<number>, change: ArrayLike<number>): JoinedFlows {
  const column = (data: ArrayLike<number>) => numberColumn(undefined, 'Made up.', Float64Array.from(data))
  const table = resultTable({ net: column(net), index_pct_chg: column(change) })
  const index = { symbol: '880008', name: on }
  return { table, unmatched: table, purpose: 'description', lag: 0, channel: 'both', index, unit: 'yuan' }
}

test('where few neighbouring days are known, no memory is beyond 1, and no interval of less than one day', () => {
  const gap = Number.NaN
  const alike = hitRate(joinedOf([1, 1, gap, -1, gap, -1, gap, -1], [2, 2, gap, -1, gap, -1, gap, -1]))
  expect(alike).toMatchObject({ share: 1, low: null, high: null, effective: 0, beats: false })
  const sparse = Float64Array.of(5, -5, gap, 1, gap, 2, gap, -1, gap, -2)
  expect(autocorrelations(sparse, 1)).toEqual(Float64Array.of(-1))
  expect(flowCorrelation(joinedOf([...sparse], [2, 2, gap, 1, gap, -1, gap, 1, gap, 1])).pearson.effective).toBe(6)
})

test('too few days, or none that vary, have no correlation; a perfect one has no interval', () => {
  const nothing = { value: null, low: null, high: null, effective: null }
  expect(flowCorrelation(joinedOf([1, 2], [3, 5]))).toMatchObject({ pearson: nothing, spearman: nothing, days: 2 })
  expect(flowCorrelation(joinedOf([1, 1, 1, 1], [3, 5, 4, 4])).pearson).toEqual(nothing)
  expect(flowCorrelation(joinedOf([1, 2, Number.NaN, 3, 4], [1, 2, 9, 3, 4]))).toMatchObject({
    pearson: { value: 1, low: null, high: null },
    days: 4,
  })
})

test('correlations: bounds, sign and scale', () => {
  const list = fc.array(fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -999, max: 999 })), {
    minLength: 5,
    maxLength: 40,
  })
  fc.assert(
    fc.property(list, (days) => {
      const [net, change] = [days.map(([x]) => x / 100), days.map(([, y]) => y / 100)]
      const one = flowCorrelation(joinedOf(net, change))
      const turned = flowCorrelation(
        joinedOf(
          net.map((x) => -x * 8),
          change,
        ),
      )
      for (const kind of ['pearson', 'spearman'] as const) {
        const [a, b] = [one[kind], turned[kind]]
        if (a.value === null) continue
        expect(Math.abs(a.value)).toBeLessThanOrEqual(1)
        expect(b.value).toBeCloseTo(-a.value, 12)
        expect(a.effective).toBeLessThanOrEqual(days.length)
        if (a.low === null || a.high === null) continue
        expect(a.low <= a.value && a.value <= a.high && a.low >= -1 && a.high <= 1).toBe(true)
        expect(b.low).toBeCloseTo(-a.high, 9)
      }
    }),
    { numRuns: 100 * runs },
  )
})

const days = tradingDays('20260401', '20260630')

/** Flows of one stock and an index of the same days. */
function studied(nets: readonly number[], changes: readonly (number | null)[]) {
  const rows = nets.flatMap((net, i) => stock(days[i] ?? '', '00700.HK', { sh: [1000 + net, 1000], sz: [1, 1] }))
  const quotes = changes.map((change, i) => quote(days[i] ?? '', change))
  return [southboundFlows(tableFrom('southbound_top10', rows)), tableFrom('theme_daily', quotes)] as const
}

test('an event study of few days has no intervals; wrong options are refused', () => {
  const [flows, quotes] = studied([5, -3, 1, 2, -1], [1, 1, 1, 1, 1])
  const { table } = eventStudy(flows, quotes, { on })
  expect(toObjects(table).every((row) => row['low'] === null)).toBe(true)
  expect(() => eventStudy(flows, quotes, { on, quantile: 0.5 })).toThrow('quantile must be above 0.5 and below 1')
  expect(() => eventStudy(flows, quotes, { on, after: 0 })).toThrow('after must be a whole number from 1 to 60')
  const empty = southboundFlows(
    tableFrom('southbound_top10', [], Object.keys(stock('1', '1', { sh: [1, 1], sz: null })[0] ?? {})),
  )
  expect(eventStudy(empty, quotes, { on }).table.numRows).toBe(0)
  expect(joinIndex(empty, quotes, { on }).table.numRows).toBe(0)
})
