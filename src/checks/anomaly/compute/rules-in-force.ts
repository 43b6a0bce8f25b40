import { type Fraction, shareOf } from '../../exact/fraction.js'
import {
  type AnomalyRules,
  abnormalRules,
  type Benchmark,
  type Board,
  type CountRule,
  countRules,
  type DeviationRule,
  inForce,
  severeRules,
} from '../anomaly-rules.js'
import { refusePrices } from './price-table.js'

/** A deviation rule with its threshold as a share of 1. */
export interface Threshold extends DeviationRule {
  readonly up: boolean
  readonly share: number
  readonly exact: Fraction
}

/** What holds for the stocks of a board, ST or not, on one day. */
export interface Force {
  /** By window, up before down. */
  readonly abnormal: readonly Threshold[]
  readonly severe: readonly Threshold[]
  readonly counts: readonly CountRule[]
  /** The longest window of the deviation rules, in days. */
  readonly longest: number
  /** Daily price limit as a share of 1 and in percent. */
  readonly limit: number
  readonly limitPercent: number
  readonly limitExact: Fraction
  /** Undefined where none is known, and nothing is measured. */
  readonly benchmark: Benchmark | undefined
}

const tables = ['abnormal', 'severe', 'counts', 'limits', 'listings', 'benchmarks', 'counting'] as const

/** @throws QuotebookError INVALID_VALUE for a table that is not there, and for windows, thresholds, counts and limits that no rule can have */
export function checkRules(rules: AnomalyRules): void {
  for (const name of tables) if (!Array.isArray(rules[name])) refusePrices(`the rules have no table '${name}'`)
  for (const { days, up, down } of [...rules.abnormal, ...rules.severe]) {
    if (!(Number.isInteger(days) && days >= 1))
      refusePrices(`a rule has a window of ${days} days; whole days from 1 are meant`)
    if (!(up > 0 && down < 0))
      refusePrices(`a rule has thresholds of ${up} and ${down} percent; above and below 0 are meant`)
  }
  for (const { days, times } of rules.counts) {
    if (!(Number.isInteger(days) && days >= 1 && Number.isInteger(times) && times >= 2)) {
      refusePrices(`a rule counts ${times} times in ${days} days; whole numbers, and at least 2 times, are meant`)
    }
  }
  for (const { percent, st } of rules.limits) {
    if (!(percent > 0 && percent < 100 && st > 0 && st < 100))
      refusePrices(`a price limit is ${percent} or ${st} percent`)
  }
}

/** The longest window of some rules, in days. */
export function longestWindow(rules: readonly { readonly days: number }[]): number {
  return rules.reduce((most, { days }) => Math.max(most, days), 1)
}

const thresholdOf = (rule: DeviationRule): Threshold => ({
  ...rule,
  up: rule.direction === 'up',
  share: rule.threshold / 100,
  exact: shareOf(rule.threshold),
})

function rulesOn(rules: AnomalyRules, board: Board, isST: boolean, date: string): Force {
  const [limit] = inForce(rules.limits, board, date)
  if (!limit) return refusePrices(`the rules have no price limit for ${board} on ${date}`)
  const limitPercent = isST ? limit.st : limit.percent
  const abnormal = abnormalRules(board, date, isST, rules).map(thresholdOf)
  const severe = severeRules(board, date, isST, rules).map(thresholdOf)
  return {
    abnormal,
    severe,
    counts: countRules(board, date, rules),
    longest: longestWindow([...abnormal, ...severe]),
    limit: limitPercent / 100,
    limitPercent,
    limitExact: shareOf(limitPercent),
    benchmark: inForce(rules.benchmarks, board, date)[0],
  }
}

/**
 * Looks up what holds for a board, ST or not, on a day of the calendar. Days between two days on which some row begins or
 * ceases to hold share one answer.
 * @param dates of the calendar
 */
export function forces(rules: AnomalyRules, dates: readonly string[]) {
  const { abnormal, severe, counts, limits, benchmarks } = rules
  const rows = [...abnormal, ...severe, ...counts, ...limits, ...benchmarks]
  const borders = [...new Set(rows.flatMap(({ from, until = from }) => [from, until]))]
  const spanOf = dates.map((date) => borders.filter((border) => border <= date).length)
  const known = new Map<string, (Force | undefined)[]>()
  return (board: Board, isST: boolean): ((day: number) => Force) => {
    const key = `${board} ${isST}`
    const spans = known.get(key) ?? new Array<Force | undefined>(borders.length + 1).fill(undefined)
    known.set(key, spans)
    return (day) => {
      const span = spanOf[day] as number
      const force = spans[span] ?? rulesOn(rules, board, isST, dates[day] as string)
      spans[span] = force
      return force
    }
  }
}
