import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { cacheContents } from '../../src/archive/cache/cache-contents.js'
import { importFiles } from '../../src/archive/import/import-files.js'
import { emptyManifest, readManifest } from '../../src/archive/manifest.js'
import { repairArchive } from '../../src/archive/repair-archive.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { digest } from '../../src/table/digest.js'
import { quotebook } from '../helper/cli.js'
import { tempDir, tempFile, treeOf } from '../helper/temp.js'
import { stand } from './cache/growing.js'

const bond = datasetOf('convertible_daily')
const months = { '202606': ['20260629', '20260630'], '202607': ['20260701', '20260702'], '202608': ['20260803'] }

const csv = (days: readonly string[], close = 1.5) =>
  tempFile(
    'b.csv',
    `tradedate,symbol,code,close\n${days.map((day) => `${day},000001,000001.SZ,${close}`).join('\n')}\n`,
  )

/** An archive of three months and two days of ticks, with the path of each file by its partition or day. */
async function archive(): Promise<{ dir: string; files: Record<string, string> }> {
  const dir = join(tempDir(), 'archive')
  await importFiles(dir, bond, [csv(Object.values(months).flat())])
  const writer = await ArchiveWriter.open(dir)
  for (const day of ['20260105', '20260106']) await writer.putTicks(day, Buffer.from(`ticks of ${day}`), 3)
  await writer.commit()
  const { datasets, ticks } = (await readManifest(dir))?.manifest ?? emptyManifest
  const parts = datasets['convertible_daily']?.parts ?? []
  const named = [...parts.map(({ partition, file }) => [partition, file]), ...ticks.map(({ day, file }) => [day, file])]
  return { dir, files: Object.fromEntries(named) }
}

function spoil(path: string): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5)
  writeFileSync(path, bytes)
}

const daysIn = async (dir: string) =>
  objectsOf(
    await new Archive(dir, 'test').query(bond, { startdate: '20260601', enddate: '20260831' }, { whole: true }),
  ).map(({ tradedate }) => tradedate)

test('repair names what is lost, lets go of it, and leaves the rest', async () => {
  const { dir, files } = await archive()
  rmSync(join(dir, files['202607'] ?? ''))
  spoil(join(dir, files['202608'] ?? ''))
  rmSync(join(dir, files['20260105'] ?? ''))
  spoil(join(dir, files['20260106'] ?? ''))
  await expect(daysIn(dir)).rejects.toMatchObject({
    code: 'ARCHIVE',
    message: expect.stringContaining(`quotebook archive repair --archive ${dir}`),
  })
  const lost = await repairArchive(dir)
  expect(lost.map(({ dataset, from, to, rows }) => [dataset, from, to, rows])).toEqual([
    ['convertible_daily', '20260701', '20260702', 2],
    ['convertible_daily', '20260803', '20260803', 1],
    ['ticks', '20260105', '20260105', 3],
    ['ticks', '20260106', '20260106', 3],
  ])
  expect(lost.map(({ why }) => /is missing$/.test(why))).toEqual([true, false, true, false])
  expect(await daysIn(dir)).toEqual(months['202606'])
  expect((await readManifest(dir))?.manifest.ticks).toEqual([])
  expect(existsSync(join(dir, `${files['202608']}.damaged`))).toBe(true)
  await importFiles(dir, bond, [csv(months['202607'])])
  expect(await daysIn(dir)).toEqual([...months['202606'], ...months['202607']])
  const before = treeOf(dir)
  expect(await repairArchive(dir)).toEqual([])
  expect(treeOf(dir)).toEqual(before)
})

test('the command says it in a table, and refuses what is no archive', async () => {
  const { dir, files } = await archive()
  spoil(join(dir, files['202608'] ?? ''))
  const ran = quotebook(['archive', 'repair', '--archive', dir])
  expect(ran.code).toBe(0)
  expect(ran.out).toMatch(/convertible_daily +20260803 +20260803 +1 .*is damaged/)
  expect(ran.err).toContain('1 rows of 1 files are lost')
  expect(quotebook(['archive', 'repair', '--archive', dir]).err).toContain(
    'every file that its manifest names is there and sound',
  )
  const none = join(tempDir(), 'none')
  const wrong = quotebook(['archive', 'repair', '--archive', none])
  expect([wrong.code, existsSync(none)]).toEqual([2, false])
})

test.each([
  ['missing', (path: string) => rmSync(path)],
  ['damaged', spoil],
])('importing the days of a %s part again puts them in its place, and says so', async (_, lose) => {
  const { dir, files } = await archive()
  const file = files['202607'] ?? ''
  lose(join(dir, file))
  await expect(importFiles(dir, bond, [csv(['20260702'])])).rejects.toThrow(`quotebook archive repair --archive ${dir}`)
  await expect(importFiles(dir, bond, [csv(['20260706', '20260707', '20260708'])])).rejects.toThrow('archive repair')
  const result = await importFiles(dir, bond, [csv(months['202607'])])
  expect(result).toMatchObject({ rows: 2, changed: 1, replaced: [file] })
  expect(await daysIn(dir)).toEqual(Object.values(months).flat())
  expect((await importFiles(dir, bond, [csv(['20260805'])])).replaced).toBeUndefined()
})

test('a cache that lost a file lets go of what it covered, and asks again', async () => {
  const { dir, kept, another, plain, sentBy } = await stand('20260715')
  const params = { startdate: '20260706', enddate: '20260710' }
  await kept.query(bond, params, { whole: true })
  const [part] = (await readManifest(dir))?.manifest.datasets['convertible_daily']?.parts ?? []
  rmSync(join(dir, part?.file ?? ''))
  expect(await repairArchive(dir)).toMatchObject([{ dataset: 'convertible_daily', voided: true }])
  expect(await cacheContents(dir)).toEqual([])
  const truth = digest(await plain.query(bond, params, { whole: true }))
  const ask = async () => expect(digest(await another().query(bond, params, { whole: true }))).toBe(truth)
  expect((await sentBy(ask)).length).toBeGreaterThan(0)
  expect(await sentBy(ask)).toEqual([])
})
