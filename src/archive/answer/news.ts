import { comparer } from '../../table/check-table.js'
import { takeRows, texts } from '../../table/values.js'
import { plainConditions } from './condition.js'
import { join, whole } from './piece.js'
import type { Rule } from './rule.js'
import { scan } from './scan.js'

/** Records by time; for the view `source`, at most `limit` of each source, since the limit is one of every group. */
export const news: Rule = async (shelf, dataset, query) => {
  const parts = shelf.parts(dataset.name)
  const pieces = await scan(shelf, dataset, parts, plainConditions(dataset, query))
  const lacks = parts.length === 0 ? 'the archive has no news' : undefined
  if (query.view !== 'source') return { pieces, lacks }
  const columns = join(dataset, pieces)
  const compare = comparer(columns, ['source', ...dataset.order])
  const rows = Array.from({ length: columns.length }, (_, row) => row).sort(compare)
  const sources = texts(columns, 'source')
  const count = new Map<string | null, number>()
  const kept = rows.filter((row) => {
    const source = sources[row] ?? null
    const place = (count.get(source) ?? 0) + 1
    count.set(source, place)
    return place <= Number(query.limit)
  })
  return { pieces: [whole(takeRows(columns, kept))], matched: columns.length, lacks }
}
