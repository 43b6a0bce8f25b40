import { bothPresent } from '../../../frame/verb/array-statistics.js'
import { againstBenchmark } from './against-benchmark.js'
import { meanThere } from './factor-information.js'
import { isFlat, meanOf } from './return-moments.js'

/** What a portfolio weighted by the score itself returned. */
export interface FactorReturn {
  /** By time: sum of weights times returns, weights (x - mean) / sum of |x - mean| over the names that have both; as alphalens. NaN where all scores are equal. */
  readonly factorReturns: Float64Array
  readonly meanFactorReturn: number
  /** Of a regression on the mean return of the same names: (1 + alpha of a horizon)^(periods a year / horizon) - 1, as alphalens. */
  readonly alpha: number
  readonly beta: number
}

/** The factor's returns and how they hang on the market of its names. */
export function factorReturnOf(
  scores: readonly Float64Array[],
  forward: readonly Float64Array[],
  horizon: number,
  periodsPerYear: number,
): FactorReturn {
  const market = new Float64Array(scores.length).fill(Number.NaN)
  const factorReturns = Float64Array.from(scores, (score, t) => {
    const [own, returns] = bothPresent(score, forward[t] as Float64Array)
    market[t] = meanOf(returns)
    const mean = isFlat(own) ? Number.NaN : meanOf(own)
    let [sum, size] = [0, 0]
    for (let s = 0; s < own.length; s++) {
      sum += ((own[s] as number) - mean) * (returns[s] as number)
      size += Math.abs((own[s] as number) - mean)
    }
    return sum / size
  })
  const known = (_: number, t: number): boolean => !Number.isNaN(factorReturns[t])
  const { alpha, beta } = againstBenchmark(factorReturns.filter(known), market.filter(known), 0, 1)
  return {
    factorReturns,
    meanFactorReturn: meanThere(factorReturns),
    alpha: (1 + alpha) ** (periodsPerYear / horizon) - 1,
    beta,
  }
}
