import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { EtagCache } from '../../../../src/data/source/reply/etag-cache.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { changedRow } from '../../../helper/changed-row.js'
import { runService, sampleArchive } from '../../../helper/running-service.js'
import { archiveCopy } from '../../../helper/served.js'
import { serve } from '../../../helper/service.js'

const bonds = datasetOf('convertible_daily')
const about = (table: Table) => provenance(table) as NonNullable<ReturnType<typeof provenance>>

test('of our own service an answer that did not change costs no rows and no bytes of a body, whatever else changed', async () => {
  const dir = archiveCopy()
  const service = await runService({ dir })
  const source = new HttpSource({ nodes: [service.url], apikey: 'any' })
  const seen = new EtagCache()
  const ask = async (): Promise<Table> => {
    const table = await source.query(bonds, { symbols: ['123124.SZ'] }, { whole: true, seen })
    seen.endRound()
    return table
  }
  const cost = () => service.entries.at(-1)
  const first = await ask()
  expect([cost()?.status, cost()?.rows, (cost()?.bytes ?? 0) > 200]).toEqual([200, 1, true])
  const again = await ask()
  expect(cost()).toMatchObject({ status: 412, code: 200, rows: 0, bytes: 0, apiname: 'convertible_daily' })
  expect(toObjects(again)).toEqual(toObjects(first))
  expect([about(again).state, about(again).complete, about(again).proof]).toEqual([
    about(first).state,
    about(first).complete,
    about(first).proof,
  ])
  await importFiles(dir, bonds, [await changedRow(dir, '110059.SH', 99)])
  const other = await ask()
  expect(cost()).toMatchObject({ status: 412, rows: 0, bytes: 0 })
  expect(about(other).state).toBe(await service.archive.state())
  expect(about(other).state).not.toBe(about(first).state)
  await importFiles(dir, bonds, [await changedRow(dir, '123124.SZ', 150.5)])
  const changed = await ask()
  expect(cost()).toMatchObject({ status: 200, rows: 1 })
  expect([toObjects(first)[0]?.close, toObjects(changed)[0]?.close]).toEqual([148.875, 150.5])
  await ask()
  expect(cost()).toMatchObject({ status: 412, rows: 0, bytes: 0 })
  await Promise.all([source.close(), service.close()])
})

test('a service that tells of no archive, as the vendor, is asked as ever', async () => {
  const headers: (string | undefined)[] = []
  const service = await serve(new Archive(sampleArchive, 'sample'), (_, response) => {
    headers.push(response.req.headers['if-none-match'])
    return false
  })
  const source = new HttpSource({ nodes: [service.url], apikey: 'any' })
  const seen = new EtagCache()
  for (let round = 0; round < 3; round++) {
    await source.query(bonds, { symbols: ['123124.SZ'] }, { whole: true, seen })
    seen.endRound()
  }
  expect([headers.length >= 3, new Set(headers)]).toEqual([true, new Set([undefined])])
  await Promise.all([source.close(), service.close()])
})
