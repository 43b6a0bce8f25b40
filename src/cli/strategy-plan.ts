import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { QuotebookError } from '../contract/error.js'
import type { BacktestOptions } from '../research/backtest/backtest-options.js'
import type { Panel } from '../research/backtest/panel.js'
import type { Strategy } from '../research/backtest/strategy.js'
import { loadFault } from '../research/backtest/strategy-module.js'
import type { ParamValue } from '../research/backtest/sweep-grid.js'
import type { TearSheetOptions } from '../research/report/tear-sheet/sheet-input.js'
import { say } from './chosen-language.js'

export type StrategyParams = Readonly<Record<string, ParamValue>>

/** What a module gives: a strategy, or one for each combination of params. */
export interface Plan {
  readonly panel: Panel
  readonly strategy?: Strategy
  readonly make?: (params: StrategyParams) => Strategy
  readonly options: BacktestOptions
  /** Whether threads find `make` in the module. */
  readonly exportsMake: boolean
  /** For the tear sheet. */
  readonly title?: string
  readonly benchmark?: TearSheetOptions['benchmark']
  readonly names?: TearSheetOptions['names']
}

/** The library that the user's module imports: the command's own file has another copy of Arrow. */
export type Library = typeof import('../index.js')

/** A number where the text is one; `true` and `false`; else the text. */
export function paramValue(text: string): ParamValue {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

export function paramValues(pairs: Record<string, string> = {}): Record<string, ParamValue> {
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, paramValue(text)]))
}

/** As the runtime imports; found only when it is wanted. */
export async function importUrl(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { default: importModule } = await import('#import-module')
  return importModule(pathToFileURL(path).href)
}

async function loaded(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(file)) throw new QuotebookError('USAGE', say('no module', { file, why: 'ENOENT' }))
  try {
    return await importUrl(resolve(file))
  } catch (cause) {
    throw new QuotebookError('USAGE', say('no module', { file, why: await loadFault(cause, resolve(file)) }), { cause })
  }
}

export async function planOf(file: string, context: { market: unknown; params: StrategyParams }): Promise<Plan> {
  const { default: given, make } = await loaded(file)
  const plan = (typeof given === 'function' ? await given(context) : given) as Partial<Plan> | undefined
  const own = plan?.make ?? (make as Plan['make'])
  const has = { panel: plan?.panel, options: plan?.options, strategy: plan?.strategy ?? own }
  for (const [what, value] of Object.entries(has)) {
    if (!value) throw new QuotebookError('USAGE', say('no strategy', { file, what }))
  }
  return { ...plan, ...(own && { make: own }), exportsMake: typeof make === 'function' } as Plan
}
