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
  const moved: number[] = []
  for (let by = 1; by < values.length; by++) {
    const { mean, count } = meanAt(values, places, by)
    if (count > 0) moved.push(mean - all.mean)
  }
  const outside = Math.floor(beyond * (moved.length + 1))
  const found = { mean: own.mean, count: own.count, usual: all.mean }
  if (outside < 1 || own.count === 0) return { ...found, low: Number.NaN, high: Number.NaN }
  const sorted = Float64Array.from(moved).sort()
  const difference = own.mean - all.mean
  return {
    ...found,
    low: difference - (sorted[sorted.length - outside] as number),
    high: difference - (sorted[outside - 1] as number),
  }
}
