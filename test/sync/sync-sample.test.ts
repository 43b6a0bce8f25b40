import type { Table } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { namesOf, objectsOf } from '../../src/frame/read-columns.js'
import { HttpSource } from '../../src/source/http-source.js'
import { type SyncResult, syncArchive } from '../../src/sync/sync.js'
import { syncable } from '../../src/sync/sync-series.js'
import { provenance } from '../../src/table/provenance.js'
import { cases } from '../helper/cases.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { type Service, serve } from '../helper/service.js'
import { tempDir } from '../helper/temp.js'

/** The evening of the sample's latest day. */
const time = (): number => Date.UTC(2026, 6, 29, 14)
const sample = new Archive(await hostileArchive(), 'sample')
const dir = `${tempDir()}/own`
let service: Service
let source: HttpSource
let first: SyncResult
let asked = 0

/** Ranges cost little; bars and lists are asked for day by day. */
const ranges = ['theme_daily', 'convertible_daily', 'st', 'southbound_top10', 'transfer_financing']
const documents = ['finance_announcement', 'interactive_qa']
const daily = syncable.filter((name) => !ranges.includes(name) && !documents.includes(name))
const [start, from] = ['20260506', '20260629']

beforeAll(async () => {
  service = await serve(sample, undefined, await sample.state())
  source = new HttpSource({ nodes: [service.url], apikey: 'KEY', time })
  first = await syncArchive(source, { archive: dir, from, datasets: daily, themes: ['1001', 'none'], time })
  asked = service.requests.length
  await syncArchive(source, { archive: dir, from: start, datasets: ranges, time })
  await syncArchive(source, { archive: dir, from: '20260401', datasets: documents, time })
})
afterAll(async () => {
  await source.close()
  await service.close()
})

const days = tradingDays(from, '20260729').length

/** What can not be known by fewer: a bucket, a list, a day of candidates, answers, what has no past, and the latest day. */
const least = days * (9 + 17 + 9 + 15 + 1) + 15 + 1 + 2 + 2 + 1

test('a first sync brings all of it, and hardly asks more than it must', () => {
  expect(first.datasets.filter(({ failed, missing }) => failed !== undefined || missing.length > 0)).toEqual([])
  expect(first.ok).toBe(true)
  expect(asked).toBe(first.requests)
  expect(asked / least).toBeLessThanOrEqual(1.05)
})

const synced = new Archive(dir, 'own')

/** What no reply tells of an announcement: the record of a version, its report period, the time of a day. */
const isUntold = (name: string, params: Record<string, unknown>): boolean =>
  (name === 'finance_announcement' && params.version !== 'all') || params.tradedate === '20250820'

/** Announcements of a day without a time stand in an order of their own. */
const rowsOf = (name: string, table: Table): unknown[] => {
  const rows = objectsOf(table)
  return name === 'finance_announcement' ? rows.map((row) => JSON.stringify(row)).sort() : rows
}

describe.each(
  cases
    .filter(([name, params]) => !isUntold(name, params))
    .map(([name, params, , fields]) => [name, params, fields] as const),
)('%s %j', (name, params, fields) => {
  test('is answered as the source answers it', async () => {
    const dataset = datasetOf(name)
    const options = fields ? { fields } : {}
    const expected = await sample.query(dataset, params, options)
    const found = await synced.query(dataset, params, options)
    expect(namesOf(found)).toEqual(namesOf(expected))
    expect(rowsOf(name, found)).toEqual(rowsOf(name, expected))
  })
})

test('a second sync asks for the latest days alone', async () => {
  const before = service.requests.length
  const second = await syncArchive(source, { archive: dir, time })
  const sent = service.requests.slice(before)
  expect(second.ok).toBe(true)
  const dated = sent.flatMap(({ params = {} }) => params.tradedate ?? [])
  expect(new Set(dated)).toEqual(new Set(['20260729']))
  expect(sent.length / (9 + 17 + 9 + 15 + 15 + 1 + 4 + 1 + 2 + 1 + 1)).toBeLessThanOrEqual(1.05)
  expect(new Set(second.datasets.flatMap(({ days }) => days.filter((day) => day < '20260726')))).toEqual(new Set())
  const latest = await synced.query(datasetOf('convertible_daily'), {})
  expect(provenance(latest)).toMatchObject({ complete: false, note: expect.stringContaining('not settled yet') })
  const settled = await synced.query(datasetOf('convertible_daily'), { tradedate: '20260728' })
  expect(provenance(settled)).toMatchObject({ complete: true })
})
