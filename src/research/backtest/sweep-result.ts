import type { Table } from 'apache-arrow'
import type { Words } from '../../contract/sentence.js'
import { sentence } from '../../contract/sentence.js'
import { curveRates } from '../analysis/performance/curve-rates.js'
import { type DeflatedSharpe, deflatedSharpe } from '../analysis/performance/deflated-sharpe.js'
import {
  type Performance,
  performanceStats as performanceOf,
  type RoundTripFigures,
  ratesOf,
  tripFigures,
  worstDrawdowns,
} from '../analysis/performance/performance-stats.js'
import { type Overfitting, overfittingOf } from '../analysis/performance/probability-of-overfitting.js'
import { numberColumn, resultTable, textColumn } from '../checks/check-columns.js'
import { recordColumns } from '../checks/record-columns.js'
import { dailyReturns, type RunCurve } from './account-curve.js'
import type { Grid, ParamsIn, ParamValue } from './sweep-grid.js'

/** A run of a sweep. */
export interface Trial<G extends Grid = Grid> {
  readonly params: ParamsIn<G>
  /** Computed when it is asked for. */
  readonly performance: Performance
  readonly returns: Float64Array
}

/** The results of all combinations, and of the best. */
export interface Sweep<G extends Grid = Grid> {
  /** In the order of the grid: the last param runs fastest. */
  readonly trials: readonly Trial<G>[]
  /** The trial of the highest Sharpe ratio; undefined if none has one. */
  readonly best: Trial<G> | undefined
  /** Of the best, after so many trials. Undefined of fewer than two. */
  readonly deflatedSharpe: DeflatedSharpe | undefined
  /** Undefined of fewer than two trials, or days than 32. */
  readonly overfitting: Overfitting | undefined
  /** A row a trial: its params and figures. */
  readonly table: Table
  /** Trials that never traded, which have no Sharpe ratio and are not among those compared. */
  readonly warnings: readonly Words[]
  /** Params of the grid that the strategies read: all, but for those that only the panel is made with. */
  readonly read: readonly string[]
}

/** Of the panel and the options that all trials share. */
export interface TrialBasis {
  readonly days: readonly string[]
  readonly start: number
  readonly riskFree: number
  readonly periodsPerYear: number
}

/** What is kept of a run: of its trades the figures, since those of a large sweep are hundreds of megabytes. */
export interface TrialCurve extends Omit<RunCurve, 'pnl'> {
  readonly trips: RoundTripFigures
}

export function trialCurve({ equity, turnover, read, pnl }: RunCurve): TrialCurve {
  return { equity, turnover, read, trips: tripFigures(pnl, turnover) }
}

function figuresOf({ equity, turnover }: TrialCurve, basis: TrialBasis) {
  const { freePerDay, perYear } = ratesOf(basis, 'sweep')
  const curve = new Float64Array(equity.length + 1)
  curve[0] = basis.start
  curve.set(equity, 1)
  const series = { returns: dailyReturns(basis.start, equity), curve, days: basis.days }
  const maxDrawdown = worstDrawdowns(series).maxDrawdown.depth
  return { ...curveRates(series, freePerDay, perYear), maxDrawdown, turnover }
}

type TrialFigures = ReturnType<typeof figuresOf>

function trialOf<G extends Grid>(params: ParamsIn<G>, { equity, trips }: TrialCurve, basis: TrialBasis): Trial<G> {
  const { riskFree, periodsPerYear, ...dated } = basis
  let figures: Performance | undefined
  let returns: Float64Array | undefined
  return {
    params,
    get performance() {
      figures ??= { ...performanceOf({ ...dated, equity }, { riskFree, periodsPerYear }), ...trips }
      return figures
    },
    get returns() {
      returns ??= dailyReturns(basis.start, equity)
      return returns
    },
  }
}

function tableOf(all: readonly Readonly<Record<string, ParamValue>>[], figures: readonly TrialFigures[]): Table {
  const paramColumns = Object.keys(all[0] ?? {}).map((name) => {
    const values = all.map((params) => params[name] as ParamValue)
    const column = values.every((value) => typeof value === 'number')
      ? numberColumn(undefined, 'Param.', Float64Array.from(values as number[]))
      : textColumn('label', 'Param.', values.map(String))
    return [name, column] as const
  })
  const { number } = recordColumns(figures)
  return resultTable({
    ...Object.fromEntries(paramColumns),
    total: number('ratio', 'Equity at the end / start - 1.', ({ total }) => total),
    cagr: number('ratio', 'By calendar days.', ({ cagr }) => cagr),
    volatility: number('ratio', 'Per year.', ({ volatility }) => volatility),
    sharpe: number(undefined, 'Sharpe ratio, per year.', ({ sharpe }) => sharpe),
    max_drawdown: number('ratio', 'Deepest fall from a peak.', ({ maxDrawdown }) => maxDrawdown),
    turnover: number('ratio', 'One-sided, per year.', ({ turnover }) => turnover),
  })
}

/** What all trials of a sweep came to: the best, and what is left of its Sharpe ratio after so many. */
export function sweepResult<G extends Grid>(
  all: readonly ParamsIn<G>[],
  curves: readonly TrialCurve[],
  basis: TrialBasis,
): Omit<Sweep<G>, 'read'> {
  const figures = curves.map((curve) => figuresOf(curve, basis))
  const trials = all.map((params, at) => trialOf<G>(params, curves[at] as TrialCurve, basis))
  const table = tableOf(all, figures)
  const sharpes = figures.map(({ sharpe }) => sharpe)
  const rated = [...sharpes.keys()].filter((at) => !Number.isNaN(sharpes[at]))
  const most = rated.reduce((highest, at) => Math.max(highest, sharpes[at] as number), Number.NEGATIVE_INFINITY)
  const best = trials[sharpes.indexOf(most)]
  const idle = curves.filter(({ turnover }) => turnover === 0).length
  const warnings = idle ? [sentence`${idle} of ${curves.length} trials never traded, and are not compared`] : []
  if (!best || rated.length < 2)
    return { trials, best, deflatedSharpe: undefined, overfitting: undefined, table, warnings }
  const ratios = rated.map((at) => sharpes[at] as number)
  const { periodsPerYear } = basis
  const returns = {
    length: rated.length,
    at: (one: number) => dailyReturns(basis.start, (curves[rated[one] as number] as TrialCurve).equity),
  }
  return {
    trials,
    best,
    deflatedSharpe: deflatedSharpe({ ...best.performance, periodsPerYear, trials: ratios }),
    overfitting: basis.days.length >= 32 ? overfittingOf(returns) : undefined,
    table,
    warnings,
  }
}
