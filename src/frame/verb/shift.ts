import { type Numbers, toFloats } from './array-statistics.js'
import { lagged, type NumberArray, numberArray } from './number-array.js'

/**
 * Returns the numbers `n` rows earlier (later if negative) as a new array, NaN if there is no such row or its number is
 * missing.
 */
export function shift(x: Numbers, n = 1): NumberArray {
  return lagged(toFloats(x, 'shift'), n, 'shift: n')
}

/** Subtracts from each number the one `n` rows earlier; missing if either is missing. */
export function diff(x: Numbers, n = 1): NumberArray {
  const own = numberArray(toFloats(x, 'diff'))
  return own.minus(shift(own, n))
}

/**
 * Computes the change from the number `n` rows earlier, as a fraction (0.01 is one percent); missing if either is
 * missing. Gaps are not filled. Against zero the result is infinite; zero against zero is missing.
 */
export function pctChange(x: Numbers, n = 1): NumberArray {
  const own = numberArray(toFloats(x, 'pctChange'))
  return own.over(shift(own, n)).minus(1)
}
