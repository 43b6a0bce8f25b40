import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { southboundFlows } from '../../src/analysis/southbound/southbound-flows.js'
import { type BacktestResult, backtest } from '../../src/backtest/backtest.js'
import type { BacktestOptions } from '../../src/backtest/backtest-options.js'
import type { Panel } from '../../src/backtest/panel.js'
import type { Strategy } from '../../src/backtest/strategy.js'
import { connect } from '../../src/connect.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import type { Market } from '../../src/market.js'

const folder = join(process.cwd(), 'notebooks/strategies')
const files = readdirSync(folder).sort()

interface Made {
  readonly panel: Panel
  readonly strategy: Strategy
  readonly options: BacktestOptions
}
type Make = (given: { market: Market; params: Readonly<Record<string, number | string>> }) => Promise<Made>

async function run(file: string, params: Parameters<Make>[0]['params'] = {}): Promise<BacktestResult & Made> {
  const { default: make }: { default: Make } = await import(pathToFileURL(join(folder, file)).href)
  const made = await make({ market: await connect(), params })
  return Object.assign(backtest(made.panel, made.strategy, made.options), made)
}

describe.each(files)('%s', (file) => {
  test('three sentences say what it does', () => {
    const [, about = ''] = /^\/\*\*\n([\s\S]*?)\n \*\n/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    expect(about.match(/\.$|\. (?=[A-Z])/gm)?.length).toBe(3)
  })

  test('it trades, decides by nothing that it could not know, and takes the cash that a param gives', async () => {
    const result = await run(file, { cash: 500_000 })
    expect(result.start).toBe(500_000)
    expect(result.fills.numRows).toBeGreaterThan(20)
    expect(result.lookahead).toEqual({ ok: true, cuts: 8 })
  })
})

test('double-low.mjs holds as many bonds as it is told', async () => {
  const { positions } = await run('double-low.mjs', { n: 3 })
  const byDay = new Map<unknown, number>()
  for (const { tradedate } of objectsOf(positions)) byDay.set(tradedate, (byDay.get(tradedate) ?? 0) + 1)
  expect(Math.max(...byDay.values())).toBe(3)
})

test('etf-vwap.mjs buys below the average of the bar before, and only what may be sold the same day', async () => {
  const { fills, rejected, panel } = await run('etf-vwap.mjs')
  expect(panel.symbols).toEqual(['159941.SZ', '513050.SH', '518880.SH'])
  const width = panel.symbols.length
  const buys = objectsOf(fills).filter(({ side }) => side === 'buy')
  expect(buys.length).toBeGreaterThan(300)
  for (const { tradedate, trademin, symbol } of buys) {
    const time = panel.days.indexOf(String(tradedate)) * panel.minutes.length + panel.minutes.indexOf(String(trademin))
    const before = (time - 1) * width + panel.symbols.indexOf(String(symbol))
    expect(panel.column('close')[before] as number).toBeLessThan((panel.column('vwap')[before] as number) * 0.999)
  }
  expect(buys.every(({ trademin }) => String(trademin) > '0930' && String(trademin) <= '1445')).toBe(true)
  expect(objectsOf(rejected).some(({ reason }) => reason === 'T+1')).toBe(false)
})

test('southbound-etf.mjs buys only on days after net buying', async () => {
  const { fills } = await run('southbound-etf.mjs')
  const days = { startdate: '20260506', enddate: '20260729' }
  const flows = southboundFlows(await (await connect()).table.southboundTop10(days)).table
  const net = new Map(
    objectsOf(flows).flatMap((row) => (row.channel === 'both' ? [[row.trade_date, Number(row.net)] as const] : [])),
  )
  const calendar = tradingDays(days.startdate, days.enddate)
  const buys = objectsOf(fills).filter(({ side }) => side === 'buy')
  expect(buys.length).toBeGreaterThan(20)
  for (const { tradedate, trademin } of buys) {
    expect(net.get(calendar[calendar.indexOf(String(tradedate)) - 1] as string)).toBeGreaterThan(0)
    expect(trademin).toBe('1000')
  }
})
