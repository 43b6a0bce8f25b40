import { daysAsked, plainConditions } from './condition.js'
import type { Rule } from './rule.js'
import { filter, scan } from './scan.js'
import { allRows, isNewest } from './versions.js'

/** Questions and answers; the newest revision of each is chosen first, so that a condition never finds an old answer. */
export const interactiveQa: Rule = async (shelf, dataset, query) => {
  const { parts, when } = daysAsked(shelf, dataset, query)
  const wanted = [...when, ...plainConditions(dataset, query)]
  if (query.version === 'all') return { pieces: await scan(shelf, dataset, parts, wanted) }
  const latest = isNewest('qa_id', 'revision_no')
  return { pieces: [filter(await allRows(shelf, dataset), [latest, ...wanted])] }
}
