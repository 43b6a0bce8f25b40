import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../../src/archive/archive.js'
import { cacheContents, dropCache } from '../../../src/archive/cache/cache-contents.js'
import { importFiles } from '../../../src/archive/import/import-files.js'
import { readManifest } from '../../../src/archive/manifest.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { digest } from '../../../src/table/digest.js'
import { editManifest } from '../../helper/manifest.js'
import { tempDir, tempFile, treeOf } from '../../helper/temp.js'
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

test('what is kept can be seen', async () => {
  const { dir } = await filled()
  const kept = await cacheContents(dir)
  const of = (dataset: string, scope: string) => kept.find((one) => one.dataset === dataset && one.scope === scope)
  const days = { from: '20260706', to: '20260710', days: 5 }
  const rows = (await new Archive(dir, 'cache').query(bond, week, whole)).numRows
  expect(of('convertible_daily', '')).toMatchObject({ symbols: 'all', ...days, rows })
  expect(of('etf_minute', '15m')).toMatchObject({ symbols: 2, ...days, rows: 2 * 5 * 17 })
  expect(of('etf_minute', '30m')).toMatchObject({ symbols: 1, from: '20260707', to: '20260707', days: 1, rows: 9 })
  expect(kept).toHaveLength(3)
  const bytes = kept.filter(({ dataset }) => dataset === 'etf_minute').reduce((sum, one) => sum + one.bytes, 0)
  const parts = (await readManifest(dir))?.manifest.datasets['etf_minute']?.parts ?? []
  expect(Math.abs(bytes - parts.reduce((sum, part) => sum + part.bytes, 0))).toBeLessThan(3)
  expect(await cacheContents(join(tempDir(), 'none'))).toEqual([])
  expect(await cacheContents('data/sample')).toEqual([])
})

test('rows are counted once when they are put again', async () => {
  const { kept, growing, dir } = await stand('20260715')
  await kept.query(bond, { startdate: '20260707', enddate: '20260708' }, whole)
  growing.revised.add('20260707')
  await kept.query(bond, { symbols: ['110059'], ...week }, whole)
  await kept.query(bond, week, whole)
  const rows = (await new Archive(dir, 'cache').query(bond, week, whole)).numRows
  expect((await cacheContents(dir)).map((one) => one.rows)).toEqual([rows])
})

test('dropped, a day that the service revised comes anew', async () => {
  const { dir, growing, plain, kept, sentBy } = await filled()
  growing.revised.add('20260708')
  const before = await cacheContents(dir)
  expect(await dropCache(dir, { dataset: 'convertible_daily' })).toEqual(
    before.filter(({ dataset }) => dataset === 'convertible_daily'),
  )
  const table = await kept.query(bond, week, whole)
  expect(digest(table)).toBe(digest(await plain.query(bond, week, whole)))
  const days = { ...whole, days: { from: '20260706', to: '20260710' } }
  expect(await sentBy(() => kept.query(etf, { symbols: ['510300.SH'], period: '15m' }, days))).toHaveLength(0)
  expect(await dropCache(dir)).toHaveLength(3)
  expect(await cacheContents(dir)).toEqual([])
  expect(readdirSync(dir, { recursive: true }).filter((name) => String(name).endsWith('.parquet'))).toEqual([])
  expect(await sentBy(() => kept.query(etf, { symbols: ['510300.SH'], period: '15m' }, days))).toHaveLength(5)
})

test("nobody's own archive is dropped, or used as a cache", async () => {
  const dir = join(tempDir(), 'own')
  await importFiles(dir, bond, [tempFile('b.csv', 'tradedate,symbol,code\n20260701,000001,000001.SZ\n')])
  const before = treeOf(dir)
  await expect(dropCache(dir)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(dir) })
  await expect(dropCache('data/sample', { dataset: 'st' })).rejects.toMatchObject({ code: 'USAGE' })
  const none = join(tempDir(), 'none')
  await expect(dropCache(none)).rejects.toMatchObject({ code: 'USAGE' })
  expect(existsSync(none)).toBe(false)
  const { another, sentBy } = await stand()
  const sent = await sentBy(() =>
    expect(another(dir).query(bond, week, whole)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(dir),
    }),
  )
  expect(sent).toEqual([])
  expect(treeOf(dir)).toEqual(before)
  await expect(dropCache(dir, { dataset: 'etf_minut' })).rejects.toThrow("Did you mean 'etf_minute'?")
})

test('a directory that holds something else is refused', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'letter.txt'), 'mine')
  const { another } = await stand()
  await expect(another(dir).query(bond, week, whole)).rejects.toMatchObject({
    code: 'ARCHIVE',
    message: expect.stringContaining(dir),
  })
  expect(readdirSync(dir)).toEqual(['letter.txt'])
})

test('answers of one service are never given as those of another', async () => {
  const { dir } = await filled()
  const other = await stand('20260715')
  const sent = await other.sentBy(() =>
    expect(other.another(dir).query(bond, week, whole)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(dir),
    }),
  )
  expect(sent).toEqual([])
})

test('an import into a cache keeps what is covered, and is not dropped', async () => {
  const { dir, kept, sentBy } = await filled()
  const before = await cacheContents(dir)
  const csv = 'tradedate,symbol,code,close\n20250102,000007,000007.SZ,1.5\n'
  await importFiles(dir, bond, [tempFile('old.csv', csv)])
  expect(await cacheContents(dir)).toEqual(before)
  expect(await sentBy(() => kept.query(bond, week, whole))).toEqual([])
  await dropCache(dir)
  const left = await new Archive(dir, 'own').query(bond, { startdate: '20250101', enddate: '20261231' }, whole)
  expect(objectsOf(left).map(({ code, close }) => [code, close])).toEqual([['000007.SZ', 1.5]])
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

const damages: [string, (dir: string) => void][] = [
  [
    'a file with other bytes',
    (dir) => {
      const name = readdirSync(join(dir, 'convertible_daily'))[0] ?? ''
      const bytes = readFileSync(join(dir, 'convertible_daily', name))
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      writeFileSync(join(dir, 'convertible_daily', name), bytes)
    },
  ],
  ['a manifest that is no JSON', (dir) => writeFileSync(join(dir, 'manifest.json'), '{"format":1,')],
  [
    'coverage that makes no sense',
    (dir) =>
      editManifest(dir, ({ datasets: { convertible_daily: entry } }) => {
        if (entry) entry.covered = [{ scope: '', symbols: 'all', days: [['2026', '20261231']] }]
      }),
  ],
]

test.each(damages)('a damaged cache is an error that says what to do: %s', async (_, damage) => {
  const { dir, another } = await filled()
  damage(dir)
  const kept = another()
  for (let time = 0; time < 2; time++) {
    await expect(kept.query(bond, week, whole)).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringMatching(new RegExp(`the cache ${dir} .*[Dd]rop it`)),
    })
  }
})

test('a cache with a damaged file can be dropped, and fills anew', async () => {
  const { dir, another, plain } = await filled()
  damages[0]?.[1](dir)
  await dropCache(dir)
  const table = await another().query(bond, week, whole)
  expect(digest(table)).toBe(digest(await plain.query(bond, week, whole)))
})

test('the key of the caller is nowhere in the directory', async () => {
  const { dir } = await filled()
  for (const name of readdirSync(dir, { recursive: true }).map(String)) {
    if (/\.(json|parquet)$/.test(name)) expect(readFileSync(join(dir, name)).includes('KEY')).toBe(false)
  }
})
