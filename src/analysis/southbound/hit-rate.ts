import { bothOf } from './correlation.js'
import { autocorrelations, effectiveDays, lagsFor } from './effective-days.js'
import type { JoinedFlows, Purpose } from './join.js'
import { z95 } from './normal.js'

export interface HitRate {
  /** Days on which more was bought and the index rose, or more was sold and it fell. */
  readonly hits: number
  /** Days counted: both numbers are there, and neither is 0. */
  readonly days: number
  /** Days with both numbers of which one is 0; not counted. */
  readonly ties: number
  /** hits / days; null without days. */
  readonly share: number | null
  /** Ends of the 95 % interval of the share (Wilson 1927), of the effective days; null for less than one of them. */
  readonly low: number | null
  readonly high: number | null
  /** Independent days that say as much. */
  readonly effective: number | null
  /** What one hits who always says the same, the more frequent direction of the index: the rate to beat. */
  readonly base: number | null
  /** What signs hit that have nothing to do with each other, as frequent as these are. */
  readonly chance: number | null
  /** The whole interval lies above `base`. */
  readonly beats: boolean | null
  readonly purpose: Purpose
  readonly lag: number
}

/** Wilson's interval of a share of n days, which need not be whole. */
export function wilson(share: number, n: number, z = z95): readonly [low: number, high: number] {
  const square = z * z
  const centre = (share + square / (2 * n)) / (1 + square / n)
  const half = (z / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))
  return [Math.max(0, centre - half), Math.min(1, centre + half)]
}

/**
 * How often the index went the way of the money: the share of days on which net buys and the change of the index have the same
 * sign, with a 95 % interval and what it must be held against.
 *
 * A share of 60 % is nothing where the index rises on 60 of 100 days: `base` is what always saying the same hits, and `beats` is true only
 * if the whole interval lies above it. Days resemble the days before, so the interval is Wilson's of fewer, `effective`
 * days: the least that the memory of the hits, and of the two signs, leaves (as in flowCorrelation). It holds the truth in about
 * 95 of 100 cases where one of the two has little memory, as changes of an index have, and in fewer where both keep
 * their sign for weeks. Days on which a number is 0 or null are not counted.
 */
export function hitRate(joined: JoinedFlows): HitRate {
  const { net, change } = bothOf(joined)
  const { purpose, lag } = joined
  const [bought, rose, hit] = [net, net, net].map((column) => new Float64Array(column.length).fill(Number.NaN)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  let [days, hits, ties, buying, rising] = [0, 0, 0, 0, 0]
  for (let row = 0; row < net.length; row++) {
    const [x, y] = [net[row] as number, change[row] as number]
    if (Number.isNaN(x)) continue
    if (x === 0 || y === 0) {
      ties++
      continue
    }
    days++
    bought[row] = x > 0 ? 1 : 0
    rose[row] = y > 0 ? 1 : 0
    hit[row] = bought[row] === rose[row] ? 1 : 0
    buying += bought[row] as number
    rising += rose[row] as number
    hits += hit[row] as number
  }
  if (days === 0) {
    const nothing = { share: null, low: null, high: null, effective: null, base: null, chance: null, beats: null }
    return { hits, days, ties, ...nothing, purpose, lag }
  }
  const most = lagsFor(days)
  const [own, one, other] = [hit, bought, rose].map((column) => autocorrelations(column, most)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const ofSigns = one.map((value, at) => value * (other[at] as number))
  const effective = Math.min(effectiveDays(days, own), effectiveDays(days, ofSigns))
  const share = hits / days
  const [low, high] = effective >= 1 ? wilson(share, effective) : [null, null]
  const base = Math.max(rising, days - rising) / days
  const chance = (buying * rising + (days - buying) * (days - rising)) / days ** 2
  return {
    hits,
    days,
    ties,
    share,
    low,
    high,
    effective,
    base,
    chance,
    beats: low !== null && low > base,
    purpose,
    lag,
  }
}
