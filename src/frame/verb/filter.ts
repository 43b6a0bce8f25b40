import { QuotebookError } from '../../contract/error.js'
import { wrongShape } from '../../table/shape.js'
import type { RowIn } from '../data.js'
import { cursorOf } from './cursor.js'
import { type Input, inputOf } from './input.js'
import { rowsAt } from './output.js'
import type { Data } from './types.js'

function byBytes(mask: Uint8Array): Int32Array {
  const rows = new Int32Array(mask.length)
  let count = 0
  for (let row = 0; row < rows.length; row++) {
    rows[count] = row
    const keep = mask[row] as number
    if (keep > 1) {
      throw new QuotebookError('INVALID_VALUE', `the mask, row ${row + 1}: ${keep} is neither true nor false, 1 nor 0`)
    }
    count += keep
  }
  return rows.slice(0, count)
}

function byMask(mask: ArrayLike<unknown>, length: number): Int32Array {
  if (!Array.isArray(mask) && !(mask instanceof Uint8Array))
    throw wrongShape('the test of a filter', 'a function of a row, or a list of true and false', mask)
  if (mask.length !== length) {
    throw new QuotebookError('INVALID_VALUE', `the mask has ${mask.length} rows and the data ${length}`)
  }
  if (mask instanceof Uint8Array) return byBytes(mask)
  const rows = new Int32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) {
    const keep = mask[row]
    rows[count] = row
    if (keep === true || keep === 1) count++
    else if (keep !== false && keep !== 0 && keep !== null) {
      throw new QuotebookError('INVALID_VALUE', `the mask, row ${row + 1}: ${String(keep)} is neither true nor false`)
    }
  }
  return rows.slice(0, count)
}

function byTest(input: Input, test: (row: never) => boolean): Int32Array {
  const { cursor, stand } = cursorOf(input)
  const rows = new Int32Array(input.length)
  let count = 0
  for (let row = 0; row < rows.length; row++) {
    stand(row)
    const keep: unknown = test(cursor as never)
    rows[count] = row
    if (typeof keep === 'boolean') count += Number(keep)
    else if (keep !== null && keep !== undefined) {
      const hint = 'the test of a filter must return true or false'
      throw new QuotebookError('INVALID_VALUE', `row ${row + 1}: ${hint}, not ${String(keep)}`)
    }
  }
  return rows.slice(0, count)
}

/**
 * The rows for which a test is true, in their order, or those whose byte or boolean of a mask is true (null is not).
 *
 * The test gets one object whose properties read the row at hand: numbers with NaN where missing, text, booleans and lists with null.
 * It is the same object for every row, so keep its values, not it. Comparing with NaN is false whichever way, and text
 * may be null: `row.name?.startsWith('中')`.
 * @returns the same form as the input; provenance is left behind
 * @throws QuotebookError MISSING_COLUMN when the test reads a column that is not there; INVALID_VALUE when the mask has
 * another length, or an answer is neither true nor false
 */
export function filter<D extends Data>(
  data: D,
  test: ((row: RowIn<D>) => boolean | null | undefined) | readonly (boolean | null)[] | Uint8Array,
): D {
  const input = inputOf(data)
  const rows = typeof test === 'function' ? byTest(input, test as (row: never) => boolean) : byMask(test, input.length)
  return rowsAt(input, rows) as D
}
