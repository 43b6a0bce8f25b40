import { type Numbers, toFloats } from './array-statistics.js'
import { lagged, type NumberArray, numberArray } from './number-array.js'

/** The numbers `n` rows earlier (later when negative); missing where there is no such row. A new array, NaN where missing. */
export function shift(x: Numbers, n = 1): NumberArray {
  return lagged(toFloats(x, 'shift'), n, 'shift: n')
}

/** Each number less the one `n` rows earlier; missing where either is. */
export function diff(x: Numbers, n = 1): NumberArray {
  const own = numberArray(toFloats(x, 'diff'))
  return own.minus(shift(own, n))
}

/**
 * Change against the number `n` rows earlier, as a fraction (0.01 is one percent); missing where either is. Gaps are not
 * filled. Against zero it is infinite, zero against zero missing.
 */
export function pctChange(x: Numbers, n = 1): NumberArray {
  const own = numberArray(toFloats(x, 'pctChange'))
  return own.over(shift(own, n)).minus(1)
}
