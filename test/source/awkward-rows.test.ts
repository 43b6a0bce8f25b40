import { expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { reply, type Script } from '../helper/awkward-server.js'
import {
  about,
  ask,
  day,
  errorOf,
  expected,
  expectTruth,
  honest,
  ofDay,
  params,
  server,
  sourceOf,
  symbols,
  useAwkwardServer,
  value,
  withData,
} from '../helper/awkward-source.js'
import { type Asked, bars, type Data, replyFor } from '../helper/vendor.js'

useAwkwardServer()

/** Rows that are not what was asked for: put right, or refused by name. */
const at = (name: string, data: Data): number => data.fields.indexOf(name)

/** Changes one cell of the reply. */
function cell(row: number, name: string, to: unknown): (data: Data) => Data {
  return (data) => ({
    ...data,
    items: data.items.map((cells, i) => (i === row ? cells.map((old, c) => (c === at(name, data) ? to : old)) : cells)),
  })
}

test.each<[what: string, change: (data: Data) => unknown, where: { field?: string; row?: number }]>([
  ['text in a number column', cell(5, 'close', '1.5'), { field: 'close', row: 5 }],
  ['a number in a text column', cell(5, 'symbol', 510300), { field: 'symbol', row: 5 }],
  ['null where none may be', cell(7, 'symbol', null), { field: 'symbol', row: 7 }],
  ['a date that is none', cell(2, 'tradedate', '20260231'), { field: 'tradedate', row: 2 }],
  ['a minute that is none', cell(2, 'trademin', '2560'), { field: 'trademin', row: 2 }],
  ['a number beyond doubles', cell(2, 'amount', { big: 1 }), { field: 'amount', row: 2 }],
  [
    "another day's rows",
    (data) => ({ ...data, items: data.items.map((row) => row.map((c) => (c === day ? '20260702' : c))) }),
    { field: 'tradedate', row: 0 },
  ],
  ['one row of another day', cell(50, 'tradedate', '20260630'), { field: 'tradedate', row: 50 }],
  ["another symbol's row", cell(20, 'symbol', '510500.SH'), { field: 'symbol', row: 20 }],
  ['the same number at another exchange', cell(20, 'symbol', '510300.SZ'), { field: 'symbol', row: 20 }],
  ['a bucket of no period', cell(3, 'trademin', '0931'), { field: 'trademin', row: 3 }],
  [
    'bars of 30 minutes',
    (data) => ({ ...data, items: data.items.filter((row) => /(00|30)$/.test(String(row[at('trademin', data)]))) }),
    { field: 'trademin' },
  ],
  [
    'a missing column',
    (data) => ({ fields: data.fields.slice(1), items: data.items.map((row) => row.slice(1)) }),
    { field: 'tradedate' },
  ],
  [
    'a column that is there twice',
    (data) => ({ fields: [...data.fields, 'close'], items: data.items.map((row) => [...row, 1]) }),
    {},
  ],
  ['a row twice', (data) => ({ ...data, items: [...data.items, data.items[4]] }), {}],
])('%s: a contract error that names it', async (_, change, where) => {
  honest(ofDay, (same) => withData(same, change))
  const error = await errorOf(ask('etf_minute', params))
  expect(error).toMatchObject({ name: 'ContractError', code: 'CONTRACT', dataset: 'etf_minute', ...where })
  if (Object.keys(where).length > 0)
    expect(error).toMatchObject({ node: server.url, message: expect.stringContaining(server.url) })
  expect(server.requests.length).toBeLessThanOrEqual(3)
})

test('bars of 15 minutes where 30 were asked for are refused', async () => {
  honest(ofDay)
  const error = await errorOf(ask('etf_minute', { ...params, period: '30m' }))
  expect(error).toMatchObject({
    code: 'CONTRACT',
    field: 'trademin',
    message: expect.stringContaining('a bucket of 30m'),
  })
})

test('columns in any order are put right', async () => {
  honest(ofDay, (same) =>
    withData(same, (data) => ({
      fields: data.fields.toReversed(),
      items: data.items.map((row) => row.toReversed()),
    })),
  )
  expectTruth(await ask('etf_minute', params))
})

test('rows in any order are put right', async () => {
  honest(ofDay, (same) => withData(same, (data) => ({ ...data, items: data.items.toReversed() })))
  expectTruth(await ask('etf_minute', params))
})

test('a column that the contract does not know is kept, and told of once', async () => {
  const told: unknown[] = []
  const source = sourceOf({ onExtraColumn: (extra) => void told.push(extra) })
  honest(ofDay, (same) =>
    withData(same, (data) => ({
      fields: [...data.fields, 'iopv'],
      items: data.items.map((row, i) => [...row, i % 2 ? null : 1.25]),
    })),
  )
  for (let n = 0; n < 2; n++) {
    const table = await ask('etf_minute', params, {}, source)
    expect(about(table).extra).toEqual(['iopv'])
    expect(objectsOf(table).map((row) => row.iopv)).toEqual(expected.map((_, i) => [1.25, null][i % 2]))
  }
  expect(told).toEqual([{ dataset: 'etf_minute', column: 'iopv', node: server.url }])
})

test('columns of the contract that nobody asked for are let go', async () => {
  honest(ofDay, (_, request) => {
    const { fields: __, ...all } = request.body as Asked
    return replyFor(ofDay, all)
  })
  const table = await ask('etf_minute', params, { fields: 'close,symbol' })
  expect(objectsOf(table)).toEqual(expected.map(({ close, symbol }) => ({ close, symbol })))
  expect(about(table).extra).toBeUndefined()
})

test('rows of two days are no answer to a question about the latest', async () => {
  const yesterday = { ...params, tradedate: '20260630' }
  const before = replyFor(bars(symbols, '20260630'), { apiname: 'etf_minute', params: yesterday }).data as Data
  server.always(() => reply.json(withData(value, (data) => ({ ...data, items: [...before.items, ...data.items] }))))
  const error = await errorOf(ask('etf_minute', { symbols, period: '15m' }))
  expect(error).toMatchObject({ code: 'CONTRACT', field: 'tradedate', message: expect.stringContaining('2 days') })
})

test('more days than were asked for are refused', async () => {
  const rows = ['20260701', '20260702', '20260703'].map((tradedate) => ({ tradedate, closing_balance: 1 }))
  server.always(() =>
    reply.json({
      code: 200,
      message: 'success',
      data: {
        fields: Object.keys(datasetOf('transfer_financing').columns),
        items: rows.map(({ tradedate }) => [tradedate, 1, 1, 1, 1, 1]),
      },
    }),
  )
  expect(await errorOf(ask('transfer_financing', { recentdays: 2 }))).toMatchObject({
    code: 'CONTRACT',
    field: 'tradedate',
    row: 2,
  })
  expect((await ask('transfer_financing', { recentdays: 3 })).numRows).toBe(3)
  expect(await errorOf(ask('transfer_financing', {}))).toMatchObject({ code: 'CONTRACT' })
})

test('announcements of a later day than may be known are refused', async () => {
  const fields = Object.keys(datasetOf('finance_announcement').columns)
  const row = (at: string): unknown[] => ['600519', at, 'title', null, 'other', null]
  const answers = (...moments: string[]) =>
    server.always(({ body }): Script => {
      const items = moments.map(row).slice(Number((body as Asked).params.offset ?? 0))
      return reply.json({ code: 200, message: 'success', data: { fields, items, total: moments.length } })
    })
  const asked: [given: Record<string, string>, good: string, bad: string][] = [
    [{ as_of: '20260630' }, '2026-06-30 23:00:00', '2026-07-01'],
    [{ as_of: '2026-06-30T10:00:00' }, '20260630', '20260701'],
    [{ ann_startdate: '20260601' }, '20260601', '2026-05-31 23:59:59'],
    [{ ann_enddate: '20260630', as_of: '20260615' }, '20260615', '20260616'],
  ]
  for (const [given, good, bad] of asked) {
    answers(good)
    expect((await ask('finance_announcement', given)).numRows).toBe(1)
    answers(good, bad)
    const error = await errorOf(ask('finance_announcement', given))
    expect(error).toMatchObject({ code: 'CONTRACT', field: 'event_date', row: 1 })
  }
})
