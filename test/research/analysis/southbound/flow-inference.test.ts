import { expect, test } from 'vitest'
import { normalQuantile } from '../../../../src/research/analysis/normal-distribution.js'
import { flowCorrelation, hitRate } from '../../../../src/research/analysis/southbound/flow-correlation.js'
import { autocorrelations, effectiveDays, z95 } from '../../../../src/research/analysis/southbound/flow-inference.js'
import type { JoinedFlows } from '../../../../src/research/analysis/southbound/index-join.js'
import { numberColumn, resultTable } from '../../../../src/research/checks/check-columns.js'
import { python } from '../help.js'

const on = '全A等权'

test("the normal distribution's quantiles are Python's", () => {
  const at = [1e-300, 1e-20, 1e-7, 0.001, 0.02, 0.05, 0.0749, 0.0751, 0.3, 0.5, 0.7, 0.924, 0.926, 0.975, 0.99999]
  const script = 'import sys, json, statistics as s; print([s.NormalDist().inv_cdf(p) for p in json.load(sys.stdin)])'
  const expected = python(script, at) as number[]
  at.forEach((p, i) => {
    const due = expected[i] as number
    expect(Math.abs(normalQuantile(p) - due)).toBeLessThan(1e-13 * Math.abs(due) + 1e-15)
  })
  expect(z95).toBeCloseTo(1.959963984540054, 14)
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
