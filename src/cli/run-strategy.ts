import { basename, extname, join, resolve } from 'node:path'
import root from '#root'
import type { Language } from '../contract/language.js'
import type { Market } from '../market.js'
import type { BacktestResult } from '../research/backtest/backtest.js'
import { variantOf, variantParams } from '../research/backtest/panel-variants.js'
import { ParamWatch, refuseUnread } from '../research/backtest/param-watch.js'
import type { Strategy } from '../research/backtest/strategy.js'
import type { Grid } from '../research/backtest/sweep-grid.js'
import type { Sweep } from '../research/backtest/sweep-result.js'
import type { WalkForward } from '../research/backtest/walk-forward.js'
import type { RunCommand, TearSheetOptions } from '../research/report/tear-sheet/sheet-input.js'
import { say } from './chosen-language.js'
import { inLanguage } from './error-text.js'
import { breakable, untilInterrupted } from './interrupt.js'
import { importUrl, type Library } from './library.js'
import { log } from './output.js'
import { bar, queryOn, withBar } from './progress-bar.js'
import { redisUrl } from './prompt.js'
import { anewOf, type Plan, paramValue, paramValues, planOf, type StrategyParams } from './strategy-plan.js'
import { wrongUse } from './wrong-use.js'

/** What `quotebook backtest` is asked of a module. */
export interface StrategyOptions extends Omit<RunCommand, 'file'> {
  readonly threads?: number
  readonly queue?: string
  readonly checkpoint?: string
  /** Told what was found, the walk forward first, when all has been run. */
  readonly onSweep?: (found: Sweep, params: StrategyParams) => void
  readonly onWalk?: (walked: WalkForward) => void
}

/** What came of many params. */
interface Searched {
  readonly params: StrategyParams
  readonly sweep?: Sweep
  readonly walkForward?: WalkForward
  /** Params that were read. */
  readonly read?: readonly string[]
}

/** A run of a module's strategy. */
export interface StrategyRun {
  readonly file: string
  readonly result: BacktestResult
  readonly plan: Plan
  readonly searched: Searched
  /** Params that were read and not given: the strategy has values of its own. */
  readonly defaults: readonly string[]
  readonly command: RunCommand
}

/** The library that users' modules import. */
export async function userLibrary(): Promise<Library> {
  return (await importUrl(join(root, 'dist', 'esm', 'index.js'))) as unknown as Library
}

function walk(
  library: Library,
  { panel, options }: Plan,
  grid: Grid,
  make: NonNullable<Plan['make']>,
  [trainDays, testDays]: readonly [number, number],
  onProgress: (done: number, of: number) => void,
): WalkForward {
  return library.walkForward(panel, grid, make, { ...options, onProgress, trainDays, testDays })
}

/** What is kept of a sweep that is interrupted. */
const sweepEnds = (file: string | undefined): string =>
  file === undefined
    ? say('interrupted; nothing is kept: with --checkpoint FILE what was run is')
    : say('interrupted; what was run is kept in {file}, and the next run goes on from there', { file })

/** The values that a sweep tries. */
function triedIn({ sweep = {} }: StrategyOptions): Grid {
  return Object.fromEntries(Object.entries(sweep).map(([name, text]) => [name, text.split(',').map(paramValue)]))
}

/** Runs all combinations and gives the best; forward fold by fold first, where that is asked for. */
async function search(library: Library, file: string, plan: Plan, options: StrategyOptions): Promise<Searched> {
  const { make: own } = plan
  if (!own)
    throw wrongUse(
      '{file}: --sweep needs `make`, a function from params to a strategy, in the default export or as `export const make`',
      { file },
    )
  const { threads, checkpoint, queue } = options
  if ((threads !== undefined || queue !== undefined) && !plan.exportsMake)
    throw wrongUse('{file}: --threads and --queue need `export const make`, a function from params to a strategy', {
      file,
    })
  const given = paramValues(options.param)
  const fixed = Object.entries(given).map(([name, value]) => [name, [value]] as const)
  // What is the same for all may be read by the module's default export alone: that is seen when all has been run.
  const watch = new ParamWatch(Object.keys(given))
  const make = (params: StrategyParams): Strategy => {
    for (const name of Object.keys(given)) void params[name]
    return own(watch.over(params))
  }
  const progress = bar(say('sweep'))
  try {
    const grid = { ...Object.fromEntries(fixed), ...triedIn(options) }
    const onProgress = (done: number, of: number): void => progress.update(done, of, '')
    const folds = options.walkForward
    const walked = folds && breakable(() => walk(library, plan, grid, make, folds, onProgress))
    const common = { ...plan.options, onProgress, ...(checkpoint !== undefined && { checkpoint }) }
    const found = plan.exportsMake
      ? await library.sweepInThreads(
          plan.panel,
          grid,
          { module: resolve(file), params: given, days: { from: options.run?.from, to: options.run?.to } },
          {
            ...common,
            ...(threads !== undefined && { threads }),
            ...(queue !== undefined && { queue: redisUrl(queue), onWait: (why) => log(inLanguage(why)) }),
            signal: untilInterrupted(sweepEnds(checkpoint)),
          },
        )
      : breakable(() => library.sweep(plan.panel, grid, make, common), sweepEnds(checkpoint))
    const params = (found.best ?? found.trials[0])?.params as StrategyParams
    return {
      params,
      sweep: found,
      ...(walked && { walkForward: walked }),
      read: plan.exportsMake ? found.read : watch.names,
    }
  } finally {
    progress.stop()
  }
}

/** Runs the strategy of a module: the best of a sweep, where one is asked for. */
export async function runStrategy(
  library: Library,
  market: Market,
  file: string,
  options: StrategyOptions,
): Promise<StrategyRun> {
  const { param, sweep, walkForward, queue, threads, run } = options
  if (queue !== undefined && !sweep) throw wrongUse('--queue needs --sweep')
  if (queue !== undefined && threads !== undefined)
    throw wrongUse('--threads or --queue: with a queue each worker has its own --threads')
  const given = paramValues(param)
  const watch = new ParamWatch()
  const loaded = await withBar(say('data'), (progress) =>
    planOf(file, {
      library,
      market,
      params: watch.over(given),
      sweep: triedIn(options),
      run: options.run ?? {},
      onProgress: queryOn(progress),
    }),
  )
  if (walkForward && !sweep) throw wrongUse('--walk-forward needs --sweep: there must be params to choose from')
  const searched: Searched = sweep ? await search(library, file, loaded, options) : { params: given }
  const { params } = searched
  const plan = { ...loaded, panel: variantOf(loaded.panel, params) }
  const strategy = plan.make ? plan.make(watch.over(params)) : (plan.strategy as Strategy)
  const anew = await anewOf(file, strategy, watch.over(params))
  const result = await withBar(say('backtest'), async (progress) => {
    const onProgress = (done: number, of: number): void => progress.update(done, of, '')
    return breakable(() => library.backtest(plan.panel, strategy, { ...plan.options, ...anew, params, onProgress }))
  })
  const read = [...watch.names, ...(searched.read ?? []), ...variantParams(loaded.panel)]
  refuseUnread(Object.keys(params), [...new Set(read)])
  if (searched.walkForward) options.onWalk?.(searched.walkForward)
  if (searched.sweep) options.onSweep?.(searched.sweep, params)
  const defaults = watch.names.filter((name) => !Object.hasOwn(params, name)).sort()
  const command = {
    file: basename(file),
    param,
    sweep,
    walkForward,
    ...(run && Object.keys(run).length > 0 && { run }),
  }
  return { file, result, plan, searched, defaults, command }
}

/** The tear sheet of a run, under the name of its file unless the module gives a title. */
export async function tearSheetOf(
  { tearSheet, attribution, loadRedemptions }: Library,
  market: Market,
  { file, result, plan, searched, command }: StrategyRun,
  { lang, source, interactive }: Pick<TearSheetOptions, 'source'> & { lang: Language; interactive: unknown },
): Promise<string> {
  const { panel, benchmark, names, title = basename(file, extname(file)) } = plan
  const { sweep, walkForward } = searched
  const isBond = panel.instruments.some(({ kind }) => kind === 'convertible bond')
  return tearSheet(result, {
    title,
    lang,
    ...(source && { source }),
    ...(interactive === true && { interactive }),
    command,
    prices: panel,
    attribution: attribution(result, panel, benchmark ? { benchmark } : {}),
    announcements: isBond ? await loadRedemptions(market, result, names) : [],
    ...(benchmark && { benchmark }),
    ...(names && { names }),
    ...(sweep && { sweep }),
    ...(walkForward && { walkForward }),
  })
}

/** What a tear sheet says of where its data came from. */
export async function sheetSource({ source }: Market): Promise<NonNullable<TearSheetOptions['source']>> {
  const found = await source.identity?.()
  return { name: found?.name ?? String(source.name), about: found?.about, state: found?.state }
}
