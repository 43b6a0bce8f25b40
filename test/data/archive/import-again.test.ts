import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { sha256 } from '../../../src/data/archive/file-access.js'
import { type FileNote, type ImportOptions, importFiles } from '../../../src/data/archive/import/import-files.js'
import { readManifest } from '../../../src/data/archive/manifest.js'
import type { PartEntry } from '../../../src/data/archive/manifest-entries.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { columnsFromParquet, writeParquet } from '../../../src/frame/table/parquet.js'
import { editManifest } from '../../helper/manifest.js'
import { tempDir, tempFile } from '../../helper/temp.js'

/** Files that are imported again: skipped exactly when reading them would change nothing. */

const bond = datasetOf('convertible_daily')
type Bars = Record<string, number>
/** A file of closes by day and number of the bond. */
const fileOf = (bars: Bars, name = 'b.csv') => {
  const rows = Object.entries(bars).map(([key, close]) => {
    const [day, symbol] = key.split(' ')
    return `${day},${symbol},${symbol}.SZ,${close}`
  })
  return tempFile(name, `tradedate,symbol,code,close\n${rows.join('\n')}\n`)
}
const barsIn = async (dir: string): Promise<Bars> => {
  const table = await new Archive(dir, 'test').query(bond, { startdate: '20260101' }, { whole: true })
  return Object.fromEntries(
    toObjects(table).map(({ tradedate, symbol, close }) => [`${tradedate} ${symbol}`, close as number]),
  )
}
const importing = async (dir: string, files: readonly string[], options: ImportOptions = {}) => {
  const notes: FileNote[] = []
  const result = await importFiles(dir, bond, files, { ...options, onFile: (note) => notes.push(note) })
  return { ...result, passed: notes.map(({ unchanged }) => unchanged === true) }
}
const [july, august] = [{ '20260701 123001': 1, '20260702 123001': 2 }, { '20260803 123001': 3 }]

test('other options read it again, and so does a part that another file changed', async () => {
  const dir = join(tempDir(), 'archive')
  const csv = fileOf({ ...july, ...august })
  await importing(dir, [csv])
  expect((await importing(dir, [csv], { partial: true })).passed).toEqual([false])
  expect((await importing(dir, [csv], { set: { name: '示例' } })).passed).toEqual([false])
  expect((await importing(dir, [csv], { set: { name: '示例' } })).passed).toEqual([true])
  expect((await importing(dir, [csv])).passed).toEqual([false])
  await importing(dir, [fileOf({ '20260701 123001': 9 })])
  expect(await importing(dir, [csv])).toMatchObject({ changed: 1, passed: [false] })
  expect(await barsIn(dir)).toEqual({ ...july, ...august })
})

test('a file that an earlier version laid out otherwise stays, where another one brings the same rows', async () => {
  const dir = join(tempDir(), 'archive')
  const rows = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`20260701 ${110_000 + at}`, at]))
  await importing(dir, [fileOf(rows, 'a.csv')])
  const part = (await readManifest(dir))?.manifest.datasets.convertible_daily?.parts[0] as PartEntry
  const path = join(dir, part.file)
  const columns = { ...bond.columns, ...bond.stored }
  const earlier = await writeParquet(toTable(await columnsFromParquet(readFileSync(path), 'a part'), columns), {})
  expect(sha256(earlier)).not.toBe(part.sha256)
  writeFileSync(path, earlier)
  editManifest(dir, ({ datasets }) => {
    Object.assign(datasets.convertible_daily?.parts[0] ?? {}, { sha256: sha256(earlier), bytes: earlier.length })
  })
  const turned = fileOf(Object.fromEntries(Object.entries(rows).reverse()), 'b.csv')
  expect(await importing(dir, [turned])).toMatchObject({ changed: 0, passed: [false] })
  expect(readFileSync(path)).toEqual(Buffer.from(earlier))
  expect(await importing(dir, [fileOf({ ...rows, '20260701 110000': 7 }, 'c.csv')])).toMatchObject({ changed: 1 })
})

test('the share that is done grows from file to file up to the whole', async () => {
  const dir = join(tempDir(), 'archive')
  const shares: [number, string][] = []
  const rows = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`20260701 ${110_000 + at}`, at]))
  const onProgress = (done: number, file: string) => void shares.push([done, file])
  await importFiles(dir, bond, [fileOf(rows, 'a.csv'), fileOf(august, 'b.csv')], { onProgress })
  const done = shares.map(([share]) => share)
  expect(done.length).toBeGreaterThan(5)
  expect(done).toEqual([...done].sort((a, b) => a - b))
  expect(shares.at(-1)).toEqual([1, 'b.csv'])
})
