import type { Table } from 'apache-arrow'
import type { Command } from 'commander'
import type { DatasetName } from '../../contract/catalogue.js'
import type { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { lotFactor } from '../../contract/session.js'
import { columnNames, strings } from '../../frame/read-columns.js'
import { terminalWidth } from '../../frame/show/terminal.js'
import type { Market } from '../../market.js'
import { southboundFlows } from '../../research/analysis/southbound/southbound-flows.js'
import { allChecks, checkWorst } from '../../research/checks/all-checks.js'
import { checkBars } from '../../research/checks/bars/check-bars.js'
import { resampleBars } from '../../research/checks/bars/resample-bars.js'
import { type Check, type CheckTables, titleIn } from '../../research/checks/check.js'
import { checkSummary } from '../../research/checks/check-summary.js'
import { stTransitions } from '../../research/checks/dataset/st-transitions.js'
import { checkSouthbound } from '../../research/checks/southbound/check-southbound.js'
import { checkVwap } from '../../research/checks/vwap/check-vwap.js'
import { type BarDataset, barsOfDay, checkable } from '../../research/report/load/load-tables.js'
import { language, say } from '../chosen-language.js'
import { nameValuePair, ratio, wholeAtLeast } from '../command-options.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import { interruptible } from '../interrupt.js'
import { emit, foldedForTerminal, formatFor, isForReading, log, tell } from '../output.js'
import { paramsOfWords } from '../param-words.js'
import { withHeads } from '../readable-heads.js'
import { openSource, type SourceOptions } from '../source-option.js'
import { wrongUse } from '../wrong-use.js'
import { anomalyWords, runAnomalyCheck } from './check-anomaly.js'
import { showCheck, showRuns } from './check-output.js'
import {
  type CheckOptions,
  checkedWords,
  fromFile,
  lastDays,
  latestWords,
  notBoth,
  rowsToCheck,
  rowWords,
  withFiles,
} from './check-rows.js'

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
    if (name !== first) return say('--with {name}=FILE adds them', { name })
    return checkable().includes(name) ? [] : say('ask for them with params')
  })
  if (missing.length === 0) return say('the rows are not of the kinds that are compared with each other')
  return [say('no rows of {names}', { names: missing.join(say(' and ')) }), ...how].join(say('; '))
}

/** Runs the checks of one name over a file, over what a question is answered with, or over the last days of a source. */
async function runChecks(checks: readonly Check[], options: RunOptions): Promise<void> {
  const [first] = checks
  if (!first) return
  const needed = [...new Set(checks.flatMap(({ dataset, alsoNeeds = [] }) => [dataset, ...alsoNeeds]))]
  const tables = await withFiles(await tablesOf(first.dataset, needed, options), Object.entries(options.with ?? {}))
  const runs = checks.flatMap((one) => one.runs(tables))
  await showRuns(first, runs, options, lacking(tables, needed))
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
    if (other !== undefined) throw wrongUse('--days reads the source: give it without {other}', { other: said })
    const some = checks.filter((one) => dataset === undefined || one.dataset === dataset)
    await runChecks(some, { ...options, days })
  }
}

/** A terminal shows the sentences on the worst rows below the table, where they are whole. */
function summaryToRead(health: Table): Table {
  return terminalWidth() === undefined ? health : health.select(columnNames(health).filter((name) => name !== 'worst'))
}

/** Every check over the last days of a source: the health of each dataset on stdout, what contradicts a rule on stderr. */
async function all(options: Omit<CheckOptions, 'file' | 'params'> & SourceOptions & { days: number }): Promise<void> {
  formatFor(options)
  const market = await openSource({ ...options, once: true })
  const results = await checkWorst(await lastDays(market, options.days, checkable()))
  const health = checkSummary(results, language)
  await emit(isForReading(options) ? withHeads(summaryToRead(health)) : checkSummary(results), options)
  for (const worst of strings(health, 'worst')) if (worst !== null) log(foldedForTerminal(worst))
  const runs = results.flatMap(({ check, runs }) => runs.map((run) => ({ check, ...run })))
  const wrong = runs.filter(({ result }) => !result.ok)
  for (const { check, label } of wrong)
    log(
      foldedForTerminal(
        say('{name}: some rows contradict the rule; quotebook check {command} --days {days} lists them', {
          name: titleIn(check, label, language),
          command: check.name.replaceAll(' ', '-'),
          days: options.days,
        }),
      ),
    )
  const rows = runs.reduce((sum, { result }) => sum + result.rows, 0)
  if (rows === 0) tell('there was nothing to check')
  else
    tell(
      wrong.length === 0
        ? '{runs} checks of {rows} rows: nothing contradicts a rule'
        : '{runs} checks of {rows} rows: {wrong} found contradictions',
      { runs: runs.length, rows, wrong: wrong.length },
    )
  if (wrong.length > 0 || rows === 0) process.exitCode = 1
}

/** Who came onto the list of ST stocks, who left, and whose mark changed. */
async function transitions(options: RunOptions): Promise<void> {
  const { st: [table] = [] } = await tablesOf('st', ['st'], options)
  if (table) await emit(stTransitions(table), options)
  else {
    tell('st: no rows')
    process.exitCode = 1
  }
}

type BarsOptions = RunOptions & OptionsOf<typeof barWords>

/** Without `--dataset` the days are of ETFs and of bonds, a query is of ETFs, and the bars of a file tell by their codes what they are. */
async function bars(options: BarsOptions): Promise<void> {
  const { file, params, dataset, factor } = options
  if (file !== undefined || params !== undefined) {
    const table = await rowsToCheck(dataset ?? 'etf_minute', options)
    const about = { ...(dataset === undefined ? {} : { dataset }), ...(factor === undefined ? {} : { factor }) }
    return showCheck(checkBars(table, about), options)
  }
  if (factor !== undefined) throw wrongUse('--factor is for bars of a --file or of params')
  const some = allChecks().filter((one) => one.name === 'bars' && (dataset === undefined || one.dataset === dataset))
  await runChecks(some, options)
}

type SouthboundOptions = OptionsOf<typeof southboundWords>

async function southbound(options: SouthboundOptions): Promise<void> {
  const { flows, unit, rate } = options
  if (rate !== undefined && !flows) throw wrongUse('--rate is for --flows; sums need none')
  const table = await rowsToCheck('southbound_top10', options)
  if (!flows) return showCheck(checkSouthbound(table, { unit }), options)
  await emit(southboundFlows(table, rate === undefined ? { unit } : { unit, rate }).table, options)
}

type VwapOptions = OptionsOf<typeof vwapWords>

/** Bars of the latest day; of 15 minutes where an archive has no others. */
async function latestBars(market: Market, name: BarDataset): Promise<Table> {
  const bars = await barsOfDay(market, name, undefined)
  return bars.numRows > 0 || name === 'convertible_minute' ? bars : barsOfDay(market, name, undefined, '15m')
}

/** Without `--dataset` a query is of ETFs, and the bars of a file tell by their codes what they are. */
async function vwap(options: VwapOptions): Promise<void> {
  const { dataset, factor, resample, lots } = options
  const name = dataset ?? 'etf_minute'
  if (resample !== undefined && options.file === undefined)
    throw wrongUse('--resample is for one-minute bars of a --file; no source has such bars')
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

/** Which minute bars, and what their volumes count in. */
// biome-ignore format: a table, one word a line
const barWords = {
  '--dataset <name>': ['dataset of the bars', { choices: ['etf_minute', 'convertible_minute'] }],
  '--factor <n>': ['shares or units per unit of volume: 100 for ETF lots, 10 for bond lots, 1 for shares', wholeAtLeast(1)],
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
const countedDays = (usual: number): CommandWords => ({
  '--days <n>': ['trading days up to the latest of the source', { parse: wholeAtLeast(1), usual }],
})

// biome-ignore format: a table, one word a line
const transitionWords = {
  '--transitions': ['print which rows came, left and changed, instead of the check'],
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
const allCommand = (): Command => declare({
  all: ['run every check over the last days of a source'],
  ...rowWords,
  ...countedDays(20),
}).action(interruptible(all))

// biome-ignore format: a table, one word a line
const vwapWords = {
  vwap: ['average price of minute bars, exact in decimal'],
  ...checkedWords,
  ...barWords,
  '--lots <which>': ['what was rounded to whole lots', { choices: ['total', 'each bar'] }],
  '--resample <period>': ['convert one-minute bars to longer bars first', { choices: ['15m', '30m'] }],
  ...latestWords,
} as const satisfies CommandWords

// biome-ignore format: a table, one word a line
const barsCommand = (): Command => declare({
  bars: ['each bar by itself and in its place'],
  ...checkedWords,
  ...barWords,
  ...countedDays(1),
}).action(asked(named().get('bars') ?? [], bars))

// biome-ignore format: a table, one word a line
const southboundWords = {
  southbound: ['net = buy - sell, turnover = buy + sell, no channel counted twice'],
  ...checkedWords,
  '--flows': ['print the flows by day and channel, instead of the check'],
  '--unit <unit>': ['unit of the amounts', { choices: ['yuan', 'Hong Kong dollar'], usual: 'yuan' }],
  '--rate <n>': ['yuan per Hong Kong dollar, to convert flows to yuan', ratio],
  ...latestWords,
} as const satisfies CommandWords

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
function latest<O extends CheckOptions>(words: CommandWords, way: (options: O) => Promise<void>): Command {
  const command = declare(words)
  const some = named().get(command.name()) ?? []
  return command.action(asked(some, orDays(some, way)))
}

/** `convertible daily` is called as convertible-daily. */
function commandOf(name: string, some: readonly Check[]): Command {
  const [first] = some
  const minutes = some.some(({ dataset }) => dataset.endsWith('_minute'))
  const names = [...new Set(some.flatMap(({ alsoNeeds = [] }) => alsoNeeds))].join(', ')
  const besideWords: CommandWords = {
    '--with <dataset=file>': [say`a file of ${names} to compare the rows with (repeatable)`, nameValuePair],
  }
  const command = declare({
    [name.replaceAll(' ', '-')]: [say(first?.summary ?? name)],
    ...checkedWords,
    ...(names !== '' && besideWords),
    ...(name === 'st list' && transitionWords),
    ...countedDays(minutes ? 1 : 20),
  })
  const run = (options: RunOptions): Promise<void> =>
    options.transitions ? transitions(options) : runChecks(some, options)
  return command.action(asked(some, run))
}

function named(): Map<string, Check[]> {
  const found = new Map<string, Check[]>()
  for (const one of allChecks()) found.set(one.name, [...(found.get(one.name) ?? []), one])
  return found
}

function unknownCheck(word: string, commands: readonly Command[]): QuotebookError {
  const names = commands.map((one) => one.name())
  const near = nearest(word, names)
  const said = { word, near: near ?? '', names: names.join(', ') }
  return wrongUse(
    near === undefined
      ? "there is no check '{word}'. There are: {names}."
      : "there is no check '{word}'. Did you mean '{near}'? There are: {names}.",
    said,
  )
}

const ownWords = {
  check: ["check the vendor's figures against their rules; exit code 1 if any row breaks its rule"],
} as const satisfies CommandWords

/** @param words the line that is read: without `check` in it the checks are not wanted, whose reading takes a while */
export function checkCommand(words?: readonly string[]): Command {
  const isAsked = !words || words.includes('check') || words.includes('complete')
  if (!isAsked) return declare(ownWords)
  const command = declare(
    ownWords,
    allCommand(),
    latest(vwapWords, vwap),
    barsCommand(),
    latest(anomalyWords, runAnomalyCheck),
    latest(southboundWords, southbound),
  )
  command.on('command:*', ([word]: readonly string[]) => {
    throw unknownCheck(String(word), command.commands)
  })
  for (const [name, some] of named()) if (!own.includes(name)) command.addCommand(commandOf(name, some))
  return command
}
