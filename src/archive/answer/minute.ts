import { takeRows, texts } from '../../frame/values.js'
import { daysAsked, plainConditions } from './condition.js'
import type { Rule } from './rule.js'
import { matching, scan, where } from './scan.js'

/**
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols asked for, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is.
 */
export const minute: Rule = async (shelf, dataset, query) => {
  const { parts, when } = daysAsked(shelf, dataset, query)
  const conditions = [...when, ...plainConditions(dataset, query)]
  if (dataset.stored?.period) conditions.push(where('period', (word) => word === query.period))
  if (query.trademin !== undefined) conditions.push(where('trademin', (word) => word === query.trademin))
  const columns = await scan(shelf, dataset, parts, conditions)
  if (query.trademin !== undefined || query.symbols !== undefined) return { columns }
  const latest = texts(columns, 'trademin').reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), null)
  const rows = matching(columns, [where('trademin', (word) => word === latest)])
  return { columns: takeRows(columns, rows) }
}
