import type { DatasetName } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { vwapSince } from '../../contract/session.js'
import { parseCode } from '../../contract/symbol.js'

/** How a code is spelt: `510300` or `510300.SH`. */
export type Spelling = 'bare' | 'full'

/** What of a dataset may be kept, because it can no longer change. */
export interface KeepRule {
  /** The param that tells apart what is stored under the dataset. */
  readonly scope?: 'period' | 'type'
  /** Only series of codes: a query without them gives one bucket of all. */
  readonly codesOnly?: true
  /** Params that choose some of the rows of a day. */
  readonly filters?: readonly string[]
  /** With these params nothing is kept. */
  readonly never?: readonly string[]
  /** First day that may be kept. */
  readonly since?: string
  /** Spellings of codes that whole days answer for: that of the rows, and those that the contract names. */
  readonly spellings: readonly Spelling[]
  /**
   * What shows the latest day. `latest`: the answer to a question without a date. `completed`: the same, which may bring the
   * day after it along. `next`: the answer for the next trading day, where the latest one does not say of which day it is.
   */
  readonly latest: 'latest' | 'completed' | 'next'
}

/** Earlier bars may still get a vwap. */
const minute: KeepRule = {
  codesOnly: true,
  never: ['trademin'],
  since: vwapSince,
  spellings: ['full'],
  latest: 'latest',
}

const rules: { readonly [N in DatasetName]?: KeepRule } = {
  convertible_minute: minute,
  etf_minute: { ...minute, scope: 'period' },
  theme_daily: { spellings: ['bare'], latest: 'latest' },
  convertible_daily: { spellings: ['full', 'bare'], latest: 'latest' },
  southbound_top10: { filters: ['market_type'], spellings: ['full'], latest: 'latest' },
  st: { filters: ['type'], spellings: ['bare'], latest: 'latest' },
  hotstock: { scope: 'type', spellings: [], latest: 'next' },
  anomaly_forecast: { spellings: ['bare'], latest: 'completed' },
}

/** What may be kept of a dataset; undefined when nothing may. */
export function keepRule({ name }: Dataset): KeepRule | undefined {
  return rules[name as DatasetName]
}

export function spellingOf(code: string): Spelling {
  return parseCode(code).exchange === undefined ? 'bare' : 'full'
}
