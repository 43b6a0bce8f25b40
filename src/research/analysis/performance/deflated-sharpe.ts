import { normalProbability, normalQuantile } from '../normal-distribution.js'
import { deviationOf } from './return-moments.js'
import { numberAbove } from './return-series.js'

/** A Sharpe ratio and what its error hangs on. */
export interface SharpeEstimate {
  /** Per year, as `performanceStats` gives it. */
  readonly sharpe: number
  /** Number of returns. */
  readonly observations: number
  /** Default 0. */
  readonly skew?: number
  /** Excess kurtosis, as `performanceStats` gives it; the papers' kurtosis is 3 more. Default 0. */
  readonly kurtosis?: number
  /** Default 252. With 1 all ratios are those of a period. */
  readonly periodsPerYear?: number
}

/** How the best of some trials was found. */
export interface TrialSharpes {
  /** How many were tried, all that were looked at; or their Sharpe ratios, per year, from which the variance follows. */
  readonly trials: number | ArrayLike<number>
  /** Variance of their Sharpe ratios, per year. Needed when `trials` is a number. */
  readonly variance?: number
}

/** A Sharpe ratio compared with the best that chance alone would give. */
export interface DeflatedSharpe {
  /** That the true ratio is above 0 after the search; 0.95 is what is usually asked for. */
  readonly probability: number
  /** The best Sharpe ratio expected of so many trials without skill, per year. */
  readonly expectedMaximum: number
}

/**
 * The probability that the true Sharpe ratio is above `against` (per year):
 * Φ((SR - SR*) sqrt(n - 1) / sqrt(1 - skew SR + (kurtosis + 2) / 4 SR²)), ratios per period. Bailey and López de Prado, The Sharpe
 * Ratio Efficient Frontier, Journal of Risk 15 (2012). As ffn within its deflated ratio; quantstats takes 3 off a
 * kurtosis that is an excess already. NaN below two returns, or where the root is of nothing above 0.
 */
export function probabilisticSharpe(estimate: SharpeEstimate, against = 0): number {
  const { sharpe, observations, skew = 0, kurtosis = 0, periodsPerYear = 252 } = estimate
  const root = Math.sqrt(numberAbove(0, periodsPerYear, 'probabilisticSharpe: periodsPerYear'))
  const ratio = sharpe / root
  const spread = 1 - skew * ratio + ((kurtosis + 2) / 4) * ratio * ratio
  if (!(spread > 0) || !(observations >= 2)) return Number.NaN
  return normalProbability(((ratio - against / root) * Math.sqrt(observations - 1)) / Math.sqrt(spread))
}

/** Euler's constant. */
const euler = 0.5772156649015329

/** What the greatest of `trials` normal variables of variance 1 is expected to be; 0 of one. */
function expectedGreatest(trials: number): number {
  if (trials <= 1) return 0
  return (1 - euler) * normalQuantile(1 - 1 / trials) + euler * normalQuantile(1 - 1 / (trials * Math.E))
}

function countAndVariance({ trials, variance }: TrialSharpes): readonly [count: number, variance: number | undefined] {
  if (typeof trials === 'number') return [trials, variance]
  return [trials.length, variance ?? (deviationOf(trials) || 0) ** 2]
}

/**
 * Computes the probability that the best of several trials has a true Sharpe ratio above 0: `probabilisticSharpe`
 * against the expected best of trials without skill, sqrt(variance) ((1 - γ) Φ⁻¹(1 - 1/trials) + γ Φ⁻¹(1 - 1/(e
 * trials))). Bailey and López de Prado, The Deflated Sharpe Ratio, Journal of Portfolio Management 40 (2014). As ffn
 * since 2026. If trials resemble each other, they count as fewer than they are, and the true probability is higher.
 *
 * `deflatedSharpe({ ...performanceStats(best), trials: all.map((one) => one.sharpe) })`
 * @throws QuotebookError INVALID_VALUE for no trial, and for a variance that is missing or below 0
 */
export function deflatedSharpe(estimate: SharpeEstimate & TrialSharpes): DeflatedSharpe {
  const [trials, variance] = countAndVariance(estimate)
  numberAbove(0, trials, 'deflatedSharpe: trials')
  const expectedMaximum =
    variance === 0 ? 0 : Math.sqrt(numberAbove(0, variance, 'deflatedSharpe: variance')) * expectedGreatest(trials)
  return { probability: probabilisticSharpe(estimate, expectedMaximum), expectedMaximum }
}
