import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import type { KeyPlan } from '../../src/service/authenticator.js'
import { hashOfKey } from '../../src/service/keys/key-file.js'
import { addKey } from '../../src/service/keys/manage-keys.js'
import { sha256OfFile } from '../../src/service/share/file-verifier.js'
import type { SharesOptions } from '../../src/service/share/tick-shares.js'
import { decode } from '../../src/table/decode.js'
import { dataOf, envelope, itemsOf, type PythonClient, pythonClient, type Told } from '../helper/python-client.js'
import { type Running, runService, sampleArchive } from '../helper/running-service.js'
import { tempDir } from '../helper/temp.js'

/** Caps, plans, keys and rates through Python's http.client. */
describe('at most 6,000 rows', () => {
  const most = 6000
  const [full, over] = ['20260701', '20260702']
  const code = (i: number): string => `${100_000 + i}`
  let service: Running
  let client: PythonClient

  beforeAll(async () => {
    const dir = join(tempDir(), 'archive')
    const writer = await ArchiveWriter.open(dir)
    const days = [full, over].map((day, more) => [day, most + more] as const)
    const rows = (of: (day: string, i: number) => unknown[]): unknown[][] =>
      days.flatMap(([day, count]) => Array.from({ length: count }, (_, i) => of(day, i)))
    const daily = datasetOf('convertible_daily')
    const quotes = rows((day, i) => [day, code(i), `${code(i)}.SZ`, i + 0.5])
    await writer.put(daily, decode(daily, ['tradedate', 'symbol', 'code', 'close'], quotes), 'test')
    const names = ['tradedate', 'symbol', 'trademin', 'time', 'close']
    const bars = rows((day, i) => [day, `${code(i)}.SZ`, '1000', '10:00:00', i + 0.5])
    const bonds = datasetOf('convertible_minute')
    await writer.put(bonds, decode(bonds, names, bars), 'test')
    const funds = datasetOf('etf_minute')
    const ofPeriod = bars.map((row) => [...row, '15m'])
    await writer.put(funds, decode(funds, [...names, 'period'], ofPeriod), 'test')
    await writer.commit()
    service = await runService({ dir })
    client = pythonClient(service.port)
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  const cases: [string, object][] = [
    ['convertible_daily', {}],
    ['convertible_minute', { trademin: '1000' }],
    ['etf_minute', { trademin: '1000', period: '15m' }],
    ['convertible_minute', { symbols: Array.from({ length: most + 1 }, (_, i) => code(i)) }],
  ]
  test.each(cases)('%s, case %#', async (apiname, params) => {
    const ask = (more: object): Promise<Told> => client.post({ apikey: 'k', apiname, params: { ...params, ...more } })
    const closes = Array.from({ length: most }, (_, i) => i + 0.5)
    for (const day of [full, over]) {
      const { fields } = dataOf(await ask({ tradedate: day })) as { fields: string[] }
      const rows = itemsOf(await ask({ tradedate: day }))
      // Texts: a difference of 6,000 rows would take minutes to print.
      expect(rows.map((row) => row[fields.indexOf('close')]).join() === closes.join(), day).toBe(true)
      expect([rows.length, ...new Set(rows.map((row) => row[0]))]).toEqual([most, day])
    }
    const last = itemsOf(await ask({ tradedate: over, symbols: [code(most)] }))
    expect(last.length).toBe(1)
  })

  test('a range of more days is cut where its first 6,000 end', async () => {
    const ask = { apikey: 'k', apiname: 'convertible_daily', params: { startdate: full, enddate: over } }
    const rows = itemsOf<[string, string]>(await client.post({ ...ask, fields: 'tradedate,code' }))
    const expected = Array.from({ length: most }, (_, i) => [full, `${code(i)}.SZ`])
    expect([rows.length, rows.join() === expected.join()]).toEqual([most, true])
  })
})

describe('keys', () => {
  const july = Date.parse('2026-07-20T12:00:00+08:00')
  const keys: Record<string, string> = {}
  let file: string
  let now = july
  let service: Running
  let client: PythonClient

  beforeAll(async () => {
    file = join(tempDir(), 'keys.json')
    for (const plan of ['free', 'professional', 'flagship'] satisfies KeyPlan[]) {
      keys[plan] = await addKey(file, plan, { plan, expiry: null, rate: null }, july)
    }
    keys.short = await addKey(file, 'short', { plan: 'free', expiry: '20260720', rate: null }, july)
    keys.slow = await addKey(file, 'slow', { plan: 'free', expiry: null, rate: 2 }, july)
    service = await runService({ keys: file, time: () => now })
    client = pythonClient(service.port)
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  const files = (plan: string, year = 2026): Promise<Told> =>
    client.post({ apikey: keys[plan], apiname: 'file_download', params: { data_type: 'auction_tick', year } })
  const refused = { code: 403, message: expect.any(String), data: null }

  test.each([undefined, null, '', '   ', 'qb_wrong', 5, ['a'], {}, 'x'.repeat(5000), '\u0000', 'clé'])(
    'apikey %j opens nothing',
    async (apikey) => {
      const told = await client.post({ apikey, apiname: 'st' })
      expect([told.status, envelope(told)]).toEqual([200, refused])
    },
  )

  test('the hash of a key is no key, nor is a key in another place', async () => {
    for (const apikey of [hashOfKey(String(keys.free)), `${keys.free}x`, String(keys.free).toUpperCase()]) {
      expect(envelope(await client.post({ apikey, apiname: 'st' }))).toEqual(refused)
    }
    const headers = [
      ['Authorization', `Bearer ${keys.free}`],
      ['X-API-Key', String(keys.free)],
    ] as const
    expect(envelope(await client.post({ apiname: 'st' }, { headers }))).toEqual(refused)
    expect(envelope(await client.post({ apiname: 'st' }, { path: `/api?apikey=${keys.free}` }))).toEqual(refused)
  })

  test('who may not come in is not told what is wrong with the rest', async () => {
    for (const rest of [{}, { apiname: 'nothing' }, { apiname: 'st', params: { limit: -1 } }]) {
      expect(envelope(await client.post({ apikey: 'wrong', ...rest }))).toEqual(refused)
    }
  })

  test('a good key opens every operation but the files', async () => {
    for (const plan of ['free', 'professional', 'flagship']) {
      expect(envelope(await client.post({ apikey: keys[plan], apiname: 'st' })).code, plan).toBe(200)
    }
    expect(envelope(await files('free'))).toEqual({ ...refused, message: expect.stringContaining('plan') })
  })

  test('an expired key', async () => {
    const st = { apikey: keys.short, apiname: 'st' }
    expect(envelope(await client.post(st)).code).toBe(200)
    now = Date.parse('2026-07-20T23:59:59+08:00')
    expect(envelope(await client.post(st)).code).toBe(200)
    now += 1000
    expect(envelope(await client.post(st))).toEqual({ ...refused, message: expect.stringContaining('expired') })
    now = july
  })

  test('too many requests: HTTP 429, Retry-After, an envelope', async () => {
    const answers: Told[] = []
    for (let i = 0; i < 40 && answers.at(-1)?.status !== 429; i++) {
      answers.push(await client.post({ apikey: keys.slow, apiname: 'st', params: { symbols: '000001' } }))
    }
    const last = answers.at(-1) as Told
    expect(last.status).toBe(429)
    expect(envelope(last)).toMatchObject({ code: 429, data: null, message: expect.stringContaining('too many') })
    expect(last.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(answers.slice(0, -1).every(({ status }) => status === 200)).toBe(true)
    expect(envelope(await client.post({ apikey: keys.free, apiname: 'st' })).code).toBe(200)
  })

  test('the files of a year by plan: two levels, a link, a password', async () => {
    const days = Object.keys(JSON.parse(readFileSync(join(sampleArchive, 'manifest.json'), 'utf8')).ticks).length
    for (const [plan, at, from] of [
      ['flagship', july, '20260506'],
      ['professional', july, '20260506'],
      ['professional', Date.parse('2027-07-01T00:00:00+08:00'), '20260702'],
    ] as const) {
      now = at
      const told = await files(plan)
      expect(told.headers.get('cache-control')).toBe('no-store')
      const { code, message, data } = dataOf(told) as { code: number; message: string; data: Record<string, unknown> }
      expect([code, message]).toEqual([0, 'success'])
      const held = ticks.filter(({ day }) => day >= from && (plan === 'flagship' || day <= beijing(at)))
      expect(data).toEqual({
        data_type: 'auction_tick',
        year: 2026,
        start_date: held[0]?.day,
        end_date: held.at(-1)?.day,
        file_count: held.length,
        size_bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
        status: 'ready',
        url: expect.stringMatching(new RegExp(`^${service.url}/share/[\\w.~-]+/$`)),
        password: expect.stringMatching(/^\S{8,}$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
        retry_after: 0,
      })
      expect(days).toBeGreaterThanOrEqual(held.length)
    }
    now = july
  })
  const { ticks } = JSON.parse(readFileSync(join(sampleArchive, 'manifest.json'), 'utf8')) as {
    ticks: { day: string; bytes: number; sha256: string }[]
  }
  const beijing = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')

  test('a file behind the link is the one of the manifest, for curl', async () => {
    const { url, password } = dataOf(await files('flagship')).data as { url: string; password: string }
    const { day, sha256 } = ticks[7] as (typeof ticks)[number]
    const args = ['-sSf', '-m', '60', '-u', `any:${password}`, `${url}${day}_aucde.parquet`]
    const { stdout } = await promisify(execFile)('curl', args, { encoding: 'buffer', maxBuffer: 2 ** 28 })
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(sha256)
  })

  test('fields of the files; a year without any; years that are none', async () => {
    const ask = { apikey: keys.flagship, apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } }
    const some = dataOf(await client.post({ ...ask, fields: 'status,year' }))
    expect(some).toEqual({ code: 0, message: 'success', data: { status: 'ready', year: 2026 } })
    expect(envelope(await files('flagship', 2022))).toEqual({ code: 1002, message: 'no data', data: null })
    for (const year of [2021, 2027, 0, -1, 1e300]) {
      const told = envelope(await files('flagship', year))
      expect(told).toEqual({ code: 422, message: expect.stringContaining('year'), data: null })
    }
  })

  test('a revoked key', async () => {
    const own = join(tempDir(), 'keys.json')
    const key = await addKey(own, 'one', { plan: 'free', expiry: null, rate: null })
    const other = await addKey(own, 'two', { plan: 'free', expiry: null, rate: null })
    const running = await runService({ keys: own })
    const python = pythonClient(running.port)
    const ask = async (apikey: string): Promise<number> => envelope(await python.post({ apikey, apiname: 'st' })).code
    expect([await ask(key), await ask(other)]).toEqual([200, 200])
    const text = JSON.parse(readFileSync(own, 'utf8')) as { keys: { name: string }[] }
    writeFileSync(own, JSON.stringify({ ...text, keys: text.keys.filter(({ name }) => name !== 'one') }))
    await expect.poll(() => ask(key), { timeout: 600_000 }).toBe(403)
    expect(await ask(other)).toBe(200)
    await python.close()
    await running.close()
  })

  test('no key, no hash and no password in the log, in the metrics, in a fault', async () => {
    const { password } = dataOf(await files('flagship')).data as { password: string }
    await client.post({ apikey: keys.free, apiname: keys.free, fields: 5 })
    await client.ask({ path: `/${keys.free}` })
    await client.ask({ path: '/healthz', headers: [['X-Key', String(keys.free)]] })
    const metrics = await client.ask({ path: '/metrics' })
    const said = [service.log(), metrics.body.toString(), service.faults.map(String).join('\n')].join('\n')
    expect(service.log().split('\n').length).toBeGreaterThan(20)
    for (const key of [...Object.values(keys), password]) {
      expect(said).not.toContain(key)
      expect(said).not.toContain(hashOfKey(key))
    }
  })
})

test('files that are being held against their checksums: preparing, retry_after, then ready', async () => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const digest: SharesOptions['digest'] = (file) => released.then(() => sha256OfFile(file))
  const service = await runService({ shares: { patience: 0, digest } })
  const client = pythonClient(service.port)
  const ask = (): Promise<Told> =>
    client.post({ apikey: 'k', apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } })
  const told = await ask()
  expect(dataOf(told)).toEqual({
    code: 503,
    message: 'preparing',
    data: {
      data_type: 'auction_tick',
      year: 2026,
      start_date: expect.stringMatching(/^2026\d{4}$/),
      end_date: expect.stringMatching(/^2026\d{4}$/),
      file_count: expect.any(Number),
      size_bytes: expect.any(Number),
      status: 'preparing',
      url: '',
      password: '',
      expires_at: '',
      retry_after: expect.any(Number),
    },
  })
  expect((dataOf(told).data as { retry_after: number }).retry_after).toBeGreaterThan(0)
  release()
  const status = async (): Promise<unknown> => (dataOf(await ask()).data as { status: string }).status
  await expect.poll(status, { timeout: 600_000 }).toBe('ready')
  await client.close()
  await service.close()
})

test('more requests at once than may be: come again, said by code and Retry-After; health and metrics still tell', async () => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const digest = async (): Promise<string> => {
    await released
    return ''
  }
  const service = await runService({ limits: { concurrentRequests: 2 }, shares: { patience: 60_000, digest } })
  const clients = [0, 1, 2].map(() => pythonClient(service.port))
  const [first, second, third] = clients as [PythonClient, PythonClient, PythonClient]
  const files = { apikey: 'k', apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } }
  // A request that is refused because the question below came before it is sent again.
  const hold = async (client: PythonClient): Promise<void> => {
    while (envelope(await client.post(files)).code === 503);
  }
  const held = [hold(first), hold(second)]
  const st = (): Promise<Told> => third.post({ apikey: 'k', apiname: 'st' })
  await expect.poll(async () => envelope(await st()).code, { timeout: 600_000 }).toBe(503)
  const told = await st()
  expect([told.status, told.headers.get('retry-after')]).toEqual([200, '1'])
  expect(envelope(told)).toEqual({ code: 503, message: expect.stringContaining('busy'), data: null })
  const page = await third.ask({ path: '/' })
  expect([page.status, page.headers.get('retry-after'), envelope(page).code]).toEqual([503, '1', 503])
  expect(dataOf(await third.ask({ path: '/healthz' }))).toMatchObject({ status: 'ok' })
  expect((await third.ask({ path: '/metrics' })).body.toString()).toMatch(/^quotebook_requests_in_flight 3$/m)
  release()
  await Promise.all(held)
  expect(envelope(await st()).code).toBe(200)
  await Promise.all(clients.map((client) => client.close()))
  await service.close()
})
