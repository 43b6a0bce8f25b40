import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { performance } from '../../../src/analysis/performance/performance.js'
import { rollingPerformance } from '../../../src/analysis/performance/rolling-performance.js'
import { signalStudy } from '../../../src/analysis/performance/signal-study.js'
import { objectsOf } from '../../../src/frame/read-columns.js'

type Cells = readonly (number | null)[]

/* Expected values: test/fixture/pandas/performance.py. */
const stored = JSON.parse(readFileSync('test/fixture/pandas/performance.json', 'utf8')) as {
  readonly days: readonly string[]
  readonly returns: readonly number[]
  readonly market: readonly number[]
  readonly figures: Readonly<Record<string, number>>
  readonly rolled: Readonly<Record<string, Cells>>
  readonly compounded: Readonly<Record<'monthly' | 'yearly', readonly (readonly [string, number, number])[]>>
  readonly study: {
    readonly score: readonly Cells[]
    readonly forward: readonly (readonly Cells[])[]
    readonly horizons: readonly {
      readonly ic: Cells
      readonly meanIc: number
      readonly stdIc: number
      readonly t: number
      readonly quantileReturns: Cells
      readonly spread: number
    }[]
    readonly rankAutocorrelation: Cells
  }
}

const { days, returns, market } = stored
const rolled = { benchmark: market, riskFree: 0.02 }
const options = { ...rolled, mar: 0.0001 }

function near(found: unknown, expected: number | null | undefined, where: string): void {
  if (expected === null || expected === undefined) expect(found, where).toBeNaN()
  else
    expect(Math.abs((found as number) - expected), where).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(expected)))
}

test('figures, months and years', () => {
  const found = performance({ days, returns }, options)
  const { deepest, ...figures } = stored.figures
  for (const [name, value] of Object.entries(figures)) near(found[name as 'total'], value, name)
  near(found.maxDrawdown.depth, deepest, 'drawdown')
  for (const name of ['monthly', 'yearly'] as const) {
    expect(found[name]?.map((one) => [one.period, one.days])).toEqual(
      stored.compounded[name].map(([period, , count]) => [period, count]),
    )
    for (const [at, [, value]] of stored.compounded[name].entries()) near(found[name]?.[at]?.return, value, name)
  }
})

test('rolling figures', () => {
  const found = objectsOf(rollingPerformance({ days, returns }, 20, rolled))
  expect(found).toHaveLength(281)
  expect([found[0]?.['day'], found.at(-1)?.['day']]).toEqual([days[19], days.at(-1)])
  for (const [name, cells] of Object.entries(stored.rolled))
    for (const [at, row] of found.entries()) near(row[name], cells[at + 19], `${name} ${at}`)
})

test('a study of scores with ties and missing numbers', () => {
  const { score, forward, horizons, rankAutocorrelation } = stored.study
  const symbols = Array.from({ length: 30 }, (_, s) => String(s))
  const signal = {
    times: score.map((_, t) => String(t)),
    symbols,
    score: score.flat(),
    forward: forward.map((one) => one.flat()),
  }
  const found = signalStudy(signal)
  for (const [at, expected] of horizons.entries()) {
    const horizon = found.horizons[at]
    for (const [t, value] of expected.ic.entries()) near(horizon?.ic[t], value, `ic ${t}`)
    for (const [q, value] of expected.quantileReturns.entries())
      near(horizon?.quantileReturns[q], value, `quantile ${q}`)
    for (const name of ['meanIc', 'stdIc', 't', 'spread'] as const) near(horizon?.[name], expected[name], name)
  }
  for (const [t, value] of rankAutocorrelation.entries()) near(found.rankAutocorrelation[t], value, `rank ${t}`)
})
