import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { cacheContents, dropCache } from '../../../../src/data/archive/coverage/cache-contents.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { readManifest } from '../../../../src/data/archive/manifest.js'
import { repairArchive } from '../../../../src/data/archive/repair-archive.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { editManifest } from '../../../helper/manifest.js'
import { tempFile } from '../../../helper/temp.js'
import { type Stand, stand } from './growing.js'

const etf = datasetOf('etf_minute')
const bond = datasetOf('convertible_daily')
const whole = { whole: true }
const week = { startdate: '20260706', enddate: '20260710' }

async function filled(): Promise<Stand> {
  const own = await stand('20260715')
  const days = { ...whole, days: { from: '20260706', to: '20260710' } }
  await own.kept.query(bond, week, whole)
  await own.kept.query(etf, { symbols: ['510300.SH', '159915.SZ'], period: '15m' }, days)
  await own.kept.query(etf, { symbols: ['510300.SH'], period: '30m' }, { ...whole, days: ['20260707'] })
  return own
}

test('an import into a cache keeps what is covered, and is not dropped', async () => {
  const { dir, kept, sentBy } = await filled()
  const before = await cacheContents(dir)
  const csv = 'tradedate,symbol,code,close\n20250102,000007,000007.SZ,1.5\n'
  await importFiles(dir, bond, [tempFile('old.csv', csv)])
  expect(await cacheContents(dir)).toEqual(before)
  expect(await sentBy(() => kept.query(bond, week, whole))).toEqual([])
  await dropCache(dir)
  const left = await new Archive(dir, 'own').query(bond, { startdate: '20250101', enddate: '20261231' }, whole)
  expect(toObjects(left).map(({ code, close }) => [code, close])).toEqual([['000007.SZ', 1.5]])
})

test('imported rows never mix into days that are covered later', async () => {
  const { dir, kept, plain } = await filled()
  const csv = 'tradedate,symbol,code,close\n20260713,000007,000007.SZ,1.5\n'
  await importFiles(dir, bond, [tempFile('odd.csv', csv)])
  const params = { startdate: '20260706', enddate: '20260714' }
  const truth = digest(await plain.query(bond, params, whole))
  for (let time = 0; time < 2; time++) expect(digest(await kept.query(bond, params, whole))).toBe(truth)
})

test('coverage under another declaration of a dataset is void', async () => {
  const { dir, another, plain, sentBy } = await filled()
  editManifest(dir, ({ datasets: { convertible_daily: entry } }) => {
    Object.assign(entry?.kept as object, { contract: 'other' })
    for (const part of entry?.parts ?? []) part.contract = 'other'
  })
  const kept = another()
  const truth = digest(await plain.query(bond, week, whole))
  const ask = async () => expect(digest(await kept.query(bond, week, whole))).toBe(truth)
  expect((await sentBy(ask)).length).toBeGreaterThan(0)
  expect(await sentBy(ask)).toEqual([])
})

test('the key of the caller is nowhere in the directory', async () => {
  const { dir } = await filled()
  for (const name of readdirSync(dir, { recursive: true }).map(String)) {
    if (/\.(json|parquet)$/.test(name)) expect(readFileSync(join(dir, name)).includes('KEY')).toBe(false)
  }
})

test('a cache that lost a file releases what it covered, and asks again', async () => {
  const { dir, kept, another, plain, sentBy } = await stand('20260715')
  const params = { startdate: '20260706', enddate: '20260710' }
  await kept.query(bond, params, { whole: true })
  const [part] = (await readManifest(dir))?.manifest.datasets['convertible_daily']?.parts ?? []
  rmSync(join(dir, part?.file ?? ''))
  expect(await repairArchive(dir)).toMatchObject([{ dataset: 'convertible_daily', held: 'cached' }])
  expect(await cacheContents(dir)).toEqual([])
  const truth = digest(await plain.query(bond, params, { whole: true }))
  const ask = async () => expect(digest(await another().query(bond, params, { whole: true }))).toBe(truth)
  expect((await sentBy(ask)).length).toBeGreaterThan(0)
  expect(await sentBy(ask)).toEqual([])
})
