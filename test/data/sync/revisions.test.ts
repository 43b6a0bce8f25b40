import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { archiveStatus } from '../../../src/data/archive/archive-status.js'
import { dropCache } from '../../../src/data/archive/coverage/cache-contents.js'
import { emptyManifest, readManifest } from '../../../src/data/archive/manifest.js'
import { repairArchive } from '../../../src/data/archive/repair-archive.js'
import { syncArchive } from '../../../src/data/sync/sync.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { digest } from '../../../src/frame/table/digest.js'
import { provenance } from '../../../src/frame/table/provenance.js'
import { tempDir } from '../../helper/temp.js'
import { Growing } from '../archive/coverage/growing.js'
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

test('a theme keeps its past: its stocks of each moment; news are there from when they came', async () => {
  const { mends, sync, at, dir } = stand()
  const names = ['theme_lib_detail_kp', 'news']
  const theme = { theme_id: '1001' }
  const stocks = async (moment?: string) =>
    toObjects(await at(moment, 'theme_lib_detail_kp', theme)).map(({ stock_list, synced_at }) => [
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

test('repair releases revisions that are lost, and of what was known of their days; dropping releases all', async () => {
  const { mends, sync, at, dir, manifest } = stand()
  const params = { type: 'tj', startdate: '20260706', enddate: '20260709' }
  await sync('20260714', ['theme_daily'])
  mends.push({ name: 'theme_daily', day: '20260708', at: 3, how: 'change' })
  await sync('20260715', ['theme_daily'])
  const [part] = (await manifest()).datasets.theme_daily?.revised ?? []
  rmSync(join(dir, part?.file ?? ''))
  expect(await repairArchive(dir)).toMatchObject([
    { dataset: 'theme_daily', held: 'revisions', from: '20260708', rows: 1 },
  ])
  const table = await at('2026-07-14T22:00', 'theme_daily', params)
  expect([...new Set(toObjects(table).map(({ tradedate }) => tradedate))]).toEqual(['20260706', '20260707', '20260709'])
  expect(provenance(table)).toMatchObject({ complete: false })
  expect((await at(undefined, 'theme_daily', params)).numRows).toBeGreaterThan(table.numRows)
  mends.push({ name: 'theme_daily', day: '20260709', at: 3, how: 'change' })
  await sync('20260722', ['theme_daily'])
  expect((await manifest()).datasets.theme_daily?.revised?.length).toBe(1)
  await dropCache(dir, { dataset: 'theme_daily' })
  expect((await manifest()).datasets.theme_daily).toBeUndefined()
  expect(readdirSync(join(dir, 'revisions', 'theme_daily'))).toEqual([])
})
