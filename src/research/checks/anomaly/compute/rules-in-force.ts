import { sentence } from '../../../../contract/sentence.js'
import { type Board, inForce } from '../../../../contract/trading-rules.js'
import {
  type AnomalyRules,
  abnormalRules,
  type Benchmark,
  type CountRule,
  countRules,
  type DeviationRule,
  severeRules,
} from '../anomaly-rules.js'
import { type Fraction, shareOf } from './fraction.js'
import { refusePrices } from './price-table.js'

/** A deviation rule with its threshold as a share of 1. */
export interface Threshold extends DeviationRule {
  readonly measure: 'abnormal' | 'severe'
  readonly up: boolean
  readonly share: number
  readonly exact: Fraction
}

/** What holds for the stocks of a board, ST or not, on one day. */
export interface Force {
  /** Abnormal before severe, each by window, up before down. */
  readonly rules: readonly Threshold[]
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

/** @throws QuotebookError INVALID_VALUE for a table that is not there, and for thresholds that nothing could be compared with */
export function checkRules(rules: AnomalyRules): void {
  for (const name of tables) if (!Array.isArray(rules[name])) refusePrices(sentence`the rules have no table '${name}'`)
  for (const { days, up, down } of [...rules.abnormal, ...rules.severe]) {
    if (!(Number.isInteger(days) && days >= 1))
      refusePrices(sentence`a rule has a window of ${days} days; whole days from 1 are meant`)
    if (!(up > 0 && down < 0))
      refusePrices(sentence`a rule has thresholds of ${up} and ${down} percent; above and below 0 are meant`)
  }
  for (const { days, times } of rules.counts) {
    if (!(Number.isInteger(days) && days >= 1 && Number.isInteger(times) && times >= 2)) {
      refusePrices(
        sentence`a rule counts ${times} times in ${days} days; whole numbers, and at least 2 times, are meant`,
      )
    }
  }
  for (const { percent, st } of rules.limits) {
    if (!(percent > 0 && percent < 100 && st > 0 && st < 100))
      refusePrices(sentence`a price limit is ${percent} or ${st} percent`)
  }
}

function thresholdOf(rule: DeviationRule, measure: Threshold['measure']): Threshold {
  const { direction, threshold } = rule
  return { ...rule, up: direction === 'up', share: threshold / 100, measure, exact: shareOf(threshold) }
}

function make(book: AnomalyRules, board: Board, isST: boolean, date: string): Force {
  const [limit] = inForce(book.limits, board, date)
  if (!limit) return refusePrices(sentence`the rules have no price limit for ${board} on ${date}`)
  const percent = isST ? limit.st : limit.percent
  const rules = [
    ...abnormalRules(board, date, isST, book).map((rule) => thresholdOf(rule, 'abnormal')),
    ...severeRules(board, date, isST, book).map((rule) => thresholdOf(rule, 'severe')),
  ]
  return {
    rules,
    longest: rules.reduce((most, { days }) => Math.max(most, days), 0),
    counts: countRules(board, date, book),
    limit: percent / 100,
    limitPercent: percent,
    limitExact: shareOf(percent),
    benchmark: inForce(book.benchmarks, board, date)[0],
  }
}

/** Days on which some row begins or ceases to hold, ascending. */
function borders({ abnormal, severe, counts, limits, benchmarks }: AnomalyRules): string[] {
  const rows = [...abnormal, ...severe, ...counts, ...limits, ...benchmarks]
  return [...new Set(rows.flatMap(({ from, until }) => (until === undefined ? [from] : [from, until])))].sort()
}

/**
 * Looks up what holds for a board, ST or not, on a day of the calendar. Days between two borders share one answer.
 * @param dates of the calendar
 */
export function forces(rules: AnomalyRules, dates: readonly string[]) {
  const known = new Map<string, (Force | undefined)[]>()
  const steps = borders(rules)
  let step = 0
  const spanOf = Int32Array.from(dates, (date) => {
    while (step < steps.length && (steps[step] as string) <= date) step++
    return step
  })
  return (board: Board, isST: boolean): ((day: number) => Force) => {
    const key = `${board} ${isST}`
    const made = known.get(key) ?? new Array<Force | undefined>(steps.length + 1).fill(undefined)
    known.set(key, made)
    return (day) => {
      const span = spanOf[day] as number
      const found = made[span]
      if (found) return found
      const force = make(rules, board, isST, dates[day] as string)
      made[span] = force
      return force
    }
  }
}
