// Deep: a process computes for longer than others wait for its lock.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { bundled } from '../../../helper/bundle.js'
import { tempDir, tempFile } from '../../../helper/temp.js'

const bond = datasetOf('convertible_daily')
const csv = (day: string) => tempFile('b.csv', `tradedate,symbol,code,close\n${day},000001,000001.SZ,1.5\n`)

/** The event loop is asleep for 20 seconds as soon as the first file is in: nothing but another thread can renew the lock. */
const program = `
import { importFiles } from './src/data/archive/import/import-files.js'
import { datasetOf } from './src/contract/catalogue.js'
const [dir, ...files] = process.argv.slice(2)
await importFiles(dir, datasetOf('convertible_daily'), files, {
  onFile: ({ file }) => {
    console.log('computing')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000)
  },
})
`

test('a writer that computes for longer than others wait keeps its lock, and others are told that it is busy', async () => {
  const dir = join(tempDir(), 'archive')
  await importFiles(dir, bond, [csv('20260701')])
  const child = spawn(process.execPath, [await bundled(program), dir, csv('20260702')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  await expect(importFiles(dir, bond, [csv('20260703')], { waitMs: 12_000 })).rejects.toMatchObject({
    code: 'ARCHIVE_BUSY',
  })
  expect((await exit)[0]).toBe(0)
  await importFiles(dir, bond, [csv('20260703')])
  const rows = toObjects(await new Archive(dir, 'x').query(bond, { startdate: '20260701', enddate: '20260731' }))
  expect(rows.map(({ tradedate }) => tradedate)).toEqual(['20260701', '20260702', '20260703'])
})
