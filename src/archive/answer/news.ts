import { comparer } from '../../table/check-table.js'
import { gatherRows } from '../../table/gather-rows.js'
import { textCells } from '../../table/values.js'
import { plainConditions } from './condition.js'
import { selectSlices } from './row-conditions.js'
import { joinSlices, wholeSlice } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/** Records by time; for the view `source`, at most `limit` of each source, since the limit is one of every group. */
export const news: AnswerRule = async (snapshot, dataset, query) => {
  const parts = snapshot.parts(dataset.name)
  const slices = await selectSlices(snapshot, dataset, parts, plainConditions(dataset, query))
  const missing = parts.length === 0 ? 'the archive has no news' : undefined
  if (query.view !== 'source') return { slices, missing }
  const columns = joinSlices(dataset, slices)
  const compare = comparer(columns, ['source', ...dataset.order])
  const rows = Array.from({ length: columns.length }, (_, row) => row).sort(compare)
  const sources = textCells(columns, 'source')
  const count = new Map<string | null, number>()
  const kept = rows.filter((row) => {
    const source = sources[row] ?? null
    const place = (count.get(source) ?? 0) + 1
    count.set(source, place)
    return place <= Number(query.limit)
  })
  return { slices: [wholeSlice(gatherRows(columns, kept))], matched: columns.length, missing }
}
