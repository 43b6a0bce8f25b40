import { mean, sampleKurtosis, sampleSkewness, sampleStandardDeviation } from '#statistics'
import { quantileOfSorted } from '../../../frame/table/quantiles.js'

/** Below this share of the largest number, a deviation is what rounding leaves of none. */
const noise = 1e-12

/** Simple-statistics declares arrays and reads by place and length alone: no copy is needed. */
const listOf = (x: ArrayLike<number>): number[] => x as number[]

export function meanOf(x: ArrayLike<number>): number {
  return x.length === 0 ? Number.NaN : mean(listOf(x))
}

function largest(x: ArrayLike<number>): number {
  let most = 0
  for (let row = 0; row < x.length; row++) most = Math.max(most, Math.abs(x[row] as number))
  return most
}

/** Whether the numbers that are there differ by no more than what rounding leaves, 1e-12 of the largest; also where there are none. */
export function isFlat(x: Float64Array): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < x.length; row++) {
    const value = x[row] as number
    if (value < low) low = value
    if (value > high) high = value
  }
  return !(high - low > noise * Math.max(Math.abs(low), Math.abs(high)))
}

/** Standard deviation, divided by n - 1. 0 when it is at most 1e-12 of the largest number; NaN below two. */
export function deviationOf(x: ArrayLike<number>): number {
  if (x.length < 2) return Number.NaN
  const deviation = sampleStandardDeviation(listOf(x))
  return deviation <= noise * largest(x) ? 0 : deviation
}

/** Mean over standard deviation; NaN where there is no deviation. */
export function meanPerDeviation(x: ArrayLike<number>): number {
  const deviation = deviationOf(x)
  return deviation > 0 ? meanOf(x) / deviation : Number.NaN
}

/** Skewness G1, adjusted for the size of the sample, as pandas; NaN below three or where nothing varies. */
export function skewOf(x: ArrayLike<number>): number {
  return x.length >= 3 && deviationOf(x) > 0 ? sampleSkewness(listOf(x)) : Number.NaN
}

/** Excess kurtosis G2, adjusted for the size of the sample, as pandas, 0 of a normal variable; NaN below four or where nothing varies. */
export function kurtosisOf(x: ArrayLike<number>): number {
  return x.length >= 4 && deviationOf(x) > 0 ? sampleKurtosis(listOf(x)) : Number.NaN
}

/**
 * Mean distance from the least acceptable return over the root of the mean square of distances below it, all rows in both.
 * NaN where nothing is below.
 */
export function meanPerDownside(returns: Float64Array, least: number): number {
  const excess = returns.map((r) => r - least)
  const downside = Math.sqrt(meanOf(excess.map((x) => Math.min(x, 0) ** 2)))
  return downside > noise * largest(excess) ? meanOf(excess) / downside : Number.NaN
}

/** The quantile that a share of the numbers lies below, linear between neighbours, and the mean of those up to it. */
export function tailOf(x: Float64Array, share: number): { readonly quantile: number; readonly mean: number } {
  const sorted = x.slice().sort()
  const count = Math.floor((x.length - 1) * share) + 1
  return { quantile: quantileOfSorted(sorted, share), mean: meanOf(sorted.subarray(0, count)) }
}
