import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Archive, connect, datasetOf, importFiles, type Market, provenance, tradingDays } from 'quotebook'
import { beforeAll, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { runCommand } from './helper/command.js'
import { failure, file, folder, newPlace, objects, removeFolders } from './helper/files.js'
import { listening, type Request, Vendor } from './helper/living-vendor.js'

removeFolders()

/* `cache` of connect and `--cache` of the command: a directory that keeps what can no longer change of a service's answers. */

let [url, vendor]: [string, Vendor] = ['', undefined as never]
beforeAll(async () => {
  vendor = new Vendor()
  url = await listening(vendor)
  await reset()
})

const days = tradingDays('20260701', '20260715')
const rowsOn = (day: string, close = 100) =>
  ['110059', '123124'].map((symbol, i) => ({ tradedate: day, symbol, code: `${symbol}.S${'HZ'[i]}`, close: close + i }))

async function reset(): Promise<void> {
  await vendor.publish(
    'convertible_daily',
    days.flatMap((day) => rowsOn(day)),
  )
  vendor.requests.splice(0)
}

const time = () => Date.parse('2026-07-15T22:00:00+08:00')
const market = (cache?: string): Promise<Market> =>
  connect({
    nodes: [url],
    apikey: 'KEY',
    time,
    retry: { baseMs: 1, capMs: 2 },
    ...(cache === undefined ? {} : { cache }),
  })
/** What the command says that a cache holds. */
async function listed(dir: string): Promise<string> {
  const { out, err } = await here('cache', dir)
  return out + err
}

const past = { startdate: '20260701', enddate: '20260710' }
/** Rows of a query, and what was sent for them. */
async function asked(one: Market, params: object, name = 'convertible_daily') {
  let [rows, about]: [object[], ReturnType<typeof provenance>] = [[], undefined]
  const sent = await vendor.askedBy(async () => {
    const table = await one.query(name, params)
    ;[rows, about] = [objects(table), provenance(table)]
  })
  return { rows, about, sent: sent.map(({ params }: Request) => params) }
}

test('settled days are asked for once: the same rows come from the directory, also to another process', async () => {
  const [dir, plain] = [newPlace('cache'), await market()]
  const truth = await asked(plain, past)
  const one = await market(dir)
  const first = await asked(one, past)
  expect([first.rows, first.rows.length]).toEqual([truth.rows, 16])
  for (const again of [one, await market(dir)]) {
    const { rows, sent, about } = await asked(again, past)
    expect([rows, sent]).toEqual([truth.rows, []])
    expect(about).toMatchObject({ complete: true, call: { requests: 0, kept: 16 } })
    await again.close()
  }
})

test('of a range up to now the latest day alone is asked again, and what it says by now comes', async () => {
  const one = await market(newPlace('cache'))
  await asked(one, { startdate: '20260708' })
  await vendor.publish('convertible_daily', rowsOn('20260715', 200))
  const { rows, sent } = await asked(one, { startdate: '20260708' })
  expect(sent.at(-1)).toEqual({ startdate: '20260715' })
  expect(rows.slice(-2)).toMatchObject([{ close: 200 }, { close: 201 }])
  expect(rows.length).toBe(12)
  await one.close()
  await reset()
})

test('more days and other codes cost what is missing; whole days answer for any code and any column', async () => {
  const one = await market(newPlace('cache'))
  await asked(one, { startdate: '20260701', enddate: '20260706' })
  const more = await asked(one, past)
  expect(more.sent).toEqual([{ startdate: '20260707', enddate: '20260710' }])
  const code = await asked(one, { ...past, symbols: '123124' })
  expect([code.sent, code.rows.length]).toEqual([[], 8])
  const table = await one.query('convertible_daily', past, { fields: ['close', 'code'] })
  expect(objects(table)[0]).toEqual({ close: 100, code: '110059.SH' })
  const alone = await market(newPlace('cache'))
  await asked(alone, { ...past, symbols: '110059.SH' })
  const both = await asked(alone, { ...past, symbols: '110059.SH,123124.SZ' })
  expect(both.sent).toEqual([{ ...past, symbols: ['123124.SZ'] }])
  expect(both.rows.length).toBe(16)
  await one.close()
  await alone.close()
})

test('explain says what comes from the directory, and sends nothing', async () => {
  const one = await market(newPlace('cache'))
  await asked(one, past)
  const before = vendor.requests.length
  expect(await one.explain('convertible_daily', past)).toEqual({
    dataset: 'convertible_daily',
    requests: 0,
    exact: true,
    lines: ['convertible_daily: 8 days from the cache', 'nothing else is asked'],
  })
  const more = await one.explain('convertible_daily', { startdate: '20260701', enddate: '20260714' })
  expect([more.requests, more.lines[0]]).toEqual([1, 'convertible_daily: 8 days from the cache'])
  expect(vendor.requests.length).toBe(before)
  await one.close()
})

test('a day that the service corrects later stays as it was kept, until it is dropped', async () => {
  const dir = newPlace('cache')
  const one = await market(dir)
  await asked(one, past)
  await vendor.publish('convertible_daily', rowsOn('20260702', 7))
  expect((await asked(one, { tradedate: '20260702' })).rows[0]).toMatchObject({ close: 100 })
  expect(await listed(dir)).toMatch(/convertible_daily +\S* *all +20260701 +20260710 +8 +16 /)
  expect((await here('cache', dir, '--drop', 'convertible_daily')).code).toBe(0)
  expect(await listed(dir)).toBe(`${dir} keeps no answers of a service\n`)
  const { rows, sent } = await asked(one, { tradedate: '20260702' })
  expect([rows[0], sent.length > 0]).toMatchObject([{ close: 7 }, true])
  await one.close()
  await reset()
})

test('the directory is an archive like any other, and a synced archive is a cache of its service', async () => {
  const [dir, plain] = [newPlace('cache'), await market()]
  const one = await market(dir)
  const { rows } = await asked(one, past)
  const own = await connect({ archive: dir })
  expect(objects(await own.query('convertible_daily', past))).toEqual(rows)
  expect(provenance(await own.query('convertible_daily', past))).toMatchObject({ complete: true, proof: 'calendar' })
  const synced = newPlace('synced')
  await plain.sync({ archive: synced, datasets: ['convertible_daily'], from: '20260701', time })
  const cached = await market(synced)
  const found = await asked(cached, past)
  expect([found.rows, found.sent]).toEqual([rows, []])
  for (const each of [one, cached, plain, own]) await each.close()
})

test('a query that fails keeps nothing, and says what failed', async () => {
  const dir = newPlace('cache')
  const one = await market(dir)
  vendor.status = 501
  const error = await failure(one.query('convertible_daily', past))
  vendor.status = 200
  expect(error.message).toBe(`convertible_daily: ${url} answers with HTTP status 501`)
  expect(await listed(dir)).toBe(`${dir} keeps no answers of a service\n`)
  expect((await asked(one, past)).rows.length).toBe(16)
  await one.close()
})

test('what may not be kept is asked for each time', async () => {
  await vendor
    .publish('news', [{ uid: '1', pubdate: '2026-07-15 10:00:00', title: 't', source: 's', tradedate: '20260715' }])
    .catch(() => undefined)
  const one = await market(newPlace('cache'))
  for (const params of [{}, { tradedate: '20260715' }]) {
    for (let time = 0; time < 2; time++) expect((await asked(one, params)).sent.length).toBeGreaterThan(0)
  }
  await one.close()
})

test('a directory of another service, or of a user, is refused as it is', async () => {
  const dir = newPlace('cache')
  const one = await market(dir)
  await asked(one, past)
  await one.close()
  const other = await connect({ nodes: ['http://127.0.0.2:9'], apikey: 'KEY', cache: dir })
  expect(await failure(other.query('convertible_daily', past))).toMatchObject({
    code: 'USAGE',
    message: `the cache ${dir} holds answers of ${url}, not of http://127.0.0.2:9; give another directory, or drop what it holds`,
  })
  const own = newPlace()
  const row = file('b.csv', 'tradedate,symbol,code\n20260701,110059,110059.SH\n')
  await importFiles(own, datasetOf('convertible_daily'), [row])
  const wrong = await market(own)
  expect(await failure(wrong.query('convertible_daily', past))).toMatchObject({
    code: 'USAGE',
    message: `${own} is an archive of its own; give the cache a directory for itself`,
  })
  expect(await here('cache', own, '--drop')).toMatchObject({
    code: 2,
    err: `quotebook: ${own} is an archive that keeps no answers of a service; nothing was dropped\n`,
  })
  const damaged = folder()
  writeFileSync(join(damaged, 'manifest.json'), '{')
  const broken = await market(damaged)
  expect(await failure(broken.query('convertible_daily', past))).toMatchObject({
    code: 'ARCHIVE',
    message: expect.stringContaining('. Drop it (delete the directory) and it is filled anew'),
  })
})

test('queries at once store all that they brought', async () => {
  const dir = newPlace('cache')
  const one = await market(dir)
  await asked(one, { tradedate: '20260701' })
  await Promise.all(days.slice(1, 6).map((day) => one.query('convertible_daily', { tradedate: day })))
  await one.close()
  expect(await listed(dir)).toMatch(/convertible_daily +\S* *all +20260701 +20260708 +6 +12 /)
  expect(readdirSync(dir).sort()).toEqual(['convertible_daily', 'manifest.json'])
})

test('the command keeps, lists and drops', async () => {
  const dir = newPlace('cache')
  const query = () =>
    runCommand(
      [
        'query',
        'convertible_daily',
        'startdate=20260701',
        'enddate=20260710',
        '--format',
        'csv',
        '--source',
        url,
        '--cache',
        dir,
      ],
      {
        QUOTEBOOK_APIKEY: 'KEY',
      },
    )
  const first = await query()
  expect([first.code, first.out.split('\n').length]).toEqual([0, 18])
  const sent = await vendor.askedBy(async () => expect((await query()).out).toBe(first.out))
  expect(sent).toEqual([])
  const list = await here('cache', dir)
  expect(list.out).toMatch(/convertible_daily +\S* *all +20260701 +20260710 +8 +16 /)
  expect((await here('cache', dir, '--drop')).code).toBe(0)
  expect(await listed(dir)).toBe(`${dir} keeps no answers of a service\n`)
})

test('the archive of a cached market is none: it is a service', async () => {
  const one = await market(newPlace('cache'))
  const none: Archive | undefined = one.archive
  expect(none).toBeUndefined()
  expect(await failure(one.sql('select 1'))).toMatchObject({
    code: 'USAGE',
    message: `SQL queries need an archive; ${url} is a service over HTTP`,
  })
  await one.close()
})
