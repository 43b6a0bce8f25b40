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
  const sorted = moved.filter((one) => !Number.isNaN(one)).sort()
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
    const there = moved.filter((one) => !Number.isNaN(one))
    return Math.sqrt(there.reduce((sum, one) => sum + one * one, 0) / there.length)
  })
  const largest = Float64Array.from(all[0]?.moved ?? [], (_, by) =>
    all.reduce((most, { moved }, i) => Math.max(most, Math.abs(moved[by] as number) / (spreads[i] as number) || 0), 0),
  ).sort()
  const outside = Math.floor(2 * beyond * (largest.length + 1))
  const times = outside < 2 ? Number.NaN : (largest[largest.length - outside] as number)
  return spreads.map((spread) => times * spread)
}
