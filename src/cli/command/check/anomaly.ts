import { checkAnomalies } from '../../../analysis/anomaly/check.js'
import { computeAnomalies } from '../../../analysis/anomaly/compute.js'
import { QuotebookError } from '../../../contract/error.js'
import { emit, say, tableText } from '../../output.js'
import { closesOf } from './closes.js'
import { type CheckOptions, rowsOf } from './read.js'
import { showCheck } from './show.js'

export interface AnomalyOptions extends CheckOptions {
  readonly prices?: string
  readonly benchmarks?: string
  readonly computed?: true
}

/** The tables of both files, or undefined when neither is named. */
async function quotes({ prices, benchmarks }: AnomalyOptions) {
  if (prices === undefined && benchmarks === undefined) return undefined
  if (prices === undefined || benchmarks === undefined) {
    throw new QuotebookError('USAGE', 'give --prices and --benchmarks together: a deviation needs both')
  }
  return { prices: await closesOf(prices), benchmarks: await closesOf(benchmarks) }
}

/** What follows from prices alone; nothing published is read. */
async function computed(given: Awaited<ReturnType<typeof quotes>>, options: AnomalyOptions): Promise<void> {
  if (!given) throw new QuotebookError('USAGE', '--computed needs --prices and --benchmarks')
  const { table, refused } = computeAnomalies(given.prices, given.benchmarks)
  await emit(table, options.format, options.out)
  if (refused.numRows === 0) return
  say(`${refused.numRows} stocks are refused:`)
  say(tableText(refused).trimEnd())
  process.exitCode = 1
}

export async function anomaly(options: AnomalyOptions): Promise<void> {
  const given = await quotes(options)
  if (options.computed) return computed(given, options)
  await showCheck(checkAnomalies(await rowsOf('anomaly_forecast', options), given), options)
}
