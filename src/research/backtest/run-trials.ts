import { sentence } from '../../contract/sentence.js'
import { type RunCurve, runCurve } from './account-curve.js'
import { type BacktestOptions, normalOptions } from './backtest-options.js'
import { cursorOf } from './cursor.js'
import type { DecisionTally } from './decision-tally.js'
import type { Panel } from './panel.js'
import { variantOf, variantParams } from './panel-variants.js'
import { ParamWatch } from './param-watch.js'
import { rulesOfRuns, runAccount } from './run-account.js'
import { decideOf, SharedRanks, type Strategy } from './strategy.js'
import { strategyFault } from './strategy-fault.js'
import type { TrialParams } from './sweep-grid.js'

/** What trials over a panel are run with. */
export interface TrialOptions {
  readonly options: BacktestOptions
  readonly scoreParams: readonly string[] | undefined
  readonly perYear: number
}

/** How many of the best any of the strategies may ask for, as far as that can be seen. */
function mostPicked(strategies: readonly Strategy[]): number {
  const picks = strategies.map((strategy) => {
    const { n = 0, exitRank = n } = 'pick' in strategy ? strategy.pick : {}
    return Math.max(n, exitRank) + n
  })
  return picks.reduce((most, one) => Math.max(most, one), 0)
}

/** The strategy of params. @throws QuotebookError STRATEGY for an error in the code that makes it */
export function madeOf<P, S>(make: (params: P) => S, params: P): S {
  try {
    return make(params)
  } catch (error) {
    throw strategyFault(error, sentence`in make of ${JSON.stringify(params)}`)
  }
}

/** @throws QuotebookError NO_DECISION where none of the strategies ever decides anything */
export function refuseSilence(
  panel: Panel,
  all: readonly TrialParams[],
  make: (params: TrialParams) => Strategy,
  { options }: TrialOptions,
): void {
  const { exec, rules } = normalOptions(options, panel.findings)
  const cursor = cursorOf(panel, exec.decide)
  const tallies: DecisionTally[] = []
  for (const params of all) {
    const { decide, tally } = decideOf(madeOf(make, params), variantOf(panel, params), cursor)
    runAccount(panel, { ...rules, keepsRecords: false }, decide)
    if (!tally.isSilent) return
    tallies.push(tally)
  }
  tallies[0]?.warnings()
}

/** Runs a strategy with one set of params after another; each is told as soon as it is run. */
export function runTrials(
  panel: Panel,
  all: readonly TrialParams[],
  make: (params: TrialParams) => Strategy,
  { options, scoreParams, perYear }: TrialOptions,
  onRun: (curve: RunCurve, place: number) => void,
): void {
  const { exec, rules: full } = normalOptions(options, panel.findings)
  const rules = rulesOfRuns(panel, full, all.length)
  const cursor = cursorOf(panel, exec.decide)
  const watch = new ParamWatch(Object.keys(all[0] ?? {}))
  const strategies = all.map((params) => madeOf((own) => make(watch.over(own)), params))
  const readsLate = !watch.isDone
  const most = mostPicked(strategies.filter((one) => typeof one === 'object' && one !== null))
  const keys = all.map((params) =>
    JSON.stringify(scoreParams && [...scoreParams, ...variantParams(panel)].map((name) => params[name])),
  )
  const last = new Map(keys.map((key, place) => [key, place]))
  const ranks = new Map<string, SharedRanks>()
  all.forEach((params, place) => {
    const key = keys[place] as string
    const shared = scoreParams && (ranks.get(key) ?? new SharedRanks(most))
    if (shared) ranks.set(key, shared)
    if (last.get(key) === place) ranks.delete(key)
    // A strategy that reads while it runs is slower while it is watched: no longer than has to be.
    const strategy = readsLate && watch.isDone ? madeOf(make, params) : (strategies[place] as Strategy)
    const { decide } = decideOf(strategy, variantOf(panel, params), cursor, { shared })
    const curve = runCurve(runAccount(panel, rules, decide), perYear, panel.begin, rules.trips)
    onRun({ ...curve, read: watch.names }, place)
  })
}
