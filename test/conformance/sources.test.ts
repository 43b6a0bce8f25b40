import type { Table } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { ParamsError, QuotebookError } from '../../src/contract/error.js'
import { namesOf, objectsOf } from '../../src/frame/read-columns.js'
import { HttpSource } from '../../src/source/http-source.js'
import type { QueryOptions, Source } from '../../src/source/source.js'
import { provenance } from '../../src/table/provenance.js'
import { cases } from '../helper/cases.js'
import { type EngineCopy, engineCopy, hasEngine } from '../helper/engine-copy.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { memoryOf } from '../helper/memory-source.js'
import { type Service, serve } from '../helper/service.js'

/** One suite over the four kinds of source: equal tables, equal completeness, equal errors. ClickHouse where it is installed. */
const archive = new Archive(await hostileArchive(), 'sample')
let service: Service
let engine: EngineCopy | undefined
let sources: {
  readonly archive: Source
  readonly memory: Source
  readonly http: HttpSource
  readonly engine: Source | undefined
}

beforeAll(async () => {
  engine = hasEngine ? await engineCopy(archive.dir) : undefined
  service = await serve(archive, undefined, await archive.state())
  sources = {
    archive,
    memory: await memoryOf(archive),
    http: new HttpSource({ nodes: [service.url], apikey: 'conformance-key', time: () => Date.UTC(2026, 6, 31) }),
    engine: engine && new Archive(engine.store(), 'sample'),
  }
})
afterAll(async () => {
  await sources.http.close()
  await service.close()
  await engine?.stop()
})

type Params = Readonly<Record<string, unknown>>

/** The rows of a table, its names and its types. */
function shapeOf(table: Table) {
  return {
    names: namesOf(table),
    types: table.schema.fields.map(({ name, type, nullable }) => `${name} ${String(type)} ${nullable}`),
    kinds: table.schema.fields.map(({ metadata }) => Object.fromEntries(metadata)),
    rows: objectsOf(table),
  }
}

async function compare(name: string, params: Params | undefined, options: QueryOptions): Promise<void> {
  const dataset = datasetOf(name)
  const [expected, memory, http] = await Promise.all([
    sources.archive.query(dataset, params, options),
    sources.memory.query(dataset, params, options),
    sources.http.query(dataset, params, options),
  ])
  const shape = shapeOf(expected)
  expect(shapeOf(memory)).toEqual(shape)
  expect(shapeOf(http)).toEqual(shape)
  if (sources.engine) {
    const stored = await sources.engine.query(dataset, params, options)
    expect(shapeOf(stored)).toEqual(shape)
    expect(provenance(stored)).toEqual(provenance(expected))
  }
  const [known, kept, asked] = [expected, memory, http].map((table) => provenance(table))
  expect(kept).toMatchObject({ complete: known?.complete, rows: known?.rows })
  expect(asked?.rows).toBe(known?.rows)
  // Of a reply that is full the client can not know that there was not one row more.
  const { limit } = dataset
  const own = limit.kind === 'newest' && !options.whole ? limit.default : undefined
  const isFull = limit.kind === 'newest' && Number(params?.limit ?? own) <= (known?.rows ?? 0)
  if (isFull) expect(asked?.complete).toBe(false)
  else expect(asked?.complete, JSON.stringify(asked)).toBe(known?.complete)
  expect(asked?.request.fields).toEqual(known?.request.fields)
  if (limit.kind === 'page') expect(asked?.total).toBe(known?.total)
}

/** The last two fields that an answer would have, the last one first. */
function fewer(name: string, params: Params): string[] {
  const dataset = datasetOf(name)
  const mode = params.tradedate === undefined ? 'latest' : 'history'
  const names = Object.keys(dataset.columns).filter((field) => (dataset.columns[field]?.mode ?? mode) === mode)
  return names.slice(-2).reverse()
}

describe.each(cases.map(([name, params, , fields]) => [name, params, fields] as const))(
  '%s %j',
  (name, params, fields) => {
    const some = fields ? { fields } : {}
    test('is answered alike', () => compare(name, params, some))
    test('is answered alike as a whole', () => compare(name, params, { ...some, whole: true }))
    if (datasetOf(name).noFields) return
    test('is answered alike with few fields', () => compare(name, params, { fields: fewer(name, params), whole: true }))
  },
)

test.each<[name: string, params: Params, days: QueryOptions['days']]>([
  ['etf_minute', { symbols: ['510300.SH', '159915'], period: '15m' }, { from: '20260727', to: '20260731' }],
  ['etf_minute', { trademin: '1000' }, ['20260729', '20260701', '20260701']],
  ['etf_minute', {}, { from: '20260703', to: '20260707' }],
  ['convertible_minute', { symbols: '123124' }, { from: '20260629', to: '20260705' }],
  ['hotstock', { type: 'dfcf&renqi' }, { from: '20260701', to: '20260703' }],
  ['hotstock', { type: 'xq&zuhe' }, ['20250101']],
  ['anomaly_forecast', {}, { from: '20260727', to: '20260730' }],
  ['anomaly_forecast', { symbols: ['600519', '000001'] }, { from: '20260601', to: '20260730' }],
])('%s %j over days %j is answered alike', async (name, params, days) => {
  for (const whole of [true, false]) await compare(name, params, { days, whole })
  await compare(name, params, { days, whole: true, fields: fewer(name, { ...params, tradedate: '20260701' }) })
})

test('the share of a year is answered alike', async () => {
  for (const year of [2022, 2026]) await compare('file_download', { data_type: 'auction_tick', year }, {})
})

test('no data is an empty table with all columns, from everywhere', async () => {
  for (const name of datasetNames) {
    const dataset = datasetOf(name)
    const nothing = { ...dataset.example, ...('symbols' in dataset.params ? { symbols: '999999' } : {}) }
    await compare(name, { ...nothing, ...('theme_id' in nothing ? { theme_id: 'none' } : {}) }, { whole: true })
  }
})

type Bad = [name: string, params: unknown, options?: QueryOptions]

const bad: Bad[] = [
  ['news', { limit: 0 }],
  ['news', { limit: 501 }],
  ['news', { limit: '5' }],
  ['news', { view: 'day' }],
  ['news', { sources: 'sina' }],
  ['news', { keyword: '' }],
  ['news', { offset: 5 }],
  ['news', {}, { fields: 'headline' }],
  ['theme_lib_detail_kp', undefined],
  ['theme_lib_detail_kp', {}],
  ['theme_lib_detail_kp', { theme_id: 1001 }],
  ['theme_lib_detail_kp', { theme_id: '1001' }, { fields: 'name' }],
  ['hotstock', {}],
  ['hotstock', { type: 'ths&norml' }],
  ['hotstock', { type: 'ths&normal' }, { fields: 'rank' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, { fields: 'pc' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, { days: ['20260701'] }],
  ['st', { type: 'S' }],
  ['st', { startdate: '20260702', enddate: '20260701' }],
  ['st', { startDate: '20260701' }],
  ['st', [1]],
  ['st', {}, { days: ['20260701'] }],
  ['convertible_minute', { trademin: '0945' }],
  ['convertible_minute', { period: '15m' }],
  ['convertible_minute', { tradedate: 20260701 }],
  ['convertible_minute', { startdate: '20260701' }],
  ['etf_minute', { trademin: '0931', period: '15m' }],
  ['etf_minute', { trademin: '0945' }],
  ['etf_minute', { period: '1m' }],
  ['etf_minute', { symbol: '510300' }],
  ['etf_minute', { symbols: [] }],
  ['etf_minute', { symbols: 510300 }],
  ['etf_minute', { tradedate: '2026-07-01' }],
  ['etf_minute', {}, { days: { from: '20260703', to: '20260701' } }],
  ['etf_minute', {}, { days: ['2026-07-01'] }],
  ['etf_minute', {}, { days: { from: '20260704', to: '20260705' } }],
  ['etf_minute', {}, { days: [] }],
  ['etf_minute', {}, { fields: 'symbol,,close' }],
  ['etf_minute', {}, { fields: [] }],
  ['etf_minute', {}, { fields: 'clos' }],
  ['theme_daily', undefined],
  ['theme_daily', {}],
  ['theme_daily', { type: 'zs' }],
  ['theme_daily', { type: 'tj', tradedate: '20260230' }],
  ['theme_daily', { type: 'tj', tradedate: '20260701', startdate: '20260701' }],
  ['convertible_daily', { startdate: '20260702', enddate: '20260701' }],
  ['convertible_daily', { tradedate: '20260701', enddate: '20260701' }],
  ['convertible_daily', { symbols: ' , ' }],
  ['transfer_financing', { recentdays: 0 }],
  ['transfer_financing', { recentdays: 5, tradedate: '20260701' }],
  ['transfer_financing', { recentdays: 1.5 }],
  ['thememembers_jx', { level: 'parents' }],
  ['thememembers_jx', {}, { fields: 'symbols' }],
  ['southbound_top10', { market_type: '1' }],
  ['southbound_top10', { market_type: 2 }],
  ['southbound_top10', { startdate: 'today' }],
  ['anomaly_forecast', { tradedate: '' }],
  ['anomaly_forecast', {}, { fields: 'computed_on' }],
  ['file_download', { data_type: 'auction_tick' }],
  ['file_download', { data_type: 'ticks', year: 2026 }],
  ['file_download', { data_type: 'auction_tick', year: 2021 }],
  ['finance_announcement', { period: '20260331', date: '20260701' }],
  ['finance_announcement', { limit: 2001 }],
  ['finance_announcement', { offset: -1 }],
  ['finance_announcement', { as_of: 'now' }],
  ['finance_announcement', { version: 'first' }],
  ['interactive_qa', { qa_id: 1234567890 }],
  ['interactive_qa', { date: '20260701', startdate: '20260701' }],
  ['interactive_qa', { symbols: '920001.BJ' }],
  ['interactive_qa', { symbols: ['000001.SZ', '430047'] }],
]

async function errorOf(source: Source, [name, params, options]: Bad): Promise<unknown> {
  try {
    await source.query(datasetOf(name), params, options)
  } catch (error) {
    if (error instanceof ParamsError) return { code: error.code, field: error.field, message: error.message }
    if (error instanceof QuotebookError) return { code: error.code }
    throw error
  }
  return 'no error'
}

test.each(bad)('%s %j %j is refused alike, before anything is sent', async (...request) => {
  const expected = await errorOf(sources.archive, request)
  expect(expected).toMatchObject({ code: expect.stringMatching(/^(INVALID_PARAMS|UNSUPPORTED_MARKET)$/) })
  const before = service.requests.length
  expect(await errorOf(sources.memory, request)).toEqual(expected)
  if (sources.engine) expect(await errorOf(sources.engine, request)).toEqual(expected)
  expect(await errorOf(sources.http, request)).toEqual(expected)
  expect(service.requests.length).toBe(before)
})

test('a year that only the source can refuse is refused with the same code', async () => {
  const request: Bad = ['file_download', { data_type: 'auction_tick', year: 2031 }]
  expect(await errorOf(sources.archive, request)).toMatchObject({ code: 'INVALID_PARAMS', field: 'year' })
  expect(await errorOf(sources.memory, request)).toMatchObject({ code: 'INVALID_PARAMS', field: 'year' })
  expect(await errorOf(sources.http, request)).toMatchObject({ code: 'INVALID_PARAMS' })
})
