import { type Numbers, toFloats, wholeNumber } from './array-statistics.js'

/** The numbers `n` rows earlier (later when negative); missing where there is no such row. A new array, NaN where missing. */
export function shift(x: Numbers, n = 1): Float64Array {
  const own = toFloats(x, 'shift')
  const by = wholeNumber(n, Number.NEGATIVE_INFINITY, 'shift: n')
  const out = new Float64Array(own.length).fill(Number.NaN)
  if (by >= 0) out.set(own.subarray(0, Math.max(own.length - by, 0)), Math.min(by, own.length))
  else out.set(own.subarray(-by))
  return out
}

/** Each number less the one `n` rows earlier; missing where either is. */
export function difference(x: Numbers, n = 1): Float64Array {
  const own = toFloats(x, 'difference')
  const out = shift(own, n)
  for (let row = 0; row < out.length; row++) out[row] = (own[row] as number) - (out[row] as number)
  return out
}

/**
 * Change against the number `n` rows earlier, as a fraction (0.01 is one percent); missing where either is. Gaps are not
 * filled. Against zero it is infinite, zero against zero missing.
 */
export function pctChange(x: Numbers, n = 1): Float64Array {
  const own = toFloats(x, 'pctChange')
  const out = shift(own, n)
  for (let row = 0; row < out.length; row++) out[row] = (own[row] as number) / (out[row] as number) - 1
  return out
}
