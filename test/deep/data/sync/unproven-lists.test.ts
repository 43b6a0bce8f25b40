// Deep: a source that is asked for all its lists.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { syncArchive } from '../../../../src/data/sync/sync.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { sampleArchive } from '../../../helper/running-service.js'
import { serve } from '../../../helper/service.js'
import { tempDir } from '../../../helper/temp.js'

const sample = new Archive(sampleArchive, 'sample')
const time = (): number => Date.UTC(2026, 6, 29, 14)
const from = '20260720'

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
