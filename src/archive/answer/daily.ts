import { textCells } from '../../table/values.js'
import { daysAsked, plainConditions, within } from './condition.js'
import { selectSlices } from './row-conditions.js'
import { joinSlices } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/** st, theme_daily, convertible_daily, southbound_top10: rows of the days asked for that meet the conditions. */
export const daily: AnswerRule = async (snapshot, dataset, query) => {
  const { parts, when, span } = daysAsked(snapshot, dataset, query)
  const slices = await selectSlices(snapshot, dataset, parts, [...when, ...plainConditions(dataset, query)])
  return { slices, requiredDays: { span } }
}

/** transfer_financing: `recentdays` counts the days that have a row. */
export const financing: AnswerRule = async (snapshot, dataset, query) => {
  if (query.recentdays === undefined) return daily(snapshot, dataset, query)
  const parts = snapshot.parts(dataset.name)
  const all = joinSlices(dataset, await selectSlices(snapshot, dataset, parts, []), ['tradedate'])
  const days = [...new Set(textCells(all, 'tradedate'))].sort()
  const count = Number(query.recentdays)
  const span = { from: days.at(-count) ?? days[0] ?? undefined }
  const missing = days.length < count ? `the archive has ${days.length} of ${count} days` : undefined
  return {
    slices: await selectSlices(snapshot, dataset, parts, [within('tradedate', span)]),
    requiredDays: { span },
    missing,
  }
}
