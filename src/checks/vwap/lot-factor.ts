import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { lotFactor } from '../../contract/session.js'
import { parseCode } from '../../contract/symbol.js'
import { provenance } from '../../table/provenance.js'
import { type RowSeries, rowAt } from '../bars/bar-series.js'

export interface FactorOptions {
  /** Units in one unit of `vol`: 10 for lots of bonds, 100 for lots of ETF units, 1 for shares. */
  readonly factor?: number
  /** The dataset of the bars, which has a factor, for a table that does not say itself. */
  readonly dataset?: 'convertible_minute' | 'etf_minute'
}

function isLotDataset(name: string | undefined): name is keyof typeof lotFactor {
  return name !== undefined && Object.hasOwn(lotFactor, name)
}

function factorByCode(symbol: string): number {
  const { bare } = parseCode(symbol)
  if (/^1[12]\d{4}$/.test(bare)) return lotFactor.convertible_minute
  if (/^(1[568]\d{4}|5\d{5})$/.test(bare)) return lotFactor.etf_minute
  throw new QuotebookError(
    'INVALID_VALUE',
    `${symbol} is not the number of a convertible bond or an ETF: say how many units its volume counts in, ` +
      'as in { factor: 100 } for lots of shares or { factor: 1 } for shares',
  )
}

/** The factor of each symbol, from the option, the dataset, or the symbol's number. */
function factorOf(table: Table, options: FactorOptions): (symbol: string) => number {
  const { factor, dataset } = options
  if (factor !== undefined) {
    if (!(factor > 0) || !Number.isFinite(factor)) {
      throw new QuotebookError('INVALID_VALUE', `factor must be a number above 0, not ${factor}`)
    }
    return () => factor
  }
  const name = dataset ?? provenance(table)?.dataset
  return isLotDataset(name) ? () => lotFactor[name] : factorByCode
}

/**
 * The factor of each series of a table.
 * @throws QuotebookError INVALID_VALUE where it cannot be told
 */
export function factorsOf(table: Table, series: RowSeries, options: FactorOptions): Float64Array {
  const factor = factorOf(table, options)
  const { starts, columns } = series
  const { codes, words } = columns['symbol'] ?? { codes: new Int32Array(), words: [] }
  const known = new Map<number, number>()
  const factors = new Float64Array(starts.length - 1)
  for (let s = 0; s < factors.length; s++) {
    const code = codes[rowAt(series, starts[s] as number)] as number
    let own = known.get(code)
    if (own === undefined) {
      own = factor(words[code] ?? '')
      known.set(code, own)
    }
    factors[s] = own
  }
  return factors
}
