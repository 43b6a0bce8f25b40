import { newsSources } from '../../../contract/catalogue/news.js'
import { defaultFields } from '../../../contract/check-fields.js'
import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { oneDayParam, paramWithRole } from './asked.js'
import type { QueryRange } from './query-range.js'

/** Moments are kept in Beijing time without an offset; on the wire it is said. Some lists are one text there. */
function onWire(dataset: Dataset, name: string, value: Query[string]): Query[string] {
  const param = dataset.params[name]
  if (param?.joined && Array.isArray(value)) return value.join(',')
  return param?.kind === 'moment' ? `${value}+08:00` : value
}

/** The params of a request that asks for one range of a query. */
export function requestParams(
  dataset: Dataset,
  query: Query,
  range: QueryRange,
  page: { readonly limit?: number | undefined; readonly offset?: number | undefined } = {},
): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) params[name] = onWire(dataset, name, value)
  if (range.symbols) params.symbols = range.symbols
  if (range.symbols?.length === 0) delete params.symbols
  if (range.sources && (query.sources !== undefined || range.sources.length < newsSources.length))
    params.sources = range.sources
  if (range.day !== undefined) params[oneDayParam(dataset) as string] = range.day
  if (range.minute !== undefined) params.trademin = range.minute
  if (range.days) {
    for (const role of ['day', 'recent']) delete params[paramWithRole(dataset, role) ?? '']
    params[paramWithRole(dataset, 'from') as string] = range.days.from
    if (!range.days.open) params[paramWithRole(dataset, 'to') as string] = range.days.to
  }
  if (page.limit !== undefined) params.limit = page.limit
  if (page.offset !== undefined) params.offset = page.offset
  return params
}

/**
 * The fields to ask for: those wanted, and those that show whose rows came: key, order, day and codes. Undefined where
 * the operation takes none.
 */
export function requestFields(
  dataset: Dataset,
  query: Query,
  fields: readonly string[],
): readonly string[] | undefined {
  if (dataset.noFields) return undefined
  const there = defaultFields(dataset, query)
  if (dataset.key.length === 0) return [...new Set([...fields, ...there])]
  const matched = Object.entries(dataset.params).flatMap(([name, { columns, role }]) =>
    query[name] === undefined || role === 'search' ? [] : (columns ?? []),
  )
  const order = dataset.order.map((name) => name.replace(/^-/, ''))
  const proof = [...dataset.key, ...order, ...(dataset.day === undefined ? [] : [dataset.day]), ...matched]
  return [...new Set([...fields, ...proof.filter((name) => there.includes(name))])]
}
