import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { dateIn } from '../../../src/contract/date.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { archiveStatus } from '../../../src/data/archive/archive-status.js'
import { dayColumn } from '../../../src/data/archive/merge-rows.js'
import { syncArchive } from '../../../src/data/sync/sync.js'
import { digest } from '../../../src/frame/table/digest.js'
import { gatherRows } from '../../../src/frame/table/gather-cells.js'
import { provenance } from '../../../src/frame/table/provenance.js'
import { type ColumnData, nulls, type RecordColumns, textCells } from '../../../src/frame/table/values.js'
import { tempDir } from '../../helper/temp.js'
import { Growing } from '../archive/coverage/growing.js'

type Fault = (dataset: Dataset, columns: RecordColumns) => RecordColumns

const rowsWhere = (columns: RecordColumns, test: (row: number) => boolean): RecordColumns =>
  gatherRows(columns, Array.from({ length: columns.length }, (_, row) => row).filter(test))

/** A fault on the rows of one day alone. */
function on(day: string, test: (row: number) => boolean): Fault {
  return (dataset, columns) => {
    const days = textCells(columns, dayColumn(dataset) ?? '').map((word) => dateIn(word ?? ''))
    return rowsWhere(columns, (row) => days[row] !== day || test(row))
  }
}

/** Of a list the end is not there, since a rank between others would be missed. */
const withoutEnd: Fault = (dataset, columns) => {
  const ranks = columns.columns.get('rank') as Extract<ColumnData, { type: 'int' }>
  return on('20260708', (row) => (ranks.data[row] as number) <= 2)(dataset, columns)
}
const everyFifth = on('20260708', (row) => row % 5 !== 2)

function stand(name: string) {
  const source = new Growing('20260710')
  const dir = join(tempDir(), 'own')
  let fault: Fault | undefined
  source.mend = (dataset, columns) => (dataset.name === name ? (fault?.(dataset, columns) ?? columns) : columns)
  const archive = new Archive(dir, 'own')
  /** A sync on an evening; the fault holds for it alone. */
  const sync = async (day: string, wrong?: Fault) => {
    fault = wrong
    source.until = day
    const time = (): number => Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T22:30:00+08:00`)
    const { datasets, ok } = await syncArchive(source, { archive: dir, datasets: [name], from: '20260706', time })
    fault = undefined
    return { ...(datasets[0] as (typeof datasets)[0]), ok }
  }
  const read = async (params: object, days?: readonly string[]) =>
    archive.query(datasetOf(name), params, { whole: true, ...(days ? { days: days as [string] } : {}) })
  const status = async () =>
    (await archive.read((snapshot) => archiveStatus(snapshot))).filter((one) => one.waiting > 0)
  return { sync, read, status, archive }
}

const range = { startdate: '20260706', enddate: '20260709' }
// biome-ignore format: a table, one dataset a line
const asked: [string, object, string[] | undefined][] = [
  ['theme_daily', { type: 'tj', ...range }, undefined],
  ['southbound_top10', range, undefined],
  ['interactive_qa', { ...range, version: 'all' }, undefined],
  ['hotstock', { type: 'ths&normal' }, ['20260708']],
  ['convertible_daily', range, undefined],
]

test.each(asked)(
  '%s: rows that one answer lacks stay, and are asked for on the next day',
  async (name, params, days) => {
    const { sync, read, status } = stand(name)
    await sync('20260714')
    const before = await read(params, days)
    const day = name === 'hotstock' ? '20260721' : '20260715'
    const bad = await sync(day, name === 'hotstock' ? withoutEnd : everyFifth)
    expect([bad.waiting, bad.again.includes('20260708'), bad.ok]).toEqual([['20260708'], true, true])
    const held = await read(params, days)
    expect(digest(held)).toBe(digest(before))
    expect(provenance(held)?.suspect).toMatchObject([{ law: 'waiting' }])
    expect((await status()).slice(0, 1).map((one) => [one.waiting, one.why])).toMatchObject([
      [1, expect.stringContaining('20260708')],
    ])
    const next = day === '20260715' ? '20260716' : '20260722'
    const good = await sync(next)
    expect([good.again.includes('20260708'), good.waiting, good.revisions]).toEqual([true, [], 0])
    expect([digest(await read(params, days)), await status()]).toEqual([digest(before), []])
  },
)

test('what two days lack alike is gone then, kept as a revision; what they lack each in another way stays', async () => {
  const { sync, read } = stand('theme_daily')
  await sync('20260714')
  const before = await read({ type: 'tj', ...range })
  await sync('20260715', everyFifth)
  expect(
    (
      await sync(
        '20260716',
        on('20260708', (row) => row % 7 !== 1),
      )
    ).waiting,
  ).toEqual(['20260708'])
  expect((await read({ type: 'tj', ...range })).numRows).toBe(before.numRows)
  const rest = on('20260708', (row) => row % 7 !== 1)
  const stands = await sync('20260717', rest)
  expect(stands.waiting).toEqual([])
  expect(stands.revisions).toBeGreaterThan(0)
  expect((await read({ type: 'tj', ...range })).numRows).toBeLessThan(before.numRows)
})

test('values that turn null stay; rows and values that are new or others are taken at once', async () => {
  const { sync, read, archive } = stand('theme_daily')
  const few = on('20260708', (row) => row % 9 !== 4)
  await sync('20260714', few)
  const lacking = await read({ type: 'tj', ...range })
  const empty: Fault = (dataset, columns) => {
    const days = textCells(columns, dayColumn(dataset) ?? '').map((word) => dateIn(word ?? ''))
    const close = columns.columns.get('close') as Extract<ColumnData, { type: 'float' }>
    const all = new Map(columns.columns)
    all.set('close', { ...close, data: close.data.map((cell, row) => (days[row] === '20260708' ? cell + 1 : cell)) })
    all.set('amount', nulls('float', columns.length))
    return { length: columns.length, columns: all }
  }
  const bad = await sync('20260715', empty)
  expect(bad.waiting).toContain('20260708')
  const held = await read({ type: 'tj', ...range })
  expect(held.numRows).toBeGreaterThan(lacking.numRows)
  const waiting = (await archive.manifest()).datasets.theme_daily?.waiting?.['']?.['20260708']
  expect(waiting).toMatchObject({ asked: '20260715', rows: 0 })
  expect(waiting?.cells).toBeGreaterThan(0)
})

test('a settled day that comes back empty, or without its last bars, stays and is named until it is whole again', async () => {
  const { sync, read, status } = stand('etf_minute')
  await sync('20260714')
  const bars = async () => digest(await read({ period: '30m' }, ['20260708']))
  const before = await bars()
  const none = on('20260708', () => false)
  for (const [i, day] of ['20260721', '20260722', '20260723'].entries()) {
    expect((await sync(day, i === 1 ? everyFifth : none)).waiting).toEqual(['20260708'])
    expect([await bars(), (await status()).length]).toEqual([before, 2])
  }
  expect([(await sync('20260724')).waiting, await bars()]).toEqual([[], before])
})
