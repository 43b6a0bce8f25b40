import type { Table } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { ParamsError, QuotebookError } from '../../src/contract/error.js'
import { Archive } from '../../src/data/archive/archive.js'
import { HttpSource } from '../../src/data/source/http-source.js'
import type { QueryOptions, Source } from '../../src/data/source/source.js'
import { columnNames, toObjects } from '../../src/frame/read-columns.js'
import { provenance } from '../../src/frame/table/provenance.js'
import { cases } from '../helper/cases.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { memoryOf } from '../helper/memory-source.js'
import { type Running, runService } from '../helper/running-service.js'

/** One suite over the kinds of source, with our own service behind HTTP: equal tables, equal completeness, equal errors. */
const dir = await hostileArchive()
const archive = new Archive(dir, 'sample')
let service: Running
let sources: {
  readonly archive: Source
  readonly memory: Source
  readonly http: HttpSource
}

beforeAll(async () => {
  service = await runService({ dir })
  sources = {
    archive,
    memory: await memoryOf(archive),
    http: new HttpSource({ nodes: [service.url], apikey: 'conformance-key', time: () => Date.UTC(2026, 6, 31) }),
  }
})
afterAll(async () => {
  await sources.http.close()
  await service.close()
})

type Params = Readonly<Record<string, unknown>>

/** The rows of a table, its names and its types. */
function shapeOf(table: Table) {
  return {
    names: columnNames(table),
    types: table.schema.fields.map(({ name, type, nullable }) => `${name} ${String(type)} ${nullable}`),
    kinds: table.schema.fields.map(({ metadata }) => Object.fromEntries(metadata)),
    rows: toObjects(table),
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

test.each(cases.map(([name, params, , fields]) => [name, params, fields] as const))(
  '%s %j is answered alike, as a whole too, and with few fields',
  async (name, params, fields) => {
    const some = fields ? { fields } : {}
    await compare(name, params, some)
    await compare(name, params, { ...some, whole: true })
    if (!datasetOf(name).noFields) await compare(name, params, { fields: fewer(name, params), whole: true })
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

test('no data is an empty table with all columns, from everywhere', async () => {
  // A share is asked of who hands it out: its link is of that service.
  for (const name of datasetNames.filter((one) => one !== 'file_download')) {
    const dataset = datasetOf(name)
    const nothing = { ...dataset.example, ...('symbols' in dataset.params ? { symbols: '999999' } : {}) }
    await compare(name, { ...nothing, ...('theme_id' in nothing ? { theme_id: 'none' } : {}) }, { whole: true })
  }
})

type Bad = [name: string, params: unknown, options?: QueryOptions]

/** One of each way to be wrong; every param of every dataset is tried in `test/contract`. */
const bad: Bad[] = [
  ['news', { limit: 501 }],
  ['news', {}, { fields: 'headline' }],
  ['theme_lib_detail_kp', undefined],
  ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, { fields: 'pc' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, { days: ['20260701'] }],
  ['st', [1]],
  ['convertible_minute', { tradedate: 20260701 }],
  ['etf_minute', { trademin: '0931', period: '15m' }],
  ['etf_minute', {}, { days: { from: '20260703', to: '20260701' } }],
  ['etf_minute', {}, { days: [] }],
  ['theme_daily', { type: 'tj', tradedate: '20260701', startdate: '20260701' }],
  ['transfer_financing', { recentdays: 1.5 }],
  ['finance_announcement', { period: '20260331', date: '20260701' }],
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
  const before = service.entries.length
  expect(await errorOf(sources.memory, request)).toEqual(expected)
  expect(await errorOf(sources.http, request)).toEqual(expected)
  expect(service.entries.length).toBe(before)
})

test('a year that only the source can refuse is refused with the same code', async () => {
  const request: Bad = ['file_download', { data_type: 'auction_tick', year: 2031 }]
  expect(await errorOf(sources.archive, request)).toMatchObject({ code: 'INVALID_PARAMS', field: 'year' })
  expect(await errorOf(sources.memory, request)).toMatchObject({ code: 'INVALID_PARAMS', field: 'year' })
  expect(await errorOf(sources.http, request)).toMatchObject({ code: 'INVALID_PARAMS' })
})
