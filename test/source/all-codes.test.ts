import { afterAll, beforeAll, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { connect, sampleDir } from '../../src/connect.js'
import { Market } from '../../src/market.js'
import { digest } from '../../src/table/digest.js'
import { provenance } from '../../src/table/provenance.js'
import { type Service, serve } from '../helper/service.js'

const archive = new Archive(sampleDir, 'sample')
const local = new Market(archive)
const closers: (() => Promise<void>)[] = []

async function over(state?: string): Promise<{ market: Market; service: Service }> {
  const service = await serve(archive, undefined, state)
  const market = await connect({ nodes: [service.url], apikey: 'all-key', pace: { perSecond: 1e6, burst: 1e6 } })
  closers.push(
    () => market.close(),
    () => service.close(),
  )
  return { market, service }
}

let own: { market: Market; service: Service }
beforeAll(async () => {
  own = await over(await archive.state())
})
afterAll(async () => {
  for (const close of closers) await close()
})

test.each([
  ['etf_minute', { period: '15m', tradedate: '20260728' }, '20260728', 17],
  ['etf_minute', { period: '15m' }, '20260729', 17],
  ['convertible_minute', {}, '20260729', 9],
] as const)("%s with symbols 'all' and %j is every bar of every code", async (name, params, day, bars) => {
  const codes = await local.symbols(name, { day })
  const named = await local.query(name, { ...params, tradedate: day, symbols: codes })
  expect(named.numRows).toBeGreaterThan(codes.length * (bars - 2))
  for (const market of [local, own.market]) {
    const table = await market.query(name, { ...params, symbols: 'all' })
    expect(digest(table)).toBe(digest(named))
    expect(provenance(table)).toMatchObject({ complete: true, request: { days: [day] } })
  }
})

test("where no code means all, 'all' is the same question, and no such word is sent", async () => {
  const { market, service } = own
  const calls = [
    ['convertible_daily', { tradedate: '20260729' }, {}],
    ['anomaly_forecast', {}, {}],
    ['etf_minute', { trademin: '1000', tradedate: '20260729' }, {}],
    ['etf_minute', {}, { days: ['20260728', '20260729'] }],
  ] as const
  for (const [name, params, options] of calls) {
    const plain = await local.query(name, params, options)
    expect(plain.numRows).toBeGreaterThan(0)
    for (const one of [local, market]) {
      const table = await one.query(name, { ...params, symbols: 'all' }, options)
      expect(digest(table)).toBe(digest(plain))
    }
  }
  expect(JSON.stringify(service.requests)).not.toContain('"all"')
})

test('a vendor that tells nothing proves no more than a bucket at a time does', async () => {
  const { market } = await over()
  const table = await market.query('convertible_minute', { symbols: 'all', tradedate: '20260729' })
  const plain = await market.query('convertible_minute', {}, { days: ['20260729'] })
  expect(digest(table)).toBe(digest(plain))
  const [about, other] = [provenance(table), provenance(plain)]
  expect([about?.complete, about?.proof, about?.note]).toEqual([other?.complete, other?.proof, other?.note])
  expect(about?.complete === (about?.proof !== undefined)).toBe(true)
})

test('the loaders take it, and how it would be asked can be told', async () => {
  const table = await local.table.etfMinute({ symbols: 'all', period: '15m', tradedate: '20260729' })
  expect(table.numRows).toBeGreaterThan(17)
  const { market } = own
  const named = await market.explain('etf_minute', { symbols: 'all', period: '15m', tradedate: '20260729' })
  expect([named.requests, named.lines[1]]).toEqual([17, '  1  20260729, bucket 0930'])
  const latest = await market.explain('etf_minute', { symbols: 'all', period: '15m' })
  expect([latest.requests, latest.exact, latest.lines.at(-1)]).toEqual([
    1,
    false,
    'then a request for each bucket of the day that it shows',
  ])
})

test.each([
  ['thememembers_jx', { symbols: 'all' }, "thememembers_jx takes no symbols 'all'; leave symbols out."],
  ['news', { symbols: 'all' }, "news takes no symbols 'all'; leave symbols out."],
  ['etf_minute', { symbols: ['510300.SH', 'all'] }, "symbols 'all' stands alone, without codes beside it."],
  ['etf_minute', { symbols: 'all,510300' }, "symbols 'all' stands alone, without codes beside it."],
])('%s %j is refused', async (name, params, message) => {
  for (const market of [local, own.market]) {
    await expect(market.query(name, params)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'symbols',
      message,
    })
  }
})

test.each([
  [{ symbols: 'all', tradedate: '2026-07-01' }, {}, 'tradedate'],
  [{ symbols: 'all', period: '1m' }, {}, 'period'],
  [{ symbols: 'all', tradedate: '20260701' }, { days: ['20260701'] }, 'days'],
])("what is wrong beside 'all' is named: %j %j", async (params, options, field) => {
  await expect(local.query('etf_minute', params, options)).rejects.toMatchObject({ field })
})
