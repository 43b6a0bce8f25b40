import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { type FileNote, type ImportOptions, importFiles } from '../../src/archive/import/import-files.js'
import { readManifest } from '../../src/archive/manifest.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { toParquet } from '../../src/frame/write-data.js'
import { fromCsv } from '../../src/table/csv.js'
import { tempDir, tempFile, treeOf } from '../helper/temp.js'

/** Files that are imported again: passed over exactly when reading them would change nothing. */

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
    objectsOf(table).map(({ tradedate, symbol, close }) => [`${tradedate} ${symbol}`, close as number]),
  )
}
const importing = async (dir: string, files: readonly string[], options: ImportOptions = {}) => {
  const notes: FileNote[] = []
  const result = await importFiles(dir, bond, files, { ...options, onFile: (note) => notes.push(note) })
  return { ...result, passed: notes.map(({ unchanged }) => unchanged === true) }
}
const [july, august] = [{ '20260701 123001': 1, '20260702 123001': 2 }, { '20260803 123001': 3 }]

test('an unchanged CSV or Parquet file is passed over, under any name, and nothing is written', async () => {
  const dir = join(tempDir(), 'archive')
  const csv = fileOf({ ...july, ...august })
  expect(await importing(dir, [csv])).toMatchObject({ rows: 3, changed: 2, passed: [false] })
  const before = treeOf(dir)
  const copy = tempFile('copy.csv', readFileSync(csv))
  expect(await importing(dir, [csv, copy])).toMatchObject({ files: 2, rows: 0, changed: 0, passed: [true, true] })
  expect(treeOf(dir)).toEqual(before)
  const parquet = tempFile('b.parquet', await toParquet(fromCsv(readFileSync(csv))))
  expect((await importing(dir, [parquet])).passed).toEqual([false])
  expect((await importing(dir, [parquet, csv])).passed).toEqual([true, true])
  writeFileSync(csv, readFileSync(csv, 'utf8').replace(',3\n', ',4\n'))
  expect(await importing(dir, [csv])).toMatchObject({ rows: 3, changed: 1, passed: [false] })
})

test('other options read it again, and so does a part that another file changed, was lost or damaged', async () => {
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
  const [part] = (await readManifest(dir))?.manifest.datasets['convertible_daily']?.parts ?? []
  writeFileSync(join(dir, part?.file ?? ''), 'damaged')
  expect(await importing(dir, [csv])).toMatchObject({ passed: [false], replaced: [part?.file] })
  expect((await importing(dir, [csv])).passed).toEqual([true])
})

test('saved replies are read each time: a page may need the others', async () => {
  const dir = join(tempDir(), 'archive')
  const data = { fields: ['tradedate', 'symbol', 'code'], items: [['20260701', '123001', '123001.SZ']] }
  const reply = tempFile('a.json', JSON.stringify({ code: 200, message: 'success', data }))
  await importing(dir, [reply])
  expect((await importing(dir, [reply])).passed).toEqual([false])
})

test('a manifest keeps no import that a later one has changed', async () => {
  const dir = join(tempDir(), 'archive')
  const files = [1, 2, 3].map((close) => fileOf({ ...july, '20260803 123001': close }))
  for (const file of files) await importing(dir, [file])
  const { parts = [] } = (await readManifest(dir))?.manifest.datasets['convertible_daily'] ?? {}
  expect(parts.map(({ imports }) => Object.values(imports ?? {}))).toEqual([[2], [2]])
})

test('any imports in any order leave what reading every file would leave', async () => {
  const bars = fc.dictionary(
    fc.constantFrom('20260701 123001', '20260702 123001', '20260803 123001', '20260901 123001'),
    fc.constantFrom(1, 2),
    { minKeys: 1 },
  )
  const steps = fc.tuple(
    fc.array(bars, { minLength: 2, maxLength: 3 }),
    fc.array(fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 8 }),
  )
  let passed = 0
  await fc.assert(
    fc.asyncProperty(steps, async ([kinds, imports]) => {
      const dir = join(tempDir(), 'archive')
      const files = kinds.map((one) => fileOf(one))
      const model: Bars = {}
      for (const step of imports) {
        const places = step.map((at) => at % kinds.length)
        const result = await importing(
          dir,
          places.map((at) => files[at] as string),
        )
        for (const at of places) Object.assign(model, kinds[at])
        expect(await barsIn(dir)).toEqual(model)
        passed += result.passed.filter(Boolean).length
      }
    }),
    { numRuns: 12 },
  )
  expect(passed).toBeGreaterThan(10)
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
