import { bucketRows, type RowBuckets } from '../table/group-rows.js'
import { sortRows } from '../table/sort-rows.js'
import { sortColumns } from './sort.js'
import { checkNames, groupInput, type VerbInput } from './verb-input.js'

interface Grouping {
  readonly by?: string | readonly string[]
  readonly order?: string | readonly string[]
}

/** Rows as they are handed to functions: group after group, in each by `order`; of all rows one group when `by` names nothing. */
export function rowsByGroup(
  input: VerbInput,
  { by, order = [] }: Grouping,
): RowBuckets & { readonly asTheyStand: boolean } {
  const keys = sortColumns(input, Array.isArray(order) ? order : [order])
  const sorted = keys.length === 0 ? undefined : sortRows(keys, input.length)
  if (by === undefined || (Array.isArray(by) && by.length === 0)) {
    const rows = sorted ?? new Int32Array(input.length)
    if (!sorted) for (let row = 0; row < rows.length; row++) rows[row] = row
    return { rows, starts: Int32Array.of(0, input.length), asTheyStand: !sorted }
  }
  const groups = groupInput(input, checkNames(input, by))
  return { ...bucketRows(groups.of, groups.count, sorted), asTheyStand: false }
}
