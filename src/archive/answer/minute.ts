import type { Dataset } from '../../contract/dataset.js'
import { takeRows, texts } from '../../frame/values.js'
import type { Shelf } from '../shelf.js'
import { daysAsked, plainConditions } from './condition.js'
import type { Rule } from './rule.js'
import { type Condition, matching, scan, where } from './scan.js'

/** The latest day that has bars of the period asked for. */
async function latestDayOf(shelf: Shelf, dataset: Dataset, ofPeriod: Condition[]): Promise<string | undefined> {
  for (const part of shelf.parts(dataset.name).toReversed()) {
    if (matching(await shelf.load(dataset.name, part), ofPeriod).length > 0) return part.to
  }
  return undefined
}

/**
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols asked for, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is.
 */
export const minute: Rule = async (shelf, dataset, query) => {
  const ofPeriod = dataset.stored?.period ? [where('period', (word) => word === query.period)] : []
  const tradedate = query.tradedate ?? (await latestDayOf(shelf, dataset, ofPeriod))
  if (tradedate === undefined) return { columns: await scan(shelf, dataset, [], []) }
  const { parts, when } = daysAsked(shelf, dataset, { ...query, tradedate })
  const conditions = [...when, ...ofPeriod, ...plainConditions(dataset, query)]
  if (query.trademin !== undefined) conditions.push(where('trademin', (word) => word === query.trademin))
  const columns = await scan(shelf, dataset, parts, conditions)
  if (query.trademin !== undefined || query.symbols !== undefined) return { columns }
  const latest = texts(columns, 'trademin').reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), null)
  const rows = matching(columns, [where('trademin', (word) => word === latest)])
  return { columns: takeRows(columns, rows) }
}
