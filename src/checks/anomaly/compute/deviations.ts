import {
  compare,
  type Fraction,
  fractionOf,
  hundred,
  minus,
  one,
  plus,
  quotient,
  shareOf,
  times,
  unitsDown,
  unitsHalfUp,
  unitsUp,
} from '../../exact/fraction.js'
import type { CountRule } from '../anomaly-rules.js'
import type { Prices } from './price-table.js'
import type { Force, Threshold } from './rules-in-force.js'
import { exactGrowth, exactReference, type IndexPath, type Path } from './stock-path.js'

/** A day of one stock, its prices and its limit. */
interface Session {
  readonly prices: Prices
  readonly path: Path
  readonly force: Force
  /** The last completed day, by place in the path. */
  readonly end: number
  /** The row speaks of the day after `end`, which has no close yet. */
  readonly forecast: boolean
}

/** One stock on one day: what its intervals end with, and the rules of the day. */
export interface Moment extends Session {
  readonly index: IndexPath
  /** The interval of a row is that of the nearest price, not that of the extreme deviation. */
  readonly isNearest: boolean
}

/** What one rule finds on one day. Percentages are in units of 0.0001, prices in cents. */
export interface RuleFinding {
  readonly measure: 'abnormal' | 'severe' | 'severe by count'
  /** Of a count, the counting one. */
  readonly rule: Threshold | CountRule
  /** Percent; of a count, that of the abnormal movement. */
  readonly threshold: number
  /** First day of the interval, or of a count the first abnormal movement counted, by place in the path. */
  readonly start: number
  readonly triggered: boolean
  /** Change of the day; NaN in a forecast. */
  readonly change: number
  readonly deviation: number
  readonly required: number
  readonly trigger: number
  readonly benchmark: number
}

/** Beyond this a double is no longer much finer than the unit that is rounded to. */
const largest = 2 ** 40

const exactUnits = { 'half up': unitsHalfUp, up: unitsUp, down: unitsDown }

/**
 * A number in whole units of 10^-`places`; `half up` takes halves away from zero. `value` is the number in doubles and
 * `error` what it may be off by; the exact number is computed only where a boundary lies within reach.
 */
function unitsOf(
  value: number,
  error: number,
  places: number,
  rounding: keyof typeof exactUnits,
  exact: () => Fraction,
): number {
  const scale = 10 ** places
  const scaled = value * scale
  const size = Math.abs(scaled)
  const edge = rounding === 'half up' ? size + 0.5 : size
  const isNear = !(Math.abs(edge - Math.round(edge)) > error * scale + size * 2 ** -50)
  if (isNear || !(size < largest)) return Number(exactUnits[rounding](exact(), places))
  if (rounding !== 'half up') return rounding === 'up' ? Math.ceil(scaled) : Math.floor(scaled)
  const rounded = Math.floor(edge)
  return value < 0 && rounded > 0 ? -rounded : rounded
}

/**
 * Whether any interval of a measure might be a row, by the greatest and least growth of stock (A) and benchmark (B) in
 * the window. A rise needs A (1 + limit) >= (T + B) g if its price is to lie within the limit, g being the day's growth,
 * and A >= T + B if it is triggered; a fall the reverse. Limit prices are rounded by half a cent, and doubles err by far
 * less than the rest of the slack, so that no row is missed. Plain code: it is run for each day of each stock.
 */
export function mayHaveRow(moment: Moment, measure: 'abnormal' | 'severe'): boolean {
  const { prices, path, index, force, end, forecast } = moment
  if (forecast) return true
  const reference = path.reference[end] as number
  const growth = (prices.close[path.row[end] as number] as number) / reference
  const limit = force.limit + 0.0052 / reference
  const level = path.level[end] as number
  const close = index.level[end] as number
  const stock = path[measure]
  const benchmark = index[measure]
  const highest = level * (stock.greatest[end] as number) * Math.max(1 + limit, growth) * (1 + 1e-9)
  const lowest = level * (stock.least[end] as number) * Math.min(1 - limit, growth)
  const highestIndex = close * (benchmark.greatest[end] as number)
  const lowestIndex = close * (benchmark.least[end] as number)
  for (const { up, share } of force[measure]) {
    const isOut = up
      ? highest < (share + lowestIndex) * growth
      : lowest > (share + highestIndex) * growth * (1 + 1e-9) + 1e-12
    if (!isOut) return true
  }
  return false
}

/** The reference price of the day of a row, what is bought at its close, and the growth between them. */
function dayOf({ prices, path, end, forecast }: Session) {
  const close = prices.close[path.closeRow[end] as number] as number
  const reference = forecast ? close : (path.reference[end] as number)
  return { close, reference, growth: forecast ? 1 : close / reference }
}

/** The growth of the day against its reference price, exactly; 1 in a forecast, whose day has no close yet. */
function exactDay({ prices, path, end, forecast }: Session): Fraction {
  if (forecast) return one
  return quotient(fractionOf(prices.close[path.row[end] as number] as number), exactReference(path, prices, end))
}

function growthsOf({ path, index, end }: Moment, start: number) {
  return {
    stock: (path.level[end] as number) * (path.inverse[start - 1] as number),
    benchmark: (index.level[end] as number) * (index.inverse[start - 1] as number),
  }
}

function exactGrowths({ path, prices, index, end }: Moment, start: number) {
  const [last, base] = [index.level[end] as number, index.level[start - 1] as number]
  return {
    stock: exactGrowth(path, prices, start - 1, end),
    benchmark: quotient(fractionOf(last), fractionOf(base)),
  }
}

function exactDeviation(moment: Moment, start: number): Fraction {
  const { stock, benchmark } = exactGrowths(moment, start)
  return minus(stock, benchmark)
}

/** What the close is to be multiplied by to reach the threshold, exactly: (T + B) / A. */
function exactFactor(moment: Moment, rule: Threshold, start: number): Fraction {
  const { stock, benchmark } = exactGrowths(moment, start)
  return quotient(plus(rule.exact, benchmark), stock)
}

/** Whether a deviation reaches the threshold; equality counts. */
function reaches(moment: Moment, { share, exact, up }: Threshold, start: number): boolean {
  const { stock, benchmark } = growthsOf(moment, start)
  const gap = stock - benchmark - share
  if (Math.abs(gap) > moment.path.error * (stock + benchmark + Math.abs(share))) return up ? gap > 0 : gap < 0
  const order = compare(exactDeviation(moment, start), exact)
  return up ? order >= 0 : order <= 0
}

/** Limit price of the day in cents, halves up. */
function limitPrice(session: Session, up: boolean): number {
  const { path, prices, force, end, forecast } = session
  const { close, reference } = dayOf(session)
  const value = reference * (up ? 1 + force.limit : 1 - force.limit)
  return unitsOf(value, path.error * value, 2, 'half up', () => {
    const exact = forecast ? fractionOf(close) : exactReference(path, prices, end)
    return times(exact, up ? plus(one, force.limitExact) : minus(one, force.limitExact))
  })
}

/** Change of a completed day in units of 0.0001 percent; NaN in a forecast. */
function dayChange(session: Session): number {
  if (session.forecast) return Number.NaN
  const { growth } = dayOf(session)
  const error = 4 * session.path.error * (growth + 1)
  return unitsOf((growth - 1) * 100, error * 100, 4, 'half up', () => times(minus(exactDay(session), one), hundred))
}

/**
 * The start of the interval that a rule's row is of, among those that begin from `to` on: that of the most extreme
 * deviation, or of the nearest price (the least factor for a rise, the greatest for a fall); of equal ones the shorter.
 * Doubles leave those that they cannot tell from the best, exact numbers decide among these. Undefined for no interval.
 */
function bestStart(moment: Moment, rule: Threshold, to: number): number | undefined {
  const { path, index, end, isNearest } = moment
  const [level, close] = [path.level[end] as number, index.level[end] as number]
  const sign = rule.up === isNearest ? -1 : 1
  let near: number[] = []
  let [best, tolerance] = [Number.NEGATIVE_INFINITY, 0]
  for (let start = end; start >= to; start--) {
    const stock = level * (path.inverse[start - 1] as number)
    const benchmark = close * (index.inverse[start - 1] as number)
    const score = sign * (isNearest ? (rule.share + benchmark) / stock : stock - benchmark)
    const size = isNearest ? (Math.abs(rule.share) + benchmark) / stock : stock + benchmark
    tolerance = Math.max(tolerance, 8 * path.error * size)
    if (score > best + tolerance) near = [start]
    else if (score >= best - tolerance) near.push(start)
    best = Math.max(best, score)
  }
  if (near.length < 2) return near[0]
  const scores = near.map((start) => (isNearest ? exactFactor(moment, rule, start) : exactDeviation(moment, start)))
  let first = 0
  scores.forEach((score, at) => {
    if (sign * compare(score, scores[first] as Fraction) > 0) first = at
  })
  return near[first]
}

/**
 * What a rule finds among the intervals that begin from `to` on, if it is triggered or its price lies within the day's
 * limit. With the nearest price it is triggered if and only if any interval is, as (T + B) / A <= 1 says that A - B >= T.
 */
export function findRow(
  moment: Moment,
  measure: 'abnormal' | 'severe',
  rule: Threshold,
  to: number,
): RuleFinding | undefined {
  const start = bestStart(moment, rule, to)
  if (start === undefined) return undefined
  const { stock, benchmark } = growthsOf(moment, start)
  const day = dayOf(moment)
  const factor = (rule.share + benchmark) / stock
  // All numbers below are made of two growths and at most four more decimals; see the error of a path.
  const size = (Math.abs(rule.share) + benchmark) / stock + 1
  const error = 4 * moment.path.error
  const trigger = unitsOf(day.close * factor, error * day.close * size, 2, rule.up ? 'up' : 'down', () =>
    times(fractionOf(day.close), exactFactor(moment, rule, start)),
  )
  const triggered = reaches(moment, rule, start)
  if (!triggered) {
    const limit = limitPrice(moment, rule.up)
    if (trigger <= 0 || (rule.up ? trigger > limit : trigger < limit)) return undefined
  }
  const percent = (value: number, slack: number, exact: () => Fraction): number =>
    unitsOf(value * 100, slack * 100, 4, 'half up', () => times(exact(), hundred))
  return {
    measure,
    rule,
    threshold: rule.threshold,
    start,
    triggered,
    change: dayChange(moment),
    trigger,
    deviation: percent(stock - benchmark, error * (stock + benchmark), () => exactDeviation(moment, start)),
    required: percent(factor * day.growth - 1, error * (day.growth * size + 1), () =>
      minus(times(exactFactor(moment, rule, start), exactDay(moment)), one),
    ),
    benchmark: percent(benchmark - 1, error * (benchmark + 1), () => minus(exactGrowths(moment, start).benchmark, one)),
  }
}

/** Whether a close lies beyond the limit prices of its day by more than a tick. */
export function isBeyondLimit(session: Session): boolean {
  const { prices, path, force, end } = session
  const { close, reference } = dayOf(session)
  const [high, low] = [reference * (1 + force.limit), reference * (1 - force.limit)]
  if (close <= high + 0.004 && close >= low - 0.004) return false
  const [exactClose, exact] = [fractionOf(close), exactReference(path, prices, end)]
  // What rounding a limit price to a cent adds to a return at 1 yuan; of adjusted closes the true price is not known.
  const spare = prices.pre || prices.factor ? undefined : shareOf(0.5)
  const isBeyond = (up: boolean): boolean => {
    const sign = up ? 1 : -1
    const tick: Fraction = { over: BigInt(limitPrice(session, up) + sign), under: 100n }
    if (sign * compare(exactClose, tick) <= 0) return false
    if (!spare) return true
    const change = plus(force.limitExact, spare)
    return sign * compare(exactClose, times(exact, up ? plus(one, change) : minus(one, change))) > 0
  }
  return isBeyond(true) || isBeyond(false)
}
