import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { inOrder, merge, storedKey } from '../../../src/data/archive/merge-rows.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { decode } from '../../../src/frame/table/decode.js'
import { cellOf, type RecordColumns } from '../../../src/frame/table/values.js'
import { tempDir } from '../../helper/temp.js'

/** Rows that come again on another day than before, in datasets that are cut by days which are no part of their key. */

const answer = (day: string, qa_id: string, revision_no = 1, text = 'a') => ({
  symbol: '000001',
  event_date: day,
  qa_id,
  question_time: '2026-06-30 10:00:00',
  question: 'q',
  answer_time: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)} 10:00:00`,
  answer: text,
  revision_no,
  version_ambiguous: false,
})

const days = ['20260629', '20260630', '20260701', '20260702']
const day = fc.constantFrom(...days)
const dashed = (at: string) => `${at.slice(0, 4)}-${at.slice(4, 6)}-${at.slice(6)}T10:00:00`
const id = fc.constantFrom('1', '2', '3', '4', '5')

/** Datasets whose key has no day, with rows of each; some imports lack a column. */
const made: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  interactive_qa: fc
    .tuple(day, id, fc.integer({ min: 1, max: 2 }), fc.constantFrom('a', 'b'))
    .map((cells) => answer(...cells)),
  news: fc.record({
    published_at: fc.constantFrom(null, '2026-07-01T09:00:00'),
    display_at: day.map(dashed),
    source: fc.constantFrom('a', 'b'),
    source_name: fc.constant('n'),
    title: fc.constantFrom('t', 'u'),
    summary: fc.constantFrom(null, 's'),
    source_id: id,
    item_type: fc.constant('x'),
    updated_at: day.map(dashed),
  }),
  theme_lib_detail_kp: fc.record({
    theme_id: id,
    name: fc.constantFrom('m', 'n'),
    is_active: fc.boolean(),
    synced_at: day.map((at) => `${dashed(at)}+08:00`),
  }),
}

function plain(columns: RecordColumns): unknown[] {
  return Array.from({ length: columns.length }, (_, row) =>
    Object.fromEntries([...columns.columns].map(([name, values]) => [name, cellOf(values, row)])),
  )
}

const columnsOf = (dataset: Dataset, rows: readonly Record<string, unknown>[]): RecordColumns => {
  const names = Object.keys(rows[0] ?? {})
  return decode(
    dataset,
    names,
    rows.map((row) => names.map((name) => row[name])),
  )
}

test.each(Object.keys(made))('%s: any imports leave the rows that one file would hold, each key once', async (name) => {
  const dataset = datasetOf(name)
  const key = storedKey(dataset)
  const batch = fc
    .tuple(
      fc.uniqueArray(made[name] as fc.Arbitrary<Record<string, unknown>>, {
        minLength: 1,
        maxLength: 6,
        selector: (row) => JSON.stringify(key.map((column) => row[column])),
      }),
      fc.boolean(),
    )
    .map(([rows, isShort]) => (isShort ? rows.map(({ published_at: _, summary: __, ...row }) => row) : rows))
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
      const dir = join(tempDir(), 'archive')
      let whole: RecordColumns | undefined
      for (const rows of batches) {
        const writer = await ArchiveWriter.open(dir)
        await writer.put(dataset, columnsOf(dataset, rows), 'test')
        await writer.commit()
        whole = merge(dataset, whole, columnsOf(dataset, rows))
      }
      const archive = new Archive(dir, 'test')
      const held = await archive.read(async (snapshot) => {
        const parts = await Promise.all(snapshot.parts(name).map((part) => snapshot.load(name, part)))
        return parts.flatMap((columns) => plain(inOrder(dataset, columns)))
      })
      const text = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
      expect(text(held)).toEqual(text(plain(whole as RecordColumns)))
      expect(new Set(held.map((row) => JSON.stringify(key.map((column) => (row as never)[column])))).size).toBe(
        held.length,
      )
    }),
    { numRuns: 25 },
  )
})
