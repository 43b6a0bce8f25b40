import { expect, test } from 'vitest'
import { newsSources } from '../../src/contract/catalogue/news.js'
import { isBeijing } from '../../src/contract/symbol.js'
import { newsMeta } from '../../src/sample/generate-sample.js'
import { type Cells, groupBy, rowsOf } from './rows.js'

function holds(rows: readonly Cells[], names: readonly string[], parts: readonly string[]): void {
  const text = rows.flatMap((row) => names.map((name) => row[name])).join('\u0000')
  for (const part of parts) expect(text.includes(part), part).toBe(true)
}

test('finance_announcement: versions count up and are disclosed one after another, reports have their period', () => {
  const rows = rowsOf('finance_announcement')
  expect(rows.length).toBeGreaterThan(400)
  for (const versions of groupBy(rows, 'record_id').values()) {
    const times = versions.map((row) => [row.version_no, row.disclosed_at] as const).sort()
    expect(times.map(([no]) => no)).toEqual(times.map((_, at) => at + 1))
    expect(times.map(([, at]) => at)).toEqual(times.map(([, at]) => at).sort())
    expect(new Set(versions.map((row) => `${row.symbol} ${row.announcement_type} ${row.period}`)).size).toBe(1)
  }
  for (const row of rows) {
    expect(row.period !== null).toBe(row.announcement_type === 'financial_report')
    expect(String(row.disclosed_at).replace('T', ' ').startsWith(String(row.event_date))).toBe(true)
    expect(String(row.disclosed_at) < '2026-07-30').toBe(true)
    if (row.period !== null) expect(String(row.period) < String(row.disclosed_at).replaceAll('-', '')).toBe(true)
  }
  const periods = new Set(rows.map((row) => row.period))
  expect([...periods].sort()).toEqual(['20260331', '20260630', null])
  expect(rows.some((row) => row.version_no === 2 && row.period !== null)).toBe(true)
  expect(new Set(rows.map((row) => String(row.event_date).length))).toEqual(new Set([10, 19]))
  for (const name of ['summary', 'content_url']) expect(rows.some((row) => row[name] === null)).toBe(true)
  expect(new Set(rows.map((row) => row.announcement_type)).size).toBe(3)
  expect(rows.some((row) => String(row.title).startsWith('=1+1'))).toBe(true)
  holds(rows, ['title', 'summary'], ['"', ',', '\n', '\r\n', '<script>', '=HYPERLINK', "'", '\\'])
})

test('interactive_qa: ids of 19 digits, revisions in time, ambiguous ones share their time and differ', () => {
  const rows = rowsOf('interactive_qa')
  let ambiguous = 0
  for (const revisions of groupBy(rows, 'qa_id').values()) {
    const sorted = [...revisions].sort((a, b) => Number(a.revision_no) - Number(b.revision_no))
    expect(sorted.map((row) => row.revision_no)).toEqual(sorted.map((_, at) => at + 1))
    const times = sorted.map((row) => String(row.answer_time))
    expect(times).toEqual([...times].sort())
    for (const row of sorted) {
      const twins = sorted.filter((other) => other.answer_time === row.answer_time)
      expect(row.version_ambiguous).toBe(twins.length > 1)
      expect(new Set(twins.map((twin) => twin.answer)).size).toBe(twins.length)
      if (twins.length > 1) ambiguous++
    }
  }
  expect(ambiguous).toBeGreaterThan(10)
  expect(rows.some((row) => row.revision_no === 3)).toBe(true)
  for (const row of rows) {
    expect(row.qa_id).toMatch(/^\d{19}$/)
    expect(String(row.event_date) >= '20260626').toBe(true)
    expect(String(row.answer_time).slice(0, 10).replaceAll('-', '')).toBe(row.event_date)
    expect(String(row.question_time) < String(row.answer_time)).toBe(true)
    expect(isBeijing(String(row.symbol))).toBe(false)
  }
  holds(rows, ['question', 'answer'], ['<img', '=SUM', '"', '\n', '📈'])
})

test('news: four sources, newest first, nothing later than the snapshot that holds it', () => {
  const rows = rowsOf('news')
  expect(rows).toHaveLength(300)
  expect(new Set(rows.map((row) => row.source))).toEqual(new Set(newsSources))
  const times = rows.map((row) => String(row.display_at))
  expect(times).toEqual([...times].sort().reverse())
  const published = newsMeta().updated_at
  for (const row of rows) {
    expect(String(row.display_at) <= String(row.updated_at)).toBe(true)
    expect(String(row.updated_at) <= published).toBe(true)
    if (row.published_at !== null) expect(row.published_at).toBe(row.display_at)
  }
  for (const name of ['published_at', 'time_label', 'summary', 'url', 'image', 'rank']) {
    expect(rows.some((row) => row[name] === null) && rows.some((row) => row[name] !== null), name).toBe(true)
  }
  holds(rows, ['title', 'summary'], ['<script>', '"', "'", '&', '🚀', '=cmd', '\n'])
})
