import { expect, test } from 'vitest'
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
