import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spelled } from '../../src/contract/symbol.js'
import { texts } from '../../src/frame/read-columns.js'
import { reply } from '../helper/awkward-server.js'
import {
  ask,
  errorOf,
  expectTruth,
  honest,
  params,
  server,
  useAwkwardServer,
  value,
  withData,
} from '../helper/awkward-source.js'
import type { Asked, Data, Row } from '../helper/vendor.js'

useAwkwardServer()

/** Replies that contradict themselves, each other, or the word beside them. */
function withCells(name: string, change: (cell: unknown, row: number) => unknown) {
  return withData(value as never, (data: Data) => {
    const at = data.fields.indexOf(name)
    return { ...data, items: data.items.map((row, i) => row.map((cell, c) => (c === at ? change(cell, i) : cell))) }
  })
}

describe('a message that is no success', () => {
  test.each(['quota exceeded: partial result', 'partial', '部分数据', 'warning: stale', 'success (truncated)'])(
    '%s',
    async (message) => {
      for (const pad of ['', ' '.repeat(2 ** 18)]) {
        server.always(() => reply.raw(JSON.stringify({ ...value, message }).replace('"data"', `${pad}"data"`)))
        expect(await errorOf(ask('etf_minute', params))).toMatchObject({
          code: 'UNAVAILABLE',
          retryable: true,
          vendorMessage: message,
          message: expect.stringContaining(`with 51 rows and says “${message}”`),
        })
      }
    },
  )
  test('success in any letters is one', async () => {
    for (const message of ['success', 'Success', 'OK', '']) {
      server.always(() => reply.json({ ...value, message }))
      expectTruth(await ask('etf_minute', params))
    }
  })
})

describe('a time and the bucket that it is said to be of', () => {
  test.each([
    ['an hour later', () => '15:00:00'],
    ['a minute after the close of each', (_: unknown, row: number) => shifted(row, 1)],
    ['before the bucket began', (_: unknown, row: number) => shifted(row, -16)],
  ])('%s: refused', async (_, change) => {
    const only = { ...params, trademin: '1000' }
    const reduced = withData(withCells('time', change), (data) => ({
      ...data,
      items: data.items.filter((row) => row[data.fields.indexOf('trademin')] === '1000'),
    }))
    server.always(() => reply.json(reduced))
    expect(await errorOf(ask('etf_minute', only))).toMatchObject({ code: 'CONTRACT', field: 'time', row: 0 })
  })
  test('any second of the bucket and of its closing minute passes', async () => {
    for (const [trademin, times] of [
      ['0930', ['09:25:00', '09:30:00', '09:30:59.123']],
      ['1000', ['09:45:00', '09:45:03', '09:59:57', '10:00:59']],
      ['1315', ['13:00:01', '13:14:59']],
      ['1500', ['14:57:00', '15:00:03']],
    ] as const) {
      for (const time of times) {
        const items = (value.data as Data).items.filter((row) => row[2] === trademin).map((row) => row.with(3, time))
        server.always(() => reply.json({ ...value, data: { ...(value.data as Data), items } }))
        expect((await ask('etf_minute', { ...params, trademin })).numRows, time).toBe(3)
      }
    }
  })
})

function shifted(row: number, minutes: number): string {
  const trademin = String((value.data as Data).items[row]?.[2])
  const all = Number(trademin.slice(0, 2)) * 60 + Number(trademin.slice(2)) + minutes
  return `${String(Math.floor(all / 60)).padStart(2, '0')}:${String(all % 60).padStart(2, '0')}:00`
}

describe('codes in other spellings than the contract has', () => {
  const other = (change: (code: string, row: number) => string) =>
    withCells('symbol', (cell, row) => change(String(cell), row))

  test.each([
    ['without the market', (code: string) => code.slice(0, 6)],
    ['with the market in small letters', (code: string) => code.toLowerCase()],
    ['one this way, one that', (code: string, row: number) => (row % 2 === 0 ? code : code.slice(0, 6))],
  ])('%s: the rows are there as the contract spells them', async (_, change) => {
    server.always(() => reply.json(other(change)))
    expectTruth(await ask('etf_minute', params))
  })

  test.each(['510300', '510300.sh', '510300.Sh'])('a bar twice, once as %s, is refused', async (spelling) => {
    const twice = withData(value, (data) => ({
      ...data,
      items: [...data.items, ...data.items.filter((row) => row[1] === '510300.SH').map((row) => row.with(1, spelling))],
    }))
    server.always(() => reply.json(twice))
    expect(await errorOf(ask('etf_minute', params))).toMatchObject({ code: 'CONTRACT', message: /share the key/ })
  })

  test('a code whose market nobody can tell is refused', async () => {
    server.always(() => reply.json(other((code) => (code === '510300.SH' ? '1x0300' : code))))
    const { symbols: _, ...all } = params
    expect(await errorOf(ask('etf_minute', { ...all, trademin: '1000' }))).toMatchObject({
      code: 'CONTRACT',
      field: 'symbol',
    })
  })

  test('stocks with a suffix where the contract has none are one with those without', async () => {
    const row = (symbol: string) => ['20260701', symbol, 'name', 'ST', 'text']
    const answer = (...codes: string[]) =>
      reply.json({
        code: 200,
        message: 'success',
        data: { fields: ['tradedate', 'symbol', 'name', 'type', 'type_name'], items: codes.map(row) },
      })
    const days = { startdate: '20260701', enddate: '20260701' }
    server.always(() => answer('600519.SH', '000001'))
    expect(texts(await ask('st', days), 'symbol')).toEqual(['000001', '600519'])
    server.always(() => answer('600519.SH', '600519'))
    expect(await errorOf(ask('st', days))).toMatchObject({ code: 'CONTRACT', message: /share the key/ })
    server.always(() => answer('000001.SH'))
    expect(await errorOf(ask('st', days))).toMatchObject({ code: 'CONTRACT', field: 'symbol' })
  })

  test('where the contract does not say how, one code in two spellings is refused', async () => {
    const answer = (...codes: string[]) =>
      reply.json({
        code: 200,
        message: 'success',
        data: { fields: ['theme_symbol', 'symbols'], items: codes.map((code) => [code, []]) },
      })
    server.always(() => answer('801001', '801002.TI'))
    expect((await ask('thememembers_jx', {})).numRows).toBe(2)
    for (const codes of [
      ['801001', '801001.SH'],
      ['801001.sh', '801001.SH'],
    ]) {
      server.always(() => answer(...codes))
      expect(await errorOf(ask('thememembers_jx', {}))).toMatchObject({ code: 'CONTRACT', message: /two spellings/ })
    }
  })

  test('a spelling leads to itself, and every spelling of a code to one', () => {
    const digits = fc.integer({ min: 0, max: 999_999 }).map((n) => String(n).padStart(6, '0'))
    fc.assert(
      fc.property(digits, fc.constantFrom('', '.SH', '.SZ', '.BJ', '.sz'), (bare, suffix) => {
        for (const spelling of ['full', 'bare'] as const) {
          const one = spelled(bare + suffix, spelling)
          if (one === undefined) continue
          expect(spelled(one, spelling)).toBe(one)
          expect(spelled((bare + suffix).toLowerCase(), spelling)).toBe(one)
        }
      }),
    )
    expect(spelled('700.hk', 'full')).toBe('00700.HK')
  })
})

describe('a reply and its halves', () => {
  const cap = 6000

  test('cells that differ are refused, by the row', async () => {
    const days = ['20260701', '20260702', '20260703']
    const daily: Row[] = days.flatMap((tradedate) =>
      Array.from({ length: 2500 }, (_, i) => ({
        tradedate,
        symbol: String(110_000 + i),
        name: null,
        code: `${110_000 + i}.SH`,
        close: 100 + i / 10,
      })),
    )
    const asked = { startdate: days[0], enddate: days[2] }
    const spans = ({ params: { startdate, enddate } }: Asked) => startdate !== enddate
    honest(daily, undefined, { cap })
    expect((await ask('convertible_daily', asked)).numRows).toBe(7500)
    honest(
      daily,
      (same, { body }) =>
        withData(same, (data) =>
          spans(body as Asked)
            ? { ...data, items: data.items.map((row) => row.with(data.fields.indexOf('close'), 1)) }
            : data,
        ),
      { cap },
    )
    expect(await errorOf(ask('convertible_daily', asked))).toMatchObject({
      code: 'UNSTABLE',
      retryable: true,
      message: /other cells than in row 1 when its halves are asked/,
    })
  })
})
