import { expect, test } from 'vitest'
import { daysBetween } from '../../src/contract/day-list.js'
import { reply } from '../helper/awkward-server.js'
import { about, ask, day, errorOf, expectTruth, honest, server, useAwkwardServer } from '../helper/awkward-source.js'
import { type Asked, bars, replyFor, truth } from '../helper/vendor.js'

useAwkwardServer()

/** Replies that are cut, and days that change: whole, or refused, or said. */
const universe = Array.from({ length: 1000 }, (_, i) => `${510000 + i}.SH`)

test('the latest day begins between two batches: all rows are of one day', async () => {
  const [old, fresh] = ['20260701', '20260702']
  const rows = [...bars(universe, old), ...bars(universe.slice(0, 400), fresh)]
  let n = 0
  server.always((request) => reply.json(replyFor(rows, request.body, { cap: 6000, latest: n++ === 0 ? old : fresh })))
  const asked = { symbols: universe, period: '15m' }
  const table = await ask('etf_minute', asked)
  expectTruth(table, truth(rows, 'etf_minute', asked, old))
  expect(about(table)).toMatchObject({ complete: true, rows: 17000, call: { requests: 3 } })
})

test('the latest day begins between a reply that was cut and its halves: all rows are of one day', async () => {
  const many = universe.slice(0, 350)
  const [old, fresh] = ['20260701', '20260702']
  const rows = [...bars(many, old), ...bars(many.slice(0, 100), fresh)]
  let n = 0
  server.always((request) => reply.json(replyFor(rows, request.body, { cap: 5000, latest: n++ === 0 ? old : fresh })))
  const asked = { symbols: many, period: '15m' }
  expectTruth(await ask('etf_minute', asked), truth(rows, 'etf_minute', asked, old))
})

test('the latest day is not lost with a first batch that has no rows of it', async () => {
  const rows = bars(universe.slice(500), day)
  server.always((request) => reply.json(replyFor(rows, request.body, { cap: 6000 })))
  const table = await ask('etf_minute', { symbols: universe, period: '15m' })
  expect(table.numRows).toBe(500 * 17)
  expect(about(table).without?.symbols).toEqual(universe.slice(0, 500))
})

test('a cap that is hit is split, until the whole is there', async () => {
  const days = ['20260701', '20260702', '20260703', '20260706', '20260707']
  const bonds = Array.from({ length: 1600 }, (_, i) => `${110000 + i}`)
  const rows = days.flatMap((tradedate) =>
    bonds.map((symbol) => ({ tradedate, symbol, code: `${symbol}.SH`, close: Number(symbol) })),
  )
  honest(rows, (same) => same, { cap: 6000 })
  const range = { startdate: '20260701', enddate: '20260707' }
  const table = await ask('convertible_daily', range)
  expectTruth(table, truth(rows, 'convertible_daily', range))
  expect(about(table)).toMatchObject({ complete: false, rows: 8000, note: expect.stringContaining('1600 codes') })
  expect(about(table).call?.splits).toBeGreaterThan(0)
})

test.each([
  [5999, 0],
  [6000, 1],
])('%i rows of a day without a way to split it', async (rows, isFull) => {
  const all = Array.from({ length: rows }, (_, i) => ({
    tradedate: day,
    symbol: `${110000 + i}`,
    code: `${110000 + i}.SH`,
  }))
  honest(all, (same) => same, { cap: 6000 })
  const asked = { tradedate: day }
  if (isFull) {
    expect(await errorOf(ask('convertible_daily', asked))).toMatchObject({
      name: 'TruncatedError',
      code: 'TRUNCATED',
      node: server.url,
      request: { dataset: 'convertible_daily' },
    })
    const table = await ask('convertible_daily', asked, { allowTruncated: true })
    expect(about(table)).toMatchObject({
      complete: false,
      rows: 6000,
      note: expect.stringContaining('there may be more'),
    })
    return
  }
  const table = await ask('convertible_daily', asked)
  expectTruth(table, truth(all, 'convertible_daily', asked))
  expect(about(table)).toMatchObject({ complete: false, note: expect.stringContaining('as many as a reply holds') })
})

test('exactly as many rows as the cap, which can be split, are whole', async () => {
  const all = Array.from({ length: 6000 }, (_, i) => ({
    tradedate: i < 2500 ? '20260701' : '20260702',
    symbol: `${110000 + i}`,
    code: `${110000 + i}.SH`,
  }))
  honest(all, (same) => same, { cap: 6000 })
  const asked = { startdate: '20260701', enddate: '20260702' }
  const table = await ask('convertible_daily', asked)
  expectTruth(table, truth(all, 'convertible_daily', asked))
  expect(about(table)).toMatchObject({ complete: true, rows: 6000, call: { requests: 3, splits: 1 } })
})

test('without `whole` a cap that is hit is told of', async () => {
  const all = Array.from({ length: 7000 }, (_, i) => ({
    tradedate: day,
    symbol: `${110000 + i}`,
    code: `${110000 + i}.SH`,
  }))
  honest(all, (same) => same, { cap: 6000 })
  const table = await ask('convertible_daily', { tradedate: day }, { whole: false })
  expect(about(table)).toMatchObject({ complete: false, note: 'cut at the cap of 6000 rows a call' })
})

const marks = daysBetween('20260701', '20260811').flatMap((tradedate) =>
  Array.from({ length: 300 }, (_, i) => ({
    tradedate,
    symbol: String(600000 + i),
    name: null,
    type: 'ST',
    type_name: null,
  })),
)

test.each([
  ['st', { startdate: '20260701', enddate: '20260811' }],
  ['st', { startdate: '20260701' }],
  ['theme_daily', { type: 'tj', startdate: '20260701', enddate: '20260811' }],
] as const)('a cap of 5,000 that nobody wrote down is found out: %s %j', async (name, asked) => {
  const rows = name === 'st' ? marks : marks.map((row) => ({ ...row, type: 'tj' }))
  honest(rows, (same) => same, { cap: 5000 })
  const table = await ask(name, asked)
  expectTruth(table, truth(rows, name, asked))
  expect(about(table)).toMatchObject({
    complete: false,
    rows: marks.length,
    note: expect.stringContaining('300 codes'),
  })
})

test('a cap of 5,000 where the contract says 6,000 is found out', async () => {
  const many = universe.slice(0, 350)
  const rows = bars(many, day)
  honest(rows, (same) => same, { cap: 5000 })
  const asked = { symbols: many, tradedate: day, period: '15m' }
  expectTruth(await ask('etf_minute', asked), truth(rows, 'etf_minute', asked))
})

test('rows of a whole market that nothing exceeds make one wonder, and it says so', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => ({
    tradedate: day,
    symbol: String(600000 + i),
    name: null,
    type: 'ST',
    type_name: null,
  }))
  honest(rows)
  const table = await ask('st', { enddate: day })
  expect(about(table)).toMatchObject({
    complete: false,
    note: expect.stringContaining('may be as many as a reply holds'),
  })
})

test('halves that hold less than the whole: asked again, then refused', async () => {
  const rows = marks.slice(0, 5000)
  honest(rows, (same, request) => {
    const { startdate, enddate } = (request.body as Asked).params
    return startdate === '20260701' && enddate === '20260811' ? same : { code: 1002, message: 'no data', data: null }
  })
  const error = await errorOf(ask('st', { startdate: '20260701', enddate: '20260811' }))
  expect(error).toMatchObject({
    code: 'UNSTABLE',
    retryable: true,
    message: expect.stringContaining('do not go together'),
  })
  expect(server.requests.length).toBe(8)
})
