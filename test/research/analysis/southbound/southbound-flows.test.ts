import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { Table, Utf8, type Vector, vectorFromArray } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { numbers, strings, toObjects } from '../../../../src/frame/read-columns.js'
import { southboundFlows } from '../../../../src/research/analysis/southbound/southbound-flows.js'
import { answerFrom, type Row, tableFrom } from '../help.js'
import { real, stock } from './help.js'

const flowsOf = (rows: readonly Row[]) => southboundFlows(tableFrom('southbound_top10', rows))

let db: DuckDBConnection
beforeAll(async () => {
  db = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => db.closeSync())

test('a channel without rows of its own has no flow, for what is known of it is a part', () => {
  const rows = real().filter((row) => row['market_type'] === '2')
  expect(strings(flowsOf(rows).table, 'channel')).toEqual(['2'])
})

const none: Row = { sh_amount: null, sh_net_amount: null, sh_buy: null, sh_sell: null }

test('a row whose own channel is unknown makes the sums of that channel unknown, not 0', () => {
  const [known = {}] = stock('20260701', '00005.HK', { sh: [1, 1], sz: null })
  const [bare = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const rows = [
    known,
    { ...bare, ...none, amount: null, net_amount: null },
    ...stock('20260701', '00941.HK', { sh: null, sz: [5, 2] }),
  ]
  expect(toObjects(flowsOf(rows).table).map(({ channel, buy, sell, stocks }) => [channel, buy, sell, stocks])).toEqual([
    ['2', null, null, 2],
    ['4', 5, 2, 1],
    ['both', null, null, 3],
  ])
  const alone = toObjects(flowsOf([{ ...bare, ...none }]).table)
  expect(alone.map(({ buy, net, turnover, stocks }) => [buy, net, turnover, stocks])).toEqual([[null, null, null, 1]])
})

test('sums are those of the decimals, whatever their size and places', () => {
  const rows = [
    ...stock('20260701', '00001.HK', { sh: [0.1, 0.2], sz: null }),
    ...stock('20260701', '00002.HK', { sh: [0.2, 0.3], sz: null }),
  ]
  const large = rows.map((row) => ({ ...row, code: `9${row['code']}`, sh_buy: 9007199254740991, sh_sell: 0.001 }))
  const [small = {}] = toObjects(flowsOf(rows).table)
  expect([small['buy'], small['net'], small['turnover'], small['largest']]).toEqual([0.3, -0.2, 0.8, 0.5 / 0.8])
  const [both = {}] = toObjects(flowsOf([...rows, ...large]).table)
  expect(both['net']).toBe(Number('18014398509481981.798'))
})

test('a row without a day is refused', () => {
  const [row = {}] = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const table = tableFrom('southbound_top10', [row])
  const lacking = new Table({
    ...Object.fromEntries(table.schema.names.map((name) => [name, table.getChild(name)])),
    trade_date: vectorFromArray([null], new Utf8()),
  } as Record<string, Vector>)
  expect(() => southboundFlows(lacking)).toThrow('row 1: trade_date is null')
})

test('of some symbols only there are sums and no shares', () => {
  const rows = stock('20260701', '00700.HK', { sh: [3, 1], sz: null })
  const [row = {}] = toObjects(southboundFlows(answerFrom('southbound_top10', rows, { symbols: ['00700.HK'] })).table)
  expect([row['turnover'], row['largest'], row['herfindahl']]).toEqual([4, null, null])
})

const unitsIn = (table: Table) =>
  ['turnover', 'buy', 'sell', 'net'].map((name) =>
    table.schema.fields.find((one) => one.name === name)?.metadata.get('unit'),
  )

test('the unit is carried, and nothing is converted without a rate', () => {
  const rows = tableFrom('southbound_top10', real())
  const dollars = southboundFlows(rows, { unit: 'Hong Kong dollar' })
  expect([southboundFlows(rows).unit, dollars.unit]).toEqual(['yuan', 'Hong Kong dollar'])
  expect(unitsIn(dollars.table)).toEqual(Array(4).fill('Hong Kong dollar'))
  expect([...numbers(dollars.table, 'net')]).toEqual([...numbers(southboundFlows(rows).table, 'net')])
})
