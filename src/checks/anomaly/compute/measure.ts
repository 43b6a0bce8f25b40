import type { CountRule } from '../rules.js'
import { mayHaveRow } from './bounds.js'
import { begin, extend, noExtremes } from './extreme.js'
import { Floors, type Measure, type Restarts } from './floors.js'
import type { Force, Threshold } from './in-force.js'
import type { IndexPath } from './index-levels.js'
import { dayChange, type Finding, judge, judgeNearest, type Moment } from './judge.js'
import type { Path } from './path.js'
import { type Prices, refuse } from './prices.js'

/** One row of the result, before it has words. */
export interface Row {
  readonly measure: Measure
  /** Its rule: of a count, the counting one. */
  readonly rule: Threshold | CountRule
  readonly finding: Finding
  readonly force: Force
  /** Last completed day of the stock, by place in its path; the day itself but in a forecast. */
  readonly end: number
  readonly forecast: boolean
  /** First day of the interval, or the first abnormal movement counted. */
  readonly since: number
  /** Days of the stock from then to `end`. */
  readonly elapsed: number
  readonly triggered: boolean
  /** Change of the day in units of 0.0001 percent; NaN in a forecast. */
  readonly change: number
}

/** Everything that the days of one stock are measured by. */
export interface Stretch {
  readonly prices: Prices
  readonly path: Path
  readonly forceOn: (at: number) => Force
  readonly indexOf: (force: Force) => IndexPath | undefined
  readonly restarts: Restarts
  /** Days of verification halts, by place in the calendar, ascending. */
  readonly halts: readonly number[]
  readonly isNearest: boolean
  /** What holds on the day after the last; undefined where nothing is forecast. */
  readonly next: Force | undefined
  readonly dateOf: (at: number) => string
}

/** Written anew for each day and measure. */
const extremes = noExtremes()

/** Adds what deviation rules find on one day. @param floorOf first day on which an interval of a rule may begin */
function addDeviations(
  moment: Moment,
  rules: readonly Threshold[],
  floorOf: (rule: Threshold) => number,
  found: Finding[],
): void {
  const { path, index, end, forecast, isNearest } = moment
  begin(extremes, path, index, end)
  let from = end
  for (const rule of rules) {
    const to = Math.max(floorOf(rule), end - rule.days + (forecast ? 2 : 1))
    if (to > from + 1) {
      begin(extremes, path, index, end)
      from = end
    }
    if (to <= from) {
      extend(extremes, path, index, end, from, to)
      from = to - 1
    }
    const finding = isNearest ? judgeNearest(moment, rule, to) : judge(moment, rule, extremes, to)
    if (finding) found.push(finding)
  }
}

/** Where one direction's abnormal movements happened, by place in the path. */
interface Movements {
  readonly up: number[]
  readonly down: number[]
}

function countOf(movements: Movements, { direction, days }: CountRule, moment: Moment, floor: number): number[] {
  const first = Math.max(floor, moment.end - days + (moment.forecast ? 2 : 1))
  return movements[direction].filter((at) => at >= first)
}

/** The severe row that a day's abnormal row makes together with those before it; the day itself is not in `movements`. */
function countRow(
  rule: CountRule,
  abnormal: readonly Row[],
  movements: Movements,
  moment: Moment,
  floor: number,
): Row[] {
  const own = abnormal.filter(({ finding }) => finding.rule.direction === rule.direction)
  const basis = own.find(({ triggered }) => triggered) ?? own[0]
  if (!basis || (basis.triggered && moment.forecast)) return []
  const counted = countOf(movements, rule, moment, floor)
  if (counted.length + 1 < rule.times) return []
  const since = counted[0] ?? moment.end
  return [{ ...basis, measure: 'severe by count', rule, since, elapsed: moment.end - since + 1 }]
}

function checkIndex({ dateOf }: Stretch, index: IndexPath, force: Force, end: number, floor: number): void {
  const missing = index.missing[end] as number
  if (missing < Math.max(floor - 1, end - force.longest) || floor > end) return
  const wanted = `${index.code} on ${dateOf(missing)} (${force.benchmark?.name})`
  refuse(`benchmarks have no close of ${wanted}, which a stock of its board needs`)
}

/** Which measures a day might have rows of. */
type Open = 0 | 1 | 2 | 3

/** 1 for abnormal, 2 for severe, 3 for both. */
function openOn(prices: Prices, path: Path, index: IndexPath, force: Force, at: number): Open {
  const reference = path.reference[at] as number
  const growth = (prices.close[path.row[at] as number] as number) / reference
  const limit = force.limit + 0.0052 / reference
  const level = path.level[at] as number
  const close = index.close[at] as number
  const abnormal = mayHaveRow(force.abnormalRoom, limit, growth, level, path.abnormal, close, index.abnormal, at)
  const severe = mayHaveRow(force.severeRoom, limit, growth, level, path.severe, close, index.severe, at)
  return abnormal ? (severe ? 3 : 1) : severe ? 2 : 0
}

/** What one day has: rows in the order of the result, and abnormal rows of intervals after the last movement counted. */
interface Day {
  readonly rows: Row[]
  readonly apart: readonly Row[]
}

function dayOf(moment: Moment, open: Open, floors: Floors, movements: Movements): Day {
  const { force, end, forecast } = moment
  const rowsOf = (measure: 'abnormal' | 'severe', floorOf: (rule: Threshold) => number): Row[] => {
    const found: Finding[] = []
    addDeviations(moment, force[measure], floorOf, found)
    const change = forecast || found.length === 0 ? Number.NaN : dayChange(moment)
    return found.map((finding) => {
      const { rule, start, triggered } = finding
      return { measure, rule, finding, force, end, forecast, since: start, elapsed: end - start + 1, triggered, change }
    })
  }
  const abnormal = open === 2 ? [] : rowsOf('abnormal', () => floors.abnormal)
  const isOne = floors.apart <= floors.abnormal || open === 2
  const apart = isOne ? abnormal : rowsOf('abnormal', () => floors.apart)
  const severe = open === 1 ? [] : rowsOf('severe', ({ days }) => floors.severeOf(days))
  const counts = force.counts.flatMap((rule) => countRow(rule, apart, movements, moment, floors.counted))
  return { rows: [...abnormal, ...severe, ...counts], apart }
}

/**
 * Walks over the days of one stock and hands over its rows. Intervals begin on a day after the last restart of their
 * rule, after the last day without limit, and not on the first day, which has no close before it.
 */
export function walk(stretch: Stretch, take: (row: Row) => void): void {
  const { path, prices, halts, restarts, isNearest } = stretch
  const floors = new Floors(restarts, halts)
  const movements: Movements = { up: [], down: [] }
  const look = (force: Force, end: number, forecast: boolean): void => {
    const index = stretch.indexOf(force)
    if (!index) return
    checkIndex(stretch, index, force, end, Math.min(floors.abnormal, floors.common))
    const open = forecast ? 3 : openOn(prices, path, index, force, end)
    if (open === 0) return
    const { rows, apart } = dayOf({ prices, path, index, force, end, forecast, isNearest }, open, floors, movements)
    for (const row of rows) take(row)
    if (forecast) return
    for (const { triggered, finding } of apart) {
      const own = movements[finding.rule.direction]
      if (triggered && own.at(-1) !== end) own.push(end)
      if (triggered) floors.apart = end + 1
    }
    for (const { triggered, measure, rule } of rows) if (triggered) floors.afterEvent(measure, rule.days, end + 1)
  }
  for (let at = 0; at < path.length; at++) {
    const [day, isTraded] = [path.day[at] as number, path.row[at] !== -1]
    floors.given(day, at)
    if (isTraded) floors.resume(day, at)
    if (path.free[at] === 1) floors.afterFree(at + 1)
    else if (at > 0 && isTraded) look(stretch.forceOn(at), at, false)
  }
  if (!stretch.next || path.length === 0) return
  const last = path.length - 1
  floors.given((path.day[last] as number) + 1, path.length)
  look(stretch.next, last, true)
}
