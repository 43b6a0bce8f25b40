import { sentence } from '../../contract/sentence.js'
import { freshFloats } from '../table/fresh-array.js'
import { wrongShape } from '../table/shape.js'
import type { FlagArray, FlagOperand, Flags, TextArray, TextOperand } from './cell-array.js'
import { flagSide, pickCells, typeOfCells } from './cell-array.js'
import { type NumberArray, type NumberOperand, numberArray, otherNumbers } from './number-array.js'

/**
 * Chooses between two values row by row: the first if the test is true, the second if it is false, missing if it is
 * missing: `when(c.close.gt(c.open), c.high, c.low)`. SQL and polars use the second for a missing test; for that, write
 * `when(test.orElse(false), …)`. Either value is a number, a text or a flag, one for each row, or null.
 * @throws QuotebookError USAGE, INVALID_VALUE if the two are of different types or lengths
 */
export function when(test: Flags, yes: NumberOperand | null, no: NumberOperand | null): NumberArray
export function when(test: Flags, yes: TextOperand | null, no: TextOperand | null): TextArray
export function when(test: Flags, yes: FlagOperand | null, no: FlagOperand | null): FlagArray
export function when<O extends NumberOperand | null>(test: Flags, yes: O, no: O): NumberArray | TextArray | FlagArray {
  if (!Array.isArray(test)) throw wrongShape(sentence`an operand`, sentence`boolean or a column of it`, test)
  const { data: flags } = flagSide(test, test.length)
  const type = [yes, no].map(typeOfCells).find((found) => found === 'string' || found === 'boolean')
  if (type !== undefined) return pickCells<TextArray>(flags, yes, no, type)
  const [[a, stepA], [b, stepB]] = [otherNumbers(yes ?? Number.NaN, flags), otherNumbers(no ?? Number.NaN, flags)]
  // Looked up by the flag, not branched on it, which a processor would guess wrong.
  const [sides, steps] = [[Float64Array.of(Number.NaN), b, a], Int32Array.of(0, stepB, stepA)]
  const out = freshFloats(flags.length)
  for (let row = 0; row < out.length; row++) {
    const side = (flags[row] as number) + 1
    out[row] = (sides[side] as Float64Array)[row * (steps[side] as number)] as number
  }
  return numberArray(out)
}
