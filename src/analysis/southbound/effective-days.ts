import { mean } from '#statistics'

/** Deviations from the mean, NaN where a number is missing. */
function deviations(x: Float64Array): Float64Array {
  const centre = mean(Array.from(x.filter((value) => !Number.isNaN(value))))
  return x.map((value) => value - centre)
}

/**
 * Autocorrelations at lags 1 to `most` of numbers row by row, NaN where one is missing; a day that has no row, a holiday of one side, is stepped over: products of days that lie so far
 * apart, over the sum of squares; where products are missing, in proportion, which few of them may carry beyond 1: at most
 * that. 0 where there is none, or no variation.
 */
export function autocorrelations(x: Float64Array, most: number): Float64Array {
  const own = deviations(x)
  let squares = 0
  for (const value of own) if (!Number.isNaN(value)) squares += value * value
  const count = own.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0)
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
