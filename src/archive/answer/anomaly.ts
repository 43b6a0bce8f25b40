import { forecastNote } from '../../source/answer/forecast-note.js'
import { texts } from '../../table/values.js'
import { partsIn, plainConditions } from './condition.js'
import { join } from './piece.js'
import type { Rule } from './rule.js'
import { scan, where } from './scan.js'

/**
 * Candidates of one day as computed from that day; for the latest completed day (or no date) also the forecast that was
 * computed from it for the next trading day.
 */
export const anomaly: Rule = async (shelf, dataset, query) => {
  const parts = shelf.parts(dataset.name)
  let completed: string | null = null
  let last = ''
  for (const part of parts.slice(-2)) {
    const columns = await shelf.load(dataset.name, part)
    for (const day of texts(columns, 'computed_on')) {
      if (day !== null && (completed === null || day > completed)) completed = day
    }
    for (const day of texts(columns, 'tradedate')) if (day !== null && day > last) last = day
  }
  const day = query.tradedate === undefined ? completed : String(query.tradedate)
  if (day === null || completed === null) return { pieces: [], lacks: 'the archive has no candidates' }
  const latest = day === completed
  const span = latest ? { from: day } : { from: day, to: day }
  const conditions = [
    where('tradedate', (word) => word !== null && (latest ? word >= day : word === day)),
    where('computed_on', (word) => word === (day > (completed as string) ? completed : day)),
  ]
  const pieces = await scan(shelf, dataset, partsIn(shelf, dataset, span), [
    ...conditions,
    ...plainConditions(dataset, query),
  ])
  const days = new Set(texts(join(dataset, pieces, ['tradedate']), 'tradedate'))
  const note = forecastNote(
    [...days].filter((one) => one !== null),
    query.tradedate,
  )
  return {
    pieces,
    ...(note === undefined ? {} : { note }),
    asked: { span: { from: day, to: day }, column: 'computed_on' },
    lacks: latest && last <= day ? `the archive has no forecast after ${day}` : undefined,
  }
}
