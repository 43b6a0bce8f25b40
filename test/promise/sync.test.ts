import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Archive,
  connect,
  datasetOf,
  type FollowRun,
  importFiles,
  Market,
  type Provenance,
  provenance,
  type Source,
  SourceError,
  type SyncOptions,
  type SyncResult,
  tradingDays,
} from 'quotebook'
import { expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { datasetNames } from './helper/catalogue.js'
import { bytesBelow, failure, file, newPlace, objects, removeFolders } from './helper/files.js'
import { Vendor } from './helper/living-vendor.js'

removeFolders()

const index = (tradedate: string, close = 100) => ({ tradedate, symbol: '880001', type: 'tj', close })
const days = tradingDays('20260701', '20260731')
/** An evening in Beijing. */
const evening = (day: string, hour = 22): number =>
  Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T00:00:00+08:00`) + hour * 3_600_000

/** A vendor with days up to one, and an archive that is synced from it. */
async function stand(last: string) {
  const vendor = new Vendor()
  const publish = (...list: readonly ReturnType<typeof index>[]) => vendor.publish('theme_daily', list)
  await publish(...days.filter((day) => day <= last).map((day) => index(day)))
  const archive = newPlace()
  const market = new Market(vendor.source)
  const sync = (day: string, more: Partial<SyncOptions> = {}): Promise<SyncResult> =>
    market.sync({ archive, datasets: ['theme_daily'], from: '20260706', time: () => evening(day), ...more })
  const closes = async (asOf?: string) => {
    const own = await connect({ archive, asOf })
    const table = await own.query('theme_daily', { type: 'tj', startdate: '20260706', enddate: last })
    await own.close()
    return { closes: objects(table).map(({ close }) => close), about: provenance(table) as Provenance }
  }
  return { vendor, publish, archive, market, sync, closes }
}

/** A clock that goes on by what is slept. */
function passingFrom(now: number) {
  const passed = { milliseconds: now }
  return {
    now: () => passed.milliseconds,
    chance: () => 0,
    sleep: async (milliseconds: number) => {
      passed.milliseconds += milliseconds
    },
  }
}

test('a source brought over answers as the source does; again asks for the latest day alone', async () => {
  const { vendor, archive, sync, closes } = await stand('20260710')
  const first = await sync('20260710')
  const brought = ['20260706', '20260707', '20260708', '20260709', '20260710']
  expect(first).toMatchObject({ ok: true, from: '20260706', latest: '20260710', rows: 5, revisions: 0 })
  expect(first.datasets).toMatchObject([
    { dataset: 'theme_daily', due: brought, days: brought, again: [], missing: [], unproven: [], rows: 5 },
  ])
  expect((await closes()).closes).toEqual([100, 100, 100, 100, 100])
  const asked = await vendor.askedBy(async () => {
    expect(await sync('20260710')).toMatchObject({ ok: true, rows: 1, revisions: 0 })
  })
  expect(asked.map(({ params }) => params)).toEqual([{ type: 'tj' }, { type: 'tj', startdate: '20260710' }])
  const settled = await connect({ archive })
  const [past, latest] = [
    await settled.query('theme_daily', { type: 'tj', startdate: '20260706', enddate: '20260709' }),
    await settled.query('theme_daily', { type: 'tj', startdate: '20260706' }),
  ]
  expect(provenance(past)).toMatchObject({ complete: true, proof: 'calendar' })
  expect(provenance(latest)).toMatchObject({
    complete: false,
    note: 'rows of 20260710 are as they stood at 2026-07-10T22:00:00+08:00, not settled yet',
  })
})

test('the latest day gives way to its settled rows when the source shows a later one', async () => {
  const { publish, sync, closes } = await stand('20260710')
  await publish(index('20260710', 101))
  await sync('20260710')
  await publish(index('20260710', 102), index('20260713', 103))
  await sync('20260713')
  const { closes: found, about } = await closes()
  expect([found, about.complete]).toEqual([[100, 100, 100, 100, 102], true])
})

test('what the source corrects is found a day later, counted, and each moment keeps its answer', async () => {
  const { publish, sync, closes, archive } = await stand('20260710')
  await sync('20260710')
  await publish(index('20260706', 7), index('20260707', 8), index('20260713'))
  const { revisions, datasets } = await sync('20260713')
  expect([revisions, datasets[0]?.again]).toEqual([1, ['20260706']])
  const now = [7, 100, 100, 100, 100]
  expect((await closes()).closes).toEqual(now)
  expect((await closes('2026-07-13T22:00')).closes).toEqual(now)
  expect((await closes('2026-07-13T21:59')).closes).toEqual([100, 100, 100, 100, 100])
  expect((await closes('2026-07-10T22:00')).closes).toEqual([100, 100, 100, 100, 100])
  const before = await closes('2026-07-10T21:59')
  expect([before.closes, before.about.complete]).toEqual([[], false])
  expect(`${before.about.note}`).toBe(
    'nothing of theme_daily was known at that moment: the archive knows of it since 2026-07-10 22:00:00, Beijing time',
  )
  expect((await closes('2026-07-12')).about.source).toBe('archive archive as of 2026-07-12T23:59:59+08:00')
  const market = await connect({ archive })
  const status = await market.status()
  const cell = (name: string) => (status.values as unknown[][])[0]?.[status.columns.indexOf(name)]
  expect([cell('revisions'), cell('last_sync')]).toEqual([1, '2026-07-13T22:00:00+08:00'])
  const rows = await (await connect({ archive, asOf: '2026-07-10T22:00' })).sql(
    'select max(close) as high, min(close) as low from theme_daily',
  )
  expect(objects(rows)).toEqual([{ high: 100, low: 100 }])
})

test('what is corrected in a month that was known whole keeps the answers of the moments before', async () => {
  const vendor = new Vendor()
  const bonds = (...closes: readonly number[]) =>
    vendor.publish(
      'convertible_daily',
      closes.map((close, at) => ({ tradedate: days.at(at - 3), symbol: '110001', code: '110001.SH', close })),
    )
  const archive = newPlace()
  const sync = (day: string): Promise<SyncResult> =>
    new Market(vendor.source).sync({
      archive,
      datasets: ['convertible_daily'],
      from: '20260729',
      time: () => evening(day),
    })
  const closes = async (asOf?: string) => {
    const own = await connect({ archive, asOf })
    const table = await own.query('convertible_daily', { startdate: '20260729', enddate: '20260731' })
    await own.close()
    return objects(table).map(({ close }) => close)
  }
  await bonds(100, 100, 100)
  await sync('20260731')
  await sync('20260803')
  await bonds(7, 100, 100)
  expect((await sync('20260805')).revisions).toBe(1)
  expect([await closes('20260804'), await closes()]).toEqual([
    [100, 100, 100],
    [7, 100, 100],
  ])
})

test('a settled day is asked again when it is a week old, and not on the days around', async () => {
  const { sync, publish } = await stand('20260731')
  const again = async (day: string) => {
    await publish(index(day))
    return (await sync(day, { from: '20260729' })).datasets[0]?.again
  }
  const evenings = ['20260731', '20260803', '20260805', '20260806', '20260807']
  const found: unknown[] = []
  for (const day of evenings) found.push(await again(day))
  // The 31st settled on the 3rd.
  expect(found).toEqual([[], [], ['20260729'], ['20260730'], ['20260731']])
})

test('a trading day that the source lacks is told, asked again, and found when it has come', async () => {
  const vendor = new Vendor()
  await vendor.publish(
    'theme_daily',
    ['20260706', '20260708', '20260709'].map((day) => index(day)),
  )
  const archive = newPlace()
  const sync = (more = {}) =>
    new Market(vendor.source).sync({
      archive,
      datasets: ['theme_daily'],
      from: '20260706',
      time: () => evening('20260709'),
      ...more,
    })
  const { ok, datasets } = await sync()
  expect([ok, datasets[0]?.missing]).toEqual([false, ['20260707']])
  await vendor.publish('theme_daily', [index('20260707')])
  expect(await sync()).toMatchObject({ ok: true, datasets: [{ missing: [] }] })
})

test('rows that were imported stay on the days that the import covers; on others the source counts', async () => {
  const { archive, sync, closes } = await stand('20260710')
  const theme = datasetOf('theme_daily')
  const rows = file('rows.json', JSON.stringify([index('20260706', 1), index('20260708', 2)]))
  await importFiles(archive, theme, [rows])
  await importFiles(archive, theme, [], { covers: { from: '20260706', to: '20260706' } })
  await sync('20260710')
  expect((await closes()).closes).toEqual([1, 100, 100, 100, 100])
})

test('a dry run says what would be asked, and writes nothing', async () => {
  const { archive, sync } = await stand('20260710')
  const plan = await sync('20260710', { dryRun: true })
  expect(plan).toMatchObject({ planned: 1, rows: 0, latest: '20260710' })
  expect(plan.datasets[0]?.due).toEqual(['20260706', '20260707', '20260708', '20260709', '20260710'])
  expect(existsSync(archive)).toBe(false)
})

test('the sample brought over, every dataset of it, answers as the sample does', async () => {
  const sample = await connect()
  const archive = newPlace()
  const time = () => evening('20260729')
  const { ok, datasets } = await sample.sync({ archive, from: '20260728', themes: ['1001'], time })
  expect([ok, datasets.length]).toEqual([true, datasetNames.length - 1])
  const own = await connect({ archive })
  const range = { startdate: '20260728' }
  const questions: readonly [string, object][] = [
    ['theme_daily', { type: 'tj', ...range }],
    ['convertible_daily', range],
    ['convertible_daily', { symbols: '110059', tradedate: '20260728' }],
    ['southbound_top10', { ...range, market_type: '2' }],
    ['st', range],
    ['transfer_financing', range],
    ['etf_minute', { symbols: '510300,159915', period: '15m', tradedate: '20260728' }],
    ['etf_minute', {}],
    ['convertible_minute', { tradedate: '20260728', trademin: '1030' }],
    ['hotstock', { type: 'xq&biaos' }],
    ['hotstock', { type: 'ths&normal', tradedate: '20260728' }],
    ['anomaly_forecast', {}],
    ['anomaly_forecast', { tradedate: '20260728' }],
    ['finance_announcement', { version: 'all', ann_startdate: '20260728' }],
    ['interactive_qa', { version: 'all', ...range }],
    ['news', { view: 'time' }],
    ['thememembers_jx', { level: 'child' }],
    ['theme_lib_detail_kp', { theme_id: '1001' }],
  ]
  for (const [name, params] of questions) {
    const [wanted, found] = [objects(await sample.query(name, params)), objects(await own.query(name, params))]
    expect(wanted.length, name).toBeGreaterThan(0)
    // Announcements of a day without a time stand in an order of their own.
    const told = (rows: object[]) =>
      name === 'finance_announcement' ? rows.map((row) => JSON.stringify(row)).sort() : rows
    expect(told(found), `${name} ${JSON.stringify(params)}`).toEqual(told(wanted))
  }
})

test('a sync that is interrupted keeps what it stored, and the next one goes on', async () => {
  const { archive, market, vendor } = await stand('20260710')
  const list = (tradedate: string) => ({ s: '000001', rank: 1, tradedate, type: 'ths&normal' })
  await vendor.publish('hotstock', days.slice(0, 8).map(list))
  const stop = new AbortController()
  const options = { archive, datasets: ['hotstock'], from: '20260701', time: () => evening('20260710') }
  const onProgress = () => stop.abort(new Error('enough'))
  await expect(market.sync({ ...options, signal: stop.signal, onProgress })).rejects.toThrow('enough')
  expect(Object.keys((await new Archive(archive, 'own').manifest()).datasets)).toEqual(['hotstock'])
  await market.sync(options)
  const own = await connect({ archive })
  const found = await own.query('hotstock', { type: 'ths&normal' }, { days: { from: '20260701', to: '20260709' } })
  expect(objects(found).map(({ tradedate }) => tradedate)).toEqual(days.slice(0, 7))
})

test('a dataset that the source refuses is named, and the others are brought', async () => {
  const { vendor, archive } = await stand('20260710')
  const source: Source = {
    name: 'vendor',
    query: (dataset, params, options) => {
      if (dataset.name === 'st') return Promise.reject(new SourceError('FORBIDDEN', 'st: not in your plan'))
      return vendor.archive.query(dataset, params, options)
    },
  }
  const options = { archive, datasets: ['st', 'theme_daily'], from: '20260706', time: () => evening('20260710') }
  const { ok, datasets } = await new Market(source).sync(options)
  expect([ok, datasets.map(({ dataset, failed, rows }) => [dataset, failed, rows])]).toEqual([
    false,
    [
      ['st', 'st: not in your plan', 0],
      ['theme_daily', undefined, 5],
    ],
  ])
})

test('a key that is refused for all is named; a follower that it worked for before goes on asking', async () => {
  const { vendor, archive } = await stand('20260710')
  const refusal = new SourceError('FORBIDDEN', 'bad key; check the key and its plan')
  let isRefused = true
  const source: Source = {
    name: 'vendor',
    query: async (dataset, params, options) => {
      if (isRefused) throw refusal
      return vendor.archive.query(dataset, params, options)
    },
  }
  const clock = passingFrom(evening('20260710'))
  const options = { archive, datasets: ['theme_daily'], from: '20260706', time: clock.now }
  expect(await failure(new Market(source).sync(options))).toBe(refusal)
  expect(await failure(new Market(source).follow({ ...options, clock }).next())).toBe(refusal)
  isRefused = false
  const told: (string | undefined)[] = []
  for await (const { failed } of new Market(source).follow({ ...options, clock })) {
    told.push(failed && String(failed))
    if (told.length === 4) break
    isRefused = told.length < 3
  }
  expect(told).toEqual([undefined, refusal.message, refusal.message, undefined])
})

test('mistakes are told before anything is asked', async () => {
  const { archive, market, vendor, sync } = await stand('20260710')
  const wrong = (options: object) => failure(market.sync({ archive, ...options }))
  expect(await wrong({ datasets: ['file_download'] })).toMatchObject({
    code: 'USAGE',
    message: 'sync does not bring file_download: its files are fetched by `quotebook ticks fetch`',
  })
  expect(await wrong({ from: 'may' })).toMatchObject({
    code: 'USAGE',
    message: 'sync: from must be a date YYYYMMDD, not "may"',
  })
  expect(await wrong({ archive: '' })).toMatchObject({
    code: 'USAGE',
    message: 'sync needs an archive: the directory that it brings up to the source',
  })
  expect(vendor.requests).toEqual([])
  await sync('20260710')
  const other = new Market({ name: 'other', query: (...asked) => vendor.archive.query(...asked) })
  expect(await failure(other.sync({ archive, datasets: ['theme_daily'] }))).toMatchObject({
    code: 'USAGE',
    message: `the cache ${archive} holds answers of vendor, not of other; give another directory, or drop what it holds`,
  })
})

test('one sync of an archive at a time; a follower runs at once, says how it stands, and ends with its signal', async () => {
  const { archive, market } = await stand('20260710')
  const stop = new AbortController()
  const clock = passingFrom(evening('20260710'))
  const runs: FollowRun[] = []
  const options = {
    archive,
    datasets: ['theme_daily'],
    from: '20260706',
    time: clock.now,
    signal: stop.signal,
    owner: 'test',
  }
  for await (const run of market.follow({ ...options, clock })) {
    runs.push(run)
    if (runs.length === 2) stop.abort()
  }
  expect(runs[0]).toMatchObject({
    at: '2026-07-10T22:00:00+08:00',
    datasets: ['theme_daily'],
    result: { ok: true, rows: 5 },
    late: [],
    next: { at: expect.stringMatching(/^2026-07-13T15:3[0-2]:/), datasets: ['theme_daily'] },
  })
  expect(runs[1]?.at).toMatch(/^2026-07-13T15:3[0-2]:/)
  const status = JSON.parse(readFileSync(join(archive, 'sync-status.json'), 'utf8'))
  expect(status).toMatchObject({
    since: '2026-07-10T22:00:00+08:00',
    owner: 'test',
    ended: expect.any(String),
    counts: { runs: 2, failures: 0, rows: 7 },
  })
})

test('the command: the plan as a table, then what came, then nothing but the latest day', async () => {
  const archive = newPlace('kept')
  const run = (...more: string[]) =>
    here('sync', '--source', 'sample', '--archive', archive, '--datasets', 'theme_daily', ...more)
  const plan = await run('--from', '20260727', '--dry-run')
  expect(plan.code).toBe(0)
  expect(plan.out).toBe(
    'dataset      from      to        days  again  requests\ntheme_daily  20260727  20260729     3      0         1\n',
  )
  expect(plan.err).toContain('1 requests, at least, from 20260727 to 20260729')
  expect(bytesBelow(archive)).toEqual({})
  const first = await run('--from', '20260727')
  expect([first.code, first.err]).toEqual([
    0,
    expect.stringContaining(`${archive}: 20260727 to 20260729, 144 rows by 0 requests`),
  ])
  expect((await run()).err).toContain(`${archive}: 20260727 to 20260729, 48 rows by 0 requests`)
})
