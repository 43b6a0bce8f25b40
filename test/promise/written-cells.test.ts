import {
  Archive,
  backtest,
  benchmarkOfTable,
  connect,
  datasetOf,
  defineDataset,
  fromCsv,
  importFiles,
  loadPanel,
  numbers,
  type Panel,
  toObjects,
} from 'quotebook'
import { expect, test } from 'vitest'
import { failure, file, newPlace, removeFolders } from './helper/files.js'

removeFolders()

const bondMaster = {
  name: 'bond_master',
  title: 'Bonds as a site lists them',
  columns: {
    tradedate: { kind: 'date', meaning: 'Day of the list.' },
    code: { kind: 'code', spelling: 'full', meaning: 'Bond.' },
    remaining: { kind: 'number', unit: '100 million yuan', nullable: true, meaning: 'What is left of it.' },
    premium: { kind: 'number', unit: 'percent', nullable: true, meaning: 'Conversion premium.' },
    amount: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Turnover.' },
    maturity: { kind: 'date', nullable: true, meaning: 'Maturity.' },
  },
  key: ['tradedate', 'code'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '18:00:00', note: 'when it was exported' },
  instruments: 'bond',
  chinese: { columns: { remaining: '剩余规模（亿元）', premium: '转股溢价率' } },
} as const

const rows = (premium = '12.5%') =>
  `日期,代码,转债名称,剩余规模(亿元),转股溢价率,成交额,到期时间
2026-06-01,123124,云帆转债,15.14,${premium},3.2万,2029/7/1
2026/6/1,111010,新屿转债,5.5亿,8.1,"1,580",20300501
`

test('a table of a site: Chinese heads and those of the declaration, days in three forms, 亿 万 % and thousands', async () => {
  defineDataset(bondMaster)
  const dir = newPlace()
  await importFiles(dir, datasetOf('bond_master'), [file('jsl.csv', rows())], {
    covers: { from: '20260601', to: '20260601' },
  })
  const table = await new Archive(dir, 'own').query(datasetOf('bond_master'), { tradedate: '20260601' })
  expect(toObjects(table)).toMatchObject([
    { code: '111010.SH', remaining: 5.5, premium: 8.1, amount: 1580, maturity: '20300501' },
    { code: '123124.SZ', remaining: 15.14, premium: 12.5, amount: 32_000, maturity: '20290701' },
  ])
  const wrong = importFiles(newPlace(), datasetOf('bond_master'), [file('jsl.csv', rows('12.5元'))])
  expect((await failure(wrong)).message).toMatch(/jsl\.csv:2: .*premium must be number, not "12\.5元"/)
})

test('terms, cash flows and benchmarks take the same heads and days', async () => {
  const market = await connect()
  const terms = fromCsv('代码,到期日,最后交易日\n123124,2029-07-01,\n111010,2030/5/1,\n')
  const cashflows = fromCsv('代码,付息日,每张利息,类别\n123124,2026/6/9,"0.5",付息\n')
  const data = { dataset: 'convertible_daily', terms, cashflows } as const
  const { panel } = await loadPanel(market, data, { from: '20260601', to: '20260612' })
  const place = panel.symbols.indexOf('123124.SZ')
  const days = panel.column('days_to_maturity')
  expect(days[panel.begin * panel.symbols.length + place]).toBe(1126)
  expect((panel as unknown as { cashflows: { cash: number; kind: string }[] }).cashflows).toMatchObject([
    { cash: 0.5, kind: 'coupon' },
  ])
  const levels = `日期,收盘价\n${panel.days
    .slice(panel.begin)
    .map((day, at) => `${day.slice(0, 4)}/${Number(day.slice(4, 6))}/${Number(day.slice(6))},"1,00${at % 10}.5"\n`)
    .join('')}`
  expect([...benchmarkOfTable(fromCsv(levels), 'own', panel as unknown as Panel).equity].slice(0, 2)).toEqual([
    1000.5, 1001.5,
  ])
})

test('round trips first in first out: what a grid closed, and the same sum of money', async () => {
  const market = await connect()
  const { panel } = await loadPanel(
    market,
    { dataset: 'convertible_daily', params: { symbols: ['123124.SZ'] } },
    { from: '20260601' },
  )
  const grid = {
    orders: ({ time }: { time: number }) => [
      { symbol: '123124.SZ', side: time % 3 === 2 ? 'sell' : 'buy', shares: 20 } as const,
    ],
  }
  const [flat, fifo] = (['flat', 'fifo'] as const).map((trips) => backtest(panel, grid, { cash: 1_000_000, trips }))
  if (!flat || !fifo) throw new Error('no runs')
  expect([...fifo.equity]).toEqual([...flat.equity])
  expect([flat.trades.length, fifo.trips.numRows, fifo.trades.length > 5]).toEqual([0, fifo.trades.length, true])
  // each sale is 20, of one purchase of 20: buys and sells pair in order
  const fills = toObjects(fifo.fills) as { side: string; amount: number; commission: number }[]
  const cash = (side: string) =>
    fills
      .filter((one) => one.side === side)
      .map(({ amount, commission }) => (side === 'buy' ? -amount : amount) - commission)
  const [bought, sold] = [cash('buy'), cash('sell')]
  const due = sold.map((got, at) => Number((got + (bought[at] as number)).toFixed(2)))
  expect([...numbers(fifo.trips, 'pnl')]).toEqual(due)
  expect(() => backtest(panel, grid, { cash: 1_000_000, trips: 'lifo' as never })).toThrow(/trips/)
})
