import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { archiveStatus } from '../../src/archive/archive-status.js'
import { dropCache } from '../../src/archive/cache/cache-contents.js'
import { importFiles } from '../../src/archive/import/import-files.js'
import { emptyManifest, filesOf, readManifest } from '../../src/archive/manifest.js'
import { repairArchive } from '../../src/archive/repair-archive.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { connect } from '../../src/connect.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { syncArchive } from '../../src/sync/sync.js'
import { digest } from '../../src/table/digest.js'
import { provenance } from '../../src/table/provenance.js'
import { Growing } from '../archive/cache/growing.js'
import { tempDir, tempFile } from '../helper/temp.js'
import { type Mend, mended } from './mended.js'

const evening = (day: string, hour = 22): number =>
  Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T00:00:00+08:00`) + hour * 3_600_000

/** An archive that is synced on evenings, from a source that mends its rows. */
function stand(from = '20260706') {
  const growing = new Growing('20260714')
  const mends: Mend[] = []
  growing.mend = (dataset, columns) =>
    mends.filter(({ name }) => name === dataset.name).reduce((rows, one) => mended(dataset, rows, one), columns)
  const dir = join(tempDir(), 'own')
  const sync = (day: string, datasets: readonly string[], hour = 22) => {
    growing.until = day
    const time = (): number => evening(day, hour)
    return syncArchive(growing, { archive: dir, datasets, from, themes: ['1001'], time })
  }
  const at = async (asOf: string | undefined, name: string, params: object) =>
    (await connect({ archive: dir, asOf })).source.query(datasetOf(name), params, { whole: true })
  const manifest = async () => (await readManifest(dir))?.manifest ?? emptyManifest
  return { growing, mends, dir, sync, at, manifest }
}

test('a mended close gives each moment its answer: before, after, and before it was asked for', async () => {
  const { mends, sync, at } = stand()
  const params = { type: 'tj', tradedate: '20260708' }
  await sync('20260714', ['theme_daily'])
  const first = digest(await at(undefined, 'theme_daily', params))
  mends.push({ name: 'theme_daily', day: '20260708', at: 3, how: 'change' })
  const { revisions, datasets } = await sync('20260715', ['theme_daily'])
  expect([revisions, datasets[0]?.again]).toEqual([1, ['20260708']])
  const second = digest(await at(undefined, 'theme_daily', params))
  expect(second).not.toBe(first)
  expect(digest(await at('2026-07-14T22:00', 'theme_daily', params))).toBe(first)
  expect(digest(await at('2026-07-15T21:59', 'theme_daily', params))).toBe(first)
  expect(digest(await at('2026-07-15T22:00', 'theme_daily', params))).toBe(second)
  expect((await at('2026-07-14T21:59', 'theme_daily', params)).numRows).toBe(0)
  const about = provenance(await at('2026-07-15T12:00', 'theme_daily', params))
  expect(about).toMatchObject({ complete: true, source: expect.stringMatching(/ as of 2026-07-15T12:00:00\+08:00$/) })
})

test('what did not change moves the date of the asking alone; no step is taken twice', async () => {
  const { sync, manifest } = stand('20260708')
  const names = ['theme_daily', 'southbound_top10', 'interactive_qa', 'hotstock']
  await sync('20260714', names)
  const before = await manifest()
  const files = async () => [...filesOf(await manifest())].filter((file) => /202606|2026070/.test(file)).sort()
  const kept = await files()
  const again = await sync('20260715', names)
  expect(again.revisions).toBe(0)
  expect(await files()).toEqual(kept)
  expect((await manifest()).datasets.theme_daily?.revised).toBeUndefined()
  expect(before.datasets.theme_daily?.covered).not.toEqual((await manifest()).datasets.theme_daily?.covered)
  const of = (result: typeof again, name: string) => result.datasets.find(({ dataset }) => dataset === name)?.again
  expect(of(again, 'hotstock')).toEqual(['20260708'])
  expect(of(await sync('20260715', names, 23), 'theme_daily')).toEqual([])
  const week = await sync('20260721', names)
  expect(of(week, 'hotstock')).toEqual(['20260709', '20260710', '20260713', '20260714'])
  expect(of(week, 'theme_daily')).toContain('20260709')
  expect(of(await sync('20260722', names), 'hotstock')).toEqual(['20260715'])
})

test('announcements that are revised, and lists whose ranks change, are as they were', async () => {
  const { mends, sync, at } = stand('20260709')
  const names = ['finance_announcement', 'hotstock']
  const asked = [
    ['finance_announcement', { version: 'all', ann_startdate: '20260709', ann_enddate: '20260710' }],
    ['hotstock', { type: 'ths&normal', tradedate: '20260709' }],
  ] as const
  const answers = async (moment?: string) =>
    Promise.all(asked.map(async ([name, params]) => digest(await at(moment, name, params))))
  await sync('20260714', names)
  const first = await answers()
  mends.push({ name: 'hotstock', day: '20260709', at: 2, how: 'swap' })
  mends.push({ name: 'finance_announcement', day: '20260709', at: 0, how: 'change' })
  mends.push({ name: 'finance_announcement', day: '20260710', at: 0, how: 'drop' })
  expect((await sync('20260722', names)).revisions).toBeGreaterThan(2)
  const second = await answers()
  expect([second[0] === first[0], second[1] === first[1]]).toEqual([false, false])
  expect(await answers('2026-07-14T22:00')).toEqual(first)
  expect(await answers('20260721')).toEqual(first)
  expect(await answers('20260722')).toEqual(second)
})

test('a theme keeps its past: its stocks of each moment; news are there from when they came', async () => {
  const { mends, sync, at, dir } = stand()
  const names = ['theme_lib_detail_kp', 'news']
  const theme = { theme_id: '1001' }
  const stocks = async (moment?: string) =>
    objectsOf(await at(moment, 'theme_lib_detail_kp', theme)).map(({ stock_list, synced_at }) => [
      stock_list,
      synced_at,
    ])
  const news = async (moment?: string) => digest(await at(moment, 'news', { view: 'time' }))
  await sync('20260730', names, 9)
  const [first, firstNews] = [await stocks(), await news()]
  mends.push({ name: 'theme_lib_detail_kp', day: '20260730', at: 7, how: 'change' })
  mends.push({ name: 'news', day: '20260729', at: 0, how: 'change' })
  expect((await sync('20260731', names, 9)).revisions).toBe(2)
  const [second, secondNews] = [await stocks(), await news()]
  expect([second.length, second]).not.toEqual([1, first])
  expect(secondNews).not.toBe(firstNews)
  mends.push({ name: 'theme_lib_detail_kp', day: '20260730', at: 7, how: 'swap' })
  expect((await sync('20260803', names, 9)).revisions).toBe(1)
  expect([(await stocks())[0]?.[1], (await stocks('20260802'))[0]?.[1]]).not.toEqual([first[0]?.[1], first[0]?.[1]])
  expect([await stocks('20260730'), await news('20260730')]).toEqual([first, firstNews])
  expect([await stocks('2026-07-31T09:00'), await news('2026-07-31T09:00')]).toEqual([second, secondNews])
  expect([await stocks('2026-07-30T08:59'), (await at('2026-07-30T08:59', 'news', {})).numRows]).toEqual([[], 0])
  const status = await new Archive(dir, 'own').read((snapshot) => archiveStatus(snapshot))
  const revisions = new Map(status.map(({ dataset, ...one }) => [dataset, one.revisions]))
  expect(Object.fromEntries(revisions)).toMatchObject({ news: 1 })
  expect(status.reduce((sum, one) => sum + one.revisions, 0)).toBe(3)
})

test('rows that were imported without a time are left out, and the answer says so; with a time they are there from then on', async () => {
  const { sync, at, dir } = stand()
  const row = (day: string) => tempFile('b.csv', `tradedate,symbol,code,close\n${day},000001,000001.SZ,1.5\n`)
  await sync('20260714', ['theme_daily'])
  await importFiles(dir, datasetOf('convertible_daily'), [row('20260701')])
  const times = { covers: { from: '20260702', to: '20260702' }, asked: '2026-07-03T09:00:00' }
  await importFiles(dir, datasetOf('convertible_daily'), [row('20260702')], times)
  const ask = async (moment: string) => {
    const table = await at(moment, 'convertible_daily', { startdate: '20260701', enddate: '20260702' })
    return [objectsOf(table).map(({ tradedate }) => tradedate), provenance(table)?.complete, provenance(table)?.note]
  }
  const note = expect.stringContaining('nobody said since when they are known')
  expect(await ask('2026-07-03T09:00')).toEqual([['20260702'], false, note])
  expect(await ask('2026-07-03T08:59')).toEqual([[], false, note])
  const market = await connect({ archive: dir, asOf: '2026-07-03T09:00' })
  const rows = await market.sql('select tradedate from convertible_daily')
  expect([objectsOf(rows), provenance(rows)?.complete]).toEqual([[{ tradedate: '20260702' }], false])
  // Over a day that a sync brought: nobody knows any more since when its rows are there.
  const known = { type: 'tj', tradedate: '20260709' }
  expect((await at('20260714', 'theme_daily', known)).numRows).toBeGreaterThan(0)
  await (await change(dir, undefined)).commit()
  const table = await at('20260714', 'theme_daily', known)
  expect([table.numRows, provenance(table)?.note]).toEqual([0, note])
})

/** Puts other closes of 9 July in the place of what is there; without a moment, as an import does. */
async function change(dir: string, moment: string | undefined): Promise<ArchiveWriter> {
  const dataset = datasetOf('theme_daily')
  const rows = await new Archive(dir, 'own').read(async (snapshot) => {
    const part = snapshot.parts('theme_daily').find(({ partition }) => partition === '202607')
    return snapshot.load('theme_daily', part as never)
  })
  const writer = await ArchiveWriter.open(dir)
  const day = { name: 'theme_daily', day: '20260709', at: 1, how: 'change' as const }
  await writer.put(dataset, mended(dataset, rows, day), 'test', moment === undefined ? {} : { at: moment })
  return writer
}

test('before its first sync a dataset says since when it is known; one that was never synced, that it is not there', async () => {
  const { sync, at } = stand()
  await sync('20260714', ['theme_daily', 'finance_announcement'])
  const early =
    /^nothing of (\w+) was known at that moment: the archive knows of it since 2026-07-14 22:00:00, Beijing time$/
  for (const [name, params] of [
    ['theme_daily', { type: 'tj' }],
    ['theme_daily', { type: 'tj', tradedate: '20260708' }],
    ['finance_announcement', { version: 'all' }],
  ] as const) {
    const about = provenance(await at('2026-07-14T21:59', name, params))
    expect([about?.rows, about?.complete, about?.note]).toEqual([0, false, expect.stringMatching(early)])
    expect(provenance(await at('2026-07-14T22:00', name, params))?.note ?? '').not.toMatch(early)
  }
  const never = provenance(await at('2026-07-14T21:59', 'convertible_daily', {}))
  expect(never?.note).toBe('the archive holds nothing of convertible_daily')
})

test('an archive without moments is refused, and so is a moment that is none', async () => {
  await expect(connect({ asOf: '20260730' })).rejects.toMatchObject({ code: 'ARCHIVE' })
  await expect(connect({ asOf: 'yesterday' })).rejects.toMatchObject({ code: 'USAGE' })
})

test('repair lets go of revisions that are lost, and of what was known of their days; dropping lets go of all', async () => {
  const { mends, sync, at, dir, manifest } = stand()
  const params = { type: 'tj', startdate: '20260706', enddate: '20260709' }
  await sync('20260714', ['theme_daily'])
  mends.push({ name: 'theme_daily', day: '20260708', at: 3, how: 'change' })
  await sync('20260715', ['theme_daily'])
  const [part] = (await manifest()).datasets.theme_daily?.revised ?? []
  rmSync(join(dir, part?.file ?? ''))
  expect(await repairArchive(dir)).toMatchObject([
    { dataset: 'theme_daily', revisions: true, from: '20260708', rows: 1 },
  ])
  const table = await at('2026-07-14T22:00', 'theme_daily', params)
  expect([...new Set(objectsOf(table).map(({ tradedate }) => tradedate))]).toEqual(['20260706', '20260707', '20260709'])
  expect(provenance(table)).toMatchObject({ complete: false })
  expect((await at(undefined, 'theme_daily', params)).numRows).toBeGreaterThan(table.numRows)
  mends.push({ name: 'theme_daily', day: '20260709', at: 3, how: 'change' })
  await sync('20260722', ['theme_daily'])
  expect((await manifest()).datasets.theme_daily?.revised?.length).toBe(1)
  await dropCache(dir, { dataset: 'theme_daily' })
  expect((await manifest()).datasets.theme_daily).toBeUndefined()
  expect(readdirSync(join(dir, 'revisions', 'theme_daily'))).toEqual([])
})

test('until the manifest is replaced the old state is there, and what was written before goes', async () => {
  const { sync, at, dir, manifest } = stand()
  const params = { type: 'tj', tradedate: '20260709' }
  await sync('20260714', ['theme_daily'])
  const before = digest(await at(undefined, 'theme_daily', params))
  const writer = await change(dir, '2026-07-15T22:00:00+08:00')
  expect(readdirSync(join(dir, 'revisions', 'theme_daily')).length).toBe(1)
  expect(digest(await at(undefined, 'theme_daily', params))).toBe(before)
  expect((await manifest()).datasets.theme_daily?.revised).toBeUndefined()
  await writer.abort()
  expect(existsSync(join(dir, 'revisions'))).toBe(false)
  expect(digest(await at(undefined, 'theme_daily', params))).toBe(before)
})
