import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import type { Market } from '../market.js'
import type { FactorStudy } from '../research/analysis/performance/factor-study.js'
import type { Bar } from '../research/backtest/cursor.js'
import { ParamWatch, refuseUnread } from '../research/backtest/param-watch.js'
import { prepared, type Strategy } from '../research/backtest/strategy.js'
import type { FactorPageOptions } from '../research/report/factor/factor-sheet.js'
import { accountOptions } from './account-words.js'
import { say } from './chosen-language.js'
import { breakable } from './interrupt.js'
import type { Library } from './library.js'
import { queryOn, withBar } from './progress-bar.js'
import { type Plan, paramValues, planOf } from './strategy-plan.js'
import { wrongUse } from './wrong-use.js'

export const factorWordNames = [
  ...(['dataset', 'from', 'to', 'by', 'exposure', 'quantiles', 'horizons', 'tried', 'slippage', 'commission'] as const),
]

/** What `quotebook factor` is asked, as it was typed: texts by name, and the params. */
export type FactorWords = { readonly [W in (typeof factorWordNames)[number]]?: string | undefined } & {
  readonly param?: Record<string, string> | undefined
}

/** A study, and what its page says beside it. */
interface StudiedFactor {
  readonly study: FactorStudy
  readonly page: FactorPageOptions
}

type Loaded = Pick<Plan, 'panel' | 'options' | 'title'> & {
  readonly score: object
  /** The lowest scores are those that are held. */
  readonly isLowest?: boolean
  /** Params that were read, so far. */
  readonly read?: ParamWatch
}

const turned = sentence`the lowest scores are picked: signs are turned, so that the top is what is held`
const usual = [1, 2, 3, 5, 10, 20]

const isFile = (what: string): boolean => /\.[cm]?[jt]s$/.test(what) || existsSync(what)

async function loaded(library: Library, market: Market, what: string, words: FactorWords): Promise<Loaded> {
  const { param, dataset, from, to, slippage, commission } = words
  const params = paramValues(param)
  const costs = { ...(slippage !== undefined && { slippage }), ...(commission !== undefined && { commission }) }
  return withBar(say('data'), async (progress) => {
    const onProgress = queryOn(progress)
    if (isFile(what)) {
      const watch = new ParamWatch()
      const run = { from, to, benchmark: 'none', ...costs }
      const plan = await planOf(what, { library, market, params: watch.over(params), run, onProgress })
      const made = plan.make ? plan.make(watch.over(params)) : (plan.strategy as Strategy)
      const { strategy: own, panel } = prepared(made, plan.panel)
      if (!('score' in own)) throw wrongUse('{what}: a factor is a score, and this strategy has none', { what })
      const isLowest = own.pick?.side === 'lowest'
      return {
        ...plan,
        panel,
        score: isLowest ? { ...own, score: (bar: Bar) => -own.score(bar) } : own,
        isLowest,
        read: watch,
      }
    }
    const [column = '', own] = what.split('.').reverse()
    const name = dataset ?? own
    if (name === undefined)
      throw wrongUse(
        "'{what}' is no file; a column is named with its dataset, convertible_daily.{what}, or by --dataset",
        { what },
      )
    const data = { dataset: name as never, params: params as never, history: 0 }
    const { panel } = await library.loadPanel(market, data, { from, to }, onProgress)
    panel.column(column)
    const universe = panel.has('vol') ? (bar: Record<string, number>) => Number(bar['vol']) > 0 : () => true
    const score = { universe, score: (bar: Record<string, number>) => bar[column] as number }
    return { panel: panel as never, options: accountOptions({}, costs), title: `${name}.${column}`, score }
  })
}

function horizonsOf(text = '1,5,20'): number[] {
  const all = text.split(',').map(Number)
  if (all.every((one) => Number.isInteger(one) && one >= 1)) return all
  throw wrongUse("{option} takes {right}, not '{text}'", { option: '--horizons', text, right: '1,5,20' })
}

/** Studies the score of a strategy's file, or a column of a dataset of prices. */
export async function studyFactor(
  library: Library,
  market: Market,
  what: string,
  words: FactorWords,
): Promise<StudiedFactor> {
  const asked = horizonsOf(words.horizons)
  const { panel, options, title, score, isLowest, read } = await loaded(library, market, what, words)
  const { commission, slippageTicks, slippageBps, exec } = options
  const times = panel.times - panel.begin * panel.minutes.length
  const how = {
    horizons: [...new Set([...asked, ...usual.filter((one) => one < times - 1)])].sort((a, b) => a - b),
    fill: exec?.fill === 'nextClose' ? exec.fill : 'nextOpen',
    costs: { commission, slippageTicks, slippageBps },
    by: words.by,
    exposures: words.exposure?.split(','),
  }
  const periodsPerYear = 252 * panel.minutes.length
  const study = breakable(() => {
    const signal = library.forwardReturns(panel, score as never, how as never)
    if (read) refuseUnread(Object.keys(words.param ?? {}), read.names)
    return library.factorStudy(signal, { quantiles: Number(words.quantiles ?? 5), periodsPerYear })
  })
  if (study.horizons.every(({ dates }) => dates === 0))
    throw new QuotebookError(
      'NO_DECISION',
      say('no time has five names with a score and a return after it: more days, shorter --horizons, or more names'),
    )
  const file = isFile(what) ? basename(what) : undefined
  const page: FactorPageOptions = {
    title: title ?? basename(what, extname(what)),
    horizons: asked,
    notes: isLowest ? [turned, ...panel.notes] : panel.notes,
    known: Object.fromEntries([...panel.known].filter(([, at]) => at !== 'open' && at !== 'close')),
    command: { what: file ?? what, ...words },
    ...(words.tried !== undefined && { tried: Number(words.tried) }),
    ...(file && { code: { name: file, sha256: createHash('sha256').update(readFileSync(what)).digest('hex') } }),
  }
  return { study, page }
}
