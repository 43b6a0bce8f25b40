// Deep: the strategies of the notebooks over the sample, minute bars among them, each with its look-ahead check.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BacktestOptions, backtest, connect, type Panel, type Strategy, toObjects } from 'quotebook'
import { expect, test } from 'vitest'

const folder = join(process.cwd(), 'notebooks/strategies')

interface Made {
  readonly panel: Panel
  readonly strategy: Strategy
  readonly options: BacktestOptions
}

async function run(file: string, params: object = {}) {
  const { default: make } = await import(pathToFileURL(join(folder, file)).href)
  const made: Made = await make({ market: await connect(), params })
  return { ...made, result: backtest(made.panel, made.strategy, made.options) }
}

test.each(readdirSync(folder))(
  '%s trades, decides by what it could know, and takes the cash of a param',
  async (file) => {
    const { result } = await run(file, { cash: 500_000 })
    expect(result.start).toBe(500_000)
    expect(result.fills.numRows).toBeGreaterThan(20)
    expect(result.lookahead).toEqual({ ok: true, cuts: 8 })
  },
)

test('etf-vwap.mjs buys below the average of the bar before, and only what may be sold the same day', async () => {
  const { panel, result } = await run('etf-vwap.mjs')
  const buys = toObjects(result.fills).filter(({ side }) => side === 'buy')
  expect(buys.length).toBeGreaterThan(300)
  for (const { tradedate, trademin, symbol } of buys) {
    const time = panel.days.indexOf(String(tradedate)) * panel.minutes.length + panel.minutes.indexOf(String(trademin))
    const before = (time - 1) * panel.symbols.length + panel.symbols.indexOf(String(symbol))
    expect(panel.column('close')[before] as number).toBeLessThan((panel.column('vwap')[before] as number) * 0.999)
  }
  expect(toObjects(result.rejected).some(({ reason }) => reason === 'T+1')).toBe(false)
})
