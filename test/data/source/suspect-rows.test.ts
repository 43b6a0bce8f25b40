import { readFileSync } from 'node:fs'
import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../../src/contract/catalogue.js'
import { lawColumns } from '../../../src/contract/row-laws.js'
import { suspectRows } from '../../../src/frame/table/suspect-rows.js'
import { columnsOf } from '../../../src/frame/table/unwrap.js'
import { connect, fromCsv, type Market, numbers, provenance } from '../../../src/index.js'
import { latestTradingDays, loadTables } from '../../../src/research/report/load/load-tables.js'
import { honest, server, useAwkwardServer } from '../../helper/awkward-source.js'
import type { Row } from '../../helper/vendor.js'

useAwkwardServer()

const day = '20260701'

/** Convertible bonds of a day; the rows at some places changed. */
function bonds(changes: Readonly<Record<number, Row>> = {}, tradedate = day): Row[] {
  return ['123001', '123002', '123003', '123004'].map((symbol, i) => ({
    tradedate,
    symbol,
    name: `bond ${i}`,
    code: `${symbol}.SZ`,
    pre_close: 100,
    open: 101,
    high: 103,
    low: 99,
    close: 102,
    change: 2,
    pct_chg: 2,
    vol: 1000,
    amount: 1e6,
    bond_value: null,
    bond_over_rate: null,
    cb_value: null,
    cb_over_rate: null,
    ...changes[i],
  }))
}

async function bondsOf(rows: readonly Row[], market?: Market, tradedate = day): Promise<Table> {
  honest(rows)
  return (market ?? (await live())).table.convertibleDaily({ tradedate })
}

const live = (): Promise<Market> => connect({ nodes: server.url, apikey: 'a key of eight', retry: { attempts: 1 } })

/** Law, rows and first place of what is suspect. */
const suspects = (data: object) => provenance(data)?.suspect?.map(({ law, rows, first }) => [law, rows, first.row])

test.each<[what: string, changes: Readonly<Record<number, Row>>, found: unknown]>([
  ['low above open', { 2: { low: 101.5 } }, [['range', 1, 2]]],
  [
    'close above high, and high below low',
    { 1: { close: 104 }, 3: { high: 98 } },
    [
      ['range', 2, 1],
      ['average', 1, 3],
    ],
  ],
  ['a price of 0 on a day with trade', { 0: { pre_close: 0 } }, [['price', 1, 0]]],
  [
    'prices below 0',
    { 1: { open: -1, high: -1, low: -2, close: -1 }, 2: { pre_close: -3 } },
    [
      ['price', 2, 1],
      ['average', 1, 1],
    ],
  ],
  ['a name in the column of codes', { 3: { symbol: '某某转债' } }, [['code', 1, 3]]],
  ['several', { 0: { low: -5 }, 1: { open: 104 } }, [['range', 1, 1], ['price', 1, 0]]], // biome-ignore format: short
])('%s: neither dropped nor refused, and named', async (_, changes, found) => {
  const rows = bonds(changes)
  const table = await bondsOf(rows)
  expect(suspects(table)).toEqual(found)
  expect(table.numRows).toBe(rows.length)
  expect(provenance(table)?.rows).toBe(rows.length)
})

test.each([
  ['a Saturday', '20260704'],
  ['a Sunday of a year without notice', '20190707'],
  ['a holiday', '20260501'],
])('%s is no day of trading', async (_, tradedate) => {
  const table = await bondsOf(bonds({}, tradedate), undefined, tradedate)
  expect(suspects(table)).toEqual([['day', 4, 0]])
  expect(provenance(table)?.suspect?.[0]?.first).toEqual({
    row: 0,
    cells: { tradedate, code: '123001.SZ' },
  })
})

test('a weekday of a year without notice may be one', async () => {
  const table = await bondsOf(bonds({}, '20190708'), undefined, '20190708')
  expect(suspects(table)).toBeUndefined()
})

test('the sample has nothing that is suspect, and neither have real rows', async () => {
  const market = await connect()
  const { tables, more } = await loadTables(market, await latestTradingDays(market, 60))
  const all = [...Object.values(tables), ...more.map(({ table }) => table)]
  expect(all.length).toBeGreaterThan(14)
  for (const table of all) expect(provenance(table)).not.toHaveProperty('suspect')
  const real = readFileSync('test/fixture/real/688001.SH.1m.csv', 'utf8').replace('vol_shares', 'vol')
  const shares = fromCsv(real, { kinds: { symbol: 'code', tradedate: 'date' } })
  const lots = numbers(shares, 'vol' as never).map((vol) => vol / 100)
  const { columns: of, length } = columnsOf(shares)
  const columns = { length, columns: new Map([...of, ['vol', { type: 'float', data: lots, valid: null }]]) } as never
  expect(length).toBeGreaterThan(2000)
  expect(suspectRows(datasetOf('etf_minute'), columns)).toEqual([])
})

/** Which columns each law looks at. A new dataset gets them from its columns; what is new here is to be meant. */
test('the columns of each law', () => {
  const bar = ['open', 'high', 'low', 'close', 'vwap']
  const range = ['low', 'open', 'high', 'close']
  const none = { range: [], price: [], average: [], code: [], day: [], waiting: [] }
  const average = ['low', 'high', 'vol', 'amount']
  expect(Object.fromEntries(datasetNames.map((name) => [name, lawColumns(datasetOf(name))]))).toEqual({
    news: none,
    finance_announcement: { ...none, code: ['symbol'] },
    interactive_qa: { ...none, code: ['symbol'] },
    theme_lib_detail_kp: none,
    thememembers_jx: { ...none, code: ['symbols'] },
    theme_daily: { ...none, day: ['tradedate'] },
    convertible_daily: {
      range,
      price: ['pre_close', 'open', 'high', 'low', 'close'],
      code: ['symbol', 'code'],
      day: ['tradedate'],
      average,
      waiting: [],
    },
    transfer_financing: { ...none, day: ['tradedate'] },
    southbound_top10: { ...none, price: ['close'], code: ['code'], day: ['trade_date'] },
    hotstock: { ...none, code: ['s'] },
    st: { ...none, code: ['symbol'], day: ['tradedate'] },
    anomaly_forecast: { ...none, code: ['symbol'], day: ['tradedate'] },
    etf_minute: { ...none, range, price: bar, average, code: ['symbol'], day: ['tradedate'] },
    convertible_minute: { ...none, range, price: bar, average, code: ['symbol'], day: ['tradedate'] },
    file_download: none,
  })
})
