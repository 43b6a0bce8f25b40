import { expect, test } from 'vitest'
import { newsSources } from '../../src/contract/catalogue/news.js'
import { isBeijing } from '../../src/contract/symbol.js'
import { generate, newsMeta } from '../../src/sample/generate-sample.js'
import { bondName, stockName } from '../../src/sample/sample-names.js'
import { type Cells, groupBy, rowsOf } from './rows.js'

const samples = [{}, { hostile: true }]

function holds(rows: readonly Cells[], names: readonly string[], parts: readonly string[]): void {
  const text = rows.flatMap((row) => names.map((name) => row[name])).join('\u0000')
  for (const part of parts) expect(text.includes(part), part).toBe(true)
}

test.each(samples)(
  'finance_announcement: versions count up and are disclosed one after another, reports have their period: %o',
  (sample) => {
    const rows = rowsOf('finance_announcement', sample)
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
  },
)

test.each(samples)(
  'interactive_qa: ids of 19 digits, revisions in time, ambiguous ones share their time and differ: %o',
  (sample) => {
    const rows = rowsOf('interactive_qa', sample)
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
  },
)

test.each(samples)('news: four sources, newest first, nothing later than the snapshot that holds it: %o', (sample) => {
  const rows = rowsOf('news', sample)
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
})

test('a hostile sample holds what tests of texts need', () => {
  const announcements = rowsOf('finance_announcement', { hostile: true })
  expect(announcements.some((row) => String(row.title).startsWith('=1+1'))).toBe(true)
  const marks = ['"', ',', '\n', '\r\n', '<script>', '=HYPERLINK', "'", '\\']
  holds(announcements, ['title', 'summary'], marks)
  holds(rowsOf('interactive_qa', { hostile: true }), ['question', 'answer'], ['<img', '=SUM', '=cmd', '"', '\n', '📈'])
  holds(rowsOf('news', { hostile: true }), ['title', 'summary'], ['<script>', '"', "'", '&', '🚀', '=cmd', '\n'])
})

/** Columns that a hostile sample may change. */
const texts: Readonly<Record<string, readonly string[]>> = {
  news: ['title', 'summary', 'url'],
  finance_announcement: ['title', 'summary'],
  interactive_qa: ['question', 'answer'],
  theme_lib_detail_kp: ['introduction', 'desc', 'raw_payload'],
}

test('a hostile sample has other texts, and is the same in all else', () => {
  const hostile = generate({ days: 30, hostile: true })
  for (const batch of generate({ days: 30 })) {
    const other = hostile.next().value as typeof batch
    if ('ticks' in batch || 'ticks' in other) expect(other).toEqual(batch)
    else {
      const free = (texts[batch.dataset] ?? []).map((name) => batch.fields.indexOf(name))
      const rest = (rows: unknown[][]) =>
        rows.map((row) => row.map((cell, at) => (free.includes(at) ? cell === null : cell)))
      expect(rest(other.rows)).toEqual(rest(batch.rows))
      expect(JSON.stringify(other.rows) === JSON.stringify(batch.rows)).toBe(free.length === 0)
    }
  }
})

test('the texts of the shipped sample are prose: no markup, no formula, no blank left, no word that says example', () => {
  for (const [name, columns] of Object.entries({
    ...texts,
    hotstock: ['n'],
    st: ['name'],
    convertible_daily: ['name'],
  })) {
    for (const row of rowsOf(name as 'news')) {
      for (const column of columns) {
        const text = row[column]
        if (typeof text !== 'string' || column === 'introduction') continue
        expect(text).not.toMatch(/^[-=+@\t\r\n]|[<>{}]|示例|undefined/)
      }
    }
  }
})

test('a story that several sources tell has the same names and figures in all of them', () => {
  const told = new Map<string, Set<string>>()
  for (const row of rowsOf('news')) {
    const story = `${String(row.display_at).slice(0, 10)} ${String(row.title).replace(/[\d.]+/g, '#')}`
    told.set(story, (told.get(story) ?? new Set()).add(String(row.title)))
  }
  for (const titles of told.values()) expect(titles.size).toBe(1)
})

test('names are unique among as many stocks and bonds as a sample may have', () => {
  const places = [...Array(8000).keys()]
  expect(new Set(places.map(stockName)).size).toBe(8000)
  expect(new Set(places.slice(0, 4000).map(bondName)).size).toBe(4000)
  expect([stockName(0), stockName(48), bondName(0), bondName(48)]).toEqual([
    '云帆科技',
    '云帆股份',
    '云帆转债',
    '云帆转2',
  ])
})
