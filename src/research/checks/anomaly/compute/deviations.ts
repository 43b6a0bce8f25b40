import {
  compare,
  type Fraction,
  fractionOf,
  minus,
  one,
  plus,
  quotient,
  type Rounding,
  shareOf,
  times,
  unitsOf,
} from './fraction.js'
import type { Prices } from './price-table.js'
import type { Force, Threshold } from './rules-in-force.js'
import { exactDay, exactGrowth, exactReference, type IndexPath, type Path } from './stock-path.js'

/**
 * What a number made of a few growths in doubles is off by at most, relative to the size of its terms. A close read, inverted
 * and multiplied is 4 units of 2^-53, factors add 4, each ex-right day in a path 8 at worst; four more such numbers and
 * operations make 4 (8 n + 20) units for n ex-right days: less than this for 16,000 of them.
 */
const relativeError = 2 ** -34

/**
 * A number in whole units of 10^-`places`. `value` is the number in doubles, made of terms of that `size`; the exact number is
 * asked only where a boundary of the rounding lies within their error.
 */
function rounded(value: number, size: number, places: number, rounding: Rounding, exact: () => Fraction): number {
  const scale = 10 ** places
  const scaled = value * scale + (rounding === 'half up' ? 0.5 : 0)
  const near = Math.abs(scaled - Math.round(scaled))
  if (!(near > relativeError * size * scale)) return Number(unitsOf(exact(), places, rounding))
  return rounding === 'up' ? Math.ceil(scaled) : Math.floor(scaled)
}

/** One stock on one day: what its intervals end with, and what they are compared with. */
export interface Moment extends Session {
  readonly index: IndexPath
  readonly day: Day
}

/** A day's prices and its limit. */
interface Session {
  readonly prices: Prices
  readonly path: Path
  readonly force: Force
  /** The last completed day of the intervals. */
  readonly end: number
  /** The row speaks of the day after `end`, which has no close yet. */
  readonly forecast: boolean
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
interface Day {
  readonly close: number
  readonly reference: number
  readonly growth: number
}

export function sessionDay({ prices, path, end, forecast }: Session): Day {
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
  const [last, base] = [index.close[end] as number, index.close[start - 1] as number]
  return {
    stock: exactGrowth(path, prices, start - 1, end),
    benchmark: quotient(fractionOf(last), fractionOf(base)),
  }
}

/** Of some starts the one with the most extreme deviation, exactly; of equal ones the first, which is the shorter interval. */
function exactStart(moment: Moment, { up }: Threshold, starts: readonly number[]): number {
  const scored = starts.map((start) => {
    const { stock, benchmark } = exactGrowths(moment, start)
    return { start, deviation: minus(stock, benchmark) }
  })
  return scored.reduce((a, b) => (compare(b.deviation, a.deviation) * (up ? 1 : -1) > 0 ? b : a)).start
}

/** What a rule finds in the interval of the most extreme deviation of those that begin from `to` on. */
export function judge(moment: Moment, rule: Threshold, to: number): RuleFinding | undefined {
  const { path, index, end } = moment
  const [level, close] = [path.level[end] as number, index.close[end] as number]
  const { inverse } = path
  const { inverse: indexInverse } = index
  const sign = rule.up ? 1 : -1
  const deviationOf = (start: number): number =>
    sign * (level * (inverse[start - 1] as number) - close * (indexInverse[start - 1] as number))
  let [best, second, at, size] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0]
  for (let start = end; start >= to; start--) {
    const own = deviationOf(start)
    size = Math.max(size, level * (inverse[start - 1] as number) + close * (indexInverse[start - 1] as number) || 0)
    if (own > best) {
      second = best
      best = own
      at = start
    } else if (own > second) second = own
  }
  if (at < 0) return undefined
  // Deviations that are no further apart can't be told apart by doubles.
  const least = best - 2 * relativeError * size
  if (second < least) return find(moment, rule, at)
  const starts = Array.from({ length: end - to + 1 }, (_, i) => end - i)
  return find(
    moment,
    rule,
    exactStart(
      moment,
      rule,
      starts.filter((start) => deviationOf(start) >= least),
    ),
  )
}

/** Whether a deviation reaches the threshold; equality counts. */
function reaches(moment: Moment, { share, exact, up }: Threshold, start: number): boolean {
  const { stock, benchmark } = growthsOf(moment, start)
  const gap = stock - benchmark - share
  if (Math.abs(gap) > relativeError * (stock + benchmark + Math.abs(share))) return up ? gap > 0 : gap < 0
  const growths = exactGrowths(moment, start)
  const order = compare(minus(growths.stock, growths.benchmark), exact)
  return up ? order >= 0 : order <= 0
}

const hundred: Fraction = { over: 100n, under: 1n }

/** A percentage in units of 0.0001, of a share of 1 in doubles. */
function percent(value: number, size: number, exact: () => Fraction): number {
  return rounded(value * 100, size * 100, 4, 'half up', () => times(exact(), hundred))
}

/** Limit price of the day in cents, halves up. */
function limitPrice(moment: Session, up: boolean): number {
  const { path, prices, force, end, forecast } = moment
  const { close, reference } = sessionDay(moment)
  const value = reference * (up ? 1 + force.limit : 1 - force.limit)
  return rounded(value, value, 2, 'half up', () => {
    const exact = forecast ? fractionOf(close) : exactReference(path, prices, end)
    return times(exact, up ? plus(one, force.limitExact) : minus(one, force.limitExact))
  })
}

/** What a rule finds in one interval, if it is triggered or its price, close x (T + B) / A, lies within the day's limit. */
function find(moment: Moment, rule: Threshold, start: number): RuleFinding | undefined {
  const { prices, path, end, forecast, day } = moment
  const { stock, benchmark } = growthsOf(moment, start)
  const factor = (rule.share + benchmark) / stock
  const size = (Math.abs(rule.share) + benchmark) / stock + 1
  const exactFactor = (): Fraction => {
    const growths = exactGrowths(moment, start)
    return quotient(plus(rule.exact, growths.benchmark), growths.stock)
  }
  const trigger = rounded(day.close * factor, day.close * size, 2, rule.up ? 'up' : 'down', () =>
    times(fractionOf(day.close), exactFactor()),
  )
  const triggered = reaches(moment, rule, start)
  if (!triggered) {
    const limit = limitPrice(moment, rule.up)
    if (trigger <= 0 || (rule.up ? trigger > limit : trigger < limit)) return undefined
  }
  return {
    rule,
    start,
    triggered,
    trigger,
    deviation: percent(stock - benchmark, stock + benchmark, () => {
      const growths = exactGrowths(moment, start)
      return minus(growths.stock, growths.benchmark)
    }),
    required: percent(factor * day.growth - 1, day.growth * size + 1, () =>
      minus(times(exactFactor(), exactDay(path, prices, end, forecast)), one),
    ),
    benchmark: percent(benchmark - 1, benchmark + 1, () => minus(exactGrowths(moment, start).benchmark, one)),
  }
}

/** Change of a completed day in units of 0.0001 percent. */
export function dayChange(moment: Session): number {
  const { prices, path, end } = moment
  const { growth } = sessionDay(moment)
  return percent(growth - 1, growth + 1, () => minus(exactDay(path, prices, end, false), one))
}

/** What rounding a limit price to a cent adds to a return at 1 yuan; of adjusted closes the true price is not known. */
const spare = shareOf(0.5)

/** Whether a close lies beyond the limit prices of its day by more than a tick. */
export function isBeyondLimit(moment: Session): boolean {
  const { prices, path, force, end } = moment
  const { close, reference } = sessionDay(moment)
  const isBeyond = (up: boolean): boolean => {
    const limit = reference * (up ? 1 + force.limit : 1 - force.limit)
    if (up ? close <= limit + 0.004 : close >= limit - 0.004) return false
    const sign = up ? 1 : -1
    const bounds: Fraction[] = [{ over: BigInt(limitPrice(moment, up) + sign), under: 100n }]
    if (!prices.pre && !prices.factor) {
      const share = plus(force.limitExact, spare)
      bounds.push(times(exactReference(path, prices, end), up ? plus(one, share) : minus(one, share)))
    }
    return bounds.every((bound) => compare(fractionOf(close), bound) * sign > 0)
  }
  return isBeyond(true) || isBeyond(false)
}
