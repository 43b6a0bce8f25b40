import { invalid } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { shownResult } from '../../../frame/show/result-display.js'
import { presentNumbers } from '../../../frame/table/quantiles.js'
import { described, namedIn } from '../../../frame/table/shape.js'
import { correlation, type Numbers, toFloats, wholeNumber } from '../../../frame/verb/array-statistics.js'
import { rank } from '../../../frame/verb/rank.js'
import {
  decayOf,
  type FactorDecay,
  type FactorInformation,
  informationOf,
  meanThere,
  rankCorrelation,
  tellingScores,
} from './factor-information.js'
import { neutralScore } from './factor-neutral.js'
import { type QuantileReturns, quantileReturnsOf, quantilesOf, shareOfNew, type Trading } from './factor-quantiles.js'
import { type FactorReturn, factorReturnOf } from './factor-return.js'

/**
 * Scores and the returns that followed. Numbers are day-major: those of time t and symbol s are at t x symbols + s; NaN
 * is missing. `forwardReturns` builds one from a panel.
 */
export interface Signal {
  readonly times: readonly string[]
  readonly symbols: readonly string[]
  readonly score: Numbers
  /** Forward returns of each horizon, from the price at which the score could be traded. */
  readonly forward: readonly Numbers[]
  /** How many times each of them spans; 1 each by default, and then errors and costs are those of returns that do not overlap. */
  readonly horizons?: readonly number[]
  /** Groups by place: their names, and the place of each cell's group, below 0 for none. */
  readonly groups?: { readonly by: string; readonly names: readonly string[]; readonly of: Numbers } | undefined
  /** Columns that the score is compared with, by name. */
  readonly exposures?: Readonly<Record<string, Numbers>>
  /** What trading at the fill costs and allows; without it nothing is net. */
  readonly trading?: { readonly [K in keyof Trading]: Numbers } | undefined
}

/** Options of `factorStudy`. */
export interface FactorStudyOptions {
  /** Parts that the names of a time are sorted into. Default 5. */
  readonly quantiles?: number
  /** How many times before turnover and rank autocorrelation compare with. Default 1. */
  readonly lag?: number
  /** Times of a year, for alpha. Default 252. */
  readonly periodsPerYear?: number
}

/** What a score said of the returns of one horizon. NaN where a figure is not defined. */
export interface SignalHorizon extends FactorInformation, QuantileReturns, FactorReturn {
  /** Times that a return spans. */
  readonly horizon: number
}

/** The study of a score, without an account. */
export interface FactorStudy {
  readonly signal: Signal
  /** In the order given. */
  readonly horizons: readonly SignalHorizon[]
  readonly decay: FactorDecay
  /** Times that have scores, but fewer than two names a quantile, or equal scores alone: they have no quantiles, and the latter count nowhere. */
  readonly leftOut: number
  /** By quantile and time: the share of its names that were not in it `lag` times before, as alphalens. */
  readonly turnover: readonly Float64Array[]
  readonly meanTurnover: Float64Array
  /** By time: correlation of ranks with those `lag` times before, over names that have both, as alphalens. */
  readonly rankAutocorrelation: Float64Array
  readonly meanRankAutocorrelation: number
  /** By time: names with a score; and their share of the names that traded at the fill, NaN if trading is not known. */
  readonly names: Float64Array
  readonly coverage: Float64Array
  /** By group: how many names it has at a time in the mean, and the same figures of its names alone. */
  readonly groups: readonly {
    readonly name: string
    readonly names: number
    readonly horizons: readonly SignalHorizon[]
  }[]
  /** By column: mean over times of Spearman's correlation with the score, and with what is left of it in `neutral`. */
  readonly exposures: readonly { readonly name: string; readonly mean: number; readonly neutral: number }[]
  /** The same of residuals of the scores' ranks on the groups and the ranks of the columns of `exposures`; see `neutralScore`. Undefined without either. */
  readonly neutral: readonly SignalHorizon[] | undefined
}

type Rows = readonly Float64Array[]

function byTime(numbers: Numbers, { times, symbols }: Signal, what: string): Rows {
  const all = toFloats(numbers, what)
  const odd = all.findIndex((value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
  if (odd >= 0) {
    const [time, symbol] = [times[Math.floor(odd / symbols.length)], symbols[odd % symbols.length]]
    throw invalid(
      sentence`${what}: ${all[odd]} at ${time} for ${symbol}; a number is finite, or NaN where there is none`,
    )
  }
  const cells = times.length * symbols.length
  if (all.length !== cells) {
    const right = sentence`${times.length} times x ${symbols.length} symbols = ${cells}`
    throw invalid(sentence`${what}: there are ${all.length} numbers for ${right}`)
  }
  return times.map((_, t) => all.subarray(t * symbols.length, (t + 1) * symbols.length))
}

function checkSignal(signal: Signal): readonly number[] {
  namedIn(signal, 'factorStudy', sentence`{ times, symbols, score, forward }`)
  for (const name of ['times', 'symbols', 'forward'] as const)
    if (!Array.isArray(signal[name]))
      throw invalid(sentence`factorStudy: ${name} must be an array, not ${described(signal[name])}`)
  const { forward, horizons = forward.map(() => 1) } = signal
  for (const one of horizons) wholeNumber(one, 1, 'factorStudy: horizons')
  if (horizons.length === forward.length) return horizons
  const [given, wanted] = [horizons.length, forward.length]
  throw invalid(sentence`factorStudy: there are ${given} horizons for ${wanted} returns`)
}

/** What all scores over the same returns are measured by. */
function measure(signal: Signal, horizons: readonly number[], count: number, periodsPerYear: number) {
  const forward = signal.forward.map((one, at) => byTime(one, signal, `factorStudy: forward ${at + 1}`))
  const given = signal.trading && Object.entries(signal.trading)
  const rows = given?.map(([name, one]) => [name, byTime(one, signal, `factorStudy: trading.${name}`)] as const)
  const trading = rows && (Object.fromEntries(rows) as { [K in keyof Trading]: Rows })
  const of = (given: Rows, sorted?: readonly Int32Array[]): SignalHorizon[] => {
    const scores = given.map(tellingScores)
    const quantiles = sorted ?? scores.map((score) => quantilesOf(score, count))
    return horizons.map((horizon, at) => {
      const returns = forward[at] as Rows
      return {
        horizon,
        ...informationOf(scores, returns, horizon),
        ...quantileReturnsOf(quantiles, returns, count, horizon, trading),
        ...factorReturnOf(scores, returns, horizon, periodsPerYear),
      }
    })
  }
  return { of, trading }
}

function groupsOf(signal: Signal, scores: Rows, of: (scores: Rows) => SignalHorizon[]): FactorStudy['groups'] {
  const { groups } = signal
  if (!groups) return []
  const places = byTime(groups.of, signal, 'factorStudy: groups')
  return groups.names.map((name, at) => {
    const own = scores.map((score, t) => score.map((value, s) => (places[t]?.[s] === at ? value : Number.NaN)))
    const counts = own.map((score) => presentNumbers(score).length)
    return { name, names: meanThere(Float64Array.from(counts)), horizons: of(own) }
  })
}

/** Exposures, and the score without them. */
function apart(signal: Signal, scores: Rows, of: (scores: Rows) => SignalHorizon[]) {
  const { groups, exposures = {} } = signal
  const columns = Object.entries(exposures).map(
    ([name, one]) => [name, byTime(one, signal, `factorStudy: exposures.${name}`)] as const,
  )
  if (!groups && columns.length === 0) return { exposures: [], neutral: undefined }
  const places = groups && byTime(groups.of, signal, 'factorStudy: groups')
  const columnsAt = (t: number): Rows => columns.map(([, rows]) => rows[t] as Float64Array)
  const left = scores.map((score, t) => neutralScore(score, places?.[t], columnsAt(t)))
  const meanWith = (own: Rows, rows: Rows): number =>
    meanThere(Float64Array.from(own, (score, t) => rankCorrelation(score, rows[t] as Float64Array, 5)))
  return {
    exposures: columns.map(([name, rows]) => ({ name, mean: meanWith(scores, rows), neutral: meanWith(left, rows) })),
    neutral: of(left),
  }
}

function coverageOf(scores: Rows, trading: { readonly [K in keyof Trading]: Rows } | undefined) {
  const isThere = (score: Float64Array): Float64Array => score.map((value) => (Number.isNaN(value) ? 0 : 1))
  const sum = (x: Float64Array): number => x.reduce((total, one) => total + one, 0)
  const coverage = scores.map((score, t) => {
    const traded = trading?.canBuy[t]?.map((one, s) => Math.max(one, trading.canSell[t]?.[s] as number))
    const there = isThere(score)
    return traded ? sum(traded.map((one, s) => one * (there[s] as number))) / sum(traded) : Number.NaN
  })
  return { names: Float64Array.from(scores, (score) => sum(isThere(score))), coverage: Float64Array.from(coverage) }
}

/**
 * Measures how well a score predicts the returns that follow, without an account: information coefficients with an
 * error that allows for overlap, their decay, returns of quantiles before and after costs, turnover, rank
 * autocorrelation, coverage, groups, exposures, and the returns of the factor itself. Names are sorted into quantiles
 * among all that have a score; alphalens first drops names without a forward return.
 * @throws QuotebookError INVALID_VALUE for lengths that are not times x symbols, horizons that are not those of the
 * returns, fewer than 2 quantiles
 */
export function factorStudy(signal: Signal, options: FactorStudyOptions = {}): FactorStudy {
  const kinds = { quantiles: 'any', lag: 'any', periodsPerYear: 'any' } as const
  const { quantiles = 5, lag = 1, periodsPerYear = 252 } = checkOptions(options, kinds, 'factorStudy')
  const count = wholeNumber(quantiles, 2, 'factorStudy: quantiles')
  const back = wholeNumber(lag, 1, 'factorStudy: lag')
  const perYear = wholeNumber(periodsPerYear, 1, 'factorStudy: periodsPerYear')
  const horizons = checkSignal(signal)
  const given = byTime(signal.score, signal, 'factorStudy: score')
  const scores = given.map(tellingScores)
  const { of, trading } = measure(signal, horizons, count, perYear)
  const own = scores.map((score) => quantilesOf(score, count))
  const turnover = Array.from({ length: count }, (_, at) =>
    Float64Array.from(own, (now, t) => shareOfNew(now, own[t - back], at + 1)),
  )
  const ranks = scores.map((score) => rank(score))
  const rankAutocorrelation = Float64Array.from(ranks, (now, t) =>
    correlation(now, ranks[t - back] ?? now.map(() => Number.NaN)),
  )
  const measured = of(scores, own)
  const covered = coverageOf(given, trading)
  return shownResult('factorStudy', {
    signal,
    horizons: measured,
    decay: decayOf(measured, horizons),
    leftOut: own.filter((one, t) => (covered.names[t] as number) > 0 && !one.some((quantile) => quantile > 0)).length,
    turnover,
    meanTurnover: Float64Array.from(turnover, meanThere),
    rankAutocorrelation,
    meanRankAutocorrelation: meanThere(rankAutocorrelation),
    ...covered,
    groups: groupsOf(signal, scores, of),
    ...apart(signal, scores, of),
  })
}
