import { deviationOf, meanOf } from './return-moments.js'

/**
 * Standard error of the mean of numbers that follow each other and may depend on each other: sqrt((g0 + 2 sum over l of
 * (1 - l / (L + 1)) gl) / n), gl the autocovariance with divisor n. L is floor(4 (n / 100)^(2/9)), and at least `overlap` - 1: so
 * many numbers share a part of what they measure. Newey and West, Econometrica 55 (1987); the lag by Newey and West, Review of
 * Economic Studies 61 (1994). The error is 0 where nothing varies, NaN below two numbers.
 */
export function neweyWest(x: Float64Array, overlap = 1) {
  const n = x.length
  const usual = Math.floor(4 * (n / 100) ** (2 / 9))
  const lag = Math.min(Math.max(usual, overlap - 1), Math.max(0, n - 1))
  const deviation = deviationOf(x)
  if (!(deviation > 0)) return { error: deviation, lag }
  const mean = meanOf(x)
  const apart = x.map((value) => value - mean)
  let sum = 0
  for (let back = 0; back <= lag; back++) {
    let products = 0
    for (let t = back; t < n; t++) products += (apart[t] as number) * (apart[t - back] as number)
    sum += ((back === 0 ? 1 : 2 * (1 - back / (lag + 1))) * products) / n
  }
  return { error: Math.sqrt(Math.max(0, sum) / n), lag }
}
