import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { readFileColumns } from '../../../../src/data/archive/import/file-columns.js'
import { readBytes } from '../../../../src/data/archive/import/import-limits.js'
import { plainObjects } from '../../../../src/frame/table/plain-rows.js'
import { announcementsCheck } from '../../../../src/research/checks/dataset/check-announcements.js'
import { answerFrom, type Row, tableFrom } from '../../analysis/help.js'
import { verdictsOf, whysOf } from './sample-tables.js'

const name = 'finance_announcement'

const wire = (more: Row = {}): Row => ({
  symbol: '600519',
  event_date: '2026-04-20',
  title: '示例:2026年第一季度报告',
  summary: null,
  announcement_type: 'financial_report',
  content_url: null,
  ...more,
})

/** Version n of a record, disclosed on a day of April. */
const version = (version_no: number, day: number, more: Row = {}): Row =>
  wire({
    event_date: `2026-04-${day}`,
    record_id: 'R1',
    version_no,
    disclosed_at: `2026-04-${day}T18:00:00`,
    period: '20260331',
    ...more,
  })

const verdicts = (...rows: Row[]) => verdictsOf(announcementsCheck.check(tableFrom(name, rows)))

/** The rows that the sample keeps, with records and versions. */
async function stored(): Promise<Row[]> {
  const folder = new URL('../../../../data/sample/finance_announcement/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.parquet'))
  const parts = await Promise.all(
    files.map(async (file) => {
      const path = new URL(file, folder).pathname
      return (await readFileColumns(path, await readBytes(path), datasetOf(name))).columns
    }),
  )
  return parts.flatMap((columns) => plainObjects(columns, new Set())) as Row[]
}

test('versions of the sample put in another order are found', async () => {
  const rows = await stored()
  const second = rows.filter((row) => row.version_no === 2).slice(0, 5)
  for (const row of second) {
    const first = rows.find((one) => one.record_id === row.record_id && one.version_no === 1) as Row
    const swapped = { ...row, disclosed_at: first.disclosed_at, event_date: first.event_date }
    const earlier = { ...first, disclosed_at: row.disclosed_at, event_date: row.event_date }
    expect(verdicts(earlier, swapped)).toEqual(['pass', 'mismatch'])
  }
})

test('versions: gaps, doubles, order, period', () => {
  expect(verdicts(version(2, 21), version(1, 20))).toEqual(['pass', 'pass'])
  expect(verdicts(version(1, 20), version(1, 20))).toEqual(['pass', 'duplicate'])
  expect(verdicts(version(1, 21), version(2, 20))).toEqual(['pass', 'mismatch'])
  expect(verdicts(version(1, 20), version(3, 21))).toEqual(['pass', 'unverifiable'])
  expect(verdicts(version(1, 20), version(2, 21, { symbol: '600000' }))).toEqual(['pass', 'mismatch'])
  expect(verdicts(version(1, 20, { period: '20260630' }))).toEqual(['mismatch'])
  expect(verdicts(version(1, 20, { event_date: '2026-04-19' }))).toEqual(['warn'])
  expect(verdicts(version(0, 20))).toEqual(['mismatch'])
  const all = announcementsCheck.check(answerFrom(name, [version(2, 21)], { version: 'all' }))
  expect(whysOf(all)).toEqual(['version 2 without version 1'])
  expect(all.counts.mismatch).toBe(1)
})

test('rows of the wire', () => {
  expect(verdicts(wire(), wire())).toEqual(['pass', 'warn'])
  expect(verdicts(wire({ symbol: 'x' }), wire({ title: ' ' }), wire({ content_url: 'a.html' }))).toEqual([
    'mismatch',
    'mismatch',
    'warn',
  ])
  expect(verdicts(wire({ event_date: '20260420' }), wire({ event_date: '2026-04-20 18:00:00' }))).toEqual([
    'pass',
    'pass',
  ])
  const empty = announcementsCheck.check(tableFrom(name, [], Object.keys(wire())))
  expect([empty.rows, empty.ok]).toEqual([0, true])
})
