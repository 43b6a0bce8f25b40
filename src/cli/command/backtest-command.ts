import { type Command, InvalidArgumentError } from 'commander'
import { groupItems } from '../../frame/table/group-items.js'
import type { Market } from '../../market.js'
import type { Performance } from '../../research/analysis/performance/performance-stats.js'
import type { BacktestResult } from '../../research/backtest/backtest.js'
import type { Sweep } from '../../research/backtest/sweep-result.js'
import type { WalkForward } from '../../research/backtest/walk-forward.js'
import type { RunWords, TearSheetOptions } from '../../research/report/tear-sheet/sheet-input.js'
import { chineseReasons } from '../../research/report/tear-sheet/sheet-words.js'
import { inSheetLanguage } from '../../research/report/tear-sheet/warning-words.js'
import { accountWords, runDayWords, runWords } from '../account-words.js'
import { inLanguageOf, language, say } from '../chosen-language.js'
import { interactiveWord, nameValuePair, sourceWords, wholeAtLeast } from '../command-options.js'
import { declare } from '../declare-command.js'
import type { Library } from '../library.js'
import { log, out, textGrid } from '../output.js'
import { newHeads } from '../readable-heads.js'
import { type TableFormat, writeRun } from '../run-files.js'
import { runStrategy, type StrategyRun, sheetSource, tearSheetOf, userLibrary } from '../run-strategy.js'
import { type SourceOptions, withMarket } from '../source-option.js'
import type { StrategyParams } from '../strategy-plan.js'
import { compareBelow } from './compare-command.js'

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

const daysText = (days: readonly string[]): string =>
  say('span of days', { from: days[0] ?? '', to: days.at(-1) ?? '', count: days.length })

/** Rejected orders, counted by reason. */
function reasonsText(reasons: readonly (string | null)[]): string {
  const counts = [...groupItems(reasons, (reason) => reason ?? '')].map(([reason, all]) => {
    const word = inLanguageOf(reason, chineseReasons[reason] ?? reason)
    return `${word} ${all.length}`
  })
  return counts.sort().join(say('and listed')) || '0'
}

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
  const sum = (name: string): number => numbers(result.account, name).reduce((a, b) => a + b, 0)
  const own = defaults.length === 0 ? '' : say('own params', { names: defaults.join(', ') })
  const params = [pairsText(searched.params), own].filter((one) => one !== '').join(say('and then'))
  const fall = peak === undefined ? '' : say('about', { about: say('span', { from: peak, to: String(trough) }) })
  const [commission, stamp, transfer] = ['commission', 'stamp', 'transfer'].map((kind) => sum(kind).toFixed(2))
  const trips = say('trips won', { count: result.trades.length, share: percent(figures.winRate) })
  return [
    ...(searched.sweep ? [[say('in sample'), say('chosen on these')] as const] : []),
    ...(params === '' ? [] : [[say('run params'), params] as const]),
    [say('run days'), daysText(result.days)],
    [say('run equity'), `${result.start} -> ${result.equity.at(-1)}`],
    [say('total'), percent(figures.total)],
    [say('cagr'), percent(figures.cagr)],
    [say('volatility'), percent(figures.volatility)],
    [say('sharpe'), plain(figures.sharpe)],
    [say('sortino'), plain(figures.sortino)],
    [say('max drawdown'), `${percent(depth)}${fall}`],
    [say('turnover'), say('a year', { times: plain(result.turnover) })],
    [say('round trips'), trips],
    [say('costs'), say('sum of costs', { commission, stamp, transfer } as Record<string, string>)],
    [say('fills'), String(result.fills.numRows)],
    [say('rejected'), reasonsText(strings(result.rejected, 'reason'))],
    [say('run lookahead'), lookaheadText(result)],
    ...(benchmark ? [[say('run benchmark'), benchmarkText(benchmark, figures)] as const] : []),
    [say('hash'), result.hashes.run],
  ]
}

/** What the account is compared with, and by how much it differs. */
function benchmarkText(
  benchmark: NonNullable<TearSheetOptions['benchmark']>,
  { beta, alpha, informationRatio }: Performance,
): string {
  const { name = say('own benchmark') } = benchmark
  const levels = 'equity' in benchmark ? Array.from(benchmark.equity as ArrayLike<number>) : []
  const total = (levels.at(-1) ?? Number.NaN) / (levels[0] ?? Number.NaN) - 1
  const [b, a, ratio] = [plain(beta), percent(alpha), plain(informationRatio)]
  return say('against it', { name, total: percent(total), beta: b, alpha: a, ratio })
}

function lookaheadText({ lookahead }: BacktestResult): string {
  if (!lookahead) return say('lookahead not run')
  const { ok, cuts, firstDifference, fault } = lookahead
  if (fault) return say(`lookahead ${fault}`, { time: String(firstDifference?.time) })
  return ok ? say('lookahead none', { cuts }) : say('lookahead found', { time: String(firstDifference?.time) })
}

function saySweep({ columnNames, derive, rename, show }: Library, found: Sweep, params: StrategyParams): void {
  const figures = ['total', 'cagr', 'volatility', 'sharpe', 'max_drawdown', 'turnover']
  const short = (name: string) => (columns: Readonly<Record<string, unknown>>) =>
    Float64Array.from(columns[name] as Float64Array, (x) => Number(x.toPrecision(4)))
  const rounded = derive(found.table, Object.fromEntries(figures.map((name) => [name, short(name)])))
  const headed = rename(rounded, newHeads(columnNames(rounded), figures) as never)
  out(`${show(headed, { rows: 50 }).text()}\n`)
  const deflated = chance(found.deflatedSharpe?.probability ?? Number.NaN)
  const overfitting = chance(found.overfitting?.probability ?? Number.NaN)
  for (const what of found.warnings) log(say('warning', { what: inSheetLanguage(what, language) }))
  log(say('best of', { trials: found.trials.length, params: pairsText(params), deflated, overfitting }))
}

/** What was earned on days by which nothing was chosen. */
function sayWalk({ days, start, equity, folds, inSample, performance }: WalkForward): void {
  const { total, cagr, volatility, sharpe, sortino, maxDrawdown } = performance
  const rows = [
    [say('out of sample'), say('of folds', { count: folds.length })],
    [say('run days'), daysText(days)],
    [say('run equity'), `${start} -> ${equity.at(-1)}`],
    [say('total'), percent(total)],
    [say('cagr'), percent(cagr)],
    [say('volatility'), percent(volatility)],
    [say('sharpe'), say('of in sample', { out: plain(sharpe), in: plain(inSample) })],
    [say('sortino'), plain(sortino)],
    [say('max drawdown'), percent(maxDrawdown.depth)],
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
  backtest: ['run a strategy of your own with an exact account; prints its figures', '用精确的账户回测自编策略，输出各项指标'],
  '<file>': ['module whose default export is a strategy with its data, or a function that gives { panel, strategy }', '默认导出为带数据声明的策略，或返回 { panel, strategy } 的函数的模块'],
  '--param <NAME=VALUE>': ['a param of the strategy (repeatable)', '策略参数（可重复）', nameValuePair],
  ...runDayWords,
  ...accountWords,
  '--benchmark <what>': ["an index by name or code (可转债), a code of the prices, a .csv or .parquet file with tradedate and close, or 'none'; the vendor's index of the class unless given", "比较基准：指数名称或代码（可转债）、价格数据中的代码、含 tradedate 与 close 列的 .csv 或 .parquet 文件，或 'none'；默认取该类证券的指数"],
  '--sweep <NAME=VALUES>': ['values of a param to try, separated by commas (repeatable)', '要逐一尝试的参数值，用逗号分隔（可重复）', nameValuePair],
  '--threads <n>': ['of a sweep; the module exports make(params) by that name', '并行线程数（用于 --sweep；模块须以 make 为名导出 make(params)）', wholeAtLeast(1)],
  '--queue <url>': ['of a sweep: have its runs done by the workers at this Redis (quotebook worker), redis://HOST:PORT', '用于 --sweep：由该 Redis 上的工作进程（quotebook worker）完成试算，redis://HOST:PORT'],
  '--checkpoint <file>': ['file that keeps the runs of a sweep, so that it can go on after an interruption', '保存各次试算的文件，中断后可继续'],
  '--walk-forward <TRAIN,TEST>': ['with --sweep: choose on so many days, hold on the next, fold by fold', '与 --sweep 同用：用前若干日选参，随后若干日持有，逐折推进', foldLengths],
  '--out <dir>': ['directory for the tables, a summary and the tear sheet', '存放各表、摘要与回测报告页的目录'],
  ...interactiveWord,
  '--format <format>': ['of the tables in --out', '--out 中各表的格式', { choices: ['parquet', 'csv'], usual: 'parquet' }],
  ...sourceWords,
}, compareBelow()).action(run)
