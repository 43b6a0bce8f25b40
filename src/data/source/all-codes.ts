import { checkParams } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { dayParam, type PlainDays } from '../../contract/day-list.js'
import { ParamsError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

/** A query for all codes, as the contract has it: its operations answer for all of them where none is named. */
export interface AllCodes {
  readonly params: Readonly<Record<string, unknown>>
  /** Days to run it over, so that bars of all buckets come and not those of the latest one. */
  readonly days?: PlainDays
  /** These bars are of the latest day, which is still to be found out. */
  readonly ofLatest?: true
}

/**
 * What a query with `symbols: 'all'` asks for; undefined for any other query. The word is of this package, and is never
 * sent.
 * @throws ParamsError for a dataset that has no codes to name, and for 'all' beside codes
 */
export function allCodesIn(dataset: Dataset, params: unknown, days: PlainDays | undefined): AllCodes | undefined {
  if (typeof params !== 'object' || params === null || !('symbols' in params)) return undefined
  const { symbols, ...rest } = params as Readonly<Record<string, unknown>>
  const list = typeof symbols === 'string' ? symbols.split(',').map((code) => code.trim()) : symbols
  if (!Array.isArray(list) || !list.includes('all')) return undefined
  const { name, params: known, columns } = dataset
  if (known.symbols?.role !== 'match') {
    throw new ParamsError('symbols', sentence`${name} takes no symbols 'all'; leave symbols out.`)
  }
  if (symbols !== 'all')
    throw new ParamsError('symbols', sentence`symbols 'all' stands alone, without codes beside it.`)
  const query = checkParams(dataset, rest)
  const param = dayParam(dataset)
  if (!columns.trademin || param === undefined || query.trademin !== undefined || days !== undefined)
    return { params: rest }
  const { [param]: day, ...undated } = rest
  return typeof day === 'string' ? { params: undated, days: [day] } : { params: undated, ofLatest: true }
}
