import { type Provenance, provenance, toObjects } from 'quotebook'
import { afterEach, describe, expect, test } from 'vitest'
import { type Asked, bars, closeAll, errorOf, marketOf, ofRows, type Row, vendor } from './helper/vendor.js'

/** What all codes lack together is no halt of trading, and two states of a service are no answer. */
afterEach(closeAll)

// biome-ignore format: a list
const days = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708', '20260709', '20260710', '20260713', '20260714']
const numbered = (count: number, from: number, of = '.SH'): string[] =>
  Array.from({ length: count }, (_, i) => `${from + i}${of}`)
const funds = numbered(1200, 510000)
const bonds = numbered(1000, 110000)
const daily = (codes: readonly string[], on: readonly string[] = days): Row[] =>
  on.flatMap((tradedate) =>
    codes.map((code) => ({ tradedate, symbol: code.slice(0, 6), code, open: 100, close: Number(code.slice(0, 6)) })),
  )
const july = { startdate: days[0], enddate: days.at(-1) }
type Is = (row: Row, asked: Asked) => boolean

/** What a market says of an answer of a service that keeps some rows back. */
async function asked(
  rows: readonly Row[],
  isGone: Is,
  questions: readonly (readonly [name: string, params: Row, options?: object])[],
) {
  const { url, asked: requests } = await vendor((ask) =>
    ofRows(
      rows.filter((row) => !isGone(row, ask)),
      6000,
    )(ask),
  )
  const market = await marketOf(url)
  let about: Provenance | undefined
  for (const [name, params, options] of questions) about = provenance(await market.query(name, params, options))
  return { complete: about?.complete, note: about?.note, without: about?.without, requests: requests.length }
}

describe('a close that all codes lack', () => {
  const on = (isGone: (close: string) => boolean): Is => {
    return ({ tradedate, trademin }) => tradedate === '20260701' && isGone(String(trademin))
  }
  const afternoon = on((close) => close > '1130')
  const hours = on((close) => /[14]5$/.test(close) || !['0930', '1030', '1130', '1400', '1500'].includes(close))

  test.each<[string, number, Is, RegExp]>([
    ['every afternoon bar of 40 codes', 40, afternoon, /20260701 1315, .* \(and 7 more such holes\)/],
    ['every afternoon bar of 400', 400, afternoon, /20260701 1315/],
    ['one bar of twelve codes', 12, on((close) => close === '1400'), /20260701 1400/],
    ['one bar of three codes, and of the market', 3, on((close) => close === '1400'), /20260701 1400/],
    ['one bar of one code, and of the market', 1, on((close) => close === '0930'), /20260701 0930/],
  ])('%s: unproven', async (_, count, isGone, note) => {
    const own = { symbols: funds.slice(0, count), period: '15m' }
    const all = funds.slice(0, Math.max(60, count))
    const rows = ['20260630', '20260701'].flatMap((day) => bars(all, day))
    // What the service sends of another day shows that it does not cut its replies.
    const [before, question] = [
      { ...own, tradedate: '20260630', symbols: all },
      { ...own, tradedate: '20260701' },
    ]
    const about = await asked(rows, isGone, [
      ['etf_minute', before],
      ['etf_minute', question],
    ])
    expect(about).toMatchObject({ complete: false, note: expect.stringMatching(note) })
    expect(`${about.note}`).toMatch(/^no code has a bar of .*, although the session has one/)
  })

  test('bars of an hour where half an hour was asked for', async () => {
    const rows = ['20260630', '20260701'].flatMap((day) => bars(bonds.slice(0, 40), day))
    const thirty = rows.filter(({ trademin }) => /[03]0$/.test(String(trademin)))
    const own = { symbols: bonds.slice(0, 40), period: '30m' }
    const questions = ['20260630', '20260701'].map(
      (tradedate) => ['convertible_minute', { ...own, tradedate }] as const,
    )
    expect(await asked(thirty, hours, questions)).toMatchObject({
      complete: false,
      note: expect.stringContaining('20260701 1000'),
    })
  })

  test('a halt of some codes, and one day of many, is told apart by the bars of others', async () => {
    const own = funds.slice(0, 4)
    const isHalted: Is = ({ symbol, trademin }) => own.includes(String(symbol)) && String(trademin) < '1030'
    const question = { symbols: own, tradedate: '20260701', period: '15m' }
    const about = await asked(bars(funds.slice(0, 60), '20260701'), isHalted, [['etf_minute', question]])
    expect(about).toMatchObject({ complete: true, without: { bars: expect.anything() } })
  })

  test('the session that is still open lacks nothing that was not due', async () => {
    const rows = bars(funds.slice(0, 40), '20260701').filter(({ trademin }) => String(trademin) <= '1100')
    const market = await marketOf((await vendor(ofRows(rows))).url, { time: () => Date.UTC(2026, 6, 1, 3, 2) })
    const question = { symbols: funds.slice(0, 40), tradedate: '20260701', period: '15m' }
    expect(provenance(await market.query('etf_minute', question))).toMatchObject({ complete: true, rows: 40 * 7 })
  })
})

describe('a trading day that all codes lack', () => {
  const on =
    (day = '20260707'): Is =>
    ({ tradedate }) =>
      tradedate === day
  const named = (count: number): Row => ({ ...july, symbols: bonds.slice(0, count) })

  test.each<[string, Is, Row]>([
    ['of 30 bonds', on(), named(30)],
    [
      'of 30 bonds, and not of others',
      ({ tradedate, code }) => on()({ tradedate }, {} as Asked) && String(code) < '110030',
      named(30),
    ],
    ['of all bonds', on(), july],
    ['of two bonds and of the market', on(), named(2)],
  ])('%s: unproven', async (_, isGone, params) => {
    const about = await asked(daily(bonds.slice(0, 400)), isGone, [['convertible_daily', params]])
    expect(about).toMatchObject({ complete: false })
    if (params.symbols) expect(`${about.note}`).toBe('no code has a row of 20260707, although it is a trading day')
  })

  test('bars over days, one bucket of them, and a day alone between days that were answered', async () => {
    const rows = days.slice(0, 3).flatMap((day) => bars(funds.slice(0, 30), day))
    const [first, second] = [
      { symbols: funds.slice(0, 3), period: '15m' },
      { symbols: funds.slice(0, 3), trademin: '1000', period: '15m' },
    ]
    for (const params of [first, second]) {
      const about = await asked(rows, on('20260702'), [
        ['etf_minute', params, { days: { from: '20260701', to: '20260703' } }],
      ])
      expect(about).toMatchObject({ complete: false, note: expect.stringContaining('20260702') })
    }
    const single = (tradedate: string): [string, Row] => ['etf_minute', { ...first, tradedate }]
    const alone = await asked(rows, on('20260702'), [single('20260701'), single('20260703'), single('20260702')])
    expect(alone).toMatchObject({ complete: false, note: expect.stringContaining('20260702') })
    expect(await asked(rows, on('20260702'), [single('20260702')])).toMatchObject({ complete: true })
  })

  test('what a listing, a halt, a list or the calendar explains is complete', async () => {
    const rows = daily(bonds.slice(0, 400))
    const late: Is = ({ tradedate, code }) =>
      String(code) < '110030' && (String(tradedate) < '20260706' || String(tradedate) > '20260710')
    expect(
      await asked(rows, late, [
        ['convertible_daily', { ...july, symbols: bonds.slice(400, 410) }],
        ['convertible_daily', named(30)],
      ]),
    ).toMatchObject({ complete: true })
    const halted: Is = ({ tradedate, code }) => String(code) < '110002' && String(tradedate) === '20260707'
    expect(await asked(rows, halted, [['convertible_daily', named(2)]])).toMatchObject({ complete: true })
    const marks = daily(bonds.slice(0, 60)).map((row) => ({ ...row, symbol: String(row.symbol).replace(/^11/, '00') }))
    const symbols = marks.slice(0, 30).map(({ symbol }) => String(symbol))
    const lifted: Is = ({ tradedate, symbol }) => symbols.includes(String(symbol)) && String(tradedate) === '20260707'
    expect(
      await asked(
        marks.map((row) => ({ ...row, code: undefined, type: 'ST' })),
        lifted,
        [['st', { ...july, symbols }]],
      ),
    ).toMatchObject({ complete: true })
    const balances = days.map((tradedate) => ({ tradedate, opening_balance: 1 }))
    expect(await asked(balances, on(), [['transfer_financing', july]])).toMatchObject({
      complete: true,
      without: { days: ['20260707'] },
    })
  })
})

describe('a service that answers from two states by turns', () => {
  const states: Readonly<Record<string, (row: Row, at: number) => boolean>> = {
    'every row': () => true,
    'one row of fifty': (_, at) => at % 50 === 7,
    'the first and the last day': ({ tradedate }) => tradedate === days[0] || tradedate === '20260710',
    'one code of ten': ({ symbol }) => Number(symbol) % 10 === 0,
  }

  test.each(Object.entries(states))('%s: 8,000 rows and 10,000 are of one, or refused', async (_, isOther) => {
    for (const on of [days.slice(0, 8), days]) {
      const rows = daily(bonds, on)
      const other = rows.map((row, at) => (isOther(row, at) ? { ...row, open: 99 } : row))
      const { url } = await vendor((ask, n) => ofRows(n % 2 ? rows : other, 6000)(ask))
      const market = await marketOf(url)
      const params = { startdate: days[0], enddate: on.at(-1), symbols: bonds }
      const outcome = await errorOf(market.query('convertible_daily', params))
      expect(outcome).toMatchObject({ code: 'UNSTABLE', retryable: true })
    }
  })

  test('one reply of another state is asked for again with those beside it, and not all of them', async () => {
    const codes = numbered(3000, 110000)
    const rows = daily(codes)
    const other = rows.map((row) => ({ ...row, open: 99 }))
    const outcomeOf = async (odd: number) => {
      let sent = 0
      const { url } = await vendor((ask) => ofRows(++sent === odd ? other : rows, 6000)(ask))
      const market = await marketOf(url)
      const table = await market.query('convertible_daily', { ...july, symbols: codes })
      return {
        sent,
        complete: provenance(table)?.complete,
        opens: [...new Set(toObjects(table).map(({ open }) => open))],
      }
    }
    const honest = await outcomeOf(0)
    const mended = await outcomeOf(5)
    expect(mended).toMatchObject({ complete: true, opens: honest.opens })
    expect(mended.sent - honest.sent).toBeLessThan(honest.sent / 2)
  })

  test('days that can not be asked for together', async () => {
    const rows = days.slice(0, 4).flatMap((day) => bars(funds.slice(0, 30), day))
    const other = rows.map((row) => ({ ...row, close: 2 }))
    const { url } = await vendor((ask, n) => ofRows(n % 2 ? rows : other)(ask))
    const outcome = (await marketOf(url)).query(
      'etf_minute',
      { symbols: funds.slice(0, 30), period: '15m' },
      { days: { from: '20260701', to: '20260706' } },
    )
    expect(await errorOf(outcome)).toMatchObject({ code: 'UNSTABLE' })
  })
})
