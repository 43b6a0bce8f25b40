import { forecastNote } from '../../source/completeness/assess-completeness.js'
import { textCells } from '../../table/values.js'
import { partsIn, plainConditions } from './condition.js'
import { selectSlices, where } from './row-conditions.js'
import { joinSlices } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/**
 * Candidates of one day as computed from that day; for the latest completed day (or no date) also the forecast that was
 * computed from it for the next trading day.
 */
export const anomaly: AnswerRule = async (snapshot, dataset, query) => {
  const parts = snapshot.parts(dataset.name)
  let completed: string | null = null
  let last = ''
  for (const part of parts.slice(-2)) {
    const columns = await snapshot.load(dataset.name, part)
    for (const day of textCells(columns, 'computed_on')) {
      if (day !== null && (completed === null || day > completed)) completed = day
    }
    for (const day of textCells(columns, 'tradedate')) if (day !== null && day > last) last = day
  }
  const day = query.tradedate === undefined ? completed : String(query.tradedate)
  if (day === null || completed === null) return { slices: [], missing: 'the archive has no candidates' }
  const latest = day === completed
  const span = latest ? { from: day } : { from: day, to: day }
  const conditions = [
    where('tradedate', (word) => word !== null && (latest ? word >= day : word === day)),
    where('computed_on', (word) => word === (day > (completed as string) ? completed : day)),
  ]
  const slices = await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, span), [
    ...conditions,
    ...plainConditions(dataset, query),
  ])
  const days = new Set(textCells(joinSlices(dataset, slices, ['tradedate']), 'tradedate'))
  const note = forecastNote(
    [...days].filter((one) => one !== null),
    query.tradedate,
  )
  return {
    slices,
    ...(note === undefined ? {} : { note }),
    requiredDays: { span: { from: day, to: day }, column: 'computed_on' },
    missing: latest && last <= day ? `the archive has no forecast after ${day}` : undefined,
  }
}
