import type { Table } from 'apache-arrow'
import { Command, Option } from 'commander'
import type { DatasetName } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { lotFactor } from '../../contract/session.js'
import { strings } from '../../frame/read-columns.js'
import type { Market } from '../../market.js'
import { southboundFlows } from '../../research/analysis/southbound/southbound-flows.js'
import { checkAll, checks } from '../../research/checks/all-checks.js'
import { barsChecks } from '../../research/checks/bars/bar-checks.js'
import { checkBars } from '../../research/checks/bars/check-bars.js'
import { resampleBars } from '../../research/checks/bars/resample-bars.js'
import type { Check, CheckTables } from '../../research/checks/check.js'
import { checkSummary } from '../../research/checks/check-summary.js'
import { stTransitions } from '../../research/checks/dataset/check-st-list.js'
import { checkSouthbound } from '../../research/checks/southbound/check-southbound.js'
import type { FlowUnit } from '../../research/checks/southbound/southbound-channels.js'
import { checkVwap } from '../../research/checks/vwap/check-vwap.js'
import { type BarDataset, barsOfDay, loadable } from '../../research/report/load/load-tables.js'
import { help, language, say } from '../chosen-language.js'
import { nameValuePair, ratio, wholeAtLeast, withOutput } from '../command-options.js'
import { interruptible } from '../interrupt.js'
import { emit, formatFor, log } from '../output.js'
import { paramsOfWords, withParams } from '../param-words.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'
import { runAnomalyCheck } from './check-anomaly.js'
import { showCheck, showRuns } from './check-output.js'
import { type CheckOptions, fromFile, lastDays, notBoth, rowsToCheck, withFiles } from './check-rows.js'

interface RunOptions extends CheckOptions {
  readonly days: number
  readonly with?: Record<string, string>
  readonly transitions?: true
}

/** The rows of a dataset, and of those that it is compared with. */
async function tablesOf(
  dataset: DatasetName,
  needed: readonly DatasetName[],
  options: RunOptions,
): Promise<CheckTables<Table>> {
  notBoth(options)
  if (options.file !== undefined) return { [dataset]: [await fromFile(options.file, dataset, options.rename)] }
  const market = await openSource(options)
  if (options.params) return { [dataset]: [await market.query(dataset, options.params)] }
  return lastDays(market, options.days, needed)
}

/** Which rows were missing where no law could run, and how to bring them. */
function lacking(tables: CheckTables<Table>, needed: readonly DatasetName[]): string {
  const [first] = needed
  const missing = needed.filter((name) => !tables[name]?.some(({ numRows }) => numRows > 0))
  const how = missing.flatMap((name) => {
    if (name !== first) return say('with brings', { name })
    return loadable.includes(name) ? [] : say('ask with params')
  })
  if (missing.length === 0) return say('other kinds')
  return [say('no rows of', { names: missing.join(say('and')) }), ...how].join(say('and then'))
}

/** Runs the checks of one name over a file, over what a question is answered with, or over the last days of a source. */
async function runChecks(checks: readonly Check[], options: RunOptions): Promise<void> {
  const [first] = checks
  if (!first) return
  const needed = [...new Set(checks.flatMap(({ dataset, alsoNeeds = [] }) => [dataset, ...alsoNeeds]))]
  const tables = await withFiles(await tablesOf(first.dataset, needed, options), Object.entries(options.with ?? {}))
  const runs = checks.flatMap((one) => one.runs(tables))
  await showRuns(first.name, runs, options, lacking(tables, needed))
}

/** What goes with `--days`: where the rows come from, which they are, and where the findings go. */
const withDays = ['days', 'dataset', 'unit', 'source', 'cache', 'verbose', 'format', 'excel', 'out']

/** A command that has a way of its own, or with `--days` its checks over the last days of a source, as `check all` has them. */
function orDays<O extends CheckOptions>(
  checks: readonly Check[],
  way: (options: O) => Promise<void>,
): (options: O & { readonly days?: number; readonly dataset?: string }) => Promise<void> {
  return async (options) => {
    const { days, dataset } = options
    if (days === undefined) return way(options)
    const other = Object.keys(options).find((name) => !withDays.includes(name))
    const said = other === 'params' ? other : `--${other}`
    if (other !== undefined) throw new QuotebookError('USAGE', say('days alone', { other: said }))
    const some = checks.filter((one) => dataset === undefined || one.dataset === dataset)
    await runChecks(some, { ...options, days })
  }
}

/** Every check over the last days of a source: the health of each dataset on stdout, what contradicts a rule on stderr. */
async function all(options: Omit<CheckOptions, 'file' | 'params'> & SourceOptions & { days: number }): Promise<void> {
  formatFor(options)
  const results = checkAll(await lastDays(await openSource(options), options.days, loadable))
  const health = checkSummary(results)
  await emit(health, options)
  for (const worst of strings(health, 'worst')) if (worst !== null) log(worst)
  const runs = results.flatMap(({ check, runs }) => runs.map((run) => ({ check, ...run })))
  const wrong = runs.filter(({ result }) => !result.ok)
  for (const { check, label } of wrong)
    log(say('breaks in all', { name: check.name, label, command: check.name.replaceAll(' ', '-'), days: options.days }))
  const rows = runs.reduce((sum, { result }) => sum + result.rows, 0)
  if (rows === 0) log(say('nothing to check'))
  else log(say(wrong.length === 0 ? 'all hold' : 'some break', { runs: runs.length, rows, wrong: wrong.length }))
  if (wrong.length > 0 || rows === 0) process.exitCode = 1
}

/** Who came onto the list of ST stocks, who left, and whose mark changed. */
async function transitions(options: RunOptions): Promise<void> {
  const { st: [table] = [] } = await tablesOf('st', ['st'], options)
  if (table) await emit(stTransitions(table), options)
  else {
    log(say('st has none'))
    process.exitCode = 1
  }
}

interface BarsOptions extends RunOptions {
  readonly dataset?: BarDataset
  readonly factor?: number
}

/** Without `--dataset` the days are of ETFs and of bonds, a query is of ETFs, and the bars of a file tell by their codes what they are. */
async function bars(options: BarsOptions): Promise<void> {
  const { file, params, dataset, factor } = options
  if (file !== undefined || params !== undefined) {
    const table = await rowsToCheck(dataset ?? 'etf_minute', options)
    const about = { ...(dataset === undefined ? {} : { dataset }), ...(factor === undefined ? {} : { factor }) }
    return showCheck(checkBars(table, about), options)
  }
  if (factor !== undefined) throw new QuotebookError('USAGE', say('factor for files'))
  const some = barsChecks.filter((one) => dataset === undefined || one.dataset === dataset)
  await runChecks(some, options)
}

interface SouthboundOptions extends CheckOptions {
  readonly flows?: true
  readonly unit: FlowUnit
  readonly rate?: number
}

async function southbound(options: SouthboundOptions): Promise<void> {
  const { flows, unit, rate } = options
  if (rate !== undefined && !flows) throw new QuotebookError('USAGE', say('rate for flows'))
  const table = await rowsToCheck('southbound_top10', options)
  if (!flows) return showCheck(checkSouthbound(table, { unit }), options)
  await emit(southboundFlows(table, rate === undefined ? { unit } : { unit, rate }).table, options)
}

interface VwapOptions extends CheckOptions {
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
async function vwap(options: VwapOptions): Promise<void> {
  const { dataset, factor, resample, lots } = options
  const name = dataset ?? 'etf_minute'
  if (resample !== undefined && options.file === undefined) {
    throw new QuotebookError('USAGE', say('resample for files'))
  }
  const asked = options.file !== undefined || options.params !== undefined
  const bars = asked ? await rowsToCheck(name, options) : await latestBars(await openSource(options), name)
  const table = resample === undefined ? bars : resampleBars(bars, resample)
  const units = factor ?? (options.file === undefined || dataset ? lotFactor[name] : undefined)
  const check = checkVwap(table, {
    ...(dataset === undefined ? {} : { dataset }),
    ...(units === undefined ? {} : { factor: units }),
    ...(lots === undefined ? {} : { lots }),
  })
  await showCheck(check, options)
}

function withRows(command: Command): Command {
  return withSource(withOutput(command))
}

function check(name: string, description: string): Command {
  const command = withParams(new Command(name).description(description), 'check params')
    .option('--file <file>', help('check --file'))
    .option('--rename <name=column>', help('check --rename'), nameValuePair)
  return withRows(command)
}

/** Which minute bars, and what their volumes count in. */
function withBars(command: Command): Command {
  return command
    .addOption(new Option('--dataset <name>', help('check --dataset')).choices(['etf_minute', 'convertible_minute']))
    .option('--factor <n>', help('check --factor'), wholeAtLeast(1))
}

function days(command: Command, usual: number): Command {
  return command.option('--days <n>', help('check --days'), wholeAtLeast(1), usual)
}

/** Names that a command of their own has. */
const own = ['vwap', 'bars', 'anomaly', 'southbound']

/** What a check does with its options, params that stand as words among them. */
function asked<O extends CheckOptions>(
  [first]: readonly Check[],
  way: (options: O) => Promise<void>,
): (words: readonly string[], options: O & { readonly dataset?: string }) => Promise<void> {
  return interruptible((words, options) => {
    const params = paramsOfWords(options.dataset ?? first?.dataset ?? '', words, options.params)
    return way(params === undefined ? options : { ...options, params })
  })
}

/** A check of the latest rows, or with `--days` of more. */
function latest<O extends CheckOptions>(command: Command, way: (options: O) => Promise<void>): Command {
  const some = named().get(command.name()) ?? []
  return command
    .option('--days <n>', help('check latest --days'), wholeAtLeast(1))
    .action(asked(some, orDays(some, way)))
}

/** `convertible daily` is called as convertible-daily. */
function commandOf(name: string, some: readonly Check[]): Command {
  const [first] = some
  const command = check(name.replaceAll(' ', '-'), (language === 'en' ? first?.summary : first?.chinese) ?? name)
  const minutes = some.some(({ dataset }) => dataset.endsWith('_minute'))
  const beside = [...new Set(some.flatMap(({ alsoNeeds = [] }) => alsoNeeds))]
  if (beside.length > 0) {
    command.option('--with <dataset=file>', help('check --with', { names: beside.join(', ') }), nameValuePair)
  }
  if (name === 'st list') command.option('--transitions', help('check --transitions'))
  const run = (options: RunOptions): Promise<void> =>
    options.transitions ? transitions(options) : runChecks(some, options)
  return days(command, minutes ? 1 : 20).action(asked(some, run))
}

function named(): Map<string, Check[]> {
  const found = new Map<string, Check[]>()
  for (const one of checks) found.set(one.name, [...(found.get(one.name) ?? []), one])
  return found
}

function unknownCheck(word: string, commands: readonly Command[]): QuotebookError {
  const names = commands.map((one) => one.name())
  const near = nearest(word, names)
  const said = { word, near: near ?? '', names: names.join(', ') }
  return new QuotebookError('USAGE', say(near === undefined ? 'no check' : 'no check but', said))
}

export function checkCommand(): Command {
  const command = new Command('check')
    .description(help('check'))
    .addCommand(days(withRows(new Command('all').description(help('check all'))), 20).action(interruptible(all)))
    .addCommand(
      latest(
        withBars(check('vwap', help('check vwap')))
          .addOption(new Option('--lots <which>', help('check --lots')).choices(['total', 'each bar']))
          .addOption(new Option('--resample <period>', help('check --resample')).choices(['15m', '30m'])),
        vwap,
      ),
    )
    .addCommand(days(withBars(check('bars', help('check bars'))), 1).action(asked(barsChecks, bars)))
    .addCommand(
      latest(
        check('anomaly', help('check anomaly'))
          .option('--prices <file>', help('check --prices'))
          .option('--benchmarks <file>', help('check --benchmarks'))
          .option('--st <file>', help('check --st'))
          .option('--halts <file>', help('check --halts'))
          .addOption(new Option('--resets <which>', help('check --resets')).choices(['computed', 'none']))
          .option('--computed', help('check --computed')),
        runAnomalyCheck,
      ),
    )
    .addCommand(
      latest(
        check('southbound', help('check southbound'))
          .option('--flows', help('check --flows'))
          .addOption(
            new Option('--unit <unit>', help('check --unit')).choices(['yuan', 'Hong Kong dollar']).default('yuan'),
          )
          .option('--rate <n>', help('check --rate'), ratio),
        southbound,
      ),
    )
  command.on('command:*', ([word]: readonly string[]) => {
    throw unknownCheck(String(word), command.commands)
  })
  for (const [name, some] of named()) if (!own.includes(name)) command.addCommand(commandOf(name, some))
  return command
}
