import { QuotebookError } from '../../../contract/error.js'
import type { Say } from '../../../contract/say.js'
import { sayIn } from '../../../contract/say.js'
import { sentence } from '../../../contract/sentence.js'
import { toFloats } from '../../../frame/verb/array-statistics.js'
import { type Performance, performanceStats, type RateOptions } from '../../analysis/performance/performance-stats.js'
import {
  type AccountCurve,
  benchmarkOn,
  type DatedReturns,
  type ReturnSeries,
  returnSeries,
} from '../../analysis/performance/return-series.js'
import { titleOr } from '../page-header.js'
import type { TearSheetOptions, TearSheetRun } from './sheet-input.js'

/** A series with days, and its figures. */
export interface SheetSeries extends ReturnSeries {
  readonly days: readonly string[]
  readonly performance: Performance
}

/** All that the sections of a tear sheet are made from. */
export interface RunSheet {
  readonly say: Say
  readonly options: TearSheetOptions
  /** Undefined where only returns were given. */
  readonly run: TearSheetRun | undefined
  readonly own: SheetSeries
  /** By day of `own`; its first day has no return where the benchmark began with it. */
  readonly benchmark:
    | { readonly name: string; readonly returns: Float64Array; readonly series: SheetSeries }
    | undefined
  /** The day on which nothing was left; figures are of the days up to it. */
  readonly ruined: string | undefined
  readonly rates: Required<Omit<RateOptions, 'benchmark'>>
}

/** Days of returns, with the resamples that intervals take. */
const drawn = { resamples: 1000, seed: 1 }

/** Returns up to the day on which nothing was left, since none can be computed after it. */
function untilRuin({ days, start }: TearSheetRun, equity: Float64Array, last: number): DatedReturns {
  const kept = equity.subarray(0, last + 1)
  const returns = kept.map((value, t) => value / (t === 0 ? start : (kept[t - 1] as number)) - 1)
  return { days: days.slice(0, last + 1), returns }
}

function isRun(input: TearSheetRun | AccountCurve | DatedReturns): input is TearSheetRun {
  return 'equity' in input
}

function ownSeries(
  input: TearSheetRun | DatedReturns,
  options: RateOptions,
): { own: SheetSeries; ruined: string | undefined } {
  const what = 'tearSheet'
  const equity = isRun(input) ? toFloats(input.equity, `${what}: equity`) : undefined
  const last = equity?.indexOf(0) ?? -1
  const taken = isRun(input) && equity && last >= 0 ? untilRuin(input, equity, last) : input
  const { returns, curve, days } = returnSeries(taken, what)
  if (!days || days.length === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`${what}: there are no days: give { days, returns }, or a result`)
  const figures = performanceStats(taken, { ...options, ...drawn })
  return { own: { returns, curve, days, performance: figures }, ruined: last >= 0 ? days.at(-1) : undefined }
}

function benchmarkSeries(
  own: SheetSeries,
  options: TearSheetOptions,
  rates: RateOptions,
  say: Say,
): RunSheet['benchmark'] {
  const { benchmark } = options
  if (benchmark === undefined) return undefined
  const returns = benchmarkOn(own, benchmark, 'tearSheet')
  const from = Number.isNaN(returns[0]) ? 1 : 0
  const known = { days: own.days.slice(from), returns: returns.slice(from) }
  const series = returnSeries(known, 'tearSheet: benchmark')
  const name = titleOr(benchmark.name, say('Benchmark'))
  return { name, returns, series: { ...series, days: known.days, performance: performanceStats(known, rates) } }
}

/**
 * The run, its figures and those of its benchmark.
 * @throws QuotebookError INVALID_VALUE as `performanceStats`, and for returns without days
 */
export function runSheetOf(input: TearSheetRun | DatedReturns, options: TearSheetOptions): RunSheet {
  const { riskFree = 0, periodsPerYear = 252, lang } = options
  const rates = { riskFree, periodsPerYear }
  const benchmark = options.benchmark === undefined ? {} : { benchmark: options.benchmark }
  const { own, ruined } = ownSeries(input, { ...rates, ...benchmark })
  const say = sayIn(lang)
  return {
    say,
    options,
    run: isRun(input) ? input : undefined,
    own,
    benchmark: benchmarkSeries(own, options, rates, say),
    ruined,
    rates,
  }
}
