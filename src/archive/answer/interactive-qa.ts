import { daysAsked, plainConditions } from './condition.js'
import { selectSlices } from './row-conditions.js'
import type { AnswerRule } from './rule.js'
import { isNewest } from './versions.js'

/** Questions and answers; the newest revision of each is chosen first, so that a condition never finds an old answer. */
export const interactiveQa: AnswerRule = async (snapshot, dataset, query) => {
  const { parts, when, span } = daysAsked(snapshot, dataset, query)
  const wanted = [...when, ...plainConditions(dataset, query)]
  // A revision of any later day decides whether an older one is the newest.
  const requiredDays = { span: query.version === 'all' ? span : { from: span.from } }
  if (query.version !== 'all') wanted.unshift(await isNewest(snapshot, dataset, ['qa_id', 'revision_no']))
  return { slices: await selectSlices(snapshot, dataset, parts, wanted), requiredDays }
}
