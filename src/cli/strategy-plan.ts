import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Progress } from '../data/source/source.js'
import type { Market } from '../market.js'
import type { BacktestOptions } from '../research/backtest/backtest-options.js'
import { declaresData, readStrategyFile } from '../research/backtest/load/strategy-file.js'
import type { Panel } from '../research/backtest/panel.js'
import type { Strategy } from '../research/backtest/strategy.js'
import { loadFault } from '../research/backtest/strategy-module.js'
import type { Grid, ParamValue } from '../research/backtest/sweep-grid.js'
import type { RunWords, TearSheetOptions } from '../research/report/tear-sheet/sheet-input.js'
import { accountOptions, benchmarkFor } from './account-words.js'
import { declareNamed } from './declared-datasets.js'
import { importUrl, type Library } from './library.js'
import { wrongUse } from './wrong-use.js'

export type StrategyParams = Readonly<Record<string, ParamValue>>

/** What a module gives: a strategy, or one for each combination of params. */
export interface Plan {
  readonly panel: Panel
  readonly strategy?: Strategy
  readonly make?: (params: StrategyParams) => Strategy
  /** Of the file, under those of the command. */
  readonly options: BacktestOptions
  /** Whether threads find `make` in the module. */
  readonly exportsMake: boolean
  /** For the tear sheet. */
  readonly title?: string
  readonly benchmark?: TearSheetOptions['benchmark']
  readonly names?: TearSheetOptions['names']
}

/** A number where the text is one; `true` and `false`; else the text. */
export function paramValue(text: string): ParamValue {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

export function paramValues(pairs: Record<string, string> = {}): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, paramValue(text)]))
}

/** Datasets that a strategy's data names may be declared beside it. */
async function declareSpoken(file: string, given: unknown): Promise<void> {
  if (!declaresData(given)) return
  const { data } = readStrategyFile(given)
  const joined = Array.isArray(data.join) ? data.join : []
  const names = [data.dataset, ...joined.flatMap((one) => ('dataset' in one ? one.dataset : []))]
  for (const name of names) await declareNamed(name, [dirname(resolve(file))])
}

async function loaded(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw wrongUse('{file} can not be loaded: {why}', { file, why: 'ENOENT' })
  const module = await importUrl(resolve(file)).catch(async (cause: unknown) => {
    throw wrongUse('{file} can not be loaded: {why}', { file, why: await loadFault(cause, resolve(file)) }, { cause })
  })
  await declareSpoken(file, module['default'])
  return module
}

/** Cuts of the look-ahead check, once more without noise, and once to see what is kept. */
const mostCopies = 10
let lastCopy = 0

/**
 * Makes a prepared strategy of a file again and again, each from a module that was imported anew: nothing that one keeps is there for the next.
 * Undefined where the check needs none, and for a module that loads its own prices.
 */
export async function anewOf(
  file: string,
  strategy: Strategy,
  params: StrategyParams,
): Promise<{ readonly anew?: () => Strategy }> {
  if (typeof strategy !== 'object' || !('prepare' in strategy)) return {}
  const copies = await Promise.all(Array.from({ length: mostCopies }, () => importUrl(resolve(file), ++lastCopy)))
  const made = copies.flatMap(({ default: given, make }) => {
    if (typeof given === 'function') return []
    const own = declaresData(given) ? readStrategyFile(given) : (given as FoundPlan | undefined)
    const maker = (own?.make ?? make) as Plan['make']
    return maker ? [() => maker(params)] : own?.strategy ? [() => own.strategy as Strategy] : []
  })
  let next = 0
  return made.length === mostCopies ? { anew: () => (made[Math.min(next++, mostCopies - 1)] as () => Strategy)() } : {}
}

/** What a module's plan is made with. */
export interface PlanContext {
  readonly library: Library
  readonly market: Market
  readonly params: StrategyParams
  /** Values of the params that a sweep tries. */
  readonly sweep?: Grid
  /** Days and account, as they were typed. */
  readonly run?: RunWords
  readonly onProgress?: (progress: Progress) => void
}

type FoundPlan = Partial<Omit<Plan, 'options' | 'benchmark'>> & {
  readonly options?: Partial<BacktestOptions>
  readonly benchmark?: string | Plan['benchmark']
}

/** The plan of a file that declares its data, or of one whose function loads it. */
async function foundPlan(file: string, given: unknown, context: PlanContext): Promise<FoundPlan | undefined> {
  const { library, market, params, sweep, run = {}, onProgress } = context
  const { from, to } = run
  if (declaresData(given)) {
    const { data, ...plan } = readStrategyFile(given)
    const { panel, names } = await library.loadPanel(market, data as never, { from, to, params, sweep }, onProgress)
    return { panel, names, ...plan } as unknown as FoundPlan
  }
  const bounded = to === undefined ? market : market.until(to)
  const plan = (typeof given === 'function' ? await given({ market: bounded, params, from, to }) : given) as FoundPlan
  if (!plan?.panel || from === undefined) return plan
  const { panel } = plan
  const begin = panel.days.findIndex((day) => day >= from)
  if (begin < 0)
    throw wrongUse('{file}: no day from {from} on; its last day is {last}', {
      file,
      from,
      last: panel.days.at(-1) as string,
    })
  return { ...plan, panel: panel.withColumns(panel.cols, { begin }) }
}

/** The dataset of prices that a module declares; undefined where it loads them itself. */
export async function priceDatasetOf(file: string): Promise<string | undefined> {
  const { default: given } = await loaded(file)
  return declaresData(given) ? given.data.dataset : undefined
}

/** The panel of a module. */
export async function panelOfFile(file: string, context: PlanContext): Promise<Panel> {
  const { default: given } = await loaded(file)
  const panel = (await foundPlan(file, given, context))?.panel
  if (panel) return panel
  throw wrongUse(
    '{file} must export, as default, { data, score, pick, … }, or a function that gives { panel, strategy } ({what} is missing)',
    { file, what: 'panel' },
  )
}

/** @throws QuotebookError USAGE for a module that gives no strategy, and for words that say nothing of a run */
export async function planOf(file: string, context: PlanContext): Promise<Plan> {
  const { default: given, make } = await loaded(file)
  const plan = await foundPlan(file, given, context)
  const own = plan?.make ?? (make as Plan['make'])
  const has = { panel: plan?.panel, strategy: plan?.strategy ?? own }
  for (const [what, value] of Object.entries(has)) {
    if (!value)
      throw wrongUse(
        '{file} must export, as default, { data, score, pick, … }, or a function that gives { panel, strategy } ({what} is missing)',
        { file, what },
      )
  }
  const panel = plan?.panel as Panel
  const { run = {}, library, market } = context
  const benchmark = await benchmarkFor(library, market, panel, run.benchmark ?? plan?.benchmark)
  const options = accountOptions(plan?.options, run)
  const exportsMake = typeof make === 'function' || (declaresData(given) && 'make' in given)
  const { benchmark: _, ...rest } = plan as FoundPlan
  return { ...rest, panel, options, exportsMake, ...(own && { make: own }), ...(benchmark && { benchmark }) }
}
