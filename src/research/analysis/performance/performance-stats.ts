import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { shownResult } from '../../../frame/show/result-display.js'
import { wholeNumber } from '../../../frame/verb/array-statistics.js'
import { againstBenchmark, type BenchmarkFigures } from './against-benchmark.js'
import { type CalendarReturn, calendarReturns } from './calendar-returns.js'
import { curveRates } from './curve-rates.js'
import { type Drawdown, drawdownAt, drawdownsOf } from './drawdowns.js'
import { kurtosisOf, meanOf, meanPerDeviation, meanPerDownside, skewOf, tailOf } from './return-moments.js'
import { benchmarkOn, numberAbove, type PerformanceInput, type ReturnSeries, returnSeries } from './return-series.js'
import { type BootstrapInterval, eachResample, middleOf } from './stationary-bootstrap.js'

/** What figures per year are computed with. */
export interface RateOptions {
  /** A year's risk-free return as a decimal: 0.02 is two percent. Per period (1 + it)^(1/N) - 1. Default 0. */
  readonly riskFree?: number
  /** Periods of a year, N. Never guessed from days. Default 252. */
  readonly periodsPerYear?: number
  /** Returns of the same rows, or with days, or a curve: then joined by day, every day of the input must be there. */
  readonly benchmark?: PerformanceInput
}

/** Options of `performanceStats`. */
export interface PerformanceOptions extends RateOptions {
  /** The least return that is acceptable, per period, for `sortino`. Default 0. */
  readonly mar?: number
  /** Resamples of the bootstrap, such as 1000. Default 0: no intervals. */
  readonly resamples?: number
  /** Another whole number draws other resamples. Default 1. */
  readonly seed?: number
}

/** One return and where it stands. */
export interface PlacedReturn {
  readonly return: number
  /** YYYYMMDD; undefined without days. */
  readonly day: string | undefined
  /** From 1. */
  readonly row: number
}

/**
 * Figures of a series of n returns r, of N periods a year. Shares are decimals: 0.01 is one percent. Undefined figures
 * are NaN. A standard deviation of at most 1e-12 of the largest return counts as none.
 */
export interface Performance extends BenchmarkFigures {
  /** n. */
  readonly observations: number
  /** N, as given. */
  readonly periodsPerYear: number
  /** E(n) / E(0) - 1. All libraries agree. */
  readonly total: number
  /** (E(n) / E(0))^(365.25 / calendar days) - 1; the start is dated at the first day. As ffn and backtesting.py 0.6.6; NaN without days. */
  readonly cagr: number
  /** (E(n) / E(0))^(N / n) - 1. As empyrical (`annual_return`, its `cagr` too), pyfolio and backtesting.py. */
  readonly annualReturn: number
  /** std(r) sqrt(N), n - 1 in the divisor. As empyrical, pyfolio, quantstats and ffn; backtesting.py compounds it. */
  readonly volatility: number
  /** mean(r - rf) / std(r - rf) sqrt(N). As empyrical, pyfolio and ffn; backtesting.py divides annualReturn by its volatility. NaN without deviation (empyrical: Infinity). */
  readonly sharpe: number
  /** mean(r - mar) sqrt(N) / sqrt(mean(min(r - mar, 0)^2)), all n in both. As empyrical, quantstats and ffn since 2026. NaN without downside (empyrical: Infinity). */
  readonly sortino: number
  /** cagr / |maxDrawdown|. As ffn; empyrical and backtesting.py take annualReturn. NaN without a drawdown. */
  readonly calmar: number
  /** The deepest drawdown; its depth is 0 if nothing falls. The start value counts. As empyrical and pyfolio. */
  readonly maxDrawdown: Drawdown
  /** The ten deepest, deepest first. */
  readonly drawdowns: readonly Drawdown[]
  /** Round trips closed with pnl above 0, of all closed. As backtesting.py. */
  readonly winRate: number
  /** Sum of the gains of round trips over the sum of their losses, in money. As pyfolio; backtesting.py adds up percentages. */
  readonly profitFactor: number
  /** Closed round trips; NaN when none are given. */
  readonly roundTrips: number
  /** As the account counts it. */
  readonly turnover: number
  /** Periods with a return above 0, of all n (quantstats leaves out those of 0). */
  readonly dayWinRate: number
  /** Historical, 5 %: the quantile 0.05 of returns, linear between neighbours; below 0 is a loss. As empyrical; quantstats assumes a normal distribution. */
  readonly valueAtRisk: number
  /** Mean of the returns up to it. As empyrical. */
  readonly conditionalValueAtRisk: number
  /** G1, adjusted for the sample's size. As pandas, quantstats and ffn; scipy and pyfolio do not adjust. */
  readonly skew: number
  /** Excess kurtosis G2, adjusted for the sample's size, 0 of a normal variable. As pandas, quantstats and ffn. */
  readonly kurtosis: number
  /** The greatest return and the least, the first of equal ones; undefined of no returns. */
  readonly best: PlacedReturn | undefined
  readonly worst: PlacedReturn | undefined
  /** The most returns below 0 that follow each other. */
  readonly longestLosingRun: number
  /** Compounded by month and by year; undefined without days. */
  readonly monthly: readonly CalendarReturn[] | undefined
  readonly yearly: readonly CalendarReturn[] | undefined
  /** 95 % intervals of `sharpe` and of the mean return of a period, by stationary bootstrap with blocks of n^(1/3) rows on average. */
  readonly intervals: { readonly sharpe: BootstrapInterval; readonly mean: BootstrapInterval } | undefined
}

/** The same, by name. */
export const rateKinds: OptionKinds<RateOptions> = { riskFree: 'any', periodsPerYear: 'any', benchmark: 'any' }

/** @throws QuotebookError INVALID_VALUE */
export function ratesOf(options: RateOptions, what: string): { perYear: number; freePerDay: number } {
  const { riskFree = 0, periodsPerYear: perYear = 252 } = options
  numberAbove(0, perYear, `${what}: periodsPerYear`)
  return { perYear, freePerDay: (1 + numberAbove(-1, riskFree, `${what}: riskFree`)) ** (1 / perYear) - 1 }
}

/** The ten deepest falls, and the deepest. */
export function worstDrawdowns(series: ReturnSeries): Pick<Performance, 'maxDrawdown' | 'drawdowns'> {
  const drawdowns = drawdownsOf(series)
    .sort((a, b) => a.depth - b.depth || a.peakRow - b.peakRow)
    .slice(0, 10)
  return { maxDrawdown: drawdowns[0] ?? drawdownAt(series, 0, 0, 0, false), drawdowns }
}

/** What is told of round trips. */
export type RoundTripFigures = Pick<Performance, 'winRate' | 'profitFactor' | 'roundTrips' | 'turnover'>

/** @param pnl of each round trip, none missing */
export function tripFigures(pnl: ArrayLike<number>, turnover: number): RoundTripFigures {
  let [wins, gained, lost] = [0, 0, 0]
  for (let trip = 0; trip < pnl.length; trip++) {
    const one = pnl[trip] as number
    if (one > 0) [wins, gained] = [wins + 1, gained + one]
    else lost -= one
  }
  const profitFactor = lost > 0 ? gained / lost : Number.NaN
  return { winRate: wins / pnl.length, profitFactor, roundTrips: pnl.length, turnover }
}

function roundTripFigures(input: PerformanceInput): RoundTripFigures {
  const { trades, turnover = Number.NaN } = 'days' in input && 'equity' in input ? input : { trades: undefined }
  if (!trades) return { winRate: Number.NaN, profitFactor: Number.NaN, roundTrips: Number.NaN, turnover }
  const closed = trades.flatMap(({ pnl }) => (typeof pnl === 'number' && !Number.isNaN(pnl) ? [pnl] : []))
  return tripFigures(closed, turnover)
}

function placedReturn({ returns, days }: ReturnSeries, isBetter: (a: number, b: number) => boolean) {
  let row = 0
  for (let t = 1; t < returns.length; t++) if (isBetter(returns[t] as number, returns[row] as number)) row = t
  const found = returns[row]
  return found === undefined ? undefined : { return: found, day: days?.[row], row: row + 1 }
}

function longestLosingRun(returns: Float64Array): number {
  let [longest, run] = [0, 0]
  for (const r of returns) {
    run = r < 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

function intervalsOf(returns: Float64Array, freePerDay: number, perYear: number, options: PerformanceOptions) {
  const resamples = wholeNumber(options.resamples ?? 0, 0, 'performanceStats: resamples')
  const seed = wholeNumber(options.seed ?? 1, Number.NEGATIVE_INFINITY, 'performanceStats: seed')
  if (resamples === 0 || returns.length < 2) return undefined
  const [sharpes, means, drawn]: number[][] = [[], [], []] as const
  const block = Math.ceil(Math.cbrt(returns.length))
  eachResample(returns.length, { resamples, seed, block }, (rows) => {
    for (let at = 0; at < rows.length; at++) drawn[at] = returns[rows[at] as number] as number
    means.push(meanOf(drawn))
    for (let at = 0; at < rows.length; at++) drawn[at] = (returns[rows[at] as number] as number) - freePerDay
    sharpes.push(meanPerDeviation(drawn) * Math.sqrt(perYear))
  })
  return { sharpe: middleOf(sharpes), mean: middleOf(means) }
}

/**
 * Computes the performance figures of a series of returns, or of the curve of an account; `Performance` gives the
 * formula of each. The result of a backtest is such a curve. Nothing is left out or filled: a missing return is an
 * error.
 * @throws QuotebookError INVALID_VALUE for missing or out-of-range numbers, days that do not ascend, and a benchmark
 * that lacks days of the input
 */
export function performanceStats(input: PerformanceInput, options: PerformanceOptions = {}): Performance {
  checkOptions(options, { ...rateKinds, mar: 'a number', resamples: 'any', seed: 'any' }, 'performanceStats')
  const { perYear, freePerDay } = ratesOf(options, 'performanceStats')
  const series = returnSeries(input, 'performanceStats')
  const { returns, curve } = series
  const { length } = returns
  const mar = options.mar ?? 0
  const rates = curveRates(series, freePerDay, perYear)
  const falls = worstDrawdowns(series)
  const tail = tailOf(returns, 0.05)
  const none = returns.map(() => Number.NaN)
  const other = options.benchmark === undefined ? none : benchmarkOn(series, options.benchmark, 'performanceStats')
  return shownResult('performance', {
    observations: length,
    periodsPerYear: perYear,
    ...rates,
    annualReturn:
      length === 0 ? Number.NaN : ((curve[length] as number) / (curve[0] as number)) ** (perYear / length) - 1,
    sortino: meanPerDownside(returns, mar) * Math.sqrt(perYear),
    calmar: falls.maxDrawdown.depth < 0 ? rates.cagr / -falls.maxDrawdown.depth : Number.NaN,
    ...falls,
    ...againstBenchmark(returns, other, freePerDay, perYear),
    ...roundTripFigures(input),
    dayWinRate: returns.filter((r) => r > 0).length / length,
    valueAtRisk: tail.quantile,
    conditionalValueAtRisk: tail.mean,
    skew: skewOf(returns),
    kurtosis: kurtosisOf(returns),
    best: placedReturn(series, (a, b) => a > b),
    worst: placedReturn(series, (a, b) => a < b),
    longestLosingRun: longestLosingRun(returns),
    monthly: calendarReturns(series, 6),
    yearly: calendarReturns(series, 4),
    intervals: intervalsOf(returns, freePerDay, perYear, options),
  })
}
