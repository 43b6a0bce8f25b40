import fc from 'fast-check'
import { expect, test } from 'vitest'
import { qcut } from '../../../../src/frame/verb/cut.js'
import { factorStudy, quantilesOf, type Signal } from '../../../../src/research/analysis/performance/factor-study.js'

const symbols = ['A', 'B', 'C', 'D', 'E', 'F']
const cell = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
)
const cells = fc.array(cell, { minLength: 24, maxLength: 24 })
const times = ['1', '2', '3', '4']

/** Spearman's correlation by its definition: Pearson's of places that are counted. */
function spearman(pairs: readonly (readonly [number, number])[]): number {
  const place = (of: 0 | 1, value: number): number =>
    pairs.filter((pair) => pair[of] < value).length + (pairs.filter((pair) => pair[of] === value).length + 1) / 2
  const [a, b] = [pairs.map((pair) => place(0, pair[0])), pairs.map((pair) => place(1, pair[1]))]
  const centre = (pairs.length + 1) / 2
  const sum = (x: number[], y: number[]) =>
    x.reduce((all, one, i) => all + (one - centre) * ((y[i] as number) - centre), 0)
  return sum(a, b) / Math.sqrt(sum(a, a) * sum(b, b))
}

/** pandas' qcut into thirds; undefined where two of its edges are equal, which it refuses. */
function thirds(score: number[]): (number | null)[] | undefined {
  try {
    return qcut(score, 3, [1, 2, 3])
  } catch {
    return undefined
  }
}

test('information coefficients, quantiles and turnover by brute force', () => {
  fc.assert(
    fc.property(cells, cells, (score, forward) => {
      const found = factorStudy({ times, symbols, score, forward: [forward] }, { quantiles: 3 })
      const known: number[] = []
      let before: string[][] = []
      for (let t = 0; t < 4; t++) {
        const row = (all: number[]) => all.slice(t * 6, t * 6 + 6)
        const pairs = row(score).map((x, s) => [x, row(forward)[s] as number] as const)
        const both = pairs.filter((pair) => !pair.some(Number.isNaN))
        const ic = both.length < 2 ? Number.NaN : spearman(both)
        if (Number.isNaN(ic)) expect(found.horizons[0]?.ic[t]).toBeNaN()
        else {
          expect(found.horizons[0]?.ic[t]).toBeCloseTo(ic, 12)
          known.push(ic)
        }
        const places = thirds(row(score))
        const codes = quantilesOf(Float64Array.from(row(score)), 3)
        for (const [s, code] of codes.entries()) {
          expect(code === 0).toBe(Number.isNaN(row(score)[s]))
          if (places) expect(code).toBe(places[s] ?? 0)
          for (const [o, other] of codes.entries()) {
            if ((row(score)[s] as number) > (row(score)[o] as number)) expect(code).toBeGreaterThanOrEqual(other)
            if (row(score)[s] === row(score)[o]) expect(code).toBe(other)
          }
        }
        const names = [1, 2, 3].map((q) => symbols.filter((_, s) => codes[s] === q))
        for (let q = 0; q < 3; q++) {
          const [now, last] = [names[q] as string[], before[q] ?? []]
          const share = now.filter((name) => !last.includes(name)).length / now.length
          const expected = last.length === 0 ? Number.NaN : share
          expect(found.turnover[q]?.[t]).toEqual(expected)
        }
        before = names
      }
      expect(found.horizons[0]?.dates).toBe(known.length)
      if (known.length > 0)
        expect(found.horizons[0]?.meanIc).toBeCloseTo(known.reduce((a, b) => a + b) / known.length, 12)
    }),
  )
})

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
