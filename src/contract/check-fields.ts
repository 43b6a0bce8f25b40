import type { Query } from './check-params.js'
import type { Dataset } from './dataset.js'
import { ParamsError } from './error.js'
import { unknownName } from './nearest.js'
import { sentence } from './sentence.js'

const defaults = {
  latest: new WeakMap<Dataset, readonly string[]>(),
  history: new WeakMap<Dataset, readonly string[]>(),
}

/** Columns of an answer when none are asked for: those of section 2, in its order; for `hotstock` those of the mode. */
export function defaultFields(dataset: Dataset, query: Query): readonly string[] {
  const mode = modeOf(query)
  let known = defaults[mode].get(dataset)
  if (!known) {
    const names = Object.keys(dataset.columns)
    known = Object.freeze(names.filter((name) => (dataset.columns[name]?.mode ?? mode) === mode))
    defaults[mode].set(dataset, known)
  }
  return known
}

function modeOf(query: Query): 'latest' | 'history' {
  return query.tradedate === undefined ? 'latest' : 'history'
}

/**
 * The columns asked for, in the order asked, once each.
 * @param fields a comma-separated string, an array of names, or nothing for the default
 * @throws ParamsError for an unknown name, a column of the other mode, or an operation that takes no fields
 */
export function checkFields(dataset: Dataset, fields: unknown, query: Query): readonly string[] {
  const all = defaultFields(dataset, query)
  if (fields === undefined || fields === null || fields === '') return all
  if (dataset.noFields)
    throw new ParamsError('fields', sentence`${dataset.name} takes no fields; every answer is whole.`)
  if (Array.isArray(fields) && fields.length === 0)
    throw new ParamsError('fields', sentence`fields is empty; leave it out for all.`)
  if (fields === all.join()) return all
  const parts: unknown[] = Array.isArray(fields) ? fields : typeof fields === 'string' ? fields.split(',') : [fields]
  const names = parts.map((part) => {
    if (typeof part !== 'string') throw new ParamsError('fields', sentence`fields must be names, separated by commas.`)
    if (part.trim() === '')
      throw new ParamsError('fields', sentence`fields has an empty name; separate names by one comma.`)
    return part.trim()
  })
  for (const name of names) {
    if (all.includes(name)) continue
    if (Object.hasOwn(dataset.columns, name)) {
      const mode = modeOf(query)
      throw new ParamsError(
        'fields',
        sentence`${dataset.name} has no field '${name}' in ${mode} mode. It has: ${all.join(', ')}.`,
      )
    }
    throw unknownName('fields', name, all, 'field', dataset.name)
  }
  return [...new Set(names)]
}
