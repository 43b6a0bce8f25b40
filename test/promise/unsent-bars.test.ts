import { connect, type Market, provenance, tradingDays } from 'quotebook'
import { afterEach, describe, expect, test } from 'vitest'
import { newPlace, removeFolders } from './helper/files.js'
import { type Asked, bars, closeAll, marketOf, ofRows, type Row, vendor } from './helper/vendor.js'

/** A service that sends no bar of 0930: that is asked for once, and hides nothing else. */
afterEach(closeAll)
removeFolders()

const codes = ['159915.SZ', '159919.SZ', '510050.SH', '510300.SH', '510500.SH', '588000.SH']
const other = '512000.SH'
const days = tradingDays('20260601', '20260731')
const evening = Date.parse('2026-08-05T22:00:00+08:00')
const all = tradingDays('20260601', '20260805').flatMap((day) => bars([...codes, other], day))
type Is = (row: Row, asked: Asked) => boolean
const isFirst: Is = ({ trademin }) => trademin === '0930'
const isOf = (row: Row, day: string, close: string): boolean => row.tradedate === day && row.trademin === close

/** A service without the rows that are gone, and what is sent for a query. */
async function serviceWithout(isGone: Is, cap = 6000) {
  const service = await vendor((asked) =>
    ofRows(
      all.filter((row) => !isGone(row, asked)),
      cap,
    )(asked),
  )
  const ask = async (market: Market, on: string | readonly string[], symbols = codes) => {
    const before = service.asked.length
    const table = await market.query('etf_minute', { symbols, period: '15m' }, { days: [on].flat() })
    const { complete, note, without, rows } = provenance(table) ?? {}
    return { sent: service.asked.length - before, complete, note: `${note}`, bars: without?.bars, rows }
  }
  const open = (options = {}): Promise<Market> => marketOf(service.url, { time: () => evening, ...options })
  return { ...service, ask, open }
}

const sentOf = async (ask: (day: string) => Promise<{ sent: number }>, on: readonly string[]): Promise<number[]> => {
  const list: number[] = []
  for (const day of on) list.push((await ask(day)).sent)
  return list
}

describe('what one day shows is not asked again', () => {
  test('on the days after, in one query and in the next, of one code or six; nothing is called complete', async () => {
    const { ask, open } = await serviceWithout(isFirst)
    const daily = await open()
    expect(await sentOf((day) => ask(daily, day), days.slice(0, 5))).toEqual([4, 1, 1, 1, 1])
    const market = await open()
    const first = await ask(market, days)
    // Three requests show it, and two that all is of one state.
    expect(first).toMatchObject({ sent: days.length + 5, complete: false, rows: days.length * 6 * 16 })
    expect(first.note).toBe('no code has a bar of 20260601 0930, although the session has one (and 43 more such holes)')
    const next = await ask(market, days)
    expect(next).toMatchObject({ sent: days.length + 2, complete: false, bars: first.bars })
    expect(next.note).toBe(
      'no code has a bar of 20260601 0930, and none had one at that minute when the service was asked on 20260805 (and 43 more such holes)',
    )
    const [symbol, day, closes] = [codes[0], days[0], ['0930']]
    expect([first.bars?.length, first.bars?.[0]]).toEqual([days.length * 6, { symbol, day, closes }])
    expect(await ask(market, '20260602', [other])).toMatchObject({ sent: 1, complete: false })
    const alone = await open()
    expect((await ask(alone, days, [other])).sent).toBeLessThan(days.length + 6)
  })

  test('of more codes than may be halted at once', async () => {
    const many = Array.from({ length: 20 }, (_, i) => `${510000 + i}.SH`)
    const rows = days
      .slice(0, 3)
      .flatMap((day) => bars(many, day))
      .filter((row) => row.trademin !== '0930')
    const service = await vendor(ofRows(rows, 6000))
    const market = await marketOf(service.url, { time: () => evening })
    for (const tradedate of days.slice(0, 3))
      expect(provenance(await market.query('etf_minute', { symbols: many, period: '15m', tradedate }))).toMatchObject({
        complete: false,
        note: `no code has a bar of ${tradedate} 0930, although the session has one`,
      })
    expect(service.asked.length).toBe(3 + 2)
  })

  test('beside an archive by another process, until a month has passed; of another service all is asked', async () => {
    const { ask, url } = await serviceWithout(isFirst)
    const [dir, retry] = [newPlace('cache'), { baseMs: 1, capMs: 2 }]
    let now = evening
    const process = async (on: readonly string[]): Promise<number[]> => {
      const market = await connect({ nodes: [url], apikey: 'KEY', cache: dir, retry, time: () => now })
      const sent = await sentOf((day) => ask(market, day), on)
      await market.close()
      return sent
    }
    // One more for the latest day of the service.
    expect(await process(days.slice(0, 3))).toEqual([5, 1, 1])
    expect(await process(days.slice(0, 3))).toEqual([1, 1, 1])
    now += 31 * 86_400_000
    expect((await process(days.slice(3, 4)))[0]).toBeLessThan(3)
    now += 86_400_000
    expect((await process(days.slice(3, 6))).map((sent) => Math.min(sent, 4))).toEqual([4, 1, 1])
    const elsewhere = await serviceWithout(isFirst)
    expect(await sentOf(async (day) => elsewhere.ask(await elsewhere.open(), day), days.slice(0, 2))).toEqual([4, 4])
  })
})

describe('what is missing beside it is found as ever', () => {
  test('a bar that was cut off and comes when it is asked for by itself', async () => {
    const { ask, open } = await serviceWithout(isFirst, 95)
    const market = await open()
    expect(await sentOf((day) => ask(market, day, codes.slice(0, 5)), days.slice(0, 2))).toEqual([4, 1])
    const found = await ask(market, '20260603')
    expect([found.rows, found.sent > 1]).toEqual([6 * 16, true])
  })

  test('a reply that comes while another is mended has the bar again: all of it is asked for anew', async () => {
    const isMany = ({ params: { symbols } }: Asked): boolean => Array.isArray(symbols) && symbols.length > 5
    const isGone: Is = (row, asked) => isFirst(row, asked) && (row.tradedate !== '20260603' || isMany(asked))
    const { ask, open } = await serviceWithout(isGone, 95)
    const market = await open()
    await ask(market, '20260601', codes.slice(0, 5))
    expect(await ask(market, '20260603')).toMatchObject({ rows: 6 * 17, bars: undefined })
  })

  test('asked at the same time as a day that has it: an answer that was not asked for it is not complete', async () => {
    const isGone: Is = (row, asked) => isFirst(row, asked) && (row.tradedate !== '20260603' || row.symbol !== other)
    const { ask, open } = await serviceWithout(isGone)
    const market = await open()
    await ask(market, '20260601')
    const [six, one] = await Promise.all([ask(market, '20260602'), ask(market, '20260603', [other])])
    expect([six.complete, one.complete]).toEqual([false, true])
  })

  test('another bar of all codes: the note names it', async () => {
    const { ask, open } = await serviceWithout((row, asked) => isFirst(row, asked) || isOf(row, '20260603', '1400'))
    const market = await open()
    await ask(market, days.slice(0, 2))
    const found = await ask(market, '20260603')
    expect(found.note).toBe('no code has a bar of 20260603 1400, although the session has one (and 1 more such holes)')
    expect(found.bars?.[0]?.closes).toEqual(['0930', '1400'])
  })

  test('the bar of one code among others that have it again; then what was learnt is over', async () => {
    const isGone: Is = (row, asked) => isFirst(row, asked) && (row.tradedate !== '20260603' || row.symbol === codes[2])
    const { ask, open } = await serviceWithout(isGone)
    const market = await open()
    await ask(market, days.slice(0, 2))
    const again = await ask(market, '20260603')
    expect(again).toMatchObject({ complete: true, rows: 6 * 17 - 1 })
    expect(again.bars).toEqual([{ symbol: codes[2], day: '20260603', closes: ['0930'] }])
    expect(again.sent).toBeGreaterThan(1)
    expect(await ask(market, '20260604')).toMatchObject({ sent: 4, complete: false })
  })

  test('beside an archive: the other process asks again too', async () => {
    const isGone: Is = (row, asked) => isFirst(row, asked) && row.tradedate !== '20260603'
    const { ask, open } = await serviceWithout(isGone)
    const cache = newPlace('cache')
    await ask(await open({ cache }), '20260602')
    await ask(await open({ cache }), '20260603')
    expect((await ask(await open({ cache }), '20260604')).sent).toBe(4)
  })

  test('a bar that only other codes have is no habit of the service', async () => {
    const isQuiet: Is = (row, asked) => isFirst(row, asked) && row.symbol !== other
    const { ask, open } = await serviceWithout(isQuiet)
    const market = await open()
    expect(await ask(market, days.slice(0, 3))).toMatchObject({ complete: true, rows: 3 * 6 * 16 })
    expect(await ask(market, '20260604')).toMatchObject({ complete: true })
    expect(await ask(market, '20260605', [other])).toMatchObject({ complete: true, rows: 17 })
  })

  test('days of which the calendar does not tell are asked for as ever', async () => {
    const old = ['20210601', '20210602'].flatMap((day) => bars(codes, day))
    const service = await vendor((asked) => ofRows([...old, ...all].filter((row) => !isFirst(row, asked)))(asked))
    const sentFor = async (on: readonly string[]): Promise<number> => {
      const [market, before] = [await marketOf(service.url, { time: () => evening }), service.asked.length]
      for (const day of on) await market.query('etf_minute', { symbols: codes, period: '15m', tradedate: day })
      return service.asked.length - before
    }
    expect((await sentFor(['20260601', '20210601'])) - (await sentFor(['20260601']))).toBeGreaterThan(2)
  })

  test('the session that runs teaches nothing: the first bar may be late', async () => {
    const { ask, open } = await serviceWithout((row) => isFirst(row, {} as Asked) && row.tradedate === '20260731')
    const market = await open({ time: () => Date.parse('2026-07-31T10:05:00+08:00') })
    await ask(market, '20260731')
    expect(await ask(market, '20260730')).toMatchObject({ complete: true, rows: 6 * 17 })
  })
})

test('a sync asks for a day without that bar for a week, then keeps it as unproven and asks no more', async () => {
  const some = codes.slice(0, 2)
  const rows = tradingDays('20260723', '20260804').flatMap((day) => bars(some, day))
  const service = await vendor(ofRows(rows.filter((row) => row.trademin !== '0930')))
  const archive = newPlace()
  const syncOn = async (day: string) => {
    const time = (): number => Date.parse(`${day}T22:00:00+08:00`)
    const market = await marketOf(service.url, { time })
    const result = await market.sync({ archive, datasets: ['etf_minute'], from: '20260723', time })
    const own = await connect({ archive })
    const kept = provenance(await own.query('etf_minute', { symbols: some, period: '15m' }, { days: ['20260723'] }))
    expect([kept?.rows, kept?.complete]).toEqual([2 * 16, false])
    return result.datasets[0]
  }
  const old = tradingDays('20260723', '20260724')
  const week = tradingDays('20260727', '20260731')
  expect(await syncOn('2026-08-03')).toMatchObject({ unproven: old, missing: week })
  const again = service.asked.length
  expect(await syncOn('2026-08-04')).toMatchObject({
    unproven: week.slice(0, 1),
    missing: [...week.slice(1), '20260803'],
  })
  const asked = service.asked.slice(again).map(({ params }) => JSON.stringify(params))
  expect(asked.filter((text) => old.some((day) => text.includes(day)))).toEqual([])
})
