import { expect, test } from 'vitest'
import { Archive } from '../../../src/archive/archive.js'
import { CachedSource } from '../../../src/archive/cache/cached-source.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { HttpSource } from '../../../src/source/http-source.js'
import { SeenReplies } from '../../../src/source/reply/seen-replies.js'
import type { QueryOptions } from '../../../src/source/source.js'
import { digest } from '../../../src/table/digest.js'
import { provenance } from '../../../src/table/provenance.js'
import { runService } from '../../helper/running-service.js'
import { serve } from '../../helper/service.js'
import { tempDir } from '../../helper/temp.js'
import { stand } from './growing.js'

type Case = [name: string, params: Record<string, unknown>, options?: QueryOptions]

const july = { from: '20260701', to: '20260710' }

const settledCases: Case[] = [
  ['etf_minute', { symbols: ['510300.SH', '159915.SZ'], period: '15m' }, { days: july }],
  ['etf_minute', { symbols: ['510300.SH'], tradedate: '20260702' }],
  ['convertible_minute', { symbols: ['123124.SZ', '110059.SH'] }, { days: ['20260706', '20260703'] }],
  ['theme_daily', { type: 'tj', startdate: '20260701', enddate: '20260710' }],
  ['theme_daily', { type: 'tj', tradedate: '20260701' }],
  ['convertible_daily', { startdate: '20260615', enddate: '20260710' }],
  ['convertible_daily', { symbols: ['123124', '110059.SH'], startdate: '20260615', enddate: '20260710' }],
  ['convertible_daily', { enddate: '20260710' }],
  ['southbound_top10', { startdate: '20260706', enddate: '20260710' }],
  ['st', { startdate: '20260706', enddate: '20260710' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260706' }],
  ['hotstock', { type: 'dfcf&renqi' }, { days: july }],
  ['anomaly_forecast', { tradedate: '20260710' }],
  ['anomaly_forecast', {}, { days: ['20260708', '20260709', '20260710'] }],
  ['transfer_financing', { startdate: '20260706', enddate: '20260710' }],
  ['etf_minute', { period: '15m' }, { days: july }],
  ['convertible_minute', {}, { days: ['20260708', '20260709'] }],
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

const filtered: Case[] = [
  ['st', { type: '*ST', startdate: '20260706', enddate: '20260710' }],
  ['southbound_top10', { market_type: '2', startdate: '20260706', enddate: '20260710' }],
  ['southbound_top10', { market_type: '4', symbols: '00700.HK', startdate: '20260706', enddate: '20260710' }],
]

test.each(filtered)('%s %j is served from whole days, and is not kept by itself', async (name, params) => {
  const { plain, kept, sentBy } = await stand()
  const dataset = datasetOf(name)
  const truth = digest(await plain.query(dataset, params, { whole: true }))
  const ask = async () => expect(digest(await kept.query(dataset, params, { whole: true }))).toBe(truth)
  expect(await sentBy(ask)).toHaveLength(1)
  expect(await sentBy(ask)).toHaveLength(1)
  await kept.query(dataset, { startdate: '20260701', enddate: '20260715' }, { whole: true })
  expect(await sentBy(ask)).toHaveLength(0)
})

const always: Case[] = [
  ['etf_minute', { symbols: ['510300.SH'], period: '15m' }],
  ['etf_minute', { symbols: ['510300.SH'], tradedate: '20260701', trademin: '1000' }],
  ['etf_minute', { tradedate: '20260701' }],
  ['etf_minute', { symbols: ['510300.SH'], period: '15m', tradedate: '20250820' }],
  ['theme_daily', { type: 'tj' }],
  ['st', {}],
  ['hotstock', { type: 'ths&normal' }],
  ['anomaly_forecast', {}],
  ['news', { limit: 5 }],
  ['interactive_qa', { date: '20260710' }],
  ['finance_announcement', { ann_startdate: '20260701', ann_enddate: '20260702' }],
  ['thememembers_jx', {}],
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

test('of a range up to now only the latest day is asked again', async () => {
  const { growing, plain, kept, sentBy } = await stand()
  const bond = datasetOf('convertible_daily')
  for (const params of [{ startdate: '20260715' }, { startdate: '20260715', enddate: '20260729' }]) {
    await kept.query(bond, params, { whole: true })
    growing.tick++
    const sent = await sentBy(async () => {
      const table = await kept.query(bond, params, { whole: true })
      expect(provenance(table)).toMatchObject({ complete: true, proof: 'probes', call: { requests: 2, probes: 0 } })
    })
    expect(sent.map((request) => request.params)).toEqual([{}, { ...params, startdate: '20260729' }])
    expect(digest(await kept.query(bond, params, { whole: true }))).toBe(
      digest(await plain.query(bond, params, { whole: true })),
    )
  }
})

test('columns are those asked for, from the cache and from the service together', async () => {
  const { plain, kept } = await stand()
  const etf = datasetOf('etf_minute')
  const ask = (fields: string | undefined) => ({ whole: true, fields, days: { from: '20260722', to: '20260729' } })
  const params = { symbols: ['510300.SH', '159915.SZ'], period: '15m' }
  for (const fields of ['vwap', 'close,trademin,symbol', undefined, 'tradedate,vwap']) {
    const table = await kept.query(etf, params, ask(fields))
    expect(digest(table)).toBe(digest(await plain.query(etf, params, ask(fields))))
  }
})

test('more codes and more days cost what is missing', async () => {
  const { plain, kept, sentBy } = await stand()
  const etf = datasetOf('etf_minute')
  const ask = async (symbols: string[], from: string, to: string) => {
    const options = { whole: true, days: { from, to } }
    let table = await plain.query(etf, { symbols }, options)
    const truth = digest(table)
    const sent = await sentBy(async () => (table = await kept.query(etf, { symbols }, options)))
    expect(digest(table)).toBe(truth)
    return sent.map(({ params }) => `${params?.symbols ?? 'probe'} ${params?.tradedate ?? ''}`)
  }
  await ask(['510300.SH'], '20260706', '20260708')
  expect(await ask(['510300.SH'], '20260707', '20260710')).toEqual(['510300.SH 20260709', '510300.SH 20260710'])
  expect(await ask(['510300.SH', '159915.SZ'], '20260708', '20260709')).toEqual([
    '159915.SZ 20260708',
    '159915.SZ 20260709',
  ])
})

test('periods are apart', async () => {
  const { plain, kept } = await stand()
  const etf = datasetOf('etf_minute')
  for (const period of ['15m', '30m', '15m', '30m']) {
    const params = { symbols: ['510300.SH'], period, tradedate: '20260706' }
    const table = await kept.query(etf, params, { whole: true })
    expect(digest(table)).toBe(digest(await plain.query(etf, params, { whole: true })))
    expect(table.numRows).toBe(period === '15m' ? 17 : 9)
  }
})

test('the directory is an archive that can be opened', async () => {
  const { dir, kept, plain } = await stand()
  const etf = datasetOf('etf_minute')
  const params = { symbols: ['510300.SH'], period: '15m', tradedate: '20260706' }
  await kept.query(etf, params, { whole: true })
  const rows = objectsOf(await new Archive(dir, 'cache').query(etf, params, { whole: true }))
  expect(rows).toEqual(objectsOf(await plain.query(etf, params, { whole: true })))
})

test('progress counts on over several questions, and a signal ends the query', async () => {
  const { kept } = await stand()
  const etf = datasetOf('etf_minute')
  await kept.query(etf, { symbols: ['510300.SH'] }, { whole: true, days: { from: '20260706', to: '20260707' } })
  const seen: number[] = []
  const options = { whole: true, days: { from: '20260706', to: '20260710' } }
  await kept.query(
    etf,
    { symbols: ['510300.SH', '159915.SZ'] },
    { ...options, onProgress: ({ done }) => seen.push(done) },
  )
  expect(seen).toEqual([1, 2, 3, 4, 5])
  const stop = new AbortController()
  const days = { from: '20260713', to: '20260717' }
  const asked = kept.query(
    etf,
    { symbols: ['510300.SH'] },
    {
      whole: true,
      days,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    },
  )
  await expect(asked).rejects.toThrow('enough')
})

test('explain says how many days come from the cache, and sends nothing', async () => {
  const { kept, sentBy } = await stand()
  const etf = datasetOf('etf_minute')
  const ask = { symbols: ['510300.SH'] }
  const options = { whole: true, days: { from: '20260706', to: '20260710' } }
  const before = await kept.explain(etf, ask, options)
  expect(before.requests).toBe(6)
  expect(before.lines[0]).toBe('etf_minute: 0 days from the cache')
  await kept.query(etf, ask, { ...options, days: { from: '20260706', to: '20260708' } })
  expect(await sentBy(() => kept.explain(etf, ask, options))).toEqual([])
  expect(await kept.explain(etf, ask, options)).toMatchObject({ requests: 2 })
  await kept.query(etf, ask, options)
  expect(await kept.explain(etf, ask, options)).toEqual({
    dataset: 'etf_minute',
    requests: 0,
    exact: true,
    lines: ['etf_minute: 5 days from the cache', 'nothing else is asked'],
  })
  expect((await kept.explain(datasetOf('news'), {}, { whole: true })).requests).toBe(1)
})

test('a query that the contract does not allow is refused in the same words', async () => {
  const { kept, plain, sentBy } = await stand()
  const etf = datasetOf('etf_minute')
  for (const [params, options] of [
    [{ symbols: ['510300.SH'], period: '5m' }, {}],
    [{ symbols: ['510300.SH'], tradedate: '20260701' }, { fields: ['clsoe'] }],
    [{ symbols: ['510300.SH'], tradedate: '20260701' }, { days: ['20260701'] }],
  ] as const) {
    const asked = { ...options, whole: true }
    const wrong = await plain.query(etf, params, asked).catch((error: Error) => error)
    expect(
      await sentBy(() => expect(kept.query(etf, params, asked)).rejects.toThrow((wrong as Error).message)),
    ).toEqual([])
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
  const [dataset, seen] = [datasetOf('theme_daily'), new SeenReplies()]
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
