// Deep: the strategies of the notebooks over the sample, minute bars among them, each with its look-ahead check.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { backtest, connect, loadPanel, type Panel, type Strategy, toObjects } from 'quotebook'
import { expect, test } from 'vitest'

const folder = join(process.cwd(), 'notebooks/strategies')

async function run(file: string, params: object = {}) {
  const { default: made } = await import(pathToFileURL(join(folder, file)).href)
  const { panel } = await loadPanel(await connect(), made.data)
  return { panel: panel as Panel, result: backtest(panel as Panel, made.make(params) as Strategy, { cash: 500_000 }) }
}

test.each(readdirSync(folder))('%s trades, and decides by what it could know', async (file) => {
  const { result } = await run(file)
  expect(result.fills.numRows).toBeGreaterThan(20)
  expect(result.lookahead).toEqual({ ok: true, cuts: 8 })
})

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
