import { allDatasets } from './catalogue.js'
import { contractColumn, unitText } from './dataset-text.js'
import type { Language } from './language.js'

/** Words after which a column is read, not named anew. */
const reading = /^(select|distinct|by|where|and|or|not|on|when|then|else|between|having|over|[^\w)])$/

/** The unit of a column that a statement of SQL takes from a dataset as it is; what it computes or names anew has none that is known. */
export function unitInStatement(sql: string, name: string, language: Language): string | undefined {
  const words: readonly string[] =
    sql
      .toLowerCase()
      .replaceAll('"', ' ')
      .match(/\w+|[^\s\w]/g) ?? []
  const isOwn = words.some((word, at) => word === name.toLowerCase() && !reading.test(words[at - 1] ?? ''))
  const named = isOwn ? [] : allDatasets().filter((one) => words.includes(one.name))
  return unitText(named.map((one) => contractColumn(one, name)).find(Boolean), language)
}
