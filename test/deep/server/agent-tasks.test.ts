/* Deep: five questions of research answered by the tools of an agent alone; prints the tokens that they took. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { numbers } from '../../../src/frame/read-columns.js'
import { checkVwap } from '../../../src/research/checks/vwap/check-vwap.js'
import { type Agent, agentOfCommand, type Said, tokensIn } from '../../helper/agent.js'
import { root } from '../../helper/cli.js'

let [agent, list]: [Agent, number] = [] as never
const spent: [task: string, calls: number, tokens: number][] = []
beforeAll(async () => {
  agent = await agentOfCommand(['--source', 'sample', '--strategies', `${root}/notebooks/strategies`])
  list = tokensIn(JSON.stringify((await agent.client.listTools()).tools))
})
afterAll(async () => {
  await agent.close()
  process.stdout.write(`list of tools: ${Math.ceil(list)}\n`)
  for (const [task, calls, tokens] of spent) process.stdout.write(`${task}: ${calls} calls, ${Math.ceil(tokens)}\n`)
})

type Step = readonly [tool: string, given?: Record<string, unknown>]

/** Takes the steps of a task; what is longer than its budget is read on. */
async function solve(task: string, steps: readonly Step[]): Promise<readonly Said['object'][]> {
  let [calls, tokens] = [0, 0]
  const found = []
  for (const [tool, given = {}] of steps) {
    let whole: Said['object'] | undefined
    for (let next: string | undefined, first = true; first || next; first = false) {
      const said = await agent.call(tool, { ...given, ...(next && { next }) })
      expect([tool, said.isError ? said.text : '', said.tokens <= 6000]).toEqual([tool, '', true])
      whole = whole ? { ...whole, rows: [...whole.rows, ...said.object.rows] } : said.object
      next = given.max_rows === undefined ? said.object.next : undefined
      ;[calls, tokens] = [calls + 1, tokens + said.tokens]
    }
    found.push(whole as Said['object'])
  }
  spent.push([task, calls, tokens])
  return found
}

const day = '20260729'
const month = { startdate: '20260701', enddate: day }
const valuesOf = ({ columns, rows }: Said['object'], name: string) =>
  rows.map((row: unknown[]) => row[columns.indexOf(name)])

test('the cheapest convertible bonds of a day by premium, with their terms', async () => {
  const [, , cheapest] = await solve('1 cheapest bonds', [
    ['list_datasets'],
    ['describe_dataset', { dataset: 'convertible_daily' }],
    [
      'sql',
      {
        text: `select code, close, bond_value, cb_value, cb_over_rate from convertible_daily where tradedate = '${day}' and cb_over_rate is not null order by cb_over_rate limit 10`,
      },
    ],
    ['query', { dataset: 'convertible_daily', params: { tradedate: day } }],
  ])
  const market = await connect()
  const table = await market.table.convertibleDaily({ tradedate: day })
  const premiums = [...numbers(table, 'cb_over_rate')].filter((one) => !Number.isNaN(one)).sort((a, b) => a - b)
  expect(valuesOf(cheapest as Said['object'], 'cb_over_rate')).toEqual(premiums.slice(0, 10))
})

test("a week of an ETF's average prices is held against its bars", async () => {
  const week = { from: '20260723', to: day }
  const fund = { symbols: '510300', period: '15m' }
  const [checked, bars] = await solve('2 vwap of a week', [
    ['check', { check: 'vwap', days: 5 }],
    [
      'query',
      { dataset: 'etf_minute', params: fund, days: week, fields: ['tradedate', 'trademin', 'vol', 'amount', 'vwap'] },
    ],
  ])
  const market = await connect()
  const table = await market.table.etfMinute({ symbols: ['510300'], period: '15m' }, { days: week })
  expect([checked?.holds, checkVwap(table).ok]).toEqual([true, true])
  expect(valuesOf(bars as Said['object'], 'vwap')).toEqual([...numbers(table, 'vwap')])
})

test('southbound flows of a month against an index', async () => {
  const [top, index] = await solve('3 southbound month', [
    [
      'query',
      {
        dataset: 'southbound_top10',
        params: month,
        fields: ['trade_date', 'code', 'sh_buy', 'sh_sell', 'sz_buy', 'sz_sell'],
      },
    ],
    ['query', { dataset: 'theme_daily', params: { type: 'tj', ...month }, fields: ['tradedate', 'name', 'pct_chg'] }],
    ['check', { check: 'southbound' }],
  ])
  const market = await connect()
  const table = await market.table.southboundTop10(month)
  expect(valuesOf(top as Said['object'], 'sh_buy')).toEqual(
    [...numbers(table, 'sh_buy')].map((one) => (Number.isNaN(one) ? null : one)),
  )
  const indices = await market.table.themeDaily({ type: 'tj', ...month })
  expect(valuesOf(index as Said['object'], 'pct_chg')).toEqual([...numbers(indices, 'pct_chg')])
})

test('whether the archive is whole, and what the report flags', async () => {
  const [health, report] = await solve('4 health and report', [
    ['check', { check: 'all', days: 5 }],
    ['report', { days: 5 }],
    ['report', { days: 5, section: 'convertible' }],
  ])
  expect(report?.wrong).toEqual(['contradicted: southbound (southbound_top10): 6 of 100 rows'])
  const state = Object.fromEntries(health?.rows.map(([dataset, state]: string[]) => [dataset, state]))
  expect(state).toMatchObject({ southbound_top10: 'contradicted', etf_minute: 'not contradicted' })
})

test("a strategy of the folder: its backtest, its factor and tonight's plan", async () => {
  const strategy = 'double-low'
  const [named, run, curve, factor, plan] = await solve('5 backtest, factor, plan', [
    ['strategies'],
    ['backtest', { strategy, params: { n: 4 } }],
    ['backtest', { strategy, params: { n: 4 }, show: 'account' }],
    ['factor', { strategy }],
    ['plan', { strategy, day }],
  ])
  expect(valuesOf(named as Said['object'], 'params')).toContainEqual(['exitRank', 'n', 'w'])
  const equity = valuesOf(curve as Said['object'], 'equity')
  expect(run?.figures.total).toBeCloseTo(equity.at(-1) / run?.start - 1, 12)
  expect(valuesOf(factor as Said['object'], 'horizon')).toEqual([1, 5, 20])
  expect(plan).toMatchObject({ day, tradeDay: '20260730' })
})
