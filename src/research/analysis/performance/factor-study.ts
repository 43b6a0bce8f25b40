import { QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { placeInSorted, sortedPresent } from '../../../frame/table/quantiles.js'
import { described, namedIn } from '../../../frame/table/shape.js'
import { correlation, type Numbers, toFloats, wholeNumber } from '../../../frame/verb/array-statistics.js'
import { rank } from '../../../frame/verb/rank.js'
import { deviationOf, meanOf } from './return-moments.js'

/** Scores and what came of them. Numbers are day-major: those of time t and symbol s stand at t x symbols + s; NaN is missing. */
export interface Signal {
  readonly times: readonly string[]
  readonly symbols: readonly string[]
  readonly score: Numbers
  /** Forward returns of each horizon, from the price at which the score could be traded. */
  readonly forward: readonly Numbers[]
}

/** Options of `factorStudy`. */
export interface FactorStudyOptions {
  /** Parts that the names of a time are sorted into. Default 5. */
  readonly quantiles?: number
  /** How many times before turnover and rank autocorrelation compare with. Default 1. */
  readonly lag?: number
}

/** What a score said of the returns of one horizon. NaN where a figure is not defined. */
export interface SignalHorizon {
  /** Information coefficient of each time: Spearman's correlation of scores and forward returns, ties averaged. As alphalens. */
  readonly ic: Float64Array
  /** Times that have one. */
  readonly dates: number
  readonly meanIc: number
  /** n - 1 in the divisor. */
  readonly stdIc: number
  /** meanIc / stdIc, per time, not per year. */
  readonly ir: number
  /** ir x sqrt(dates); overlapping horizons make it too large. */
  readonly t: number
  /** Mean forward return of each quantile, the lowest scores first: mean over names, then over times, as alphalens without demeaning. */
  readonly quantileReturns: Float64Array
  /** Mean over times of top less bottom, of the times that have both. */
  readonly spread: number
}

/** A score without an account. */
export interface FactorStudy {
  /** In the order given: how the information decays. */
  readonly horizons: readonly SignalHorizon[]
  /** By quantile and time: the share of its names that were not in it `lag` times before, as alphalens. */
  readonly turnover: readonly Float64Array[]
  readonly meanTurnover: Float64Array
  /** By time: correlation of ranks with those `lag` times before, over names that have both, as alphalens. */
  readonly rankAutocorrelation: Float64Array
  readonly meanRankAutocorrelation: number
}

function meanThere(x: Float64Array): number {
  return meanOf(x.filter((value) => !Number.isNaN(value)))
}

/**
 * Quantiles of scores from 1, 0 where the score is missing: intervals between the quantiles of the scores, each with its upper
 * end, as pandas' `qcut`. Equal scores share one, so that a quantile may be empty, which `qcut` refuses.
 */
export function quantilesOf(score: Float64Array, count: number): Int32Array {
  const sorted = sortedPresent(score)
  const inner = Array.from({ length: count - 1 }, (_, at) =>
    placeInSorted(sorted, ((sorted.length - 1) * (at + 1)) / count),
  )
  const out = new Int32Array(score.length)
  for (let s = 0; s < out.length; s++) {
    const value = score[s] as number
    if (!Number.isNaN(value)) out[s] = 1
    for (const edge of inner) if (value > edge) out[s] = (out[s] as number) + 1
  }
  return out
}

/** Mean of the forward returns of each quantile; NaN where none of its names has one. */
export function meansByQuantile(quantiles: Int32Array, forward: Float64Array, count: number): Float64Array {
  const [sums, names] = [new Float64Array(count + 1), new Float64Array(count + 1)]
  for (let s = 0; s < forward.length; s++) {
    const [own, value] = [quantiles[s] as number, forward[s] as number]
    if (Number.isNaN(value)) continue
    sums[own] = (sums[own] as number) + value
    names[own] = (names[own] as number) + 1
  }
  return sums.map((sum, own) => sum / (names[own] as number)).slice(1)
}

/** The share of the names of a quantile that were not in it before; NaN where it has no names now, or had none before. */
export function shareOfNew(now: Int32Array, before: Int32Array | undefined, quantile: number): number {
  if (!before?.includes(quantile)) return Number.NaN
  let [names, fresh] = [0, 0]
  for (let s = 0; s < now.length; s++) {
    if (now[s] !== quantile) continue
    names++
    if (before[s] !== quantile) fresh++
  }
  return fresh / names
}

/** Spearman's correlation of the names that have both; places are halves of whole numbers, so their sums are exact. */
function informationOf(score: Float64Array, forward: Float64Array): number {
  const there = (_: number, s: number): boolean => !Number.isNaN(score[s]) && !Number.isNaN(forward[s])
  const [own, later] = [rank(score.filter(there)), rank(forward.filter(there))]
  const centre = (own.length + 1) / 2
  let [products, squares, laterSquares] = [0, 0, 0]
  for (let s = 0; s < own.length; s++) {
    const [a, b] = [(own[s] as number) - centre, (later[s] as number) - centre]
    products += a * b
    squares += a * a
    laterSquares += b * b
  }
  return Math.max(-1, Math.min(1, products / Math.sqrt(squares * laterSquares)))
}

function byTime(numbers: Numbers, { times, symbols }: Signal, what: string): Float64Array[] {
  const all = toFloats(numbers, what)
  const cells = times.length * symbols.length
  if (all.length !== cells) {
    const right = `${times.length} times x ${symbols.length} symbols = ${cells}`
    throw new QuotebookError('INVALID_VALUE', `${what}: there are ${all.length} numbers for ${right}`)
  }
  return times.map((_, t) => all.subarray(t * symbols.length, (t + 1) * symbols.length))
}

function horizonOf(
  scores: Float64Array[],
  forward: Float64Array[],
  quantiles: Int32Array[],
  count: number,
): SignalHorizon {
  const ic = Float64Array.from(scores, (score, t) => informationOf(score, forward[t] as Float64Array))
  const known = ic.filter((one) => !Number.isNaN(one))
  const [meanIc, stdIc] = [meanOf(known), deviationOf(known)]
  const ir = stdIc > 0 ? meanIc / stdIc : Number.NaN
  const means = quantiles.map((own, t) => meansByQuantile(own, forward[t] as Float64Array, count))
  const column = (at: number): Float64Array => Float64Array.from(means, (one) => one[at] as number)
  const [bottom, top] = [column(0), column(count - 1)]
  return {
    ic,
    dates: known.length,
    meanIc,
    stdIc,
    ir,
    t: ir * Math.sqrt(known.length),
    quantileReturns: Float64Array.from({ length: count }, (_, at) => meanThere(column(at))),
    spread: meanThere(top.map((value, t) => value - (bottom[t] as number))),
  }
}

/**
 * How much a score says of the returns that follow, without an account: information coefficients, returns and turnover of
 * quantiles, and rank autocorrelation; the horizons in order show the decay. Names are sorted into quantiles among all that
 * have a score; alphalens leaves those out before that lack a forward return.
 * @throws QuotebookError INVALID_VALUE for lengths that are not times x symbols, fewer than 2 quantiles
 */
export function factorStudy(signal: Signal, options: FactorStudyOptions = {}): FactorStudy {
  const { quantiles = 5, lag = 1 } = checkOptions(options, { quantiles: 'any', lag: 'any' }, 'factorStudy')
  const count = wholeNumber(quantiles, 2, 'factorStudy: quantiles')
  const back = wholeNumber(lag, 1, 'factorStudy: lag')
  namedIn(signal, 'factorStudy', '{ times, symbols, score, forward }')
  for (const name of ['times', 'symbols', 'forward'] as const) {
    if (!Array.isArray(signal[name]))
      throw new QuotebookError('INVALID_VALUE', `factorStudy: ${name} must be an array, not ${described(signal[name])}`)
  }
  const scores = byTime(signal.score, signal, 'factorStudy: score')
  const forward = signal.forward.map((one, at) => byTime(one, signal, `factorStudy: forward ${at + 1}`))
  const own = scores.map((score) => quantilesOf(score, count))
  const turnover = Array.from({ length: count }, (_, at) =>
    Float64Array.from(own, (now, t) => shareOfNew(now, own[t - back], at + 1)),
  )
  const ranks = scores.map((score) => rank(score))
  const rankAutocorrelation = Float64Array.from(ranks, (now, t) =>
    correlation(now, ranks[t - back] ?? now.map(() => Number.NaN)),
  )
  return {
    horizons: forward.map((one) => horizonOf(scores, one, own, count)),
    turnover,
    meanTurnover: Float64Array.from(turnover, meanThere),
    rankAutocorrelation,
    meanRankAutocorrelation: meanThere(rankAutocorrelation),
  }
}
