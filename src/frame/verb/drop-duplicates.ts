import { checkOptions } from '../../contract/options.js'
import { checkChoice } from '../table/shape.js'
import { checkNames, groupInput, readInput } from './verb-input.js'
import { selectOutput } from './verb-output.js'
import type { Data, NameOf } from './verb-types.js'

/** Options of `dropDuplicates`. */
export interface DuplicateOptions {
  /** Which of the rows that are alike stays. Default first. */
  readonly keep?: 'first' | 'last' | 'none'
}

/**
 * Keeps one row of those that are equal in the columns of `by` (default: all columns), or with `keep: 'none'` only the
 * rows without an equal. Missing cells are equal. Rows keep their order.
 * @returns the same form as the input, without provenance
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a column of lists
 */
export function dropDuplicates<D extends Data>(
  data: D,
  by?: NameOf<D> | readonly NameOf<D>[],
  options: DuplicateOptions = {},
): D {
  const { keep = 'first' } = checkOptions(options, { keep: 'any' }, 'dropDuplicates')
  checkChoice(keep, ['first', 'last', 'none'], 'keep')
  const input = readInput(data)
  const { count, of, first } = groupInput(input, checkNames(input, by ?? input.names))
  if (keep === 'first') return selectOutput(input, first) as D
  const [last, sizes] = [new Int32Array(count), new Int32Array(count)]
  of.forEach((group, row) => {
    last[group] = row
    sizes[group] = (sizes[group] as number) + 1
  })
  return selectOutput(input, keep === 'last' ? last.sort() : first.filter((_, group) => sizes[group] === 1)) as D
}
