import { daysAsked, plainConditions } from './condition.js'
import type { Rule } from './rule.js'
import { scan } from './scan.js'
import { isNewest } from './versions.js'

/** Questions and answers; the newest revision of each is chosen first, so that a condition never finds an old answer. */
export const interactiveQa: Rule = async (shelf, dataset, query) => {
  const { parts, when, span } = daysAsked(shelf, dataset, query)
  const wanted = [...when, ...plainConditions(dataset, query)]
  // A revision of any later day decides whether an older one is the newest.
  const asked = { span: query.version === 'all' ? span : { from: span.from } }
  if (query.version !== 'all') wanted.unshift(await isNewest(shelf, dataset, ['qa_id', 'revision_no']))
  return { pieces: await scan(shelf, dataset, parts, wanted), asked }
}
