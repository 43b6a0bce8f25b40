import { expect, test } from 'vitest'
import { factorStudy, type Signal } from '../../../../src/research/analysis/performance/factor-study.js'

const symbols = ['A', 'B', 'C', 'D', 'E', 'F']
const times = ['1', '2', '3', '4']

test('a score that knows the returns, over horizons that know less', () => {
  const score = times.flatMap((_, t) => symbols.map((_, s) => ((s + t) % 6) + 0.1))
  const near = score.map((x) => x / 100)
  const far = score.map((x, i) => (i % 2 === 0 ? x / 100 : 0))
  const { horizons, meanTurnover, turnover, meanRankAutocorrelation } = factorStudy(
    { times, symbols, score, forward: [near, far, near.map((x) => -x)] },
    { quantiles: 3 },
  )
  expect(horizons.map(({ meanIc }) => meanIc)).toEqual([1, expect.any(Number), -1])
  expect(horizons[1]?.meanIc).toBeLessThan(1)
  expect(horizons[0]?.spread).toBeCloseTo(0.04, 12)
  expect([...(horizons[0]?.quantileReturns ?? [])].map((x) => Number(x.toFixed(6)))).toEqual([0.006, 0.026, 0.046])
  // the same coefficient on all days has no deviation, and so no ratio
  expect([horizons[0]?.stdIc, horizons[0]?.ir, horizons[0]?.t]).toEqual([0, Number.NaN, Number.NaN])
  expect([...meanTurnover]).toEqual([0.5, 0.5, 0.5])
  expect([...(turnover[0] ?? [])]).toEqual([Number.NaN, 0.5, 0.5, 0.5])
  // the highest falls to the lowest place each day, all others rise by one: 1 - 6 x 30 / (6 x 35)
  expect(meanRankAutocorrelation).toBeCloseTo(1 - 180 / 210, 12)
})

test('a signal of another shape is refused', () => {
  const signal = { times, symbols, score: Array<number>(24).fill(1), forward: [Array<number>(23).fill(1)] }
  expect(() => factorStudy(signal)).toThrow('factorStudy: forward 1: there are 23 numbers for 4 times x 6 symbols = 24')
  expect(() => factorStudy({ ...signal, forward: [] }, { quantiles: 1 })).toThrow(
    'quantiles must be a whole number of at least 2',
  )
  expect(() => factorStudy({ ...signal, forward: 7 } as unknown as Signal)).toThrow(
    'factorStudy: forward must be an array, not 7',
  )
})
