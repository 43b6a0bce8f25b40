import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { readArchiveHeader } from '../../../src/data/source/reply/archive-identity.js'
import { syncArchive } from '../../../src/data/sync/sync.js'
import { rowsOf } from '../../../src/frame/read-columns.js'
import { Growing } from '../../data/archive/coverage/growing.js'
import { at } from '../../data/sync/timed-source.js'
import { serviceOver } from '../../helper/own-service.js'
import { serve } from '../../helper/service.js'
import { tempDir } from '../../helper/temp.js'

/** An archive synced up to the evening before, and a service over it that knows the source. */
async function scene() {
  const growing = new Growing('20260728')
  let isAway = false
  const upstream = await serve(growing, (_, response) => {
    if (isAway) response.writeHead(503).end()
    return isAway
  })
  const now = { time: at('2026-07-28T22:30:00') }
  const time = (): number => now.time
  const source = new HttpSource({ nodes: [upstream.url], apikey: 'KEY', time, retry: { attempts: 1 } })
  const dir = `${tempDir()}/own`
  await syncArchive(source, { archive: dir, datasets: ['theme_daily', 'etf_minute'], from: '20260727', time })
  growing.until = '20260729'
  const service = await serviceOver(new Archive(dir, 'own'), { live: { source, dir, time } })
  const ask = async (apiname: string, params: Record<string, unknown>) => {
    const body = JSON.stringify({ apikey: 'any', apiname, params, fields: 'symbol,tradedate,close' })
    const response = await fetch(`${service.url}/api`, { method: 'POST', body })
    const { data } = (await response.json()) as { data: { items: unknown[] } | null }
    const headers: Record<string, string> = {}
    response.headers.forEach((value, name) => {
      headers[name] = value
    })
    return { rows: data?.items ?? [], headers, origin: readArchiveHeader(headers['quotebook-archive']) }
  }
  /** A whole query, by `/query/NAME`. */
  const askWhole = async (words: Record<string, string>, name = 'etf_minute') => {
    const response = await fetch(`${service.url}/query/${name}?${new URLSearchParams(words)}`)
    const body = (await response.json()) as { message: string; data: { columns: Record<string, unknown[]> } | null }
    const { tradedate = [], close = [] } = body.data?.columns ?? {}
    const of = response.headers
    return {
      status: response.status,
      message: body.message,
      days: [...new Set(tradedate)],
      close,
      complete: of.get('quotebook-complete'),
      note: decodeURIComponent(of.get('quotebook-note') ?? ''),
    }
  }
  const sentBy = async (action: () => Promise<unknown>): Promise<number> => {
    const before = upstream.requests.length
    await action()
    return upstream.requests.length - before
  }
  const health = async () => (await (await fetch(`${service.url}/healthz`)).json()) as { data: { source: unknown } }
  const close = async (): Promise<void> => {
    for (const one of [service, source, upstream]) await one.close()
  }
  const setAway = (value: boolean): void => {
    isAway = value
  }
  return { growing, now, ask, askWhole, sentBy, health, close, setAway }
}

const bars = { symbols: '510300', period: '15m' }

test('however many ask, the source is asked once in three seconds; when nobody asks, never; settled days come from the archive', async () => {
  const { growing, now, ask, sentBy, health, close } = await scene()
  now.time = at('2026-07-29T10:00:00')
  const all: Awaited<ReturnType<typeof ask>>[] = []
  const many = async () => all.push(...(await Promise.all(Array.from({ length: 40 }, () => ask('etf_minute', bars)))))
  expect(await sentBy(many)).toBe(1)
  const truth = await growing.query(datasetOf('etf_minute'), bars, { fields: ['symbol', 'tradedate', 'close'] })
  for (const { rows } of all) expect(rows).toEqual(rowsOf(truth))
  expect(all[0]?.rows[0]).toEqual(expect.arrayContaining(['20260729']))
  expect(all[0]?.headers).toMatchObject({ age: '0', 'cache-status': 'quotebook; fwd=stale; stored' })
  expect(all[0]?.origin?.unproven).toBe('rows are as they stood at 2026-07-29T10:00:00+08:00')
  now.time += 2000
  expect(await sentBy(async () => expect((await ask('etf_minute', bars)).headers.age).toBe('2'))).toBe(0)
  now.time += 1000
  expect(await sentBy(() => ask('etf_minute', bars))).toBe(1)
  expect(await sentBy(() => ask('etf_minute', { ...bars, tradedate: '20260727' }))).toBe(0)
  expect((await ask('etf_minute', { ...bars, tradedate: '20260727' })).headers['cache-status']).toBe('quotebook; hit')
  expect(await sentBy(() => ask('theme_daily', { type: 'tj', startdate: '20260727' }))).toBe(1)
  // At midday once, and in the evening, when the batches have been brought, no more.
  now.time = at('2026-07-29T11:31:00')
  expect(await sentBy(() => ask('etf_minute', bars))).toBe(1)
  now.time = at('2026-07-29T12:59:00')
  expect(await sentBy(() => ask('etf_minute', bars))).toBe(0)
  now.time = at('2026-07-29T20:00:00')
  expect(await sentBy(() => ask('etf_minute', bars))).toBe(0)
  expect((await health()).data.source).toMatchObject({ status: 'ok' })
  await close()
})

test('a source that is away is named, left alone ever longer, and found again; what was last known is answered', async () => {
  const { now, ask, sentBy, health, close, setAway } = await scene()
  now.time = at('2026-07-29T10:00:00')
  const { rows } = await ask('etf_minute', bars)
  setAway(true)
  now.time += 4000
  const old = await ask('etf_minute', bars)
  expect(old.rows).toEqual(rows)
  expect(old.headers).toMatchObject({ age: '4', 'cache-status': 'quotebook; hit; fwd=stale; detail="source away"' })
  expect(old.origin?.about).toBe('the source is away since 2026-07-29T10:00:04+08:00')
  expect((await health()).data.source).toMatchObject({ status: 'away', since: '2026-07-29T10:00:04+08:00' })
  const asked: number[] = []
  for (let second = 0; second < 60; second++) {
    now.time += 1000
    if ((await sentBy(() => ask('etf_minute', bars))) > 0) asked.push(second + 1)
  }
  expect(asked).toEqual([3, 9, 21, 45])
  // Another question was never answered today: the archive does, with the evening before.
  const other = await ask('etf_minute', { ...bars, trademin: '1000' })
  expect(other.rows.flat()).toContain('20260728')
  setAway(false)
  now.time += 60_000
  expect((await ask('etf_minute', bars)).headers).toMatchObject({
    age: '0',
    'cache-status': 'quotebook; fwd=stale; stored',
  })
  expect((await health()).data.source).toMatchObject({ status: 'ok' })
  await close()
})

test.each([
  ['a year', '2027-07-29T10:00:00'],
  ['two hours', '2026-07-29T12:00:00'],
])('a clock that was %s ahead when the source was away, or was asked, does not silence it', async (_, ahead) => {
  const { now, ask, close, setAway } = await scene()
  for (const isAway of [true, false]) {
    now.time = at(ahead)
    setAway(isAway)
    await ask('etf_minute', bars)
    setAway(false)
    now.time = at('2026-07-29T10:00:00')
    expect((await ask('etf_minute', bars)).headers['cache-status']).toBe('quotebook; fwd=stale; stored')
  }
  await close()
})

test('a whole query of the running day is the source’s, taken as a part; settled days are the archive’s and complete', async () => {
  const { growing, now, askWhole, sentBy, close, setAway } = await scene()
  now.time = at('2026-07-29T10:00:00')
  const truth = await growing.query(datasetOf('etf_minute'), bars, { fields: ['close'] })
  const refused = await askWhole(bars)
  expect(refused).toMatchObject({ status: 409, close: [] })
  expect(refused.message).toMatch(
    /^etf_minute: rows are as they stood at 2026-07-29T10:00:00\+08:00; partial=true takes/,
  )
  for (const words of [{}, { tradedate: '20260729' }] as Record<string, string>[]) {
    const now = await askWhole({ ...bars, ...words, partial: 'true' })
    expect(now).toMatchObject({ status: 200, days: ['20260729'], complete: 'false' })
    expect(now.close).toEqual(rowsOf(truth).flat())
  }
  // What is known of this moment is not asked for again, and of settled days nothing is asked.
  expect(await sentBy(() => askWhole({ ...bars, partial: 'true' }))).toBe(0)
  const index = (from: string, to: string, more = {}) => askWhole({ type: 'tj', from, to, ...more }, 'theme_daily')
  const settled = { status: 200, days: ['20260727'], complete: 'true' }
  expect(await sentBy(async () => expect(await index('20260727', '20260727')).toMatchObject(settled))).toBe(0)
  // One call of the vendor's answers the range, so that the running day is in it; of bars, a day a call, it ends with the kept days.
  expect(await index('20260727', '20260729')).toMatchObject({ status: 409 })
  const part = await index('20260727', '20260729', { partial: 'true' })
  expect(part).toMatchObject({ status: 200, days: ['20260727', '20260728', '20260729'], complete: 'false' })
  const ofBars = { ...bars, from: '20260728', to: '20260729' }
  expect((await askWhole(ofBars)).status).toBe(409)
  expect(await askWhole({ ...ofBars, partial: 'true' })).toMatchObject({ days: ['20260728'], complete: 'false' })
  // A source that is away: what it last said, as of then.
  setAway(true)
  now.time += 10_000
  expect(await askWhole({ ...bars, partial: 'true' })).toMatchObject({
    days: ['20260729'],
    note: expect.stringContaining('10:00:00'),
  })
  await close()
})
