import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { cacheQuery } from '../../../../src/data/archive/coverage/covered-query.js'
import { putRows, storableRows } from '../../../../src/data/archive/coverage/covered-rows.js'
import type { Manifest } from '../../../../src/data/archive/manifest-entries.js'
import { ArchiveWriter } from '../../../../src/data/archive/writer.js'
import { sampleArchive } from '../../../helper/running-service.js'
import { tempDir } from '../../../helper/temp.js'

const sample = new Archive(sampleArchive, 'sample')

type Question = readonly [name: string, params: Record<string, unknown>, day: string]

const days = ['20260727', '20260724', '20260723', '20260701', '20260630']
const lists = ['ths&normal', 'dfcf&renqi'].flatMap((type) => days.map((day): Question => ['hotstock', { type }, day]))
const bars = ['15m', '30m'].flatMap((period) => days.map((day): Question => ['etf_minute', { period }, day]))

/** Puts answers into an archive, so many in one step; what its manifest says but for the names of files. */
async function stored(questions: readonly Question[], atOnce: number): Promise<unknown> {
  const dir = join(tempDir(), 'own')
  for (let at = 0; at < questions.length; at += atOnce) {
    const writer = await ArchiveWriter.open(dir)
    for (const [name, params, day] of questions.slice(at, at + atOnce)) {
      const dataset = datasetOf(name)
      const query = cacheQuery(dataset, params, { whole: true, days: [day] })
      const table = await sample.query(dataset, params, { whole: true, days: [day] })
      if (!query) throw new Error(`${name} is not kept`)
      const group = { codes: undefined, dates: query.dates }
      const rows = storableRows(query, group, table, '20260729') ?? storableRows(query, group, table, '20260729', false)
      const asked = '2026-07-29T22:00:00+08:00'
      const about = { latest: '20260729', from: ['sample'], ground: { asked }, observedAt: asked }
      await putRows(writer, query, rows ? [rows] : [], about)
    }
    await writer.commit()
  }
  const { datasets } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest
  const named = Object.values(datasets).flatMap(({ parts, revised = [] }) => [...parts, ...revised])
  expect(named.filter(({ file }) => !existsSync(join(dir, file)))).toEqual([])
  return JSON.parse(JSON.stringify(datasets, (key, value) => (key === 'file' ? undefined : value)))
}

test.each([
  ['of other days and lists', [...lists, ...bars]],
  ['of the same days again', [...lists, ...lists.slice(3, 6), ...bars.slice(0, 2), ...bars.slice(0, 4)]],
])('answers that are committed in one step are stored as those one by one: %s', async (_, questions) => {
  expect(await stored(questions, questions.length)).toEqual(await stored(questions, 1))
})
