import { bucketRows } from '../table/group-rows.js'
import { sortRows } from '../table/sort-rows.js'
import type { GroupedRows } from './call-with-columns.js'
import { sortColumns } from './sort.js'
import { checkNames, groupInput, type VerbInput } from './verb-input.js'

interface Grouping {
  readonly by?: string | readonly string[]
  readonly order?: string | readonly string[]
}

/** Rows as they are handed to functions: group after group, in each by `order`; of all rows one group when `by` names nothing. */
export function rowsByGroup(input: VerbInput, { by, order = [] }: Grouping): GroupedRows {
  const keys = sortColumns(input, Array.isArray(order) ? order : [order])
  const sorted = keys.length === 0 ? undefined : sortRows(keys, input.length)
  if (by === undefined || (Array.isArray(by) && by.length === 0)) {
    const starts = Int32Array.of(0, input.length)
    return sorted ? { rows: sorted, starts } : { starts }
  }
  const groups = groupInput(input, checkNames(input, by))
  return bucketRows(groups.of, groups.count, sorted)
}
