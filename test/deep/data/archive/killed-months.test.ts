import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { repairArchive } from '../../../../src/data/archive/repair-archive.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { barsByCode, entryOf, withoutMonths } from '../../../helper/bars-by-code.js'

const asked = async (place: string) => {
  const [params, days] = [
    { symbols: ['510007.SH'], period: '15m' },
    { from: '20260428', to: '20260703' },
  ]
  return toObjects(await new Archive(place, 'archive').query(datasetOf('etf_minute'), params, { days }))
}

test('a repair that is killed while it makes months by code leaves the archive as it was, and the next one makes them', async () => {
  const dir = await barsByCode()
  const place = await withoutMonths(dir)
  const expected = await asked(dir)
  const state = await new Archive(place, 'before').state()
  const words = [resolve('dist/cli/quotebook.cjs'), 'archive', 'repair', '--rewrite', '--archive', place]
  let killed = 0
  for (let files = 0; files < 4; files++) {
    const child = spawn(process.execPath, words, { stdio: 'ignore' })
    const ended = once(child, 'exit')
    // It is killed when so many files lie there, the manifest not yet replaced.
    const folder = join(place, 'by-code', 'etf_minute')
    const count = (): number =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.parquet')).length : 0
    while (child.exitCode === null && count() <= files) await new Promise((done) => setTimeout(done, 2))
    child.kill('SIGKILL')
    await ended
    if (child.signalCode === 'SIGKILL') killed++
    expect(await asked(place)).toEqual(expected)
    if ((await new Archive(place, 'after').state()) !== state) break
  }
  expect(killed).toBeGreaterThan(0)
  expect(await repairArchive(place, { rewrite: true })).toEqual([])
  const named = new Set(((await entryOf(place)).byCode ?? []).map(({ file }) => file))
  expect(named.size).toBeGreaterThan(2)
  const lying = readdirSync(join(place, 'by-code', 'etf_minute')).map((name) => `by-code/etf_minute/${name}`)
  expect(new Set(lying)).toEqual(named)
  expect(await asked(place)).toEqual(expected)
}, 120_000)
