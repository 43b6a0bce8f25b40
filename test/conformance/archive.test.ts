import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { Archive } from '../../src/data/archive/archive.js'
import { HttpSource } from '../../src/data/source/http-source.js'
import { columnNames, toObjects } from '../../src/frame/read-columns.js'
import { checkTable } from '../../src/frame/table/check-table.js'
import { provenance } from '../../src/frame/table/provenance.js'
import { cases } from '../helper/cases.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { type Running, runService } from '../helper/running-service.js'
import { type SqlRows, sqlOver } from '../helper/sql-rows.js'

/** The answer of the archive, and of our own service over it, against SQL of DuckDB over the same Parquet files. */
const sample = await hostileArchive()
const archive = new Archive(sample, 'sample')
let sql: SqlRows
let service: Running
let http: HttpSource

beforeAll(async () => {
  sql = await sqlOver(sample)
  service = await runService({ dir: sample })
  http = new HttpSource({ nodes: [service.url], apikey: 'conformance-key', time: () => Date.UTC(2026, 6, 31) })
})
afterAll(async () => {
  await http.close()
  await service.close()
})

test.each(cases)('%s %j is what SQL says', async (name, params, query, fields) => {
  const dataset = datasetOf(name)
  const options = fields ? { fields } : {}
  const table = await archive.query(dataset, params, options)
  const expected = await sql.rows(name, query, columnNames(table))
  expect(toObjects(table)).toEqual(expected)
  const [own, asked] = await Promise.all(
    [archive, http].map((source) => source.query(dataset, params, { ...options, whole: true })),
  )
  expect(asked?.schema.fields.map(String)).toEqual(own?.schema.fields.map(String))
  expect(toObjects(asked as Table)).toEqual(toObjects(own as Table))
  expect(provenance(asked as Table)?.complete).toBe(provenance(own as Table)?.complete)
  if (!query.includes('where false')) expect(expected.length).toBeGreaterThan(0)
  if (params.view !== 'source') checkTable(table, dataset)
})

test('every operation is asked', () => {
  expect(new Set([...cases.map(([name]) => name), 'file_download'])).toEqual(new Set(datasetNames))
})

test('the share of a year is what lies in the folder', async () => {
  const files = readdirSync(join(sample, 'ticks')).sort()
  const [share] = toObjects(await archive.query(datasetOf('file_download'), { data_type: 'auction_tick', year: 2026 }))
  expect(share).toMatchObject({
    year: 2026,
    start_date: files[0]?.slice(0, 8),
    end_date: files.at(-1)?.slice(0, 8),
    file_count: files.length,
    size_bytes: files.reduce((sum, file) => sum + statSync(join(sample, 'ticks', file)).size, 0),
    status: 'ready',
    password: '',
  })
  expect((await archive.query(datasetOf('file_download'), { data_type: 'auction_tick', year: 2022 })).numRows).toBe(0)
  await expect(
    archive.query(datasetOf('file_download'), { data_type: 'auction_tick', year: 2031 }),
  ).rejects.toMatchObject({ field: 'year' })
})

test('an answer without rows has all its columns with their types', async () => {
  for (const name of datasetNames) {
    const dataset = datasetOf(name)
    const params = { ...dataset.example, ...('symbols' in dataset.params ? { symbols: '999999' } : {}) }
    const table = await archive.query(dataset, { ...params, ...('theme_id' in params ? { theme_id: 'none' } : {}) })
    checkTable(table, dataset)
    expect(table.numCols).toBeGreaterThan(1)
  }
})

test('news carries its meta, view and count', async () => {
  const about = provenance(await archive.query(datasetOf('news'), { limit: 5 }))
  expect(about?.beside).toMatchObject({ count: 5, view: 'time', meta: { upstream_status: 'complete' } })
})
