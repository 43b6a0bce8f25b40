import { texts } from '../../table/values.js'
import { partsIn, within } from './condition.js'
import { join } from './piece.js'
import type { Rule } from './rule.js'
import { scan, whereWord } from './scan.js'

/** One list: of the day asked for (history mode), or its newest (latest mode). */
export const hotstock: Rule = async (shelf, dataset, query) => {
  const ofList = whereWord('type', [String(query.type)])
  if (query.tradedate !== undefined) {
    const span = { from: String(query.tradedate), to: String(query.tradedate) }
    const pieces = await scan(shelf, dataset, partsIn(shelf, dataset, span), [within('tradedate', span), ofList])
    return { pieces, asked: { span, scope: ['type', String(query.type)] } }
  }
  for (const part of shelf.parts(dataset.name).toReversed()) {
    const found = await scan(shelf, dataset, [part], [ofList])
    if (found.length === 0) continue
    const days = texts(join(dataset, found, ['tradedate']), 'tradedate')
    const newest = days.reduce<string>((a, b) => (b !== null && b > a ? b : a), '')
    const pieces = await scan(shelf, dataset, [part], [ofList, whereWord('tradedate', [newest])])
    return { pieces, note: `the list of ${newest}` }
  }
  return { pieces: [], lacks: `the archive has no list ${query.type}` }
}
