// Deep: three processes read while another writes and is killed.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { readManifest } from '../../../../src/data/archive/manifest.js'
import { tempDir, tempFile } from '../../../helper/temp.js'

/**
 * A generation is a rewrite of every row, over three months and so three files. A reader that ever sees two generations
 * in one answer has seen half an import. Runs on the built package, as users' processes do.
 */
const generation = (n: number) =>
  `tradedate,symbol,code,close\n${['20260601', '20260701', '20260803']
    .flatMap((day) => ['000001', '000002', '000003'].map((code) => `${day},${code},${code}.SZ,${n}`))
    .join('\n')}\n`

const writer = `
const { importFiles, datasetOf } = await import(process.argv[2])
const fs = await import('node:fs')
for (let n = 1000; ; n++) {
  fs.writeFileSync(process.argv[4], fs.readFileSync(process.argv[5], 'utf8').replaceAll(',0\\n', ',' + n + '\\n'))
  await importFiles(process.argv[3], datasetOf('convertible_daily'), [process.argv[4]])
  process.send(n)
}`

const built = join(process.cwd(), 'dist/esm/index.js')

function start(script: string, ...args: string[]): ChildProcess {
  return fork(tempFile('child.mjs', script), [built, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

test('a writer that is killed at any moment leaves a whole archive, and the next one goes on', async () => {
  const dir = join(tempDir(), 'archive')
  const bond = datasetOf('convertible_daily')
  const zero = tempFile('zero.csv', generation(0))
  await importFiles(dir, bond, [zero])
  for (const wait of [5, 60]) {
    const child = start(writer, dir, join(tempDir(), 'g.csv'), zero)
    await once(child, 'message')
    await new Promise((resolve) => setTimeout(resolve, wait))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { Archive } = await import('../../../../src/data/archive/archive.js')
    const { numbers } = await import('../../../../src/frame/read-columns.js')
    const table = await new Archive(dir, 'test').query(bond, { startdate: '20260101', enddate: '20261231' })
    expect(new Set(numbers(table, 'close')).size).toBe(1)
    writeFileSync(zero, generation(0))
    await importFiles(dir, bond, [zero])
    const files = Object.values((await readManifest(dir))?.manifest.datasets ?? {}).flatMap(({ parts }) => parts)
    expect(files).toHaveLength(3)
  }
})
