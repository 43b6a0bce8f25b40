import { mean } from '#statistics'
import { presentNumbers, sortedPresent } from '../../../frame/table/quantiles.js'
import { normalQuantile } from '../normal-distribution.js'

/** 95 of 100 lie within so many standard deviations on both sides. */
export const z95 = normalQuantile(0.975)

/** Deviations from the mean, NaN where a number is missing. */
function deviations(x: Float64Array): Float64Array {
  const centre = mean(Array.from(presentNumbers(x)))
  return x.map((value) => value - centre)
}

/**
 * Autocorrelations at lags 1 to `most` of numbers row by row, NaN where one is missing; a day that has no row, a holiday of one side, is stepped over: products of days that lie so far
 * apart, over the sum of squares; where products are missing, in proportion, which few of them may carry beyond 1: at most
 * that. 0 where there is none, or no variation.
 */
export function autocorrelations(x: Float64Array, most: number): Float64Array {
  const own = deviations(x)
  const squares = presentNumbers(own).reduce((sum, value) => sum + value * value, 0)
  const count = presentNumbers(own).length
  const found = new Float64Array(most)
  if (!(squares > 0)) return found
  for (let lag = 1; lag <= most; lag++) {
    let [sum, products] = [0, 0]
    for (let row = lag; row < own.length; row++) {
      const product = (own[row] as number) * (own[row - lag] as number)
      if (Number.isNaN(product)) continue
      sum += product
      products++
    }
    if (products > 0) found[lag - 1] = Math.max(-1, Math.min(1, (sum / squares) * ((count - lag) / products)))
  }
  return found
}

/** How many lags are looked at: the root of the number of days. */
export function lagsFor(days: number): number {
  return Math.max(1, Math.floor(Math.sqrt(days)))
}

/**
 * How many independent days say as much as these: never more than there are.
 *
 * The variance of a mean, or of a correlation, of n days is that of n / (1 + 2 sum (1 - k/n) p(k)) independent ones, where p(k)
 * is the autocorrelation at lag k of what is averaged: for a correlation the product of the autocorrelations of the two
 * (Bartlett 1935). With the lags up to the root of n that is one estimate. The other is its closed form for series
 * that forget at a constant rate, n (1 - p(1)) / (1 + p(1)) (Quenouille 1947). The less of the two counts: the closed form keeps
 * 95 % where it fits, and the sum sees a memory that is long and faint, which the first lag does not show.
 * @param products p(1), p(2), ...
 */
export function effectiveDays(days: number, products: ArrayLike<number>): number {
  const first = products[0] ?? 0
  const closed = first < 1 ? (days * (1 - first)) / (1 + first) : 0
  let sum = 0
  for (let lag = 1; lag <= products.length; lag++) sum += (1 - lag / days) * (products[lag - 1] as number)
  const summed = sum > -0.5 ? days / (1 + 2 * sum) : days
  return Math.min(days, closed, summed)
}

/** A mean over some days beside that over all days, and an interval of their difference. */
export interface Excess {
  /** Of the days asked for that have a value. */
  readonly mean: number
  readonly count: number
  /** Of all days that have a value. */
  readonly usual: number
  /** Ends of the 95 % interval of mean - usual; NaN for fewer than 40 days. */
  readonly low: number
  readonly high: number
  /** By how much the mean differs after each rotation; NaN where no day has a value. */
  readonly moved: Float64Array
}

/** Share that lies beyond each end of the interval. */
const beyond = 0.025

function meanAt(values: Float64Array, places: readonly number[], by: number): { mean: number; count: number } {
  let [sum, count] = [0, 0]
  for (const place of places) {
    const value = values[(place + by) % values.length] as number
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return { mean: sum / count, count }
}

/**
 * The mean of the values of some days less that of all, with an interval by rotation: the pattern of days is moved along the
 * others by 1, 2, ... days, its end joined to the beginning, and the means that it then has say how far they differ by
 * chance. The interval takes off the largest and the smallest 2.5 % of them; every rotation is tried, so there is
 * no chance in it.
 * @param values by day, NaN where missing
 * @param places of the days asked for
 */
export function excessOf(values: Float64Array, places: readonly number[]): Excess {
  const own = meanAt(values, places, 0)
  const all = meanAt(values, Array.from(values.keys()), 0)
  const moved = new Float64Array(Math.max(values.length - 1, 0))
  for (let by = 1; by < values.length; by++) moved[by - 1] = meanAt(values, places, by).mean - all.mean
  const sorted = sortedPresent(moved)
  const outside = Math.floor(beyond * (sorted.length + 1))
  const found = { mean: own.mean, count: own.count, usual: all.mean, moved }
  if (outside < 1 || own.count === 0) return { ...found, low: Number.NaN, high: Number.NaN }
  const difference = own.mean - all.mean
  return {
    ...found,
    low: difference - (sorted[sorted.length - outside] as number),
    high: difference - (sorted[outside - 1] as number),
  }
}

/**
 * How far each of some excesses may be off, together in 95 of 100 cases: the spread of each times one number, which the largest
 * of them, in its own spread, exceeds in 5 of 100 rotations. NaN for fewer than 40 days.
 */
export function togetherOf(all: readonly Excess[]): number[] {
  const spreads = all.map(({ moved }) => {
    const there = presentNumbers(moved)
    return Math.sqrt(there.reduce((sum, one) => sum + one * one, 0) / there.length)
  })
  const largest = Float64Array.from(all[0]?.moved ?? [], (_, by) =>
    all.reduce((most, { moved }, i) => Math.max(most, Math.abs(moved[by] as number) / (spreads[i] as number) || 0), 0),
  ).sort()
  const outside = Math.floor(2 * beyond * (largest.length + 1))
  const times = outside < 2 ? Number.NaN : (largest[largest.length - outside] as number)
  return spreads.map((spread) => times * spread)
}
