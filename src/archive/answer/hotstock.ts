import { textCells } from '../../table/values.js'
import { partsIn, within } from './condition.js'
import { selectSlices, whereWord } from './row-conditions.js'
import { joinSlices } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/** One list: of the day asked for (history mode), or its newest (latest mode). */
export const hotstock: AnswerRule = async (snapshot, dataset, query) => {
  const ofList = whereWord('type', [String(query.type)])
  if (query.tradedate !== undefined) {
    const span = { from: String(query.tradedate), to: String(query.tradedate) }
    const slices = await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, span), [
      within('tradedate', span),
      ofList,
    ])
    return { slices, requiredDays: { span, scope: ['type', String(query.type)] } }
  }
  for (const part of snapshot.parts(dataset.name).toReversed()) {
    const found = await selectSlices(snapshot, dataset, [part], [ofList])
    if (found.length === 0) continue
    const days = textCells(joinSlices(dataset, found, ['tradedate']), 'tradedate')
    const newest = days.reduce<string>((a, b) => (b !== null && b > a ? b : a), '')
    const slices = await selectSlices(snapshot, dataset, [part], [ofList, whereWord('tradedate', [newest])])
    return { slices, note: `the list of ${newest}` }
  }
  return { slices: [], missing: `the archive has no list ${query.type}` }
}
