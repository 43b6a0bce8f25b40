import { takeRows, texts } from '../../frame/values.js'
import { latestDay } from '../shelf.js'
import { partsIn, within } from './condition.js'
import type { Rule } from './rule.js'
import { matching, scan, where } from './scan.js'

/** One list: of the day asked for (history mode), or its newest (latest mode). */
export const hotstock: Rule = async (shelf, dataset, query) => {
  const ofList = where('type', (word) => word === query.type)
  if (query.tradedate !== undefined) {
    const span = { from: String(query.tradedate), to: String(query.tradedate) }
    return { columns: await scan(shelf, dataset, partsIn(shelf, dataset, span), [within('tradedate', span), ofList]) }
  }
  if (latestDay(shelf, dataset.name) === undefined) return { columns: await scan(shelf, dataset, [], []) }
  for (const part of shelf.parts(dataset.name).toReversed()) {
    const found = await scan(shelf, dataset, [part], [ofList])
    if (found.length === 0) continue
    const newest = texts(found, 'tradedate').reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), null)
    const rows = matching(found, [where('tradedate', (word) => word === newest)])
    return { columns: takeRows(found, rows), note: `the list of ${newest}` }
  }
  return { columns: await scan(shelf, dataset, [], []) }
}
