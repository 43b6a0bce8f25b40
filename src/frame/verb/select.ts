import { inputOf, namesOf } from './input.js'
import { Output } from './output.js'
import type { ColumnsIn, Data, NameOf, Only, Same } from './types.js'

/**
 * The named columns, in the order named: `select(bonds, 'code', 'close')` or `select(bonds, ['code', 'close'])`.
 * @returns the same form as the input; provenance is left behind
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE when a name stands twice
 */
export function select<D extends Data, K extends NameOf<D>>(
  data: D,
  ...names: readonly (K | readonly K[])[]
): Same<D, Only<ColumnsIn<D>, K>> {
  const input = inputOf(data)
  const output = new Output(input.length)
  for (const name of namesOf(input, names.flat() as readonly string[])) output.pick(input, name)
  return output.like(input) as Same<D, Only<ColumnsIn<D>, K>>
}
