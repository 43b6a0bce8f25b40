import { type Command, InvalidArgumentError } from 'commander'
import { sayIn, wordsIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { terminalWidth } from '../../frame/show/terminal.js'
import { groupItems } from '../../frame/table/group-items.js'
import type { Market } from '../../market.js'
import type { Performance } from '../../research/analysis/performance/performance-stats.js'
import type { BacktestResult } from '../../research/backtest/backtest.js'
import type { Sweep } from '../../research/backtest/sweep-result.js'
import type { WalkForward } from '../../research/backtest/walk-forward.js'
import type { TearSheetOptions } from '../../research/report/tear-sheet/sheet-input.js'
import { refusalIn } from '../../research/report/tear-sheet/trades-section.js'
import { accountWords, runDayWords, runWords, tripsWord } from '../account-words.js'
import { language, say } from '../chosen-language.js'
import { interactiveWord, nameValuePair, sourceWords, wholeAtLeast } from '../command-options.js'
import { pairsText } from '../count-words.js'
import { type CommandWords, declare, type OptionsOf } from '../declare-command.js'
import type { Library } from '../library.js'
import { out, plainGrid, tell } from '../output.js'
import { newHeads } from '../readable-heads.js'
import { writeRun } from '../run-files.js'
import { runStrategy, type StrategyRun, sheetSource, tearSheetOf, userLibrary } from '../run-strategy.js'
import { withMarket } from '../source-option.js'
import type { StrategyParams } from '../strategy-plan.js'
import { compareBelow } from './compare-command.js'

type Options = OptionsOf<typeof words>

export const percent = (x: number): string => (Number.isNaN(x) ? '-' : `${(100 * x).toFixed(2)} %`)
const plain = (x: number): string => (Number.isNaN(x) ? '-' : x.toFixed(2))

/** A share of 1 that is neither rounded to none nor to all. */
const chance = (x: number): string => {
  if (Number.isNaN(x)) return '-'
  if (x > 0 && x < 0.0001) return '< 0.01 %'
  return x < 1 && x > 0.9999 ? '> 99.99 %' : percent(x)
}
export const spanText = (days: readonly string[]): string =>
  say('{from} to {to} ({count})', { from: days[0] ?? '', to: days.at(-1) ?? '', count: days.length })

/** Rejected orders, counted by reason. */
function reasonsText(reasons: readonly (string | null)[]): string {
  const counts = [...groupItems(reasons, (reason) => reason ?? '')].map(
    ([reason, all]) => `${refusalIn(reason, sayIn(language))[0]} ${all.length}`,
  )
  return counts.sort().join(say(', ')) || '0'
}

/** What was earned, and at what risk. @param fall the days of the deepest fall */
function performanceRows(figures: Performance, sharpe: string, fall = ''): readonly (readonly [string, string])[] {
  const { total, cagr, volatility, sortino, maxDrawdown } = figures
  return [
    [say('total'), percent(total)],
    [say('cagr'), percent(cagr)],
    [say('volatility'), percent(volatility)],
    [say('sharpe'), sharpe],
    [say('sortino'), plain(sortino)],
    [say('max drawdown'), `${percent(maxDrawdown.depth)}${fall}`],
  ]
}

/** Figures of a run, and its rejected orders by reason. */
function summary(
  { numbers, performanceStats, strings }: Library,
  { result, plan, searched, defaults }: StrategyRun,
): readonly (readonly [string, string])[] {
  const { benchmark } = plan
  const figures = performanceStats(result, benchmark ? { benchmark } : {})
  const { peak, trough } = figures.maxDrawdown
  const sum = (name: string): number => numbers(result.account, name).reduce((a, b) => a + b, 0)
  const own = defaults.length === 0 ? '' : say('of the strategy itself: {names}', { names: defaults.join(', ') })
  const params = [pairsText(searched.params), own].filter((one) => one !== '').join(say('; '))
  const fall =
    peak === undefined ? '' : say(' ({about})', { about: say('{from} to {to}', { from: peak, to: String(trough) }) })
  const [commission, stamp, transfer] = ['commission', 'stamp', 'transfer'].map((kind) => sum(kind).toFixed(2))
  const trips = say('{count}, won {share}', { count: result.trades.length, share: percent(figures.winRate) })
  return [
    ...(searched.sweep ? [[say('in sample'), say('params were chosen on these days')] as const] : []),
    ...(params === '' ? [] : [[say('params'), params] as const]),
    [say(fact('RUN', 'days')), spanText(result.days)],
    [say('equity'), `${result.start} -> ${result.equity.at(-1)}`],
    ...performanceRows(figures, plain(figures.sharpe), fall),
    [say('turnover'), say('{times} a year', { times: plain(result.turnover) })],
    [say('round trips'), trips],
    [say('costs'), say('commission {commission}, stamp {stamp}, transfer {transfer}', { commission, stamp, transfer })],
    [say('fills'), String(result.fills.numRows)],
    [say('rejected'), reasonsText(strings(result.rejected, 'reason'))],
    [say('look-ahead'), lookaheadText(result)],
    ...(benchmark ? [[say('benchmark'), benchmarkText(benchmark, figures)] as const] : []),
    [say('hash'), result.hashes.run],
  ]
}

/** What the account is compared with, and by how much it differs. */
export function benchmarkText(
  benchmark: NonNullable<TearSheetOptions['benchmark']>,
  { beta, alpha, informationRatio }: Performance,
): string {
  const { name = say('own') } = benchmark
  const levels = 'equity' in benchmark ? Array.from(benchmark.equity as ArrayLike<number>) : []
  const total = (levels.at(-1) ?? Number.NaN) / (levels[0] ?? Number.NaN) - 1
  const [b, a, ratio] = [plain(beta), percent(alpha), plain(informationRatio)]
  return say('{name} {total}, beta {beta}, alpha {alpha}, information ratio {ratio}', {
    name,
    total: percent(total),
    beta: b,
    alpha: a,
    ratio,
  })
}

const lookaheadFaults = {
  nondeterministic: 'cannot be checked: asked again, it decides otherwise at {time}',
  unchecked: 'cannot be checked: it does not see the noise',
}

function lookaheadText({ lookahead }: BacktestResult): string {
  if (!lookahead) return say('not checked')
  const { ok, cuts, firstDifference, fault } = lookahead
  if (fault) return say(lookaheadFaults[fault], { time: String(firstDifference?.time) })
  return ok
    ? say('none in {cuts} cuts', { cuts })
    : say('DECIDES BY THE FUTURE at {time}', { time: String(firstDifference?.time) })
}

function saySweep({ columnNames, derive, rename, show }: Library, found: Sweep, params: StrategyParams): void {
  const figures = ['total', 'cagr', 'volatility', 'sharpe', 'max_drawdown', 'turnover']
  const short = (name: string) => (columns: Readonly<Record<string, unknown>>) =>
    Float64Array.from(columns[name] as Float64Array, (x) => Number(x.toPrecision(4)))
  const rounded = derive(found.table, Object.fromEntries(figures.map((name) => [name, short(name)])))
  const headed = rename(rounded, newHeads(columnNames(rounded), figures) as never)
  out(`${show(headed, { rows: 50, width: terminalWidth() ?? Number.POSITIVE_INFINITY }).text()}\n`)
  const deflated = chance(found.deflatedSharpe?.probability ?? Number.NaN)
  const overfitting = chance(found.overfitting?.probability ?? Number.NaN)
  for (const what of found.warnings) tell('warning: {what}', { what: wordsIn(what, language) })
  tell(
    'best of {trials} trials: {params}; probability that its true Sharpe ratio is above 0, given so many trials (deflated Sharpe): {deflated}; probability of overfitting: {overfitting}',
    { trials: found.trials.length, params: pairsText(params), deflated, overfitting },
  )
}

/** What was earned on days by which nothing was chosen. */
function sayWalk({ days, start, equity, folds, inSample, performance }: WalkForward): void {
  const rows = [
    [say('out of sample'), say('{count} folds, params chosen on the days before each', { count: folds.length })],
    [say(fact('RUN', 'days')), spanText(days)],
    [say('equity'), `${start} -> ${equity.at(-1)}`],
    ...performanceRows(
      performance,
      say('{out} (in sample {in})', { out: plain(performance.sharpe), in: plain(inSample) }),
    ),
  ]
  out(plainGrid(rows))
}

async function run(file: string, options: Options): Promise<void> {
  const library = await userLibrary()
  const work = async (market: Market): Promise<void> => {
    const onSweep = (found: Sweep, params: StrategyParams): void => saySweep(library, found, params)
    const done = await runStrategy(library, market, file, {
      ...options,
      run: runWords(options),
      onSweep,
      onWalk: sayWalk,
    })
    const { result } = done
    for (const what of result.warnings) tell('warning: {what}', { what: wordsIn(what, language) })
    out(plainGrid(summary(library, done)))
    if (options.out !== undefined) {
      const { interactive, out: dir, format } = options
      const source = await sheetSource(market)
      const sheet = await tearSheetOf(library, market, done, { lang: language, interactive, source })
      const files = await writeRun(library, done, sheet, { dir, format, source })
      tell('wrote {files} to {dir}', { files: files.join(', '), dir: options.out })
    }
    if (result.lookahead && !result.lookahead.ok) process.exitCode = 1
  }
  await withMarket(options, work, library.connect)
}

/** `60,20`: two lengths in days. */
function foldLengths(text: string): readonly [number, number] {
  const [train = Number.NaN, test = Number.NaN, more] = text.split(',').map(Number)
  if (Number.isInteger(train) && Number.isInteger(test) && train >= 2 && test >= 2 && more === undefined)
    return [train, test]
  throw new InvalidArgumentError(say('two whole numbers of days from 2, such as 60,20'))
}

// biome-ignore format: a table, one word a line
const words = {
  backtest: ['run your strategy with an exact account, and print its figures'],
  '<file>': ['module whose default export is a strategy with its data, or a function that gives { panel, strategy }'],
  '--param <NAME=VALUE>': ['a parameter of the strategy (repeatable)', nameValuePair],
  ...runDayWords,
  ...accountWords,
  ...tripsWord,
  '--benchmark <what>': ["an index by name or code (可转债), a code of the prices, a .csv or .parquet file with tradedate and close, or 'none' (default: the vendor's index of the class)"],
  '--sweep <NAME=VALUES>': ['values of a parameter to try, separated by commas (repeatable)', nameValuePair],
  '--threads <n>': ['threads of a sweep; the module must export make(params)', wholeAtLeast(1)],
  '--queue <url>': ['run a sweep on the workers of this Redis (quotebook worker), redis://HOST:PORT'],
  '--checkpoint <file>': ['file that stores the runs of a sweep, so that you can resume it after an interruption'],
  '--walk-forward <TRAIN,TEST>': ['with --sweep: choose parameters on TRAIN days, apply them to the next TEST days, fold by fold', foldLengths],
  '--out <dir>': ['directory for the tables, a summary and the tear sheet'],
  ...interactiveWord,
  '--format <format>': ['format of the tables in --out', { choices: ['parquet', 'csv'], usual: 'parquet' }],
  ...sourceWords,
} as const satisfies CommandWords

export const backtestCommand = (): Command => declare(words, compareBelow()).action(run)
