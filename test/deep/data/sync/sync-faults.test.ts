// Deep: waits of a bad line, and a source that is asked for all its lists.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import type { QueryOptions } from '../../../../src/data/source/source.js'
import { syncArchive } from '../../../../src/data/sync/sync.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { sampleArchive } from '../../../helper/running-service.js'
import { serve } from '../../../helper/service.js'
import { tempDir } from '../../../helper/temp.js'

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
