import type { RecordColumns } from '../../table/values.js'
import { partsIn } from '../answer/condition.js'
import { empty, join } from '../answer/piece.js'
import { scan, where } from '../answer/scan.js'
import type { Shelf } from '../shelf.js'
import { inScope, ofCodes } from './rows.js'
import { type Spans, union } from './spans.js'
import type { Lot } from './split.js'
import type { Wish } from './wish.js'

/** The dates that the cache answers, of any code. */
export function servedDates(lots: readonly Lot[]): Spans {
  return lots.reduce<Spans>((sum, { served }) => union(sum, served), [])
}

/** The rows that the cache holds of what it answers. */
export async function heldRows(shelf: Shelf, wish: Wish, lots: readonly Lot[]): Promise<RecordColumns> {
  const { dataset, rule, query, scope } = wish
  const dates = servedDates(lots)
  const [from, to] = [dates[0]?.[0], dates.at(-1)?.[1]]
  if (from === undefined || to === undefined) return empty(dataset)
  const filters = (rule.filters ?? []).flatMap((name) => {
    const wanted = query[name]
    const [column] = dataset.params[name]?.columns ?? []
    return Array.isArray(wanted) && column !== undefined
      ? [where(column, (word) => word !== null && wanted.includes(word))]
      : []
  })
  const wanted = lots.map(({ codes, served }) => ({ codes, dates: served }))
  const conditions = [...inScope(dataset, rule, scope), ofCodes(dataset, wanted), ...filters]
  return join(dataset, await scan(shelf, dataset, partsIn(shelf, dataset, { from, to }), conditions))
}
