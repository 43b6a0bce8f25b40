import { expect, test } from 'vitest'
import { connect, sampleDir } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { digest } from '../../../src/frame/table/digest.js'
import { provenance } from '../../../src/frame/table/provenance.js'
import { serve } from '../../helper/service.js'

const days = ['20260728', '20260729']

test('bars over days without codes and bucket are all bars, and the same over HTTP, a request a bucket', async () => {
  const archive = new Archive(sampleDir, 'sample')
  const service = await serve(archive, undefined, 'a'.repeat(64))
  const source = new HttpSource({ nodes: [service.url], apikey: 'bars-key' })
  const etf = datasetOf('etf_minute')
  const own = await archive.query(etf, { period: '15m' }, { whole: true, days })
  const codes = await (await connect()).symbols('etf_minute', { day: '20260729' })
  expect(codes).toContain('510300.SH')
  const named = await archive.query(etf, { period: '15m', symbols: codes }, { whole: true, days })
  expect(own.numRows).toBeGreaterThan(codes.length * 17)
  expect(digest(own)).toBe(digest(named))
  const over = await source.query(etf, { period: '15m' }, { whole: true, days })
  expect(digest(over)).toBe(digest(own))
  expect(provenance(over)).toMatchObject({ complete: true, proof: 'total', call: { requests: 34, probes: 0 } })
  await source.close()
  await service.close()
})

test('codes of a day, sorted; a dataset without them says so', async () => {
  const market = await connect()
  const codes = await market.symbols('convertible_daily', { day: '20260729' })
  expect(codes).toEqual([...codes].sort())
  expect(codes).toHaveLength(20)
  expect(await market.symbols('theme_daily')).toHaveLength(48)
  await expect(market.symbols('news')).rejects.toMatchObject({ code: 'USAGE' })
})
