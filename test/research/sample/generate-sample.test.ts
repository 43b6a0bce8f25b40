import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { tradingDays } from '../../src/contract/calendar.js'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { type Batch, extent, generate, newsMeta } from '../../src/sample/generate-sample.js'
import type { SampleOptions } from '../../src/sample/sample-plan.js'
import { comparer } from '../../src/table/check-table.js'
import { decode } from '../../src/table/decode.js'
import { cellOf } from '../../src/table/values.js'
import { cpuTime } from '../helper/cpu-time.js'

const sizes: readonly SampleOptions[] = [
  {},
  { seed: 1, days: 1, symbols: 1 },
  { seed: 7, days: 23, symbols: 13, start: '20230626' },
]

function digest(options: SampleOptions): string {
  const hash = createHash('sha256')
  for (const batch of generate(options)) {
    const plain = (_: string, value: unknown): unknown =>
      value instanceof Map ? [...value] : ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value
    hash.update(JSON.stringify(batch, plain))
  }
  return hash.digest('hex')
}

test.each(sizes)('every batch keeps its contract: %o', (options) => {
  const seen = new Set<string>()
  let batches = 0
  for (const batch of generate(options)) {
    batches++
    if ('ticks' in batch) continue
    const dataset = datasetOf(batch.dataset)
    expect(batch.fields).toEqual([...Object.keys(dataset.columns), ...Object.keys(dataset.stored ?? {})])
    const columns = decode(dataset, batch.fields, batch.rows)
    expect(columns.length).toBeGreaterThan(0)
    const stored = Object.entries(dataset.stored ?? {}).flatMap(([name, column]) => (column.key ? [name] : []))
    const key = [...dataset.key, ...stored]
    const compare = comparer(columns, [...dataset.order, ...key])
    for (let row = 0; row < columns.length; row++) {
      const cells = key.map((name) => cellOf(columns.columns.get(name) as never, row))
      const id = `${batch.dataset} ${JSON.stringify(cells)}`
      expect(seen.has(id), id).toBe(false)
      seen.add(id)
      if (row > 0 && compare(row - 1, row) >= 0) expect.fail(`${batch.dataset} ${batch.partition}: order at ${row}`)
    }
    const size = dataset.partition === 'month' ? 6 : 8
    const days = columns.columns.get(dataset.day ?? '')
    if (days?.type === 'dictionary' && batch.partition !== 'whole')
      expect(new Set(days.dictionary.map((day) => day.slice(0, size)))).toEqual(new Set([batch.partition]))
  }
  expect(batches).toBe(extent(options).batches)
})

test('the default sample has every dataset but the share of tick files, and sixty days of ticks', () => {
  const all: Batch[] = [...generate()]
  const names = new Set(all.map((batch) => ('ticks' in batch ? 'ticks' : batch.dataset)))
  expect(names).toEqual(new Set([...datasetNames.filter((name) => name !== 'file_download'), 'ticks']))
  const days = tradingDays('20260506', '20260729')
  expect(days).toHaveLength(60)
  expect(all.flatMap((batch) => ('ticks' in batch ? [batch.ticks] : []))).toEqual(days)
  const bars = all.flatMap((batch) => ('dataset' in batch && batch.dataset === 'etf_minute' ? [batch.partition] : []))
  expect(bars).toEqual(['20250819', '20250820', '20250821', '20250822', '20250825', ...days])
  expect(extent()).toEqual({ batches: all.length, from: '20260506', to: '20260729' })
})

test('the committed sample is this one', () => {
  expect(digest({})).toMatchInlineSnapshot(`"38c7b68e69029f4811b0bae1be0225007c5cfaf13ab0c327bd577a57252656bc"`)
})

test('the same options give the same rows, in every time zone, and other seeds others', () => {
  const zone = process.env.TZ
  const made = ['Asia/Shanghai', 'Pacific/Kiritimati'].map((name) => {
    process.env.TZ = name
    return digest({ days: 12, symbols: 3 })
  })
  process.env.TZ = zone
  expect(new Set([...made, digest({ days: 12, symbols: 3 })]).size).toBe(1)
  expect(digest({ days: 12, symbols: 3, seed: 2 })).not.toBe(made[0])
})

/** Rows as text, of the datasets that are drawn symbol by symbol. */
function drawnRows(options: SampleOptions): Set<string> {
  const out = new Set<string>()
  for (const batch of generate(options)) {
    if ('ticks' in batch || !/minute|anomaly|convertible|st$|qa|southbound|theme_daily/.test(batch.dataset)) continue
    for (const row of batch.rows) out.add(batch.dataset + JSON.stringify(row))
  }
  return out
}

test('a larger sample holds the smaller one: more symbols and more days disturb nothing', () => {
  const small = drawnRows({ days: 8, symbols: 2 })
  expect(small.size).toBeGreaterThan(1000)
  for (const options of [
    { days: 8, symbols: 20 },
    { days: 30, symbols: 2 },
  ]) {
    const large = drawnRows(options)
    expect([...small].filter((row) => !large.has(row))).toEqual([])
  }
})

test('batches stream: the first comes before the rest is made', () => {
  const begin = cpuTime()
  const batches = generate({ days: 250, symbols: 1000 })
  const first = batches.next()
  batches.return()
  expect(first.done).toBe(false)
  expect(cpuTime() - begin).toBeLessThan(2000)
})

test('200 symbols over 30 days take seconds', () => {
  const begin = cpuTime()
  let rows = 0
  for (const batch of generate({ days: 30, symbols: 200 }))
    rows += 'ticks' in batch ? batch.columns.length : batch.rows.length
  expect(rows).toBeGreaterThan(600_000)
  expect(cpuTime() - begin).toBeLessThan(60_000)
})

test.each([
  [{ days: 0 }, /days must be a whole number/],
  [{ symbols: 1.5 }, /symbols must be a whole number/],
  [{ seed: Number.NaN }, /seed must be a whole number/],
  [{ days: 5000 }, /does not know 5000 days ending 20260729/],
  [{ start: '20211231' }, /begins with 2022/],
  [{ start: '2026-07-01' }, /YYYYMMDD/],
  [{ start: '20261201', days: 60 }, /does not know 60 days from 20261201/],
])('%o is refused', (options, message) => {
  expect(() => extent(options)).toThrow(message)
  expect(() => [...generate(options)]).toThrow(message)
})

test('the meta of the news speaks of the latest day', () => {
  expect(newsMeta()).toEqual({
    updated_at: '2026-07-29T22:25:00',
    upstream_collected_at: '2026-07-29T22:20:00+08:00',
    upstream_etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    upstream_snapshot_date: '2026-07-29',
    upstream_stale_sources: [],
    upstream_status: 'complete',
  })
})
