import type { Table } from 'apache-arrow'
import { resampleBars } from '../../../checks/bars/resample.js'
import { checkVwap } from '../../../checks/vwap/vwap.js'
import { QuotebookError } from '../../../contract/error.js'
import { lotFactor } from '../../../contract/session.js'
import { type BarDataset, barsOfDay } from '../../../load/bars.js'
import type { Market } from '../../../market.js'
import { open } from '../../source.js'
import { type CheckOptions, rowsOf } from './read.js'
import { showCheck } from './show.js'

export interface VwapOptions extends CheckOptions {
  readonly dataset?: BarDataset
  readonly factor?: number
  readonly resample?: '15m' | '30m'
  readonly lots?: 'total' | 'each bar'
}

/** Bars of the latest day; of 15 minutes where an archive has no others. */
async function latestBars(market: Market, name: BarDataset): Promise<Table> {
  const bars = await barsOfDay(market, name, undefined)
  return bars.numRows > 0 || name === 'convertible_minute' ? bars : barsOfDay(market, name, undefined, '15m')
}

/** Without `--dataset` a query is of ETFs, and the bars of a file tell by their codes what they are. */
export async function vwap(options: VwapOptions): Promise<void> {
  const { dataset, factor, resample, lots } = options
  const name = dataset ?? 'etf_minute'
  if (resample !== undefined && options.file === undefined) {
    throw new QuotebookError('USAGE', '--resample is for one-minute bars of a --file; no source has such bars')
  }
  const asked = options.file !== undefined || options.params !== undefined
  const bars = asked ? await rowsOf(name, options) : await latestBars(await open(options), name)
  const table = resample === undefined ? bars : resampleBars(bars, resample)
  const units = factor ?? (options.file === undefined || dataset ? lotFactor[name] : undefined)
  const check = checkVwap(table, {
    ...(dataset === undefined ? {} : { dataset }),
    ...(units === undefined ? {} : { factor: units }),
    ...(lots === undefined ? {} : { lots }),
  })
  await showCheck(check, options)
}
