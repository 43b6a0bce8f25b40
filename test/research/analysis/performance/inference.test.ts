import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalProbability, normalQuantile } from '../../../../src/research/analysis/normal-distribution.js'
import { deflatedSharpe, probabilisticSharpe } from '../../../../src/research/analysis/performance/deflated-sharpe.js'
import { probabilityOfOverfitting } from '../../../../src/research/analysis/performance/probability-of-overfitting.js'
import { eachResample } from '../../../../src/research/analysis/performance/stationary-bootstrap.js'
import { chances } from '../../../helper/chance.js'
import { python } from '../help.js'

/** Normal numbers that only the seed decides. */
function normals(seed: number, count: number): number[] {
  const next = chances(seed)
  return Array.from({ length: count }, () => normalQuantile(next() + 2 ** -33))
}

test("the normal distribution is Python's, in the tails too", () => {
  const at = [
    -37, -20, -8, -5.5, -3.001, -2.999, -1.959963984540054, -1, -1e-9, 0, 0.3, 1, 2.5, 2.999, 3, 3.001, 6, 9, 40,
  ]
  const script = 'import sys, json, math; print([math.erfc(-x / math.sqrt(2)) / 2 for x in json.load(sys.stdin)])'
  const expected = python(script, at) as number[]
  at.forEach((x, i) => {
    const value = expected[i] as number
    expect(Math.abs(normalProbability(x) - value), `${x}`).toBeLessThanOrEqual(1e-12 * value)
  })
  expect(normalProbability(1.959963984540054)).toBeCloseTo(0.975, 15)
  expect([-Infinity, Infinity].map(normalProbability)).toEqual([0, 1])
  expect(normalProbability(Number.NaN)).toBeNaN()
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
      expect(Math.abs(normalProbability(normalQuantile(p)) - p)).toBeLessThanOrEqual(1e-12 * p + 1e-15)
    }),
  )
})

test('a hurdle of 0 for one trial and for trials without variance, as ffn; a higher one for more', () => {
  const best = { sharpe: 1, observations: 500 }
  expect(deflatedSharpe({ ...best, trials: 1, variance: 0.5 }).expectedMaximum).toBe(0)
  expect(deflatedSharpe({ ...best, trials: 50, variance: 0 }).expectedMaximum).toBe(0)
  expect(deflatedSharpe({ ...best, trials: [1] })).toEqual({
    probability: probabilisticSharpe(best),
    expectedMaximum: 0,
  })
  const hurdles = [10, 100, 1000].map((trials) => deflatedSharpe({ ...best, trials, variance: 0.25 }).expectedMaximum)
  expect(hurdles).toEqual([...hurdles].sort((a, b) => a - b))
  expect(deflatedSharpe({ ...best, trials: [0, 1, 2] }).expectedMaximum).toBe(
    deflatedSharpe({ ...best, trials: 3, variance: 1 }).expectedMaximum,
  )
  expect(deflatedSharpe({ sharpe: Number.NaN, observations: 10, trials: 2, variance: 1 }).probability).toBeNaN()
  expect(() => deflatedSharpe({ ...best, trials: 10 })).toThrow('variance must be a number above 0, not undefined')
  expect(() => deflatedSharpe({ ...best, trials: 0, variance: 1 })).toThrow('trials must be a number above 0, not 0')
})

test('resamples are blocks of following rows of the wanted mean length, and every row alike often', () => {
  const [rows, block, resamples] = [50, 5, 2000]
  const count = new Int32Array(rows)
  let begun = 0
  eachResample(rows, { resamples, seed: 3, block }, (drawn) => {
    drawn.forEach((row, at) => {
      count[row] = (count[row] as number) + 1
      if (at > 0 && row !== ((drawn[at - 1] as number) + 1) % rows) begun++
    })
  })
  // a new block begins with a chance of 1/5, and 1 of 50 of these looks like no beginning
  expect(Math.abs(begun / (resamples * (rows - 1)) - (1 / block) * (1 - 1 / rows))).toBeLessThan(0.004)
  for (const one of count) expect(Math.abs(one - resamples)).toBeLessThan(0.15 * resamples)
})

/** Cross-validation as the paper words it: rows are put together, and everything is computed of them. */
function overfittingByHand(trials: readonly (readonly number[])[], blocks: number) {
  const days = trials[0]?.length ?? 0
  const edges = Array.from({ length: blocks + 1 }, (_, at) => Math.floor((at * days) / blocks))
  const ratio = (x: readonly number[]): number => {
    const mean = x.reduce((a, b) => a + b, 0) / x.length
    return mean / Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / (x.length - 1))
  }
  let [low, loss, all] = [0, 0, 0]
  for (let bits = 0; bits < 2 ** blocks; bits++) {
    const isIn = Array.from({ length: days }, (_, day) => {
      const block = edges.findLastIndex((edge) => edge <= day)
      return ((bits >> block) & 1) === 1
    })
    if (Array.from({ length: blocks }, (_, at) => (bits >> at) & 1).reduce((a, b) => a + b) !== blocks / 2) continue
    const inside = trials.map((one) => ratio(one.filter((_, day) => isIn[day])))
    const outside = trials.map((one) => ratio(one.filter((_, day) => !isIn[day])))
    const own = outside[inside.indexOf(Math.max(...inside))] as number
    const place = [...outside].sort((a, b) => a - b).indexOf(own) + 1
    const share = place / (trials.length + 1)
    if (Math.log(share / (1 - share)) <= 0) low++
    if (own < 0) loss++
    all++
  }
  return { probability: low / all, lossProbability: loss / all, combinations: all }
}

test('the probability of overfitting, by hand', () => {
  for (const [seed, trials, days, blocks] of [
    [1, 5, 40, 4],
    [2, 8, 61, 6],
    [3, 3, 90, 8],
    [4, 12, 47, 8],
  ] as const) {
    const trial = (i: number): number[] => normals(seed * 100 + i, days).map((x) => 0.01 * x + 0.0002 * i)
    const matrix = Array.from({ length: trials }, (_, i) => trial(i))
    expect(probabilityOfOverfitting(matrix, { blocks })).toEqual(overfittingByHand(matrix, blocks))
  }
})

test('trials that can not be compared are refused', () => {
  const one = normals(1, 40).map((x) => 0.01 * x)
  expect(() => probabilityOfOverfitting([one])).toThrow('at least 2 trials are needed, not 1')
  expect(() => probabilityOfOverfitting([one, one], { blocks: 3 })).toThrow('blocks must be even, not 3')
  expect(() => probabilityOfOverfitting([one, one], { blocks: 22 })).toThrow('22 blocks need at least 44 days, not 40')
  expect(() => probabilityOfOverfitting([one, one.slice(1)])).toThrow('trial 2 has 39 returns, the first 40')
  expect(() => probabilityOfOverfitting([one, one.map((x, i) => (i === 2 ? Number.NaN : x))])).toThrow(
    'trial 2: returns, row 3',
  )
})
