import type { Table } from 'apache-arrow'
import { findDataset } from '../../contract/catalogue.js'
import { strings, toObjects } from '../../frame/read-columns.js'
import { select } from '../../frame/verb/select.js'
import { checkAnomalies, type PricedAnomalyCheck } from '../../research/checks/anomaly/check-anomalies.js'
import { computeAnomalies } from '../../research/checks/anomaly/compute/compute-anomalies.js'
import { reasonIn } from '../../research/checks/reasons.js'
import { language } from '../chosen-language.js'
import type { CommandWords, OptionsOf } from '../declare-command.js'
import { emit, log, tableText, tell } from '../output.js'
import { withMarket } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'
import { showCheck } from './check-output.js'
import { checkedWords, latestWords, readQuotesFile, rowsToCheck } from './check-rows.js'

// biome-ignore format: a table, one word a line
export const anomalyWords = {
  anomaly: ['check candidates of abnormal movement against the rules and each other; with prices, against their recomputation'],
  ...checkedWords,
  '--prices <file>': ['daily closes of stocks, a file or your own dataset: tradedate, symbol, close, optionally pre_close or adj_factor'],
  '--benchmarks <file>': ['daily closes of their indices, likewise: tradedate, code, close'],
  '--st <file>': ['days on which stocks are ST, as in dataset st (default: read from names)'],
  '--halts <file>': ['verification halts, which restart all measures: symbol, tradedate of a day without trade'],
  '--resets <which>': ['what ends a measure: its own movements, or nothing', { choices: ['computed', 'none'] }],
  '--computed': ['print the candidates that result from the prices, instead of the check'],
  ...latestWords,
} as const satisfies CommandWords

type AnomalyOptions = OptionsOf<typeof anomalyWords>

async function haltsOf({ halts }: AnomalyOptions) {
  if (halts === undefined) return {}
  const table = await readQuotesFile(halts)
  const [days, symbols] = [strings(table, 'tradedate'), strings(table, 'symbol')]
  return { halts: days.map((tradedate, row) => ({ tradedate: tradedate ?? '', symbol: symbols[row] ?? '' })) }
}

/** A file's rows, or all of a dataset of one's own. */
async function closesOf(given: string, options: AnomalyOptions): Promise<Table> {
  const own = findDataset(given)?.own
  if (!own) return readQuotesFile(given)
  return withMarket(options, (market) =>
    market.query(own.name, {}, own.day === undefined ? {} : { days: { from: '19901219' } }),
  )
}

/** The tables of both files, or undefined when neither is named. */
async function quotes(options: AnomalyOptions) {
  const { prices, benchmarks, st, resets } = options
  if (prices === undefined && benchmarks === undefined) {
    if (st === undefined && resets === undefined) return undefined
    throw wrongUse('--st and --resets are for --prices and --benchmarks')
  }
  if (prices === undefined || benchmarks === undefined)
    throw wrongUse('give --prices and --benchmarks together: a deviation needs both')
  return {
    prices: await closesOf(prices, options),
    benchmarks: await closesOf(benchmarks, options),
    ...(st === undefined ? {} : { st: await readQuotesFile(st) }),
    ...(resets === undefined ? {} : { resets }),
    ...(await haltsOf(options)),
  }
}

/** What follows from prices alone; nothing published is read. */
async function computed(given: Awaited<ReturnType<typeof quotes>>, options: AnomalyOptions): Promise<void> {
  if (!given) throw wrongUse('--computed needs --prices and --benchmarks')
  const { prices, benchmarks, ...choice } = given
  const { table, refused, reasons } = computeAnomalies(prices, benchmarks, undefined, undefined, choice)
  await emit(table, options)
  if (refused.numRows === 0) return
  for (const { symbol, tradedate, why } of toObjects(refused))
    tell('{symbol} is refused from {day} on: {why}', {
      symbol: String(symbol),
      day: String(tradedate),
      why: reasonIn(String(why), reasons, language),
    })
  process.exitCode = 1
}

/** What the comparison was made with, and what no published row shows. */
function sayBeside({ counts, resets, absent, refused }: PricedAnomalyCheck): void {
  if (counts.equal === 0) {
    tell('no row agrees with the prices')
    process.exitCode = 1
  }
  tell('resets taken: {resets}', { resets })
  if (refused.numRows > 0)
    tell('{count} stocks have prices that are refused; --computed says why', { count: refused.numRows })
  if (absent.numRows === 0) return
  tell('{count} rows follow from the prices and are not among those checked:', { count: absent.numRows })
  const shown = absent.slice(0, 10)
  log(tableText(select(shown, 'tradedate', 'symbol', 'rule', 'deviation_pct', 'status')).trimEnd())
}

export async function runAnomalyCheck(options: AnomalyOptions): Promise<void> {
  const given = await quotes(options)
  if (options.computed) return computed(given, options)
  const rows = await rowsToCheck('anomaly_forecast', options)
  if (!given) return showCheck(checkAnomalies(rows, await haltsOf(options)), options)
  const check = checkAnomalies(rows, given)
  await showCheck(check, options)
  sayBeside(check)
}
