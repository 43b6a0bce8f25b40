import {
  compare,
  type Fraction,
  fractionOf,
  minus,
  one,
  plus,
  quotient,
  shareOf,
  times,
  unitsDown,
  unitsHalfUp,
  unitsUp,
} from './fraction.js'
import type { Prices } from './price-table.js'
import type { Force, Threshold } from './rules-in-force.js'
import { exactDay, exactGrowth, exactReference, type IndexPath, type Path } from './stock-path.js'

/** Beyond this a double is no longer much finer than the unit that is rounded to. */
const largest = 2 ** 40

/**
 * A number in whole units of 10^-`places`, halves away from zero. `value` is the number in doubles and `error` what it
 * may be off by; the exact number is asked only where a boundary lies within reach.
 */
function halfUp(value: number, error: number, places: number, exact: () => Fraction): number {
  const scale = 10 ** places
  const size = Math.abs(value * scale)
  const slack = error * scale + size * 2 ** -50
  const whole = Math.floor(size)
  if (!(size < largest) || !(Math.abs(size - whole - 0.5) > slack)) return Number(unitsHalfUp(exact(), places))
  const rounded = Math.floor(size + 0.5)
  return value < 0 && rounded > 0 ? -rounded : rounded
}

/** A number in whole units of 10^-`places`, rounded up (`up`) or down; otherwise as `halfUp`. */
function outward(value: number, error: number, places: number, up: boolean, exact: () => Fraction): number {
  const scale = 10 ** places
  const scaled = value * scale
  const slack = error * scale + Math.abs(scaled) * 2 ** -50
  const near = Math.abs(scaled - Math.round(scaled))
  if (!(Math.abs(scaled) < largest) || !(near > slack)) {
    return Number(up ? unitsUp(exact(), places) : unitsDown(exact(), places))
  }
  return up ? Math.ceil(scaled) : Math.floor(scaled)
}

/**
 * The greatest and the least deviation over the intervals that end with one day, as doubles have them. Written in place,
 * as it is used for each day and window.
 */
interface Extremes {
  greatest: number
  /** Start of the interval; -1 without any. */
  greatestAt: number
  /** Another interval is so near that doubles cannot tell which is the greater. */
  greatestNear: boolean
  least: number
  leastAt: number
  leastNear: boolean
  /** Deviations that are no further apart than this cannot be told apart. */
  tolerance: number
}

export function noExtremes(): Extremes {
  return {
    greatest: Number.NEGATIVE_INFINITY,
    greatestAt: -1,
    greatestNear: false,
    least: Number.POSITIVE_INFINITY,
    leastAt: -1,
    leastNear: false,
    tolerance: 0,
  }
}

/** Begins anew for the intervals that end with a day. */
export function begin(extremes: Extremes, path: Path, index: IndexPath, end: number): void {
  extremes.greatest = Number.NEGATIVE_INFINITY
  extremes.least = Number.POSITIVE_INFINITY
  extremes.greatestAt = -1
  extremes.leastAt = -1
  extremes.greatestNear = false
  extremes.leastNear = false
  const growths =
    (path.level[end] as number) * path.greatestInverse + (index.close[end] as number) * index.greatestInverse
  extremes.tolerance = 2 * path.error * growths
}

/** Looks at the intervals that begin on `from`, on the days before it, and on `to` last: shorter before longer. */
export function extend(extremes: Extremes, path: Path, index: IndexPath, end: number, from: number, to: number): void {
  const { inverse } = path
  const { inverse: indexInverse } = index
  const { tolerance } = extremes
  const [level, close] = [path.level[end] as number, index.close[end] as number]
  let { greatest, greatestAt, greatestNear, least, leastAt, leastNear } = extremes
  for (let start = from; start >= to; start--) {
    const deviation = level * (inverse[start - 1] as number) - close * (indexInverse[start - 1] as number)
    if (deviation > greatest) {
      greatestNear = deviation <= greatest + tolerance
      greatest = deviation
      greatestAt = start
    } else if (deviation >= greatest - tolerance) greatestNear = true
    if (deviation < least) {
      leastNear = deviation >= least - tolerance
      least = deviation
      leastAt = start
    } else if (deviation <= least + tolerance) leastNear = true
  }
  extremes.greatest = greatest
  extremes.greatestAt = greatestAt
  extremes.greatestNear = greatestNear
  extremes.least = least
  extremes.leastAt = leastAt
  extremes.leastNear = leastNear
}

/** The benchmark's growth from a day to a later one, exactly. */
function exactIndexGrowth(index: IndexPath, from: number, to: number): Fraction {
  return quotient(fractionOf(index.close[to] as number), fractionOf(index.close[from] as number))
}

/** Starts whose deviation doubles can't tell from the extreme one, shorter interval first. */
function nearStarts(extremes: Extremes, path: Path, index: IndexPath, end: number, to: number, up: boolean): number[] {
  const best = up ? extremes.greatest : extremes.least
  const found: number[] = []
  for (let start = end; start >= to; start--) {
    const growth = (path.level[end] as number) * (path.inverse[start - 1] as number)
    const deviation = growth - (index.close[end] as number) * (index.inverse[start - 1] as number)
    if (Math.abs(deviation - best) <= 2 * extremes.tolerance) found.push(start)
  }
  return found
}

/** Of some starts the one of the extreme deviation, exactly; of equal ones the first, which is the shorter interval. */
function exactStart(
  starts: readonly number[],
  path: Path,
  prices: Prices,
  index: IndexPath,
  end: number,
  up: boolean,
): number {
  let best = -1
  let found: Fraction | undefined
  for (const start of starts) {
    const here = minus(exactGrowth(path, prices, start - 1, end), exactIndexGrowth(index, start - 1, end))
    const order = found === undefined ? 1 : compare(here, found)
    if (found !== undefined && (up ? order <= 0 : order >= 0)) continue
    best = start
    found = here
  }
  return best
}

/** A day's prices and its limit. */
type Session = Omit<Moment, 'index' | 'isNearest'>

/** One stock on one day: what its intervals end with, and what they are held against. */
export interface Moment {
  readonly prices: Prices
  readonly path: Path
  readonly index: IndexPath
  readonly force: Force
  /** The last completed day of the intervals. */
  readonly end: number
  /** The row speaks of the day after `end`, which has no close yet. */
  readonly forecast: boolean
  /** The interval wanted is that of the nearest price, not that of the extreme deviation. */
  readonly isNearest: boolean
}

/** What one rule finds on one day. Percentages are in units of 0.0001, prices in cents. */
export interface RuleFinding {
  readonly rule: Threshold
  readonly start: number
  readonly triggered: boolean
  readonly deviation: number
  readonly required: number
  readonly trigger: number
  readonly benchmark: number
}

/** The reference price of the day of a row, what is bought at its close, and the growth between them. */
function dayOf({ prices, path, end, forecast }: Session) {
  const close = prices.close[path.held[end] as number] as number
  const reference = forecast ? close : (path.reference[end] as number)
  return { close, reference, growth: forecast ? 1 : close / reference }
}

function growthsOf({ path, index, end }: Moment, start: number) {
  return {
    stock: (path.level[end] as number) * (path.inverse[start - 1] as number),
    benchmark: (index.close[end] as number) * (index.inverse[start - 1] as number),
  }
}

function exactGrowths({ path, prices, index, end }: Moment, start: number) {
  return {
    stock: exactGrowth(path, prices, start - 1, end),
    benchmark: exactIndexGrowth(index, start - 1, end),
  }
}

/** Whether doubles already show that the price to be reached lies beyond the limit price of the day. */
function isOutOfReach(moment: Moment, { share, up }: Threshold, start: number): boolean {
  const { stock, benchmark } = growthsOf(moment, start)
  const { close, reference } = dayOf(moment)
  const price = (close * (share + benchmark)) / stock
  const { limit } = moment.force
  // A limit price is rounded by half a cent at most; what doubles are off by is far less than the rest.
  return up
    ? price > reference * (1 + limit) * (1 + 1e-9) + 0.0051
    : price < reference * (1 - limit) * (1 - 1e-9) - 0.0051
}

/** Whether a deviation reaches the threshold; equality counts. */
function reaches(moment: Moment, { share, exact, up }: Threshold, start: number): boolean {
  const { stock, benchmark } = growthsOf(moment, start)
  const gap = stock - benchmark - share
  if (Math.abs(gap) > moment.path.error * (stock + benchmark + Math.abs(share))) return up ? gap > 0 : gap < 0
  const growths = exactGrowths(moment, start)
  const order = compare(minus(growths.stock, growths.benchmark), exact)
  return up ? order >= 0 : order <= 0
}

/** Whether doubles leave it open that a deviation reaches the threshold. */
function mayReach({ share, up }: Threshold, deviation: number, tolerance: number): boolean {
  const slack = 4 * tolerance + 1e-15
  return up ? deviation >= share - slack : deviation <= share + slack
}

const hundred: Fraction = { over: 100n, under: 1n }

/** The close that reaches the threshold, exactly: close x (T + B) / A. */
function exactPrice(moment: Moment, rule: Threshold, start: number): Fraction {
  const { path, prices, end } = moment
  const { stock, benchmark } = exactGrowths(moment, start)
  const close = fractionOf(prices.close[path.held[end] as number] as number)
  return quotient(times(close, plus(rule.exact, benchmark)), stock)
}

/** Limit price of the day in cents, halves up. */
function limitPrice(moment: Session, up: boolean): number {
  const { path, prices, force, end, forecast } = moment
  const { close, reference } = dayOf(moment)
  const value = reference * (up ? 1 + force.limit : 1 - force.limit)
  return halfUp(value, path.error * value, 2, () => {
    const exact = forecast ? fractionOf(close) : exactReference(path, prices, end)
    return times(exact, up ? plus(one, force.limitExact) : minus(one, force.limitExact))
  })
}

function find(moment: Moment, rule: Threshold, start: number): RuleFinding | undefined {
  const { prices, path, end, forecast } = moment
  const { stock, benchmark } = growthsOf(moment, start)
  const day = dayOf(moment)
  const factor = (rule.share + benchmark) / stock
  // All numbers below are made of two growths and at most four more decimals; see `errorOf`.
  const size = (Math.abs(rule.share) + benchmark) / stock + 1
  const error = 4 * path.error
  const price = day.close * factor
  const trigger = outward(price, error * day.close * size, 2, rule.up, () => exactPrice(moment, rule, start))
  const triggered = reaches(moment, rule, start)
  if (!triggered) {
    const limit = limitPrice(moment, rule.up)
    if (trigger <= 0 || (rule.up ? trigger > limit : trigger < limit)) return undefined
  }
  const percent = (value: number, slack: number, exact: () => Fraction): number =>
    halfUp(value * 100, slack * 100, 4, () => times(exact(), hundred))
  return {
    rule,
    start,
    triggered,
    trigger,
    deviation: percent(stock - benchmark, error * (stock + benchmark), () => {
      const growths = exactGrowths(moment, start)
      return minus(growths.stock, growths.benchmark)
    }),
    required: percent(factor * day.growth - 1, error * (day.growth * size + 1), () => {
      const growths = exactGrowths(moment, start)
      const needed = quotient(plus(rule.exact, growths.benchmark), growths.stock)
      return minus(times(needed, exactDay(path, prices, end, forecast)), one)
    }),
    benchmark: percent(benchmark - 1, error * (benchmark + 1), () => minus(exactGrowths(moment, start).benchmark, one)),
  }
}

/**
 * What a rule finds among the intervals that begin from `to` on: the extreme one, if it is triggered or its price
 * lies within the day's limit.
 */
export function judge(moment: Moment, rule: Threshold, extremes: Extremes, to: number): RuleFinding | undefined {
  const { path, prices, index, end } = moment
  const at = rule.up ? extremes.greatestAt : extremes.leastAt
  if (at < 0) return undefined
  const isOpen = mayReach(rule, rule.up ? extremes.greatest : extremes.least, extremes.tolerance)
  if (!(rule.up ? extremes.greatestNear : extremes.leastNear)) {
    return !isOpen && isOutOfReach(moment, rule, at) ? undefined : find(moment, rule, at)
  }
  const starts = nearStarts(extremes, path, index, end, to, rule.up)
  if (!isOpen && starts.every((start) => isOutOfReach(moment, rule, start))) return undefined
  return find(moment, rule, exactStart(starts, path, prices, index, end, rule.up))
}

/**
 * What a rule finds in the interval whose price is the nearest: the least change for a rise, the greatest for a fall; of
 * equal ones the shorter. It is triggered if and only if any interval is, as (T + B) / A <= 1 says that A - B >= T.
 */
export function judgeNearest(moment: Moment, rule: Threshold, to: number): RuleFinding | undefined {
  const { end, path } = moment
  const sign = rule.up ? 1 : -1
  let near: number[] = []
  let [best, tolerance] = [Number.POSITIVE_INFINITY, 0]
  for (let start = end; start >= to; start--) {
    const { stock, benchmark } = growthsOf(moment, start)
    const factor = (sign * (rule.share + benchmark)) / stock
    tolerance = Math.max(tolerance, (8 * path.error * (Math.abs(rule.share) + benchmark)) / stock)
    if (factor < best - tolerance) near = [start]
    else if (factor <= best + tolerance) near.push(start)
    best = Math.min(best, factor)
  }
  const [first] = near
  if (first === undefined) return undefined
  const isOpen = near.some((start) => reaches(moment, rule, start))
  if (!isOpen && near.every((start) => isOutOfReach(moment, rule, start))) return undefined
  return find(moment, rule, near.length === 1 ? first : nearestStart(moment, rule, near))
}

/** Of some starts the one of the nearest price, exactly; of equal ones the first, which is the shorter interval. */
function nearestStart(moment: Moment, rule: Threshold, starts: readonly number[]): number {
  let best = -1
  let found: Fraction | undefined
  for (const start of starts) {
    const here = exactPrice(moment, rule, start)
    const order = found === undefined ? -1 : compare(here, found)
    if (rule.up || found === undefined ? order >= 0 : order <= 0) continue
    best = start
    found = here
  }
  return best
}

/** Change of a completed day in units of 0.0001 percent. */
export function dayChange(moment: Moment): number {
  const { prices, path, end } = moment
  const { growth } = dayOf(moment)
  return halfUp((growth - 1) * 100, 4 * path.error * (growth + 1) * 100, 4, () =>
    times(minus(exactDay(path, prices, end, false), one), hundred),
  )
}

/** Whether a close lies beyond the limit prices of its day by more than a tick. */
export function isBeyondLimit(moment: Session): boolean {
  const { prices, path, force, end } = moment
  const { close, reference } = dayOf(moment)
  const [high, low] = [reference * (1 + force.limit), reference * (1 - force.limit)]
  if (close <= high + 0.004 && close >= low - 0.004) return false
  const exactClose = fractionOf(close)
  const exact = exactReference(path, prices, end)
  const cents = (units: number): Fraction => ({ over: BigInt(units), under: 100n })
  const isAdjusted = !prices.pre && !prices.factor
  // What rounding a limit price to a cent adds to a return at 1 yuan; of adjusted closes the true price is not known.
  const spare = isAdjusted ? shareOf(0.5) : { over: 0n, under: 1n }
  const above = (units: number): boolean =>
    compare(exactClose, cents(units + 1)) > 0 &&
    (!isAdjusted || compare(exactClose, times(exact, plus(plus(one, force.limitExact), spare))) > 0)
  const below = (units: number): boolean =>
    compare(exactClose, cents(units - 1)) < 0 &&
    (!isAdjusted || compare(exactClose, times(exact, minus(minus(one, force.limitExact), spare))) < 0)
  return above(limitPrice(moment, true)) || below(limitPrice(moment, false))
}
