import type { Table } from 'apache-arrow'
import { type DeflatedSharpe, deflatedSharpe } from '../analysis/performance/deflated-sharpe.js'
import { type Performance, performance as performanceOf } from '../analysis/performance/performance.js'
import { type Overfitting, probabilityOfOverfitting } from '../analysis/performance/probability-of-overfitting.js'
import { numberColumn, resultTable, textColumn } from '../checks/check-columns.js'
import { QuotebookError } from '../contract/error.js'
import { namedIn } from '../table/shape.js'
import { type BacktestOptions, normalOptions } from './backtest-options.js'
import { cursorOf } from './cursor.js'
import type { Panel } from './panel.js'
import { annualTurnover, runAccount } from './run-account.js'
import { decideOf, type Settled, SharedRanks, type Strategy } from './strategy.js'

/** A value of a strategy's param. */
export type ParamValue = number | string | boolean

/** Values to try, by param: all combinations are run. */
export type Grid = Readonly<Record<string, readonly ParamValue[]>>

/** One combination. */
export type ParamsIn<G extends Grid> = { readonly [K in keyof G]: G[K][number] }

/** Options of each run, and of their comparison. */
export interface SweepOptions<G extends Grid = Grid> extends BacktestOptions {
  /**
   * Params that `universe` and `score` of a strategy with `pick` depend on. Runs in which they are equal share one ranking of
   * each time, which is most of the work; such a strategy may not read `held` in them.
   */
  readonly scoreParams?: readonly (keyof G & string)[]
  /** As for `performance`. */
  readonly riskFree?: number
  readonly periodsPerYear?: number
  /** Told after each run. */
  readonly onProgress?: (done: number, all: number) => void
}

/** A run of a sweep. */
export interface Trial<G extends Grid = Grid> {
  readonly params: ParamsIn<G>
  readonly performance: Performance
  readonly returns: Float64Array
}

/** What came of all combinations, and of the best. */
export interface Sweep<G extends Grid = Grid> {
  /** In the order of the grid: the last param runs fastest. */
  readonly trials: readonly Trial<G>[]
  /** The trial of the highest Sharpe ratio; undefined where none has one. */
  readonly best: Trial<G> | undefined
  /** Of the best, after so many trials. Undefined of fewer than two. */
  readonly deflatedSharpe: DeflatedSharpe | undefined
  /** Undefined of fewer than two trials, or days than 32. */
  readonly overfitting: Overfitting | undefined
  /** A row a trial: its params and figures. */
  readonly table: Table
}

/** All combinations of a grid. */
export function combinations<G extends Grid>(grid: G): ParamsIn<G>[] {
  namedIn(grid, 'the grid of a sweep', 'an object such as { w: [0, 1], n: [10, 20] }')
  let all: Record<string, ParamValue>[] = [{}]
  for (const [name, values] of Object.entries(grid)) {
    if (!Array.isArray(values) || values.length === 0) {
      throw new QuotebookError('USAGE', `sweep: '${name}' of the grid is a list of values to try`)
    }
    all = all.flatMap((one) => values.map((value: ParamValue) => ({ ...one, [name]: value })))
  }
  return all as ParamsIn<G>[]
}

/** The options of a sweep that its runs take. */
export function runOptions<G extends Grid>(options: SweepOptions<G>): BacktestOptions {
  const { scoreParams: _, riskFree: __, periodsPerYear: ___, onProgress: ____, ...own } = options
  return own
}

function tableOf(trials: readonly Trial[]): Table {
  const names = Object.keys(trials[0]?.params ?? {})
  const paramColumns = names.map((name) => {
    const values = trials.map(({ params }) => params[name] as ParamValue)
    const column = values.every((value) => typeof value === 'number')
      ? numberColumn(undefined, 'Param.', Float64Array.from(values as number[]))
      : textColumn('label', 'Param.', values.map(String))
    return [name, column] as const
  })
  const figure = (unit: string | undefined, meaning: string, of: (one: Performance) => number) =>
    numberColumn(
      unit,
      meaning,
      Float64Array.from(trials, ({ performance }) => of(performance)),
    )
  return resultTable({
    ...Object.fromEntries(paramColumns),
    total: figure('ratio', 'Equity at the end / start - 1.', ({ total }) => total),
    cagr: figure('ratio', 'By calendar days.', ({ cagr }) => cagr),
    volatility: figure('ratio', 'Per year.', ({ volatility }) => volatility),
    sharpe: figure(undefined, 'Sharpe ratio, per year.', ({ sharpe }) => sharpe),
    max_drawdown: figure('ratio', 'Deepest fall from a peak.', ({ maxDrawdown }) => maxDrawdown.depth),
    turnover: figure('ratio', 'One-sided, per year.', ({ turnover }) => turnover),
  })
}

/** The best trial, and what is left of its Sharpe ratio after so many. */
function judged<G extends Grid>(trials: readonly Trial<G>[], perYear: number): Omit<Sweep<G>, 'trials' | 'table'> {
  const rated = trials.filter(({ performance }) => !Number.isNaN(performance.sharpe))
  const best = rated.reduce<Trial<G> | undefined>(
    (most, one) => (most && most.performance.sharpe >= one.performance.sharpe ? most : one),
    undefined,
  )
  if (!best || rated.length < 2) return { best, deflatedSharpe: undefined, overfitting: undefined }
  const { sharpe, observations, skew, kurtosis } = best.performance
  const sharpes = rated.map(({ performance }) => performance.sharpe)
  const deflated = deflatedSharpe({ sharpe, observations, skew, kurtosis, periodsPerYear: perYear, trials: sharpes })
  const isLong = best.returns.length >= 32
  return {
    best,
    deflatedSharpe: deflated,
    overfitting: isLong ? probabilityOfOverfitting(rated.map(({ returns }) => returns)) : undefined,
  }
}

/**
 * Runs a strategy with every combination of a grid over one panel, and says how much of the best result is choice: the number of
 * trials, the deflated Sharpe ratio (Bailey and López de Prado 2014), the probability of overfitting (Bailey et al. 2015).
 * Runs are without `checkLookahead`; `backtest` of the one chosen makes it.
 * @param make a strategy for a combination
 * @throws QuotebookError as `backtest`
 */
export function sweep<C extends string, const G extends Grid>(
  panel: Panel<C>,
  grid: G,
  make: (params: ParamsIn<G>) => Strategy<Settled<C>>,
  options: SweepOptions<G>,
): Sweep<G> {
  const { scoreParams, riskFree = 0, periodsPerYear = 252, onProgress } = options
  const { exec, rules: full } = normalOptions(runOptions(options))
  const rules = { ...full, keepsHoldings: false }
  const all = combinations(grid)
  const cursor = cursorOf(panel, exec.decide)
  const ranks = new Map<string, SharedRanks>()
  const trials: Trial<G>[] = all.map((params, at) => {
    const key = scoreParams && JSON.stringify(scoreParams.map((name) => params[name]))
    const shared = key === undefined ? undefined : (ranks.get(key) ?? new SharedRanks())
    if (key !== undefined && shared) ranks.set(key, shared)
    const run = runAccount(panel as unknown as Panel, rules, decideOf(make(params), panel, cursor, shared))
    const equity = run.equity.map((fen) => fen / 100)
    const turnover = annualTurnover(run, periodsPerYear)
    const trades = run.account.trips.map(({ pnl }) => ({ pnl: pnl / 100 }))
    const curve = { days: panel.days, equity, start: options.cash, trades, turnover }
    const performance = performanceOf(curve, { riskFree, periodsPerYear, resamples: 0 })
    onProgress?.(at + 1, all.length)
    const returns = equity.map((value, day) => value / (day === 0 ? options.cash : (equity[day - 1] as number)) - 1)
    return { params, performance, returns }
  })
  return { trials, ...judged(trials, periodsPerYear), table: tableOf(trials as unknown as Trial[]) }
}
