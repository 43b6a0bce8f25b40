import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { type FileNote, importFiles } from '../../src/archive/import/import-files.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { provenance } from '../../src/table/provenance.js'
import { tempDir, tempFile, treeOf } from '../helper/temp.js'

const bond = datasetOf('convertible_daily')
const qa = datasetOf('interactive_qa')
const reply = (data: object) => tempFile('reply.json', JSON.stringify({ code: 200, message: 'success', data }))
const quotes = (count: number) =>
  reply({
    fields: ['tradedate', 'symbol', 'code'],
    items: Array.from({ length: count }, (_, i) => ['20260701', `${100_000 + i}`, `${100_000 + i}.SZ`]),
  })
const page = (offset: number, count: number, total: number) => {
  const items = Array.from({ length: count }, (_, i) => {
    const id = `${offset + i}`
    return ['000001', '20260701', id, '2026-07-01 10:00:00', 'q', '2026-07-01 11:00:00', 'a', 1, false]
  })
  return reply({ fields: Object.keys(qa.columns), items, total, limit: count, offset })
}
const fresh = () => join(tempDir(), 'archive')

test('a reply at the row cap is refused: what came after it is not there', async () => {
  const dir = fresh()
  await expect(importFiles(dir, bond, [quotes(6000)])).rejects.toThrow('holds 6000 rows, the most a call gives')
  expect(treeOf(dir)).toEqual({})
  await expect(importFiles(dir, bond, [quotes(5999)])).resolves.toMatchObject({ rows: 5999 })
})

test('taken all the same, the archive never calls its answers complete', async () => {
  const dir = fresh()
  await importFiles(dir, bond, [quotes(6000)], { partial: true })
  const table = await new Archive(dir, 'test').query(bond, {}, { whole: true })
  expect(provenance(table)).toMatchObject({ complete: false, note: expect.stringContaining('had been cut') })
  await importFiles(dir, bond, [quotes(5)])
  expect(provenance(await new Archive(dir, 'test').query(bond, {}, { whole: true }))).toMatchObject({ complete: false })
})

test('pages must reach from the first row to the total that they state', async () => {
  await expect(importFiles(fresh(), qa, [page(0, 100, 250)])).rejects.toThrow('leaves out rows 101 to 250 of 250')
  const gap = [page(0, 100, 250), page(150, 100, 250)]
  await expect(importFiles(fresh(), qa, gap)).rejects.toThrow('leaves out rows 101 to 150 of 250')
  const whole = [page(200, 50, 250), page(0, 100, 250), page(100, 100, 250)]
  await expect(importFiles(fresh(), qa, whole)).resolves.toMatchObject({ rows: 250 })
})

test('bars that close no bucket of their period are refused', async () => {
  const bars = (minutes: string[]) =>
    tempFile(
      'b.csv',
      `tradedate,symbol,trademin,time\n${minutes.map((at) => `20260701,510300.SH,${at},09:30:00`).join('\n')}\n`,
    )
  const etf = datasetOf('etf_minute')
  const wrong = importFiles(fresh(), etf, [bars(['0930', '0945'])], { set: { period: '30m' } })
  await expect(wrong).rejects.toMatchObject({ line: 3, field: 'trademin' })
  await expect(importFiles(fresh(), datasetOf('convertible_minute'), [bars(['0945'])])).rejects.toThrow(
    'closes no 30m bucket',
  )
  await expect(importFiles(fresh(), etf, [bars(['1000', '1030'])])).rejects.toThrow('does not tell its bar period')
})

test('a misspelt rename is refused; columns that are not kept, or not there, are named', async () => {
  const file = tempFile('st.csv', 'tradedate,symbol,nm,extra\n20260701,000001,x,y\n')
  const st = datasetOf('st')
  await expect(importFiles(fresh(), st, [file], { rename: { nmm: 'name' } })).rejects.toThrow("no column 'nmm'")
  await expect(importFiles(fresh(), st, [file], { rename: { nm: 'nme' } })).rejects.toThrow("Did you mean 'name'?")
  const notes: FileNote[] = []
  await importFiles(fresh(), st, [file], { rename: { nm: 'name' }, onFile: (note) => notes.push(note) })
  expect(notes).toEqual([{ file: 'st.csv', rows: 1, ignored: ['extra'], absent: ['type', 'type_name'] }])
})

test('an interrupted import changes nothing', async () => {
  const dir = fresh()
  await importFiles(dir, bond, [quotes(5)])
  const before = treeOf(dir)
  await expect(importFiles(dir, bond, [quotes(9)], { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(treeOf(dir)).toEqual(before)
})

test('what a killed writer left in a new directory is no obstacle', async () => {
  const dir = fresh()
  const { mkdirSync, writeFileSync } = await import('node:fs')
  mkdirSync(join(dir, 'convertible_daily'), { recursive: true })
  writeFileSync(join(dir, 'convertible_daily/202607.abc.parquet.123.part'), '')
  await importFiles(dir, bond, [quotes(5)])
  expect(Object.keys(treeOf(dir)).filter((name) => name.endsWith('.part'))).toEqual([])
})
