import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { CachedSource } from '../../src/archive/cache/cached-source.js'
import { connect, sampleDir } from '../../src/connect.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { latestTicks } from '../../src/load/market-report.js'
import { Market } from '../../src/market.js'
import { HttpSource } from '../../src/source/http-source.js'
import type { Clock } from '../../src/source/transport/clock.js'
import { provenance } from '../../src/table/provenance.js'
import { RemoteTicks } from '../../src/ticks/remote-ticks.js'
import { Ticks } from '../../src/ticks/ticks.js'
import { serviceOver } from '../helper/own-service.js'
import { tempDir } from '../helper/temp.js'
import { type Said, type ShareServer, shareServer } from './share-server.js'

const password = 'sh4re-pass-not-to-be-seen'
const days = ['20260727', '20260728', '20260729']
const file = readFileSync(join(sampleDir, 'ticks', '20260729_aucde.parquet'))
const sum = createHash('sha256').update(file).digest('hex')
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const ok = (data: object) => ({ code: 200, message: 'success', data: { code: 0, message: 'success', data } })
const record = (year: number, url: string, more: object = {}) => ({
  data_type: 'auction_tick',
  year,
  start_date: days[0],
  end_date: days.at(-1),
  file_count: days.length,
  size_bytes: 3 * file.length,
  status: 'ready',
  url: `${url}/share/t0ken/`,
  password,
  expires_at: '2026-07-31T10:00:00+08:00',
  retry_after: 0,
  ...more,
})
const page = days.map((day) => `<a href="${day}_aucde.parquet">${day}_aucde.parquet</a>`).join('\n')
const good = { etag: `"${sum}"`, 'content-length': String(file.length) }
/** The folder and its files; 2026 alone has some. */
const offered = (year: number, url: string): object => {
  if (year === 2026) return ok(record(year, url))
  if (year > 2026) return { code: 422, message: 'year', data: null }
  return { code: 1002, message: 'no data', data: null }
}
const shown = ({ url = '' }: IncomingMessage): Said =>
  url.endsWith('/') ? { body: page } : { headers: good, body: file }

const ticksOf = (files: RemoteTicks): Ticks => new Ticks(() => files)

interface Opened {
  readonly server: ShareServer
  readonly source: HttpSource
  readonly ticks: Ticks
}

async function open(offer = offered, behind = shown, clock?: Clock): Promise<Opened> {
  const server = await shareServer(offer, behind)
  const retry = { baseMs: 1, capMs: 2, attempts: 3 }
  const source = new HttpSource({ nodes: [server.url], apikey: 'tick-key', retry })
  closers.push(
    () => source.close(),
    () => server.close(),
  )
  return { server, source, ticks: ticksOf(new RemoteTicks(source, { clock })) }
}

async function failure(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const error = (await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )) as Error & { code?: string }
  expect(error).toBeInstanceOf(Error)
  const said = inspect(error, { depth: Infinity, showHidden: true })
  for (const secret of [password, Buffer.from(`quotebook:${password}`).toString('base64'), 't0ken', 'tick-key']) {
    expect(said).not.toContain(secret)
  }
  return error
}

test('our own service: days and ticks as the archive itself gives them', async () => {
  const service = await serviceOver(new Archive(sampleDir, 'sample'))
  const [own, live] = [await connect(), await connect({ nodes: [service.url], apikey: 'tick-key' })]
  closers.push(
    () => live.close(),
    () => service.close(),
  )
  expect(await live.ticks.days()).toEqual(await own.ticks.days())
  expect(await live.ticks.days(2026)).toEqual(await own.ticks.days(2026))
  expect([await live.ticks.days(2023), await live.ticks.days(2031)]).toEqual([[], []])
  for (const day of ['20260729', '20260506']) {
    const [one, other] = [await own.ticks.read(day), await live.ticks.read(day)]
    expect(objectsOf(other)).toEqual(objectsOf(one))
    expect(other.schema.fields.map(String)).toEqual(one.schema.fields.map(String))
    expect(provenance(other)).toMatchObject({
      complete: true,
      rows: one.numRows,
      total: one.numRows,
      source: service.url,
    })
  }
  for (const day of ['20260704', '20990101', '20200106']) {
    await expect(live.ticks.read(day)).rejects.toMatchObject({ code: 'FILE' })
  }
  for (const day of ['../manifest', '2026072']) {
    await expect(live.ticks.read(day)).rejects.toMatchObject({ code: 'USAGE' })
  }
})

test('a cache of a service passes files on', async () => {
  const { source } = await open()
  const { ticks } = new Market(new CachedSource(source, `${tempDir()}/kept`))
  expect(await ticks.days(2026)).toEqual(days)
  expect((await ticks.read('20260729')).numRows).toBeGreaterThan(100)
})

test('every year is asked until one is refused; a day takes its year alone, and the link that is known', async () => {
  const { server, ticks } = await open()
  expect(await ticks.days()).toEqual(days)
  expect(server.requests.filter((line) => line.startsWith('POST'))).toEqual(
    [2022, 2023, 2024, 2025, 2026, 2027].map((year) => `POST ${year}`),
  )
  server.requests.length = 0
  await ticks.read('20260729')
  expect(server.requests).toEqual(['GET /share/t0ken/20260729_aucde.parquet'])
})

test('a service that never refuses a year is not asked for ever', async () => {
  const { server, ticks } = await open(() => ({ code: 1002, message: 'no data', data: null }))
  expect(await ticks.days()).toEqual([])
  expect(server.requests.length).toBeLessThan(20)
})

test('the password goes to the share and the key does not', async () => {
  const seen: IncomingMessage[] = []
  const { ticks } = await open(offered, (request) => {
    seen.push(request)
    return shown(request)
  })
  await ticks.days(2026)
  await ticks.read('20260729')
  for (const { headers } of seen) {
    const [, text = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? []
    expect(Buffer.from(text, 'base64').toString()).toBe(`quotebook:${password}`)
    expect(JSON.stringify(headers)).not.toContain('tick-key')
  }
})

describe('files that are being prepared', () => {
  const clockOf = () => {
    let now = 0
    const slept: number[] = []
    const sleep = async (milliseconds: number): Promise<void> => {
      slept.push(milliseconds)
      now += milliseconds
    }
    return { clock: { now: () => now, chance: () => 0.5, sleep } satisfies Clock, slept }
  }

  test('are waited for as long as the service says', async () => {
    const { clock, slept } = clockOf()
    let asked = 0
    const offer = (year: number, url: string): object =>
      ok(record(year, url, asked++ < 2 ? { status: 'preparing', url: '', password: '', retry_after: 7 } : {}))
    const { ticks } = await open(offer, shown, clock)
    expect(await ticks.days(2026)).toEqual(days)
    expect(slept).toEqual([7000, 7000])
  })

  test('are given up in the end', async () => {
    const { clock, slept } = clockOf()
    const offer = (year: number, url: string): object => ok(record(year, url, { status: 'preparing', retry_after: 50 }))
    const { ticks } = await open(offer, shown, clock)
    const error = await failure(ticks.days(2026))
    expect([error.code, slept]).toEqual(['UNAVAILABLE', [50_000, 50_000]])
  })

  test('an inner code 503 is asked again, after the time that the reply names', async () => {
    let asked = 0
    const server = await shareServer((year, url) => {
      const data = record(year, url, asked < 1 ? { status: 'preparing', url: '', password: '', retry_after: 3 } : {})
      return { code: 200, message: 'success', data: { code: asked++ < 1 ? 503 : 0, message: 'preparing', data } }
    }, shown)
    const { clock, slept: waits } = clockOf()
    const source = new HttpSource({ nodes: [server.url], apikey: 'tick-key', clock })
    closers.push(
      () => source.close(),
      () => server.close(),
    )
    expect(await new RemoteTicks(source).days(2026)).toEqual(days)
    expect(waits).toContain(3000)
  })
})

describe.each([401, 403, 404, 410])('a link that has ended, status %d', (status) => {
  test('is asked for anew, once', async () => {
    let ended = false
    const { server, ticks } = await open(offered, (request) => (ended ? { status } : shown(request)))
    await ticks.days(2026)
    ended = true
    server.requests.length = 0
    const error = await failure(ticks.read('20260729'))
    expect(error.code).toBe('FILE')
    expect(server.requests.filter((line) => line.startsWith('POST'))).toEqual(['POST 2026'])
    expect((await failure(ticks.days(2026))).message).toMatch(new RegExp(`answers ${status}\\b`))
  })

  test('and the new one is used', async () => {
    let links = 0
    const offer = (year: number, url: string): object => ok(record(year, url, { url: `${url}/share/${++links}` }))
    const { ticks } = await open(offer, (request) =>
      links > 1 && request.url?.startsWith('/share/1/') ? { status } : shown(request),
    )
    await ticks.days(2026)
    links++
    expect((await ticks.read('20260729')).numRows).toBeGreaterThan(100)
  })
})

test('a folder without a page is listed by WebDAV', async () => {
  const hrefs = days.map((day) => `<D:response><D:href>/dav/t0ken/${day}_aucde.parquet</D:href></D:response>`)
  const { server, ticks } = await open(offered, ({ method, headers }) =>
    method === 'PROPFIND' && headers.depth === '1'
      ? { status: 207, body: `<D:multistatus xmlns:D="DAV:">${hrefs.join('')}</D:multistatus>` }
      : { status: 405 },
  )
  expect(await ticks.days(2026)).toEqual(days)
  expect(server.requests.slice(1)).toEqual(['PROPFIND /share/t0ken/'])
})

test.each<[what: string, behind: () => Said, message: RegExp]>([
  ['a page of a drive', () => ({ body: '<title>Enter the code</title>' }), /can not be listed/],
  [
    'a redirect in a circle',
    () => ({ status: 302, headers: { location: '/share/t0ken/' } }),
    /leads round in a circle/,
  ],
  ['fewer files than are counted', () => ({ body: '20260729_aucde.parquet' }), /lists 1 files where .* counts 3/],
  ['files of another year', () => ({ body: page.replaceAll('2026', '2025') }), /lists 3 files/],
])('%s: refused, and the report goes on without ticks and says why', async (_, behind, message) => {
  const { ticks, source } = await open(offered, behind)
  const error = await failure(ticks.days(2026))
  expect([error.code, error.message]).toEqual(['FILE', expect.stringMatching(message)])
  const found = await latestTicks(new Market(source), { first: '20260701', latest: '20260729', all: [] })
  expect(found).toEqual({ withoutTicks: expect.stringMatching(message) })
})

test.each(['ftp://127.0.0.1/x', 'ticks/', '', 'http://user:pass@127.0.0.1:1/', 'javascript:1'])(
  'a link %j is no folder',
  async (url) => {
    const { ticks } = await open((year) => ok(record(year, '', { url })))
    expect((await failure(ticks.days(2026))).code).toBe('FILE')
  },
)

test('a key without the plan: an error for who asks, a sentence in the report', async () => {
  const { ticks, source } = await open(() => ({ code: 403, message: 'plan', data: null }))
  expect((await failure(ticks.days())).code).toBe('FORBIDDEN')
  const found = await latestTicks(new Market(source), { first: '20260701', latest: '20260729', all: [] })
  expect(found).toEqual({ withoutTicks: expect.stringContaining('the plan of the key') })
})

test.each<[what: string, said: Said]>([
  ['other bytes than its tag', { headers: { etag: `"${'0'.repeat(64)}"` }, body: file }],
  ['bytes that are cut', { body: file.subarray(0, -10) }],
  ['bytes that are none', { body: '' }],
  ['a page', { body: '<html></html>' }],
  ['a part', { status: 206, body: file }],
])('a file that is %s is refused', async (_, said) => {
  const { ticks } = await open(offered, ({ url = '' }) => (url.endsWith('/') ? { body: page } : said))
  expect((await failure(ticks.read('20260729'))).code).toBe('FILE')
})

test('a weak or another tag is no checksum', async () => {
  for (const etag of [`W/"${'0'.repeat(64)}"`, '"abc-123"']) {
    const { ticks } = await open(offered, () => ({ headers: { etag }, body: file }))
    expect(provenance(await ticks.read('20260729'))).toMatchObject({ complete: true })
  }
})

test('a busy share is asked again', async () => {
  let asked = 0
  const { ticks } = await open(offered, (request) => (asked++ === 0 ? { status: 503 } : shown(request)))
  expect(await ticks.days(2026)).toEqual(days)
})
