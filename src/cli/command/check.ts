import type { Table } from 'apache-arrow'
import { Command, Option } from 'commander'
import { checkAnomaly } from '../../analysis/anomaly/check.js'
import { resampleBars } from '../../analysis/bars/resample.js'
import type { Check } from '../../analysis/check.js'
import { checkSouthbound, southboundFlows } from '../../analysis/southbound/check.js'
import { checkVwap } from '../../analysis/vwap/vwap.js'
import { inFile } from '../../archive/import/import.js'
import { readRows } from '../../archive/import/rows.js'
import { datasetOf } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { lotFactor } from '../../contract/session.js'
import { toTable } from '../../frame/arrow.js'
import { texts } from '../../frame/column.js'
import { decode } from '../../frame/decode.js'
import type { Market } from '../../market.js'
import { type BarDataset, barsOfDay } from '../../overview/bars.js'
import { interruptible } from '../interrupt.js'
import { count, formatOption, jsonObject, pair } from '../options.js'
import { emit, type Format, formatFor, grid, say, tableText } from '../output.js'
import { open, type SourceOptions, withSource } from '../source.js'

interface Options extends SourceOptions {
  readonly file?: string
  readonly params?: Record<string, unknown>
  readonly rename?: Record<string, string>
  readonly format?: Format
  readonly out?: string
}

interface VwapOptions extends Options {
  readonly dataset?: BarDataset
  readonly factor?: number
  readonly resample?: '15m' | '30m'
}

/** The rows of a file of the user's own, with whatever columns it has. */
async function fromFile(path: string, name: string, options: Options): Promise<Table> {
  const dataset = datasetOf(name)
  const rows = await readRows(path, dataset, options.rename)
  try {
    return toTable(decode(dataset, rows.fields, rows.items), { ...dataset.columns, ...dataset.stored })
  } catch (error) {
    throw inFile(rows, error)
  }
}

async function rowsOf(name: string, options: Options, params?: Record<string, unknown>): Promise<Table> {
  if (options.file !== undefined) {
    if (options.params) throw new QuotebookError('USAGE', 'give --file or --params, not both')
    return fromFile(options.file, name, options)
  }
  const market = await open(options)
  return market.query(name, options.params ?? params)
}

/** The verdicts to stderr; the rows to stdout: all of them for a program, the worst for a person. */
async function show(check: Check<string>, options: Options): Promise<void> {
  if (formatFor(options.format, options.out) !== 'table' || options.out !== undefined)
    await emit(check.table, options.format, options.out)
  else if (check.worst.numRows > 0) process.stdout.write(tableText(check.worst))
  else process.stdout.write(tableText(check.table))
  say(`${check.name}: ${check.rows} rows`)
  say(grid(['verdict', 'rows'], Object.entries(check.counts)))
  if (check.rows === 0) say('there was nothing to check')
  else say(check.ok ? 'nothing contradicts the rule' : 'some rows contradict the rule')
  if (!check.ok || check.rows === 0) process.exitCode = 1
}

/** Bars of the latest day; of 15 minutes where an archive has no others. */
async function latestBars(market: Market, name: BarDataset): Promise<Table> {
  const bars = await barsOfDay(market, name, undefined)
  return bars.numRows > 0 || name === 'convertible_minute' ? bars : barsOfDay(market, name, undefined, '15m')
}

/** Without `--dataset` a query is of ETFs, and the bars of a file tell by their codes what they are. */
async function vwap(options: VwapOptions): Promise<void> {
  const { dataset, factor, resample } = options
  const name = dataset ?? 'etf_minute'
  if (resample !== undefined && options.file === undefined) {
    throw new QuotebookError('USAGE', '--resample is for one-minute bars of a --file; no source has such bars')
  }
  const asked = options.file !== undefined || options.params !== undefined
  const bars = asked ? await rowsOf(name, options) : await latestBars(await open(options), name)
  const table = resample === undefined ? bars : resampleBars(bars, resample)
  const units = factor ?? (options.file === undefined || dataset ? lotFactor[name] : undefined)
  await show(checkVwap(table, units === undefined ? {} : { factor: units }), options)
}

async function anomaly(options: Options): Promise<void> {
  await show(checkAnomaly(await rowsOf('anomaly_forecast', options)), options)
}

/** The index quotes of the days of a table, where a source was asked and has them. */
async function indexFor(table: Table, options: Options): Promise<{ index?: Table }> {
  const days = texts(table, 'trade_date')
    .flatMap((day) => day ?? [])
    .sort()
  const [startdate, enddate] = [days[0], days.at(-1)]
  if (options.file !== undefined || startdate === undefined) return {}
  const market = await open(options)
  const index = await market.query('theme_daily', { type: 'tj', startdate, enddate })
  return index.numRows > 0 ? { index } : {}
}

async function southbound(options: Options & { readonly flows?: true }): Promise<void> {
  const table = await rowsOf('southbound_top10', options)
  if (options.flows)
    await emit(southboundFlows(table, await indexFor(table, options)).table, options.format, options.out)
  else await show(checkSouthbound(table), options)
}

function check(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .option('--file <file>', 'a CSV, Parquet or saved reply of your own')
    .option('--params <json>', 'what to query from the source; without it the latest day', jsonObject)
    .option('--rename <name=column>', "a column of the file under the contract's name (repeatable)", pair)
    .addOption(formatOption())
    .option('--out <file>', 'write to a file instead of stdout')
  return withSource(command)
}

export function checkCommand(): Command {
  return new Command('check')
    .description("the vendor's derived numbers recomputed; exit code 1 when some rows contradict their rule")
    .addCommand(
      check('vwap', 'average price of minute bars, exact in decimal')
        .addOption(new Option('--dataset <name>', 'what the bars are').choices(['etf_minute', 'convertible_minute']))
        .option('--factor <n>', 'units in a unit of volume: 100 for ETF lots, 10 for bond lots, 1 for shares', count(1))
        .addOption(
          new Option('--resample <period>', 'make longer bars of one-minute bars first').choices(['15m', '30m']),
        )
        .action(interruptible(vwap)),
    )
    .addCommand(
      check('anomaly', 'what must hold inside and between the candidates of a day').action(interruptible(anomaly)),
    )
    .addCommand(
      check('southbound', 'net = buy - sell, turnover = buy + sell, no channel counted twice')
        .option('--flows', 'the flows by day and channel instead of the check')
        .action(interruptible(southbound)),
    )
}
