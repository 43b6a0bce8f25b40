import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { QueryOptions, Source } from '../../data/source/source.js'
import { Market } from '../../market.js'
import { budget, type ToolCall } from './tool.js'

const spentBy = (what: Words): QuotebookError =>
  new QuotebookError('BUDGET', sentence`${what}; ask for fewer days, codes or columns, or aggregate with sql`)
const tooMany = (requests: number): QuotebookError =>
  spentBy(sentence`it takes ${requests} requests, and a call may send ${budget.requests}`)

/** @throws QuotebookError BUDGET, always */
export function overspent(what: Words): never {
  throw spentBy(what)
}

/**
 * A source that one call may ask so much of and no more: requests are counted before they are sent, and rows as they come. It
 * hands out no files of a share.
 */
function budgetedSource(source: Source, { signal, onStep }: Pick<ToolCall, 'signal' | 'onStep'>): Source {
  const spent = { requests: 0, rows: 0 }
  const query = async (dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> => {
    signal.throwIfAborted()
    if (source.explain) {
      const { requests } = await source.explain(dataset, params, options)
      if (spent.requests + requests > budget.requests) throw tooMany(spent.requests + requests)
    }
    const more = new AbortController()
    let counted = 0
    const onProgress: QueryOptions['onProgress'] = (progress) => {
      const { done, of, rows } = progress
      spent.requests += Math.max(0, done - counted)
      counted = Math.max(counted, done)
      const left = spent.requests + of - done
      if (left > budget.requests) more.abort(tooMany(left))
      onStep(done, of, `${dataset.name}: ${rows} rows`)
      options.onProgress?.(progress)
    }
    const table = await source.query(dataset, params, {
      ...options,
      onProgress,
      signal: AbortSignal.any([signal, more.signal]),
    })
    spent.rows += table.numRows
    if (spent.rows > budget.rows) overspent(sentence`it reads more than ${budget.rows} rows`)
    return table
  }
  return new Proxy(source, {
    get: (target, name) => {
      if (name === 'query') return query
      if (name === 'get' || name === 'open') return undefined
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** @throws QuotebookError FORBIDDEN, always */
async function noTicks(): Promise<never> {
  throw new QuotebookError('FORBIDDEN', sentence`the plan of the key does not include the auction-tick files`)
}

/** A market for one call. */
export function budgetedMarket(source: Source, call: Omit<ToolCall, 'market'>): Market {
  const market = new Market(budgetedSource(source, call))
  if (!call.hasTicks) Object.defineProperty(market, 'ticks', { value: { days: noTicks, read: noTicks } })
  return market
}
