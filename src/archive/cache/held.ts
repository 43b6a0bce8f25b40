import type { RecordColumns } from '../../table/values.js'
import { partsIn } from '../answer/condition.js'
import { selectSlices, where } from '../answer/row-conditions.js'
import { emptyColumns, joinSlices } from '../answer/row-slices.js'
import type { Snapshot } from '../snapshot.js'
import { type DayRanges, union } from './day-ranges.js'
import { inScope, ofCodes } from './rows.js'
import type { Lot } from './split.js'
import type { Wish } from './wish.js'

/** The dates that the cache answers, of any code. */
export function servedDates(lots: readonly Lot[]): DayRanges {
  return lots.reduce<DayRanges>((sum, { served }) => union(sum, served), [])
}

/** The rows that the cache holds of what it answers. */
export async function heldRows(snapshot: Snapshot, wish: Wish, lots: readonly Lot[]): Promise<RecordColumns> {
  const { dataset, rule, query, scope } = wish
  const dates = servedDates(lots)
  const [from, to] = [dates[0]?.[0], dates.at(-1)?.[1]]
  if (from === undefined || to === undefined) return emptyColumns(dataset)
  const filters = (rule.filters ?? []).flatMap((name) => {
    const wanted = query[name]
    const [column] = dataset.params[name]?.columns ?? []
    return Array.isArray(wanted) && column !== undefined
      ? [where(column, (word) => word !== null && wanted.includes(word))]
      : []
  })
  const wanted = lots.map(({ codes, served }) => ({ codes, dates: served }))
  const conditions = [...inScope(dataset, rule, scope), ofCodes(dataset, wanted), ...filters]
  return joinSlices(
    dataset,
    await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, { from, to }), conditions),
  )
}
