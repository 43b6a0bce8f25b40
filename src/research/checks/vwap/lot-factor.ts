import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../../contract/error.js'
import type { OptionKinds } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { lotFactor } from '../../../contract/session.js'
import { parseCode } from '../../../contract/symbol.js'
import { provenance } from '../../../frame/table/provenance.js'
import { type RowSeries, textAt } from '../bars/bar-series.js'

export interface FactorOptions {
  /** Units in one unit of `vol`: 10 for lots of bonds, 100 for lots of ETF units, 1 for shares. */
  readonly factor?: number
  /** The dataset of the bars, which has a factor, for a table that does not say itself. */
  readonly dataset?: 'convertible_minute' | 'etf_minute'
}

/** The same, by name. */
export const factorKinds: OptionKinds<FactorOptions> = {
  factor: 'a number',
  dataset: ['convertible_minute', 'etf_minute'],
}

function factorByCode(symbol: string): number {
  const { bare } = parseCode(symbol)
  if (/^1[12]\d{4}$/.test(bare)) return lotFactor.convertible_minute
  if (/^(1[568]\d{4}|5\d{5})$/.test(bare)) return lotFactor.etf_minute
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`${symbol} is not the number of a convertible bond or an ETF: say how many units its volume counts in, as in { factor: 100 } for lots of shares or { factor: 1 } for shares`,
  )
}

/**
 * The factor of each series of a table: that of the option, else of the dataset, else of the symbol's number.
 * @throws QuotebookError INVALID_VALUE where it is unknown
 */
export function factorsOf(table: Table, series: RowSeries, { factor, dataset }: FactorOptions): Float64Array {
  if (factor !== undefined && !(factor > 0 && factor < Number.POSITIVE_INFINITY))
    throw new QuotebookError('INVALID_VALUE', sentence`factor must be a number above 0, not ${factor}`)
  const name = dataset ?? provenance(table)?.dataset
  const ofTable = factor ?? (name === 'convertible_minute' || name === 'etf_minute' ? lotFactor[name] : undefined)
  const factors = new Float64Array(series.starts.length - 1)
  if (ofTable !== undefined) return factors.fill(ofTable)
  const bySymbol = new Map<string, number>()
  return factors.map((_, s) => {
    const symbol = textAt(series, 'symbol', series.starts[s] as number)
    const own = bySymbol.get(symbol) ?? factorByCode(symbol)
    bySymbol.set(symbol, own)
    return own
  })
}
