import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { numbers, texts } from '../../src/frame/read-columns.js'
import { HttpSource } from '../../src/source/http-source.js'
import { type SyncOptions, syncArchive } from '../../src/sync/sync.js'
import { digest } from '../../src/table/digest.js'
import { provenance } from '../../src/table/provenance.js'
import { Growing } from '../archive/cache/growing.js'
import { type Request, type Service, serve } from '../helper/service.js'
import { tempDir } from '../helper/temp.js'

const few = ['theme_daily', 'convertible_minute', 'anomaly_forecast', 'southbound_top10', 'thememembers_jx']

/** A service that lives through time, and an archive beside it. */
async function evenings(until: string, before?: Parameters<typeof serve>[1]) {
  const growing = new Growing(until)
  const service: Service = await serve(growing, before, 'b'.repeat(64))
  const time = (): number => Date.parse(`${growing.until.replace(/(....)(..)(..)/, '$1-$2-$3')}T14:00:00Z`)
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time, retry: { baseMs: 1, capMs: 5 } })
  const dir = `${tempDir()}/own`
  const own = new Archive(dir, 'own')
  const sync = async (options: Partial<SyncOptions> = {}) => {
    const already = service.requests.length
    const result = await syncArchive(source, { archive: dir, datasets: few, time, ...options })
    return { result, sent: service.requests.slice(already) as readonly Request[] }
  }
  return { growing, service, source, own, dir, sync }
}

const closes = async (archive: Archive, day: string) =>
  numbers(await archive.query(datasetOf('theme_daily'), { type: 'tj', tradedate: day }), 'close')[0]

test('the latest day is kept as it stood, and its settled rows take the place', async () => {
  const { growing, own, sync } = await evenings('20260715')
  growing.tick = 5
  expect((await sync({ from: '20260713' })).result.ok).toBe(true)
  const early = await closes(own, '20260715')
  const table = await own.query(datasetOf('theme_daily'), { type: 'tj', startdate: '20260713' })
  expect(provenance(table)).toMatchObject({
    complete: false,
    note: expect.stringMatching(/^rows of 20260715 are as they stood at 2026-07-15T22:00:/),
  })
  growing.until = '20260716'
  growing.tick = 0
  const { sent } = await sync()
  const truth = await growing.query(datasetOf('theme_daily'), { type: 'tj', startdate: '20260713' })
  const found = await own.query(datasetOf('theme_daily'), { type: 'tj', startdate: '20260713' })
  expect(digest(found)).toBe(digest(truth))
  expect(await closes(own, '20260715')).not.toBe(early)
  expect(provenance(await own.query(datasetOf('theme_daily'), { type: 'tj', tradedate: '20260715' }))?.complete).toBe(
    true,
  )
  const bars = sent.filter(({ apiname }) => apiname === 'convertible_minute')
  expect(bars.map(({ params }) => params?.tradedate).sort()).toEqual([
    ...Array(9).fill('20260715'),
    ...Array(9).fill('20260716'),
  ])
})

test('evening by evening the archive answers as the source does', async () => {
  const { growing, own, sync } = await evenings('20260713')
  for (const day of ['20260713', '20260714', '20260715', '20260716', '20260717', '20260720']) {
    growing.until = day
    growing.tick = 3
    await sync({ from: '20260709' })
    for (const [name, params] of [
      ['anomaly_forecast', {}],
      ['anomaly_forecast', { tradedate: '20260713' }],
      ['convertible_minute', { tradedate: '20260713', trademin: '1000' }],
      ['convertible_minute', {}],
      ['southbound_top10', { startdate: '20260709' }],
    ] as const) {
      const [truth, found] = [await growing.query(datasetOf(name), params), await own.query(datasetOf(name), params)]
      expect([day, name, digest(found)]).toEqual([day, name, digest(truth)])
    }
  }
})

test('a sector pool is kept each day, as what it was then', async () => {
  const { growing, own, sync } = await evenings('20260714')
  await sync({ datasets: ['thememembers_jx'] })
  expect((await sync({ datasets: ['thememembers_jx'] })).sent.map(({ apiname }) => apiname)).toEqual(['theme_daily'])
  growing.until = '20260715'
  await sync({ datasets: ['thememembers_jx'] })
  const days = await own.read(async (snapshot) => snapshot.parts('thememembers_jx').map(({ partition }) => partition))
  expect(days).toEqual(['20260714', '20260715'])
})

test('a day that the source has not yet is missing, asked again, and found when it has come', async () => {
  const { growing, own, sync } = await evenings('20260716')
  growing.unpublished.add('20260714')
  const first = await sync({ from: '20260710' })
  expect(first.result.ok).toBe(false)
  const lacking = first.result.datasets.filter(({ missing }) => missing.length > 0)
  expect(lacking.map(({ dataset, missing }) => [dataset, missing])).toEqual([
    ['theme_daily', ['20260714']],
    ['convertible_minute', ['20260714']],
  ])
  const { note, complete } =
    provenance(await own.query(datasetOf('theme_daily'), { type: 'tj', tradedate: '20260714' })) ?? {}
  expect([complete, note]).toEqual([false, expect.stringContaining('20260714')])
  growing.unpublished.clear()
  const second = await sync()
  expect(second.result.ok).toBe(true)
  const asked = second.sent.flatMap(({ params }) => params?.tradedate ?? [])
  expect(new Set(asked)).toEqual(new Set(['20260714', '20260716']))
  const found = await own.query(datasetOf('convertible_minute'), { tradedate: '20260714', trademin: '1500' })
  expect(texts(found, 'symbol').length).toBe(20)
})
