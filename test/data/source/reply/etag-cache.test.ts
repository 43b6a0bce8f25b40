import { createHash } from 'node:crypto'
import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { Archive } from '../../../src/archive/archive.js'
import { importFiles } from '../../../src/archive/import/import-files.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { HttpSource } from '../../../src/source/http-source.js'
import { SeenReplies } from '../../../src/source/reply/seen-replies.js'
import { provenance } from '../../../src/table/provenance.js'
import { changedRow } from '../../helper/changed-row.js'
import { runService, sampleArchive } from '../../helper/running-service.js'
import { archiveCopy } from '../../helper/served.js'
import { serve } from '../../helper/service.js'

const bonds = datasetOf('convertible_daily')
const about = (table: Table) => provenance(table) as NonNullable<ReturnType<typeof provenance>>

test('of our own service an answer that did not change costs no rows and no bytes of a body, whatever else changed', async () => {
  const dir = archiveCopy()
  const service = await runService({ dir })
  const source = new HttpSource({ nodes: [service.url], apikey: 'any' })
  const seen = new SeenReplies()
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
  expect(objectsOf(again)).toEqual(objectsOf(first))
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
  expect([objectsOf(first)[0]?.close, objectsOf(changed)[0]?.close]).toEqual([148.875, 150.5])
  await ask()
  expect(cost()).toMatchObject({ status: 412, rows: 0, bytes: 0 })
  await Promise.all([source.close(), service.close()])
})

test('a question of many requests is spared each of them; a request that is no longer asked is forgotten', async () => {
  const service = await runService()
  const source = new HttpSource({ nodes: [service.url], apikey: 'any' })
  const seen = new SeenReplies()
  const etf = datasetOf('etf_minute')
  const ask = (to: string) =>
    source.query(etf, { symbols: ['510300.SH'], period: '15m' }, { whole: true, seen, days: { from: '20260720', to } })
  const first = await ask('20260729')
  seen.endRound()
  const requests = service.entries.length
  expect(requests).toBeGreaterThan(3)
  expect(objectsOf(await ask('20260729'))).toEqual(objectsOf(first))
  seen.endRound()
  const rest = service.entries.slice(requests)
  expect(rest.map(({ status, rows, bytes }) => [status, rows, bytes])).toEqual(rest.map(() => [412, 0, 0]))
  await ask('20260722')
  seen.endRound()
  const before = service.entries.length
  await ask('20260729')
  const sent = service.entries.slice(before).filter(({ status }) => status === 200)
  expect(sent.length).toBeGreaterThan(0)
  await Promise.all([source.close(), service.close()])
})

test('a service that tells of no archive, as the vendor, is asked as ever', async () => {
  const headers: (string | undefined)[] = []
  const service = await serve(new Archive(sampleArchive, 'sample'), (_, response) => {
    headers.push(response.req.headers['if-none-match'])
    return false
  })
  const source = new HttpSource({ nodes: [service.url], apikey: 'any' })
  const seen = new SeenReplies()
  for (let round = 0; round < 3; round++) {
    await source.query(bonds, { symbols: ['123124.SZ'] }, { whole: true, seen })
    seen.endRound()
  }
  expect([headers.length >= 3, new Set(headers)]).toEqual([true, new Set([undefined])])
  await Promise.all([source.close(), service.close()])
})

test('any client may ask so: the tag is the sha256 of the body, and without the header there is none', async () => {
  const service = await runService()
  const body = JSON.stringify({ apikey: 'any', apiname: 'st', params: {} })
  const ask = (headers: Record<string, string>) => fetch(`${service.url}/api`, { method: 'POST', body, headers })
  const plain = await ask({})
  const text = await plain.text()
  expect(plain.headers.get('etag')).toBeNull()
  const tag = `"${createHash('sha256').update(text).digest('hex')}"`
  const none = await ask({ 'if-none-match': '"none"' })
  expect([none.status, none.headers.get('etag'), await none.text()]).toEqual([200, tag, text])
  const same = await ask({ 'if-none-match': `"none", ${tag}` })
  expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([412, tag, ''])
  expect(same.headers.get('quotebook-archive')).toBe(plain.headers.get('quotebook-archive'))
  const refused = await fetch(`${service.url}/api`, { method: 'POST', body: '{}', headers: { 'if-none-match': tag } })
  expect([refused.status, (await refused.json()).code]).toEqual([200, 403])
  await service.close()
})
