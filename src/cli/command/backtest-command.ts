import { type Command, InvalidArgumentError } from 'commander'
import type { Market } from '../../market.js'
import type { Performance } from '../../research/analysis/performance/performance-stats.js'
import type { BacktestResult } from '../../research/backtest/backtest.js'
import type { Sweep } from '../../research/backtest/sweep-result.js'
import type { WalkForward } from '../../research/backtest/walk-forward.js'
import type { RunWords, TearSheetOptions } from '../../research/report/tear-sheet/sheet-input.js'
import { inSheetLanguage } from '../../research/report/tear-sheet/warning-words.js'
import { accountWords, runDayWords, runWords } from '../account-words.js'
import { language, say } from '../chosen-language.js'
import { interactiveWord, nameValuePair, sourceWords, wholeAtLeast } from '../command-options.js'
import { declare } from '../declare-command.js'
import type { Library } from '../library.js'
import { log, out, textGrid } from '../output.js'
import { type TableFormat, writeRun } from '../run-files.js'
import { runStrategy, type StrategyRun, sheetSource, tearSheetOf, userLibrary } from '../run-strategy.js'
import { type SourceOptions, withMarket } from '../source-option.js'
import type { StrategyParams } from '../strategy-plan.js'
import { compareCommand } from './compare-command.js'

interface Options extends SourceOptions, RunWords {
  readonly param?: Record<string, string>
  readonly sweep?: Record<string, string>
  readonly threads?: number
  readonly queue?: string
  readonly checkpoint?: string
  readonly walkForward?: readonly [number, number]
  readonly out?: string
  readonly interactive?: true
  readonly format: TableFormat
}

const percent = (x: number): string => (Number.isNaN(x) ? '-' : `${(100 * x).toFixed(2)} %`)
const plain = (x: number): string => (Number.isNaN(x) ? '-' : x.toFixed(2))

/** A share of 1 that is neither rounded to none nor to all. */
const chance = (x: number): string => {
  if (Number.isNaN(x)) return '-'
  if (x > 0 && x < 0.0001) return '< 0.01 %'
  return x < 1 && x > 0.9999 ? '> 99.99 %' : percent(x)
}
const pairsText = (params: StrategyParams): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** Figures of a run, and its rejected orders by reason. */
function summary(
  { numbers, performanceStats, strings }: Library,
  { result, plan, searched, defaults }: StrategyRun,
): readonly (readonly [string, string])[] {
  const { benchmark } = plan
  const figures = performanceStats(result, benchmark ? { benchmark } : {})
  const { depth, peak, trough } = figures.maxDrawdown as {
    depth: number
    peak?: string | number
    trough?: string | number
  }
  const reasons = new Map<string, number>()
  for (const reason of strings(result.rejected, 'reason'))
    reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1)
  const sum = (name: string): number => numbers(result.account, name).reduce((a, b) => a + b, 0)
  const own = defaults.length === 0 ? '' : `of the strategy itself: ${defaults.join(', ')}`
  const params = [pairsText(searched.params), own].filter((one) => one !== '').join('; ')
  return [
    ...(searched.sweep ? [['in sample', 'params were chosen on these days'] as const] : []),
    ...(params === '' ? [] : [['params', params] as const]),
    ['days', `${result.days[0]} to ${result.days.at(-1)} (${result.days.length})`],
    ['equity', `${result.start} -> ${result.equity.at(-1)}`],
    ['total', percent(figures.total)],
    ['cagr', percent(figures.cagr)],
    ['volatility', percent(figures.volatility)],
    ['sharpe', plain(figures.sharpe)],
    ['sortino', plain(figures.sortino)],
    ['max drawdown', `${percent(depth)}${peak === undefined ? '' : ` (${peak} to ${trough})`}`],
    ['turnover', `${plain(result.turnover)} a year`],
    ['round trips', `${result.trades.length}, won ${percent(figures.winRate)}`],
    ['costs', ['commission', 'stamp', 'transfer'].map((kind) => `${kind} ${sum(kind).toFixed(2)}`).join(', ')],
    ['fills', String(result.fills.numRows)],
    [
      'rejected',
      [...reasons]
        .sort()
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', ') || '0',
    ],
    ['look-ahead', lookaheadText(result)],
    ...(benchmark ? [['benchmark', benchmarkText(benchmark, figures)] as const] : []),
    ['hash', result.hashes.run],
  ]
}

/** What the account is compared with, and by how much it differs. */
function benchmarkText(
  benchmark: NonNullable<TearSheetOptions['benchmark']>,
  { beta, alpha, informationRatio }: Performance,
): string {
  const { name = 'own' } = benchmark
  const levels = 'equity' in benchmark ? Array.from(benchmark.equity as ArrayLike<number>) : []
  const total = (levels.at(-1) ?? Number.NaN) / (levels[0] ?? Number.NaN) - 1
  return `${name} ${percent(total)}, beta ${plain(beta)}, alpha ${percent(alpha)}, information ratio ${plain(informationRatio)}`
}

function lookaheadText({ lookahead }: BacktestResult): string {
  if (!lookahead) return 'not checked'
  return lookahead.ok ? `none in ${lookahead.cuts} cuts` : `DECIDES BY THE FUTURE at ${lookahead.firstDifference?.time}`
}

function saySweep({ derive, show }: Library, found: Sweep, params: StrategyParams): void {
  const figures = ['total', 'cagr', 'volatility', 'sharpe', 'max_drawdown', 'turnover']
  const short = (name: string) => (columns: Readonly<Record<string, unknown>>) =>
    Float64Array.from(columns[name] as Float64Array, (x) => Number(x.toPrecision(4)))
  const rounded = derive(found.table, Object.fromEntries(figures.map((name) => [name, short(name)])))
  out(`${show(rounded, { rows: 50 }).text()}\n`)
  const deflated = chance(found.deflatedSharpe?.probability ?? Number.NaN)
  const overfitting = chance(found.overfitting?.probability ?? Number.NaN)
  for (const what of found.warnings) log(say('warning', { what: inSheetLanguage(what, language) }))
  log(say('best of', { trials: found.trials.length, params: pairsText(params), deflated, overfitting }))
}

/** What was earned on days by which nothing was chosen. */
function sayWalk({ days, start, equity, folds, inSample, performance }: WalkForward): void {
  const { total, cagr, volatility, sharpe, sortino, maxDrawdown } = performance
  const rows = [
    ['out of sample', `${folds.length} folds, params chosen on the days before each`],
    ['days', `${days[0]} to ${days.at(-1)} (${days.length})`],
    ['equity', `${start} -> ${equity.at(-1)}`],
    ['total', percent(total)],
    ['cagr', percent(cagr)],
    ['volatility', percent(volatility)],
    ['sharpe', `${plain(sharpe)} (in sample ${plain(inSample)})`],
    ['sortino', plain(sortino)],
    ['max drawdown', percent(maxDrawdown.depth)],
  ] as const
  out(`${textGrid(['', ''], rows).trimStart()}\n`)
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
    for (const what of result.warnings) log(say('warning', { what: inSheetLanguage(what, language) }))
    out(`${textGrid(['', ''], summary(library, done)).trimStart()}\n`)
    if (options.out !== undefined) {
      const sheet = await tearSheetOf(library, market, done, {
        lang: language,
        interactive: options.interactive,
        source: await sheetSource(market),
      })
      const files = await writeRun(library, done, sheet, { dir: options.out, format: options.format })
      log(say('wrote all', { files: files.join(', '), dir: options.out }))
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
  throw new InvalidArgumentError(say('no fold lengths'))
}

// biome-ignore format: a table, one word a line
export const backtestCommand = (): Command => declare({
  backtest: ['run a strategy of your own with an exact account; prints its figures', '用精确的账户回测自己编写的策略；输出各项指标'],
  '<file>': ['module whose default export is a strategy with its data, or a function that gives { panel, strategy }', '默认导出为带数据声明的策略，或返回 { panel, strategy } 的函数的模块'],
  '--param <NAME=VALUE>': ['a param of the strategy (repeatable)', '策略参数（可重复）', nameValuePair],
  ...runDayWords,
  ...accountWords,
  '--benchmark <what>': ["an index by name or code (可转债), a code of the prices, a .csv or .parquet file with tradedate and close, or 'none'; the vendor's index of the class unless given", "比较基准：指数名称或代码（可转债）、价格数据中的代码、含 tradedate 与 close 列的 .csv 或 .parquet 文件，或 'none'；不给时为该类证券的指数"],
  '--sweep <NAME=VALUES>': ['values of a param to try, separated by commas (repeatable)', '要逐一尝试的参数值，用逗号分隔（可重复）', nameValuePair],
  '--threads <n>': ['of a sweep; the module exports make(params) by that name', '并行线程数（用于 --sweep；模块须以 make 为名导出 make(params)）', wholeAtLeast(1)],
  '--queue <url>': ['of a sweep: have its runs done by the workers at this Redis (quotebook worker), redis://HOST:PORT', '用于 --sweep：由该 Redis 上的工作进程（quotebook worker）完成试算，redis://HOST:PORT'],
  '--checkpoint <file>': ['file that keeps the runs of a sweep, so that it can go on after an interruption', '保存各次试算的文件，中断后可继续'],
  '--walk-forward <TRAIN,TEST>': ['with --sweep: choose on so many days, hold on the next, fold by fold', '与 --sweep 同用：用前若干日选参，随后若干日持有，逐折推进', foldLengths],
  '--out <dir>': ['directory for the tables, a summary and the tear sheet', '存放各表、摘要与回测报告页的目录'],
  ...interactiveWord,
  '--format <format>': ['of the tables in --out', '--out 中各表的格式', { choices: ['parquet', 'csv'], usual: 'parquet' }],
  ...sourceWords,
}, compareCommand()).action(run)
