import type { FlagArray, FlagOperand, Flags, TextArray, TextOperand } from './cell-array.js'
import { cellArray, otherCells } from './cell-array.js'
import { type NumberArray, type NumberOperand, numberArray, otherNumbers } from './number-array.js'

/**
 * Row by row one of two values: the first where the test is true, the second where it is false, missing where it is missing:
 * `when(c.close.gt(c.open), c.high, c.low)`. SQL and polars take the second for a missing test: so does `when(test.orElse(false), …)`.
 * Either value is a number, a text or a flag, one for each row, or null.
 * @throws QuotebookError USAGE, INVALID_VALUE when the two are of different types or lengths
 */
export function when(test: Flags, yes: NumberOperand | null, no: NumberOperand | null): NumberArray
export function when(test: Flags, yes: TextOperand | null, no: TextOperand | null): TextArray
export function when(test: Flags, yes: FlagOperand | null, no: FlagOperand | null): FlagArray
export function when<O extends NumberOperand | null>(test: Flags, yes: O, no: O): NumberArray | TextArray | FlagArray {
  const flags = otherCells<boolean>(test, test, 'boolean')
  const sample = [yes, no].flat().find((cell) => typeof cell === 'string' || typeof cell === 'boolean')
  if (sample !== undefined) {
    const [a, b] = [yes, no].map((side) => otherCells<string>(side, flags, typeof sample))
    return cellArray<TextArray>(flags.map((flag, row) => (flag === null ? null : ((flag ? a : b)?.[row] ?? null))))
  }
  const [[a, stepA], [b, stepB]] = [otherNumbers(yes ?? Number.NaN, flags), otherNumbers(no ?? Number.NaN, flags)]
  const out = new Float64Array(flags.length).fill(Number.NaN)
  for (let row = 0; row < out.length; row++) {
    if (flags[row] !== null) out[row] = (flags[row] ? a[row * stepA] : b[row * stepB]) as number
  }
  return numberArray(out)
}
