import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { wrongShape } from '../table/shape.js'
import { type SortColumn, sortRows } from '../table/sort-rows.js'
import { checkNames, readInput, type VerbInput } from './verb-input.js'
import { selectOutput } from './verb-output.js'
import type { Data, SortKey } from './verb-types.js'

/** Keys of an order; a leading `-` means descending, unless a column has that very name. */
export function sortColumns(input: VerbInput, keys: readonly string[]): readonly SortColumn[] {
  return keys.map((key) => {
    if (typeof key !== 'string') throw wrongShape(sentence`a key of an order`, "'close' or '-close'", key)
    const descending = key.startsWith('-') && !input.names.includes(key)
    const [name = ''] = checkNames(input, descending ? key.slice(1) : key)
    return { name, values: input.cells(name), descending }
  })
}

/**
 * Sorts rows by one or more keys: `'close'` ascending, `'-close'` descending.
 *
 * The sort is stable. Missing cells come last in both directions, in their original order. Text is ordered by UTF-16
 * code units, the same everywhere; false comes before true.
 * @returns the same form as the input, without provenance
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a column of lists and without a key
 */
export function sort<D extends Data>(data: D, ...keys: readonly (SortKey<D> | readonly SortKey<D>[])[]): D {
  const input = readInput(data)
  const all: readonly string[] = keys.flat()
  if (all.length === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`sort needs a key, such as 'close' or '-close'`)
  return selectOutput(input, sortRows(sortColumns(input, all), input.length)) as D
}
