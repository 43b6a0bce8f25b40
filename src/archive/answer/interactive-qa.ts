import { daysAsked, plainConditions } from './condition.js'
import { join } from './piece.js'
import type { Rule } from './rule.js'
import { filter, scan } from './scan.js'
import { newest } from './versions.js'

/** Questions and answers; the newest revision of each is chosen first, so that a condition never finds an old answer. */
export const interactiveQa: Rule = async (shelf, dataset, query) => {
  const { parts, when } = daysAsked(shelf, dataset, query)
  const wanted = [...when, ...plainConditions(dataset, query)]
  if (query.version === 'all') return { pieces: await scan(shelf, dataset, parts, wanted) }
  const all = join(dataset, await scan(shelf, dataset, shelf.parts(dataset.name), []))
  return { pieces: [filter(newest(all, 'qa_id', 'revision_no'), wanted)] }
}
