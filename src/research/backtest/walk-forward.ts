import { misuse } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { sharpeRatio } from '../analysis/performance/curve-rates.js'
import {
  type Performance,
  performanceStats as performanceOf,
  ratesOf,
  tripFigures,
} from '../analysis/performance/performance-stats.js'
import { dailyReturns, runCurve } from './account-curve.js'
import { normalOptions } from './backtest-options.js'
import { cursorOf } from './cursor.js'
import type { Panel } from './panel.js'
import { variantOf, variantParams } from './panel-variants.js'
import { ParamWatch, refuseUnread } from './param-watch.js'
import { type Decide, rulesOfRuns, runAccount, type Simulation, type SimulationRules } from './run-account.js'
import { madeOf } from './run-trials.js'
import { decideOf, type Settled, type Strategy } from './strategy.js'
import { runOptions, type SweepOptions, sweepKinds, sweepProgress } from './sweep.js'
import { combinations, type Grid, type ParamsIn } from './sweep-grid.js'

/** Options of a sweep, and the lengths of the folds. */
export interface WalkForwardOptions<G extends Grid = Grid> extends SweepOptions<G> {
  /** Trading days by which params are chosen. */
  readonly trainDays: number
  /** Trading days after them on which the choice is held. Test folds follow each other without a gap. */
  readonly testDays: number
}

/** A choice of params, and what came of it. */
export interface Fold<G extends Grid = Grid> {
  /** First and last days. */
  readonly train: readonly [string, string]
  readonly test: readonly [string, string]
  readonly params: ParamsIn<G>
  /** Sharpe ratio over the training days, and over the test days. */
  readonly inSample: number
  readonly outOfSample: number
}

/** The chosen parameters, fold by fold, and the account that results. */
export interface WalkForward<G extends Grid = Grid> {
  readonly folds: readonly Fold<G>[]
  /** One account over all test days, under the params of each fold. */
  readonly days: readonly string[]
  readonly start: number
  readonly equity: Float64Array
  readonly performance: Performance
  /** Mean in-sample Sharpe ratio of the choices, and what was left of it: 1 - out of sample / in sample; NaN unless that is above 0. */
  readonly inSample: number
  readonly degradation: number
  /** Accounts that were run: combinations x folds. */
  readonly trials: number
}

/** Runs from a day to before another; `flat` sells everything on the last day. */
function runDays(
  panel: Panel,
  rules: SimulationRules,
  decide: Decide,
  days: readonly [number, number],
  flat: boolean,
): Simulation {
  const perDay = panel.minutes.length
  const until = days[1] * perDay
  const closing = until - 2
  const bounded: Decide = (time, account) => {
    if (flat && time >= closing) return time === closing ? { symbols: [], weights: [] } : undefined
    return decide(time, account)
  }
  return runAccount(panel, rules, bounded, until, days[0] * perDay)
}

function foldsOf(
  { days: { length: days }, begin }: Panel,
  { trainDays, testDays }: { readonly trainDays: number; readonly testDays: number },
): (readonly [number, number, number])[] {
  for (const [name, value] of Object.entries({ trainDays, testDays }))
    if (!Number.isInteger(value) || value < 2) throw misuse(sentence`walkForward: ${name} is a whole number from 2`)
  const folds: (readonly [number, number, number])[] = []
  for (let test = begin + trainDays; test < days; test += testDays)
    folds.push([test - trainDays, test, Math.min(test + testDays, days)])
  if (folds.length === 0)
    throw misuse(
      sentence`walkForward: ${days - begin} days are not enough for trainDays ${trainDays} and a test after them`,
    )
  return folds
}

/** The place of the highest ratio, the first of equal ones. */
function bestOf(ratios: readonly number[]): { readonly best: number; readonly inSample: number } {
  const isBelow = (most: number, ratio: number): boolean =>
    ratio > (ratios[most] as number) || Number.isNaN(ratios[most])
  const best = ratios.reduce((most, ratio, at) => (isBelow(most, ratio) ? at : most), 0)
  return { best, inSample: ratios[best] as number }
}

/**
 * Chooses parameters by the Sharpe ratio of the days before and applies them to the days after, fold by fold, so that
 * every result is out of sample. A training account begins with cash and sells everything on its last day; strategies
 * may look back over the days before a fold. The test days form one account that continues from fold to fold.
 * @throws QuotebookError as `sweep`; USAGE if the panel is too short, or no training run reads a parameter
 */
export function walkForward<C extends string, const G extends Grid>(
  panel: Panel<C>,
  grid: G,
  make: (params: ParamsIn<G>) => Strategy<Settled<C>>,
  options: WalkForwardOptions<G>,
): WalkForward<G> {
  checkOptions<WalkForwardOptions<G>>(options, { ...sweepKinds, trainDays: 'any', testDays: 'any' }, 'walkForward')
  const { trainDays: _, testDays: __, ...rest } = options
  const { riskFree = 0, periodsPerYear = 252, onProgress = sweepProgress(), cash: start } = options
  const { freePerDay, perYear } = ratesOf({ riskFree, periodsPerYear }, 'walkForward')
  const { exec, rules: full } = normalOptions(runOptions(rest), panel.findings)
  const any = panel as unknown as Panel
  const cursor = cursorOf(panel, exec.decide)
  const all = combinations(grid)
  const names = Object.keys(all[0] ?? {})
  const watch = new ParamWatch(names)
  const watched = (params: ParamsIn<G>) => make(watch.over(params))
  const decisive = all.map((params) => decideOf(madeOf(watched, params), variantOf(panel, params), cursor))
  const deciders = decisive.map((one) => one.decide)
  const folds = foldsOf(any, options)
  const rules = rulesOfRuns(any, full, folds.length * all.length)
  const chosen = folds.map(([from, test], fold) => {
    const ratios = deciders.map((decide, at) => {
      const run = runDays(any, rules, decide, [from, test], true)
      onProgress?.(fold * all.length + at + 1, folds.length * all.length)
      return sharpeRatio(dailyReturns(start * 100, run.equity.slice(from, test)), freePerDay, perYear)
    })
    return bestOf(ratios)
  })
  refuseUnread(names, [...watch.names, ...variantParams(any)])
  const [first, last] = [(folds[0] as readonly number[])[1] as number, panel.days.length]
  const perDay = panel.minutes.length
  const foldAt = (time: number): number =>
    folds.findIndex(([, test, end]) => time >= test * perDay && time < end * perDay)
  const decide: Decide = (time, account) => deciders[chosen[foldAt(time)]?.best ?? 0]?.(time, account)
  const run = runDays(any, rules, decide, [first, last], false)
  if (decisive.every(({ tally }) => tally.isSilent)) decisive[0]?.tally.warnings()
  const curve = runCurve(run, perYear, first, rules.trips)
  const days = panel.days.slice(first)
  const rated = performanceOf({ days, start, equity: curve.equity }, { riskFree, periodsPerYear })
  const figures = { ...rated, ...tripFigures(curve.pnl, curve.turnover) }
  const testReturns = dailyReturns(start, curve.equity)
  const inSample = chosen.reduce((sum, one) => sum + one.inSample, 0) / chosen.length
  return {
    folds: folds.map(([from, test, end], at) => ({
      train: [panel.days[from] as string, panel.days[test - 1] as string],
      test: [panel.days[test] as string, panel.days[end - 1] as string],
      params: all[chosen[at]?.best ?? 0] as ParamsIn<G>,
      inSample: chosen[at]?.inSample ?? Number.NaN,
      outOfSample: sharpeRatio(testReturns.slice(test - first, end - first), freePerDay, perYear),
    })),
    days,
    start,
    equity: curve.equity,
    performance: figures,
    inSample,
    degradation: inSample > 0 ? 1 - figures.sharpe / inSample : Number.NaN,
    trials: folds.length * all.length,
  }
}
