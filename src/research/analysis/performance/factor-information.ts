import { presentNumbers } from '../../../frame/table/quantiles.js'
import { bothPresent, correlation } from '../../../frame/verb/array-statistics.js'
import { rank } from '../../../frame/verb/rank.js'
import { neweyWest } from './newey-west.js'
import { deviationOf, isFlat, meanOf } from './return-moments.js'

/** Names that a time needs for a coefficient. */
const leastNames = 5

/** How a score goes with what is measured at the same times. NaN where a figure is not defined. */
export interface FactorInformation {
  /** Information coefficient of each time: Spearman's correlation of scores and forward returns, ties averaged, as alphalens; NaN below 5 names. */
  readonly ic: Float64Array
  /** Times that have one. */
  readonly dates: number
  readonly meanIc: number
  /** n - 1 in the divisor. */
  readonly stdIc: number
  /** meanIc / stdIc, per time, not per year. */
  readonly ir: number
  /** Share of the times whose coefficient is above 0. */
  readonly positive: number
  /** Standard error of the mean by Newey and West, see `neweyWest`; the lag is at least the horizon - 1. */
  readonly error: number
  readonly lag: number
  /** meanIc / error. */
  readonly t: number
  /** ir x sqrt(dates), as if coefficients did not depend on each other: overlapping horizons make it too large. */
  readonly plainT: number
}

/** Spearman's correlation of the names that have both, NaN where one of the two is the same for all; places are halves of whole numbers, so their sums are exact. */
export function rankCorrelation(score: Float64Array, other: Float64Array, least = 2): number {
  const [x, y] = bothPresent(score, other)
  if (x.length < least || isFlat(x) || isFlat(y)) return Number.NaN
  return correlation(rank(x), rank(y))
}

/** Scores of a time that tell names apart; all NaN where they are equal, so that the time counts nowhere. */
export function tellingScores(score: Float64Array): Float64Array {
  return isFlat(score) ? new Float64Array(score.length).fill(Number.NaN) : score
}

/** Mean of what is there. */
export function meanThere(x: Float64Array): number {
  return meanOf(presentNumbers(x))
}

/** Coefficients by time and what they come to. @param horizon times that a return spans */
export function informationOf(
  scores: readonly Float64Array[],
  forward: readonly Float64Array[],
  horizon: number,
): FactorInformation {
  const ic = Float64Array.from(scores, (score, t) => rankCorrelation(score, forward[t] as Float64Array, leastNames))
  const known = presentNumbers(ic)
  const [meanIc, stdIc] = [meanOf(known), deviationOf(known)]
  const ir = stdIc > 0 ? meanIc / stdIc : Number.NaN
  const { error, lag } = neweyWest(known, horizon)
  return {
    ic,
    dates: known.length,
    meanIc,
    stdIc,
    ir,
    positive: meanOf(known.map((one) => (one > 0 ? 1 : 0))),
    error,
    lag,
    t: error > 0 ? meanIc / error : Number.NaN,
    plainT: ir * Math.sqrt(known.length),
  }
}

/** Mean coefficients of each horizon over the same times. */
export interface FactorDecay {
  /** Times that have a coefficient at the longest horizon that has any. */
  readonly dates: number
  /** By horizon; NaN for those longer than that. */
  readonly meanIc: Float64Array
  readonly error: Float64Array
}

/** The decay of information: bars that compare, since all are of the same times. */
export function decayOf(informations: readonly FactorInformation[], horizons: readonly number[]): FactorDecay {
  const known = horizons.filter((_, at) => (informations[at]?.dates ?? 0) > 0)
  const longest = informations[horizons.indexOf(Math.max(...known))]
  const of = informations.map(({ ic }) =>
    presentNumbers(ic.filter((_, t) => !Number.isNaN(longest?.ic[t] ?? Number.NaN))),
  )
  const errors = of.map((own, at) => neweyWest(own, horizons[at]).error)
  return { dates: longest?.dates ?? 0, meanIc: Float64Array.from(of, meanOf), error: Float64Array.from(errors) }
}
