import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { CachedSource } from '../../../../src/data/archive/coverage/cached-source.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { EtagCache } from '../../../../src/data/source/reply/etag-cache.js'
import type { QueryOptions } from '../../../../src/data/source/source.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { runService } from '../../../helper/running-service.js'
import { serve } from '../../../helper/service.js'
import { tempDir } from '../../../helper/temp.js'
import { stand } from './growing.js'

type Case = [name: string, params: Record<string, unknown>, options?: QueryOptions]

const july = { from: '20260701', to: '20260710' }

const settledCases: Case[] = [
  ['etf_minute', { symbols: ['510300.SH', '159915.SZ'], period: '15m' }, { days: july }],
  ['convertible_minute', { symbols: ['123124.SZ', '110059.SH'] }, { days: ['20260706', '20260703'] }],
  ['theme_daily', { type: 'tj', startdate: '20260701', enddate: '20260710' }],
  ['convertible_daily', { symbols: ['123124', '110059.SH'], startdate: '20260615', enddate: '20260710' }],
  ['convertible_daily', { enddate: '20260710' }],
  ['southbound_top10', { startdate: '20260706', enddate: '20260710' }],
  ['st', { startdate: '20260706', enddate: '20260710' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260706' }],
  ['hotstock', { type: 'dfcf&renqi' }, { days: july }],
  ['anomaly_forecast', {}, { days: ['20260708', '20260709', '20260710'] }],
  ['transfer_financing', { startdate: '20260706', enddate: '20260710' }],
  ['etf_minute', { period: '15m' }, { days: july }],
]

test.each(settledCases)(
  '%s %j: rows and provenance of the service, and no request the second time',
  async (name, params, options) => {
    const { plain, kept, another, sentBy } = await stand()
    const dataset = datasetOf(name)
    const whole = { ...options, whole: true }
    const truth = await plain.query(dataset, params, whole)
    expect(truth.numRows).toBeGreaterThan(0)
    const first = await kept.query(dataset, params, whole)
    expect(digest(first)).toBe(digest(truth))
    for (const source of [kept, another()]) {
      let second = first
      expect(await sentBy(async () => (second = await source.query(dataset, params, whole)))).toEqual([])
      expect(digest(second)).toBe(digest(truth))
      expect(second.schema.fields.map(String)).toEqual(truth.schema.fields.map(String))
      const { call: _, proof, ...about } = provenance(second) ?? {}
      const { call: __, proof: asked, state: ___, ...own } = provenance(truth) ?? {}
      expect(about).toEqual(own)
      expect([asked, proof]).toEqual(['total', 'probes'])
      expect(provenance(second)?.call).toMatchObject({ requests: 0, nodes: [], kept: truth.numRows })
    }
  },
)

const always: Case[] = [
  ['etf_minute', { symbols: ['510300.SH'], period: '15m' }],
  ['etf_minute', { symbols: ['510300.SH'], tradedate: '20260701', trademin: '1000' }],
  ['etf_minute', { symbols: ['510300.SH'], period: '15m', tradedate: '20250820' }],
  ['st', {}],
  ['hotstock', { type: 'ths&normal' }],
  ['news', { limit: 5 }],
  ['interactive_qa', { date: '20260710' }],
  ['finance_announcement', { ann_startdate: '20260701', ann_enddate: '20260702' }],
]

test.each(always)('%s %j is always asked for, as it is', async (name, params) => {
  const { plain, kept, sentBy } = await stand()
  const dataset = datasetOf(name)
  const own = await sentBy(() => plain.query(dataset, params, { whole: true }))
  for (let time = 0; time < 2; time++) {
    expect(await sentBy(() => kept.query(dataset, params, { whole: true }))).toEqual(own)
  }
})

test('an answer that is not wanted whole, or may be cut, is passed on', async () => {
  const { kept, sentBy } = await stand()
  const params = { startdate: '20260701', enddate: '20260710' }
  for (const options of [{}, { whole: true, allowTruncated: true }]) {
    for (let time = 0; time < 2; time++) {
      expect(await sentBy(() => kept.query(datasetOf('convertible_daily'), params, options))).toHaveLength(1)
    }
  }
})

test('answers to investors are kept in all their versions, when they are more than three days old', async () => {
  const sample = new Archive('data/sample', 'sample')
  const service = await serve(sample, undefined, await sample.state())
  const source = new CachedSource(new HttpSource({ nodes: [service.url], apikey: 'KEY' }), `${tempDir()}/cache`)
  const dataset = datasetOf('interactive_qa')
  const params = { version: 'all', startdate: '20260701', enddate: '20260725' }
  const first = await source.query(dataset, params, { whole: true })
  const asked = service.requests.length
  const second = await source.query(dataset, params, { whole: true })
  expect(service.requests.length).toBe(asked)
  expect([second.numRows, digest(second)]).toEqual([first.numRows, digest(first)])
  await source.query(dataset, { ...params, enddate: '20260726' }, { whole: true })
  expect(service.requests.length).toBeGreaterThan(asked)
  await source.close()
  await service.close()
})

test('whoever asks again and keeps what came is sent no row twice through a cache', async () => {
  const service = await runService()
  const rows: number[] = []
  const onRequest = ({ rows: sent = 0 }): void => void rows.push(sent)
  const kept = new CachedSource(new HttpSource({ nodes: [service.url], apikey: 'KEY', onRequest }), `${tempDir()}/own`)
  const [dataset, seen] = [datasetOf('theme_daily'), new EtagCache()]
  const ask = () => kept.query(dataset, { type: 'tj', startdate: '20260729' }, { whole: true, seen })
  const first = await ask()
  seen.endRound()
  expect(rows.splice(0).some((sent) => sent > 0)).toBe(true)
  expect(digest(await ask())).toBe(digest(first))
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every((sent) => sent === 0)).toBe(true)
  await kept.close()
  await service.close()
})
