import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { numbers } from '../../src/frame/read-columns.js'
import { HttpSource } from '../../src/source/http-source.js'
import type { QueryOptions } from '../../src/source/source.js'
import { syncArchive } from '../../src/sync/sync.js'
import { digest } from '../../src/table/digest.js'
import { provenance } from '../../src/table/provenance.js'
import { columnsOf } from '../../src/table/unwrap.js'
import type { RecordColumns } from '../../src/table/values.js'
import { sampleArchive } from '../helper/running-service.js'
import { serve } from '../helper/service.js'
import { tempDir } from '../helper/temp.js'

const sample = new Archive(sampleArchive, 'sample')
const time = (): number => Date.UTC(2026, 6, 29, 14)
const names = ['theme_daily', 'convertible_minute', 'hotstock', 'southbound_top10', 'interactive_qa']
const from = '20260720'

const questions: [name: string, params: Record<string, unknown>, options: QueryOptions][] = [
  ['theme_daily', { type: 'tj', startdate: from }, {}],
  ['convertible_minute', {}, { days: { from, to: '20260729' } }],
  ['southbound_top10', { startdate: from }, {}],
  ['interactive_qa', { startdate: from, version: 'all' }, {}],
  ...['ths&normal', 'dfcf&renqi'].map(
    (type) => ['hotstock', { type }, { days: { from, to: '20260729' } }] as [string, object, object],
  ),
] as never

async function isLikeTheSource(dir: string): Promise<void> {
  const own = new Archive(dir, 'own')
  for (const [name, params, options] of questions) {
    const ask = (archive: Archive) => archive.query(datasetOf(name), params, { ...options, whole: true })
    expect([name, digest(await ask(own))]).toEqual([name, digest(await ask(sample))])
  }
}

test('resets, refusals for a while, and an answer that comes late cost no row, and nothing is stored twice', async () => {
  let count = 0
  const service = await serve(
    sample,
    (_, response) => {
      const turn = ++count % 23
      if (turn === 3) response.socket?.destroy()
      else if (turn === 9) response.writeHead(429, { 'retry-after': '0' }).end()
      else if (turn === 15) response.writeHead(503).end('down')
      else return false
      return true
    },
    await sample.state(),
  )
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time, retry: { baseMs: 1, capMs: 5 } })
  const dir = join(tempDir(), 'own')
  const result = await syncArchive(source, { archive: dir, datasets: names, from, time })
  expect(result.datasets.filter(({ failed, missing }) => failed ?? missing.length > 0)).toEqual([])
  await isLikeTheSource(dir)
  await source.close()
  await service.close()
})

test('a dataset that a key has no right to fails alone; a source that is away ends the sync', async () => {
  const service = await serve(
    sample,
    ({ apiname }, response) => {
      if (apiname !== 'hotstock') return false
      response.writeHead(200).end(JSON.stringify({ code: 403, message: 'no plan', data: null }))
      return true
    },
    await sample.state(),
  )
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time, retry: { attempts: 1 } })
  const dir = join(tempDir(), 'own')
  const result = await syncArchive(source, { archive: dir, datasets: ['hotstock', 'theme_daily'], from, time })
  expect(result.ok).toBe(false)
  const [hot, theme] = result.datasets
  expect(hot).toMatchObject({ rows: 0, failed: expect.stringContaining('no plan') })
  expect(theme).toMatchObject({ missing: [], days: expect.arrayContaining([from]) })
  expect(service.requests.filter(({ apiname }) => apiname === 'hotstock').length).toBeLessThanOrEqual(4)
  await service.close()
  await expect(syncArchive(source, { archive: dir, datasets: names, time })).rejects.toMatchObject({
    code: 'UNREACHABLE',
  })
  await source.close()
})

test('two syncs of one archive come one after the other', async () => {
  const service = await serve(sample, undefined, await sample.state())
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time })
  const dir = join(tempDir(), 'own')
  const options = { archive: dir, datasets: ['theme_daily'], from, time }
  const [one, other] = await Promise.all([syncArchive(source, options), syncArchive(source, options)])
  const rows = [one, other].map(({ datasets }) => datasets[0]?.days.length).sort()
  expect(rows).toEqual([10, 1].sort())
  expect(existsSync(join(dir, '.sync'))).toBe(false)
  await source.close()
  await service.close()
})

test('an archive of another service is refused', async () => {
  const service = await serve(sample, undefined, await sample.state())
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time })
  const dir = join(tempDir(), 'own')
  await syncArchive(sample, { archive: dir, datasets: ['theme_daily'], from, time })
  await isRefused(() => syncArchive(source, { archive: dir, datasets: ['theme_daily'], time }))
  await source.close()
  await service.close()
})

test('imported rows stay on days that the import covers; on others the settled day of the source counts', async () => {
  const dir = join(tempDir(), 'own')
  const theme = datasetOf('theme_daily')
  const own = async (day: string): Promise<RecordColumns> => {
    const { length, columns } = columnsOf(await sample.query(theme, { type: 'tj', tradedate: day }))
    return {
      length,
      columns: new Map(columns).set('close', { type: 'float', data: new Float64Array(length).fill(7) } as never),
    }
  }
  const writer = await ArchiveWriter.open(dir)
  for (const day of ['20260701', '20260721', '20260722']) await writer.put(theme, await own(day), 'mine.csv')
  writer.markCovered(theme, { scope: '', symbols: 'all', days: [['20260722', '20260722']] })
  await writer.commit()
  const result = await syncArchive(sample, { archive: dir, datasets: ['theme_daily'], from, time })
  expect(result.ok).toBe(true)
  expect(result.datasets[0]?.days).not.toContain('20260722')
  const close = async (archive: Archive, day: string) =>
    numbers(await archive.query(theme, { type: 'tj', tradedate: day }), 'close')[0]
  const archive = new Archive(dir, 'own')
  expect(await close(archive, '20260701')).toBe(7)
  expect(await close(archive, '20260722')).toBe(7)
  for (const day of ['20260721', '20260723', '20260729']) {
    expect(await close(archive, day)).toBe(await close(sample, day))
  }
})

test('what nothing shows to be whole is stored as that, and not asked for again', async () => {
  // As the vendor answers: no reply counts the rows that match.
  const service = await serve(sample)
  const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time })
  const dir = join(tempDir(), 'own')
  const datasets = ['hotstock', 'st', 'convertible_minute', 'convertible_daily']
  const first = await syncArchive(source, { archive: dir, datasets, from, time })
  expect([first.ok, first.datasets[0]?.unproven.length]).toEqual([true, 7])
  const before = service.requests.length
  const second = await syncArchive(source, { archive: dir, datasets, time })
  expect(second.ok).toBe(true)
  expect(service.requests.length - before).toBe(1 + 30 + 1 + 9 + 1)
  const own = new Archive(dir, 'own')
  const params = { type: 'ths&normal', tradedate: '20260722' }
  const [truth, found] = await Promise.all([sample, own].map((one) => one.query(datasetOf('hotstock'), params)))
  expect(digest(found as never)).toBe(digest(truth as never))
  expect(provenance(found as never)).toMatchObject({ complete: false })
  await source.close()
  await service.close()
})

async function isRefused(action: () => Promise<unknown>): Promise<void> {
  await expect(action()).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('holds answers of') })
}
