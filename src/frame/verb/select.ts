import { checkNames, readInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { ColumnsIn, Data, NameOf, OnlyColumns, SameForm } from './verb-types.js'

/**
 * Keeps the named columns, in the order named: `select(bonds, 'code', 'close')` or `select(bonds, ['code', 'close'])`.
 * @returns the same form as the input, without provenance
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a repeated name
 */
export function select<D extends Data, K extends NameOf<D>>(
  data: D,
  ...names: readonly (K | readonly K[])[]
): SameForm<D, OnlyColumns<ColumnsIn<D>, K>> {
  const input = readInput(data)
  const output = new VerbOutput(input.length)
  for (const name of checkNames(input, names.flat() as readonly string[])) output.copy(input, name)
  return output.inFormOf(input) as SameForm<D, OnlyColumns<ColumnsIn<D>, K>>
}
