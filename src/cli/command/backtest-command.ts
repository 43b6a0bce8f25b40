import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import root from '#root'
import { writeFileAtomically } from '../../archive/file-access.js'
import type { BacktestResult } from '../../backtest/backtest.js'
import type { BacktestOptions } from '../../backtest/backtest-options.js'
import type { Panel } from '../../backtest/panel.js'
import type { Strategy } from '../../backtest/strategy.js'
import type { ParamValue } from '../../backtest/sweep-grid.js'
import type { Sweep } from '../../backtest/sweep-result.js'
import type { WalkForward } from '../../backtest/walk-forward.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { TearSheetOptions } from '../../report/tear-sheet/sheet-input.js'
import { help, language, say } from '../chosen-language.js'
import { nameValuePair, wholeAtLeast } from '../command-options.js'
import { untilInterrupted } from '../interrupt.js'
import { log, out, textGrid } from '../output.js'
import { bar } from '../progress-bar.js'
import { openSource, type SourceOptions, withSource } from '../source-option.js'

interface Options extends SourceOptions {
  readonly param?: Record<string, string>
  readonly sweep?: Record<string, string>
  readonly threads?: number
  readonly checkpoint?: string
  readonly walkForward?: readonly [number, number]
  readonly out?: string
  readonly format: 'parquet' | 'csv'
}

/** A source, as far as it says what it is. */
type Identified = Awaited<ReturnType<typeof openSource>>['source']

type Params = Readonly<Record<string, ParamValue>>

/** What a module gives: a strategy, or one for each combination of params. */
interface Plan {
  readonly panel: Panel
  readonly strategy?: Strategy
  readonly make?: (params: Params) => Strategy
  readonly options: BacktestOptions
  /** Whether threads find `make` in the module. */
  readonly exportsMake: boolean
  /** For the tear sheet. */
  readonly title?: string
  readonly benchmark?: TearSheetOptions['benchmark']
  readonly names?: TearSheetOptions['names']
}

/** What came of many params. */
interface Searched {
  readonly params: Params
  readonly sweep?: Sweep
  readonly walkForward?: WalkForward
}

/** The library that the user's module imports: the command's own file has another copy of Arrow. */
type Library = typeof import('../../index.js')

/** A number where the text is one; `true` and `false`; else the text. */
function paramValue(text: string): ParamValue {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function valuesOf(pairs: Record<string, string> = {}): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, paramValue(text)]))
}

/** As the runtime imports; found only when it is wanted. */
async function importUrl(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { default: importModule } = await import('#import-module')
  return importModule(pathToFileURL(path).href)
}

async function loaded(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw new QuotebookError('USAGE', say('no module', { file, why: 'ENOENT' }))
  try {
    return await importUrl(resolve(file))
  } catch (error) {
    const isUnknown = (error as { code?: unknown }).code === 'ERR_UNKNOWN_FILE_EXTENSION'
    throw new QuotebookError(
      'USAGE',
      isUnknown ? say('needs a loader', { file }) : say('no module', { file, why: messageOf(error) }),
      {
        cause: error,
      },
    )
  }
}

async function planOf(file: string, context: { market: unknown; params: Params }): Promise<Plan> {
  const { default: given, make } = await loaded(file)
  const plan = (typeof given === 'function' ? await given(context) : given) as Partial<Plan> | undefined
  const own = plan?.make ?? (make as Plan['make'])
  const has = { panel: plan?.panel, options: plan?.options, strategy: plan?.strategy ?? own }
  for (const [what, value] of Object.entries(has)) {
    if (!value) throw new QuotebookError('USAGE', say('no strategy', { file, what }))
  }
  return { ...plan, ...(own && { make: own }), exportsMake: typeof make === 'function' } as Plan
}

const percent = (x: number): string => (Number.isNaN(x) ? '-' : `${(100 * x).toFixed(2)} %`)
const plain = (x: number): string => (Number.isNaN(x) ? '-' : x.toFixed(2))

/** Figures of a run, and its rejected orders by reason. */
function summary(
  { numbers, performance, texts }: Library,
  result: BacktestResult,
): readonly (readonly [string, string])[] {
  const figures = performance(result)
  const { depth, peak, trough } = figures.maxDrawdown as {
    depth: number
    peak?: string | number
    trough?: string | number
  }
  const reasons = new Map<string, number>()
  for (const reason of texts(result.rejected, 'reason')) reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1)
  const sum = (name: string): number => numbers(result.account, name).reduce((a, b) => a + b, 0)
  return [
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
    ['hash', result.hashes.run],
  ]
}

function lookaheadText({ lookahead }: BacktestResult): string {
  if (!lookahead) return 'not checked'
  return lookahead.ok ? `none in ${lookahead.cuts} cuts` : `DECIDES BY THE FUTURE at ${lookahead.firstDifference?.time}`
}

const tables = ['account', 'fills', 'rejected', 'positions', 'trips', 'events'] as const

async function writeTables(
  library: Library,
  result: BacktestResult,
  dir: string,
  format: 'parquet' | 'csv',
  sheet: string,
): Promise<string[]> {
  await mkdir(dir, { recursive: true })
  const files: string[] = []
  for (const name of tables) {
    const data = format === 'csv' ? library.toCsv(result[name]) : await library.toParquet(result[name])
    files.push(`${name}.${format}`)
    await writeFileAtomically(join(dir, `${name}.${format}`), data)
  }
  const { options, hashes, warnings, lookahead } = result
  const about = { options, hashes, warnings, lookahead, figures: library.performance(result) }
  await writeFileAtomically(join(dir, 'summary.json'), `${JSON.stringify(about, null, 2)}\n`)
  await writeFileAtomically(join(dir, 'tear-sheet.html'), sheet)
  return [...files, 'summary.json', 'tear-sheet.html']
}

/** The tear sheet of a run, under the name of its file unless the module gives a title. */
async function sheetText(
  { tearSheet }: Library,
  result: BacktestResult,
  context: { file: string; plan: Plan; searched: Searched; source: Identified },
): Promise<string> {
  const { file, plan, searched, source } = context
  const { benchmark, names, title = basename(file, extname(file)) } = plan
  const { sweep, walkForward } = searched
  const found = await source.identity?.()
  return tearSheet(result, {
    title,
    lang: language,
    source: { name: found?.name ?? source.name, about: found?.about },
    ...(benchmark && { benchmark }),
    ...(names && { names }),
    ...(sweep && { sweep }),
    ...(walkForward && { walkForward }),
  })
}

/** Runs all combinations, prints them, and gives the best; forward fold by fold too, where that is asked for. */
async function sweepAll(library: Library, file: string, plan: Plan, options: Options): Promise<Searched> {
  const { make } = plan
  if (!make) throw new QuotebookError('USAGE', say('no make', { file }))
  const { threads, checkpoint } = options
  if (threads !== undefined && !plan.exportsMake) throw new QuotebookError('USAGE', say('no exported make', { file }))
  const tried = Object.entries(options.sweep ?? {}).map(
    ([name, text]) => [name, text.split(',').map(paramValue)] as const,
  )
  const fixed = Object.entries(valuesOf(options.param)).map(([name, value]) => [name, [value]] as const)
  const progress = bar(say('bar sweep'), true)
  try {
    const grid = Object.fromEntries([...fixed, ...tried])
    const onProgress = (done: number, of: number): void => progress.update(done, of, '')
    const common = { ...plan.options, onProgress, ...(checkpoint !== undefined && { checkpoint }) }
    const found = plan.exportsMake
      ? await library.sweepInThreads(
          plan.panel,
          grid,
          { module: resolve(file) },
          { ...common, ...(threads !== undefined && { threads }), signal: untilInterrupted(say('sweep interrupted')) },
        )
      : library.sweep(plan.panel, grid, (params) => make(params), common)
    out(`${library.show(found.table, { rows: 50 }).text()}\n`)
    const params = (found.best ?? found.trials[0])?.params as Params
    const named = Object.entries(params)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')
    const deflated = plain(found.deflatedSharpe?.probability ?? Number.NaN)
    const overfitting = plain(found.overfitting?.probability ?? Number.NaN)
    log(say('best of', { trials: found.trials.length, params: named, deflated, overfitting }))
    if (!options.walkForward) return { params, sweep: found }
    const [trainDays, testDays] = options.walkForward
    const walked = library.walkForward(plan.panel, grid, (one) => make(one), {
      ...plan.options,
      onProgress,
      trainDays,
      testDays,
    })
    const outside = plain(walked.performance.sharpe)
    log(say('walked', { folds: walked.folds.length, inside: plain(walked.inSample), outside }))
    return { params, sweep: found, walkForward: walked }
  } finally {
    progress.stop()
  }
}

async function run(file: string, options: Options): Promise<void> {
  const library = (await importUrl(join(root, 'dist', 'esm', 'index.js'))) as unknown as Library
  const market = await openSource(options, library.connect)
  try {
    const given = valuesOf(options.param)
    const plan = await planOf(file, { market, params: given })
    if (options.walkForward && !options.sweep) throw new QuotebookError('USAGE', say('needs sweep'))
    const searched: Searched = options.sweep ? await sweepAll(library, file, plan, options) : { params: given }
    const { params } = searched
    const strategy = plan.make ? plan.make(params) : (plan.strategy as Strategy)
    const result = library.backtest(plan.panel, strategy, { ...plan.options, params })
    for (const what of result.warnings) log(say('warning', { what }))
    out(`${textGrid(['', ''], summary(library, result)).trimStart()}\n`)
    if (options.out !== undefined) {
      const { source } = market
      const sheet = await sheetText(library, result, { file, plan, searched, source })
      const files = await writeTables(library, result, options.out, options.format, sheet)
      log(say('wrote all', { files: files.join(', '), dir: options.out }))
    }
    if (result.lookahead && !result.lookahead.ok) process.exitCode = 1
  } finally {
    await market.close()
  }
}

/** `60,20`: two lengths in days. */
function foldLengths(text: string): readonly [number, number] {
  const [train = Number.NaN, test = Number.NaN, more] = text.split(',').map(Number)
  if (Number.isInteger(train) && Number.isInteger(test) && train >= 2 && test >= 2 && more === undefined)
    return [train, test]
  throw new InvalidArgumentError(say('no fold lengths'))
}

export function backtestCommand(): Command {
  const command = new Command('backtest')
    .description(help('backtest'))
    .argument('<file>', help('backtest file'))
    .option('--param <NAME=VALUE>', help('backtest --param'), nameValuePair)
    .option('--sweep <NAME=VALUES>', help('backtest --sweep'), nameValuePair)
    .option('--threads <n>', help('backtest --threads'), wholeAtLeast(1))
    .option('--checkpoint <file>', help('backtest --checkpoint'))
    .option('--walk-forward <TRAIN,TEST>', help('backtest --walk-forward'), foldLengths)
    .option('--out <dir>', help('backtest --out'))
    .addOption(
      new Option('--format <format>', help('backtest --format')).choices(['parquet', 'csv']).default('parquet'),
    )
  return withSource(command).action(run)
}
