/* Deep: simulations, thousands of series. */
import { expect, test } from 'vitest'
import { normalQuantile } from '../../../../src/research/analysis/normal-distribution.js'
import { deflatedSharpe } from '../../../../src/research/analysis/performance/deflated-sharpe.js'
import { performanceStats } from '../../../../src/research/analysis/performance/performance-stats.js'
import { chances } from '../../../helper/chance.js'

/** Normal numbers that only the seed decides. */
function normals(seed: number, count: number): number[] {
  const next = chances(seed)
  return Array.from({ length: count }, () => normalQuantile(next() + 2 ** -33))
}

test('the expected best of trials without skill is what simulations show', () => {
  const greatest = Array.from({ length: 4000 }, (_, i) => Math.max(...normals(i + 1, 50)))
  const mean = greatest.reduce((a, b) => a + b) / greatest.length
  const { expectedMaximum } = deflatedSharpe({ sharpe: 0, observations: 10, trials: 50, variance: 1 })
  expect(Math.abs(expectedMaximum - mean)).toBeLessThan(0.03)
})

test('the interval of the mean holds it in about 95 of 100 series', () => {
  let held = 0
  for (let seed = 1; seed <= 200; seed++) {
    const returns = normals(seed, 120).map((x) => 0.02 * x)
    const { low, high } = performanceStats(returns, { resamples: 200, seed }).intervals?.mean ?? { low: 1, high: 1 }
    if (low <= 0 && high >= 0) held++
  }
  expect(held / 200).toBeGreaterThan(0.87)
  expect(held / 200).toBeLessThan(0.99)
})
