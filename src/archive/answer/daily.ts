import { texts } from '../../table/values.js'
import { daysAsked, plainConditions, within } from './condition.js'
import { join } from './piece.js'
import type { Rule } from './rule.js'
import { scan } from './scan.js'

/** st, theme_daily, convertible_daily, southbound_top10: rows of the days asked for that meet the conditions. */
export const daily: Rule = async (shelf, dataset, query) => {
  const { parts, when, span } = daysAsked(shelf, dataset, query)
  const pieces = await scan(shelf, dataset, parts, [...when, ...plainConditions(dataset, query)])
  return { pieces, asked: { span } }
}

/** transfer_financing: `recentdays` counts the days that have a row. */
export const financing: Rule = async (shelf, dataset, query) => {
  if (query.recentdays === undefined) return daily(shelf, dataset, query)
  const parts = shelf.parts(dataset.name)
  const all = join(dataset, await scan(shelf, dataset, parts, []), ['tradedate'])
  const days = [...new Set(texts(all, 'tradedate'))].sort()
  const count = Number(query.recentdays)
  const span = { from: days.at(-count) ?? days[0] ?? undefined }
  const lacks = days.length < count ? `the archive has ${days.length} of ${count} days` : undefined
  return { pieces: await scan(shelf, dataset, parts, [within('tradedate', span)]), asked: { span }, lacks }
}
