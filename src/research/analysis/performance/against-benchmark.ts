import { sampleCovariance, sampleVariance } from '#statistics'
import { deviationOf, meanOf, meanPerDeviation } from './return-moments.js'

/** Returns beside those of a benchmark. */
export interface BenchmarkFigures {
  /** cov(r, b) / var(b); as empyrical and quantstats. */
  readonly beta: number
  /** (mean(r - rf) - beta mean(b - rf)) N, arithmetic; as quantstats, which knows no rf there. empyrical compounds it: (1 + alpha / N)^N - 1; backtesting.py takes the whole period. */
  readonly alpha: number
  /** mean(r - b) / std(r - b) sqrt(N), n - 1 in the divisor. empyrical (`excess_sharpe`), ffn and quantstats do not annualise it. */
  readonly informationRatio: number
}

/** Of the rows where the benchmark has a return. */
export function againstBenchmark(
  returns: Float64Array,
  benchmark: Float64Array,
  freePerDay: number,
  perYear: number,
): BenchmarkFigures {
  const there = (_: number, t: number): boolean => !Number.isNaN(benchmark[t])
  const own = Array.from(returns.filter(there))
  const other = Array.from(benchmark.filter(there))
  const beta = deviationOf(other) > 0 ? sampleCovariance(own, other) / sampleVariance(other) : Number.NaN
  const alpha = (meanOf(own) - freePerDay - beta * (meanOf(other) - freePerDay)) * perYear
  const apart = own.map((value, t) => value - (other[t] as number))
  return { beta, alpha, informationRatio: meanPerDeviation(apart) * Math.sqrt(perYear) }
}
