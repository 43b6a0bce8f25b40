import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { say } from '../../contract/shown-language.js'
import { cellProgress } from '../../frame/show/notebook-output.js'
import { shownResult } from '../../frame/show/result-display.js'
import type { RunCurve } from './account-curve.js'
import { type BacktestOptions, backtestKinds } from './backtest-options.js'
import type { Panel } from './panel.js'
import { variantParams } from './panel-variants.js'
import { refuseUnread } from './param-watch.js'
import { refuseSilence, runTrials, type TrialOptions } from './run-trials.js'
import type { Settled, Strategy } from './strategy.js'
import { SweepCheckpoint, trialKeys } from './sweep-checkpoint.js'
import { combinations, type Grid, type ParamsIn, type TrialParams } from './sweep-grid.js'
import { type Sweep, sweepResult, type TrialCurve, trialCurve } from './sweep-result.js'

/** Options of each run of a sweep, and of their comparison. */
export interface SweepOptions<G extends Grid = Grid> extends BacktestOptions {
  /**
   * Params that `universe` and `score` of a strategy with `pick` depend on. Runs in which they are equal share one ranking of
   * each time, which is most of the work; such a strategy may not read `held` in them.
   */
  readonly scoreParams?: readonly (keyof G & string)[]
  /** As for `performanceStats`. */
  readonly riskFree?: number
  readonly periodsPerYear?: number
  /**
   * A file that keeps each run as soon as it is done, so that a sweep that was interrupted goes on where it ended. Runs of other
   * prices, options, params, strategies or versions are not taken from it; values that a strategy closes over are not seen.
   */
  readonly checkpoint?: string
  /** Told after each run. */
  readonly onProgress?: (done: number, all: number) => void
}

/** The options of a sweep, by name. */
export const sweepKinds: OptionKinds<SweepOptions> = {
  ...backtestKinds,
  scoreParams: 'an array',
  riskFree: 'any',
  periodsPerYear: 'any',
  checkpoint: 'text',
  onProgress: 'a function',
}

/** Tells the cell of a notebook how many runs are done. */
export function sweepProgress(): SweepOptions['onProgress'] {
  const tell = cellProgress()
  return tell && ((done, of) => tell({ done, of, text: say`sweep: ${done} of ${of} runs` }))
}

/** The options of a sweep that its runs take. */
export function runOptions<G extends Grid>(options: SweepOptions<G>): BacktestOptions {
  const { scoreParams: _, riskFree: __, periodsPerYear: ___, checkpoint: ____, onProgress: _____, ...own } = options
  return own
}

/** A sweep before its runs, and what came of those that were kept. */
export class SweepPlan<G extends Grid> {
  readonly context: TrialOptions
  readonly all: readonly ParamsIn<G>[]
  readonly #curves: (TrialCurve | undefined)[]
  readonly #make: (params: ParamsIn<G>) => Strategy
  #keyOf: ReturnType<typeof trialKeys> | undefined
  readonly #checkpoint: SweepCheckpoint | undefined
  readonly #options: SweepOptions<G>
  readonly #onProgress: SweepOptions['onProgress']
  readonly #panel: Panel
  #done: number

  constructor(panel: Panel, grid: G, make: (params: ParamsIn<G>) => Strategy, options: SweepOptions<G>) {
    const { scoreParams, periodsPerYear: perYear = 252, checkpoint } = options
    this.#panel = panel
    this.#options = options
    this.#onProgress = options.onProgress ?? sweepProgress()
    this.context = { options: runOptions(options), scoreParams, perYear }
    this.all = combinations(grid)
    this.#make = make
    this.#checkpoint = checkpoint === undefined ? undefined : new SweepCheckpoint(checkpoint)
    this.#curves = this.all.map((_, place) => {
      const kept = this.#checkpoint?.find(this.keyOf(place))
      return kept && trialCurve(kept)
    })
    this.#done = this.#curves.filter(Boolean).length
  }

  /** Places of the combinations that are to be run. */
  get missing(): number[] {
    return [...this.#curves.keys()].filter((place) => !this.#curves[place])
  }

  /** The same in consecutive parts of so many: neighbours share rankings. */
  parts(size: number): { readonly places: readonly number[]; readonly all: readonly TrialParams[] }[] {
    const { all, missing } = this
    return Array.from({ length: Math.ceil(missing.length / size) }, (_, at) => {
      const places = missing.slice(at * size, (at + 1) * size)
      return { places, all: places.map((place) => all[place] as TrialParams) }
    })
  }

  /** The key of a combination, by which its run is known again. */
  keyOf(place: number): string {
    const params = this.all[place] as ParamsIn<G>
    this.#keyOf ??= trialKeys(this.#panel, this.context)
    return this.#keyOf(params, this.#make(params))
  }

  /** Takes a run. */
  add(place: number, curve: RunCurve): void {
    this.#curves[place] = trialCurve(curve)
    this.#checkpoint?.keep(this.keyOf(place), curve)
    this.#done++
    this.#onProgress?.(this.#done, this.all.length)
  }

  /**
   * @param elsewhere params that something else than the strategies may read
   * @throws QuotebookError USAGE for any other that no run has read; NO_DECISION where no run of all decided anything
   */
  result(elsewhere: readonly string[] = []): Sweep<G> {
    const make = this.#make as unknown as (params: TrialParams) => Strategy
    if (this.#curves.every((curve) => curve?.turnover === 0)) refuseSilence(this.#panel, this.all, make, this.context)
    const found = this.#curves.map((curve) => curve?.read)
    const names = Object.keys(this.all[0] ?? {})
    const read = [...new Set(found.flatMap((one, at) => (one === found[at - 1] ? [] : (one ?? names))))]
    const needed = names.filter((name) => ![...elsewhere, ...variantParams(this.#panel)].includes(name))
    refuseUnread(needed, read)
    const { cash: start, riskFree = 0, periodsPerYear = 252 } = this.#options
    const { days, begin } = this.#panel
    const basis = { days: days.slice(begin), start, riskFree, periodsPerYear }
    const own = sweepResult(this.all, this.#curves as TrialCurve[], basis)
    return shownResult('sweep', { ...own, read: names.filter((name) => read.includes(name)) })
  }
}

/**
 * Runs a strategy with every combination of a grid over one panel, and measures how much of the best result is
 * selection: the number of trials, the deflated Sharpe ratio (Bailey and López de Prado 2014), the probability of
 * overfitting (Bailey et al. 2015). Runs are without `checkLookahead`; `backtest` of the chosen one runs it.
 * @param make returns the strategy of a combination
 * @throws QuotebookError as `backtest`; USAGE for a checkpoint that is another file, and for a parameter of the grid
 * that no run reads
 */
export function sweep<C extends string, const G extends Grid>(
  panel: Panel<C>,
  grid: G,
  make: (params: ParamsIn<G>) => Strategy<Settled<C>>,
  options: SweepOptions<G>,
): Sweep<G> {
  checkOptions<SweepOptions<G>>(options, sweepKinds, 'sweep')
  const any = panel as unknown as Panel
  const makeAny = make as unknown as (params: TrialParams) => Strategy
  const plan = new SweepPlan(any, grid, makeAny, options)
  const { missing } = plan
  const params = missing.map((place) => plan.all[place] as TrialParams)
  runTrials(any, params, makeAny, plan.context, (curve, at) => plan.add(missing[at] as number, curve))
  return plan.result()
}
