import { sentence } from '../../contract/sentence.js'
import { checkKnown } from '../table/shape.js'
import { type Numbers, toFloats } from './array-statistics.js'
import { type NumberArray, numberArray } from './number-array.js'
import { expanding } from './rolling.js'

/** What `cumulative` makes of a number and those before it. */
export type CumulativeOperation = 'sum' | 'product' | 'min' | 'max'

function products(x: Float64Array): Float64Array {
  let product = 1
  return x.map((value) => {
    if (Number.isNaN(value)) return value
    product *= value
    return product
  })
}

/**
 * Computes the sum, product, minimum or maximum of the numbers up to each row. A missing number stays missing, and
 * later ones continue without it. Returns a new array of the same length, NaN for missing; sums are compensated and do
 * not drift. For example, `cumulative(returns.plus(1), 'product')` is the value of one yuan.
 * @throws QuotebookError INVALID_VALUE for another operation, and for anything but numbers
 */
export function cumulative(x: Numbers, operation: CumulativeOperation): NumberArray {
  checkKnown(operation, ['sum', 'product', 'min', 'max'], sentence`cumulative: unknown operation`)
  const own = toFloats(x, 'cumulative')
  if (operation === 'product') return numberArray(products(own))
  return numberArray(expanding(own, operation).map((value, row) => (Number.isNaN(own[row]) ? Number.NaN : value)))
}
