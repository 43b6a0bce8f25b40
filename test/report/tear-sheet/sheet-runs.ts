import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BacktestResult, backtest } from '../../../src/backtest/backtest.js'
import type { BacktestOptions } from '../../../src/backtest/backtest-options.js'
import type { Panel } from '../../../src/backtest/panel.js'
import type { Strategy } from '../../../src/backtest/strategy.js'
import { connect } from '../../../src/connect.js'
import { numbers, texts } from '../../../src/frame/read-columns.js'
import { filter } from '../../../src/frame/verb/filter.js'
import type { Market } from '../../../src/market.js'

export interface Planned {
  readonly panel: Panel
  readonly strategy: Strategy
  readonly make?: (params: Readonly<Record<string, string | number | boolean>>) => Strategy
  readonly options: BacktestOptions
}

/** A reference strategy of the notebooks, as it stands. */
export async function reference(file: string): Promise<Planned & { readonly result: BacktestResult }> {
  const address = pathToFileURL(join(process.cwd(), 'notebooks/strategies', file)).href
  const { default: make }: { default: (given: { market: Market; params: object }) => Promise<Planned> } = await import(
    address
  )
  const plan = await make({ market: await connect(), params: {} })
  return { ...plan, result: backtest(plan.panel, plan.strategy, plan.options) }
}

/** An index of the sample by day. */
export async function sampleIndex(): Promise<{ name: string; days: string[]; equity: Float64Array }> {
  const market = await connect()
  const quotes = await market.table.themeDaily({ type: 'tj', startdate: '20260506', enddate: '20260729' })
  const index = filter(quotes, ({ name }) => name === '全A等权')
  return { name: '全A等权', days: texts(index, 'tradedate').map(String), equity: numbers(index, 'close') }
}
