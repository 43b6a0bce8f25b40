import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toObjects } from '../../../../src/frame/read-columns.js'
import {
  type PerformanceOptions,
  performanceStats,
} from '../../../../src/research/analysis/performance/performance-stats.js'
import { rollingPerformance } from '../../../../src/research/analysis/performance/rolling-performance.js'

const oneReturn = fc.double({ min: -0.3, max: 0.3, noNaN: true }).map((x) => Number(x.toFixed(6)))
const someReturns = fc.array(oneReturn, { minLength: 3, maxLength: 60 })
const days = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708']
/** As many dates as numbers, 28 a month. */
const datesFor = (numbers: readonly number[]): string[] =>
  numbers.map((_, i) => String(20_260_101 + 100 * Math.floor(i / 28) + (i % 28)))
const equity = [98, 102, 95, 97, 110, 108]

test('what is not defined is NaN', () => {
  const flat = performanceStats({ days, equity: days.map(() => 100), start: 100 })
  const undefinedOfFlat = [
    'sharpe',
    'sortino',
    'calmar',
    'skew',
    'kurtosis',
    'beta',
    'alpha',
    'winRate',
    'turnover',
  ] as const
  for (const name of undefinedOfFlat) expect(flat[name], name).toBeNaN()
  const zeros = [flat.total, flat.cagr, flat.volatility, flat.maxDrawdown.depth, flat.maxDrawdown.days]
  expect(zeros).toEqual([0, 0, 0, 0, 0])
  const none = performanceStats([])
  for (const name of ['total', 'annualReturn', 'sharpe', 'dayWinRate', 'valueAtRisk'] as const)
    expect(none[name]).toBeNaN()
  expect(performanceStats([0.01, -0.02]).cagr).toBeNaN()
  expect(performanceStats({ days, equity, start: 100, trades: [{ pnl: 1 }] }).profitFactor).toBeNaN()
})

test('a standard deviation that rounding leaves is none, whatever the size of the returns', () => {
  for (const value of [1e-7, 1e-4, 0.001, 0.01, 1, 100]) {
    for (const count of [3, 10, 250, 5000]) expect(performanceStats(Array<number>(count).fill(value)).sharpe).toBeNaN()
  }
  const quiet = Array.from({ length: 250 }, (_, i) => ((i * 7919) % 101) * 1e-10)
  expect(performanceStats(quiet).sharpe).toBeGreaterThan(0)
  const [still, moved] = toObjects(rollingPerformance([0.1, 0.1, 0.1, 0.2], 3))
  expect([still?.['volatility'], still?.['sharpe'], moved?.['sharpe'] === null]).toEqual([0, null, false])
  expect(moved?.['volatility']).toBeCloseTo(0.916515138991168, 12)
})

/** Every pair of a high and a later low, one by one. */
function bruteDepth(curve: readonly number[]): number {
  let least = 0
  for (let i = 0; i < curve.length; i++)
    for (let j = i; j < curve.length; j++) least = Math.min(least, (curve[j] as number) / (curve[i] as number) - 1)
  return least
}

test('drawdowns by brute force; they do not overlap, and cover all that is below a high', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 40 }),
      ([start = 1, ...levels]) => {
        const curve = [start, ...levels]
        const some = datesFor(levels)
        const { maxDrawdown, drawdowns } = performanceStats({ days: some, equity: levels, start })
        expect(maxDrawdown.depth).toBeCloseTo(bruteDepth(curve), 14)
        const covered = new Set<number>()
        for (const { depth, peakRow, troughRow, recoveredRow, days: length } of drawdowns) {
          const end = recoveredRow ?? curve.length
          expect(length).toBe((recoveredRow ?? curve.length - 1) - peakRow)
          expect(depth).toBe((curve[troughRow] as number) / (curve[peakRow] as number) - 1)
          for (let row = peakRow + 1; row < end; row++) {
            expect(covered.has(row)).toBe(false)
            covered.add(row)
            expect(curve[row]).toBeLessThan(curve[peakRow] as number)
            expect(curve[row]).toBeGreaterThanOrEqual(curve[troughRow] as number)
          }
          if (recoveredRow !== undefined) expect(curve[recoveredRow]).toBeGreaterThanOrEqual(curve[peakRow] as number)
        }
        const below = curve.flatMap((value, row) => (value < Math.max(...curve.slice(0, row + 1)) ? [row] : []))
        if (drawdowns.length < 10) expect([...covered].sort((a, b) => a - b)).toEqual(below)
      },
    ),
  )
})

test('a curve is worth the same in any money, and its returns alike', () => {
  fc.assert(
    fc.property(someReturns, fc.double({ min: 0.01, max: 1e6, noNaN: true }), (returns, start) => {
      let value = start
      const curve = returns.map((r) => {
        value *= 1 + r
        return value
      })
      const some = datesFor(returns)
      const one = performanceStats({ days: some, equity: curve, start })
      const two = performanceStats({ days: some, returns })
      for (const name of ['total', 'cagr', 'volatility', 'valueAtRisk'] as const)
        expect(Math.abs(one[name] - two[name])).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(two[name])))
      expect(one.maxDrawdown.depth).toBeCloseTo(two.maxDrawdown.depth, 9)
      const months = two.monthly?.reduce((all, month) => all * (1 + month.return), 1) ?? 0
      expect(months - 1).toBeCloseTo(two.total, 9)
    }),
  )
})

test('a benchmark is joined by day', () => {
  const own = { days: ['20260702', '20260706'], returns: [0.02, 0.05] }
  const levels = { days, equity: [100, 110, 121, 133.1, 120, 130] }
  const beta = (benchmark: PerformanceOptions['benchmark']) =>
    performanceStats(own, benchmark ? { benchmark } : {}).beta
  // 20260706 stands for two days of the benchmark: 1.1 x 1.1 - 1
  expect(beta(levels)).toBeCloseTo((0.05 - 0.02) / (0.21 - 0.1), 9)
  expect(beta({ days, returns: [0, 0.1, 0.1, 0.1, 0, 0] })).toBeCloseTo((0.05 - 0.02) / (0.21 - 0.1), 9)
  // levels that begin with the account say nothing of its first day
  const all = { days, returns: [0.5, 0.01, 0.02, -0.01, 0.03, 0] }
  const rest = { days: days.slice(1), returns: all.returns.slice(1) }
  expect(performanceStats(all, { benchmark: levels }).beta).toBe(performanceStats(rest, { benchmark: levels }).beta)
  expect(performanceStats(all, { benchmark: { ...levels, start: 90 } }).beta).not.toBe(
    performanceStats(all, { benchmark: levels }).beta,
  )
})
