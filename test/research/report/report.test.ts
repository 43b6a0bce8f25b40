import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { decode } from '../../../src/frame/table/decode.js'
import { provenanceMetadata } from '../../../src/frame/table/provenance.js'
import { checks } from '../../../src/research/checks/all-checks.js'
import { checkVwap } from '../../../src/research/checks/vwap/check-vwap.js'
import { renderReport } from '../../../src/research/report/render-report.js'
import type { ReportInput } from '../../../src/research/report/report-tables.js'
import { sectionOf, tableOf } from '../../promise/helper/pages.js'

/** Sections over tables of a few made-up rows. */

const bare: ReportInput = { source: { name: 'nothing' }, tables: {}, checks: [] }

function given(
  name: DatasetName,
  fields: readonly string[],
  rows: readonly (readonly unknown[])[],
  about: object = {},
): Table {
  const dataset = datasetOf(name)
  const whole = {
    dataset: name,
    source: 'memory',
    request: { params: {}, fields },
    rows: rows.length,
    complete: true,
    ...about,
  }
  return toTable(decode(dataset, fields, rows), { ...dataset.columns, ...dataset.stored }, provenanceMetadata(whole))
}

test('lowest sums are exact decimals, ordered, and keep their number where one is not drawn', async () => {
  const fields = ['tradedate', 'symbol', 'name', 'code', 'close', 'cb_over_rate']
  const bond = (code: string, close: number | null, rate: number | null) => [
    '20260710',
    code.slice(0, 6),
    null,
    code,
    close,
    rate,
  ]
  const crowd = Array.from({ length: 100 }, (_, i) =>
    bond(`1132${String(i).padStart(2, '0')}.SH`, 120 + i / 5, 30 + i / 5),
  )
  const few = [
    bond('110002.SH', 0.1, 0.2),
    bond('110001.SH', 100.1, 10.2),
    bond('110003.SH', 100.2, 10.1),
    bond('110009.SH', 1, null),
  ]
  const tables = { convertible_daily: given('convertible_daily', fields, [...few, ...crowd]) }
  const made = sectionOf(await renderReport({ ...bare, tables }), 'convertible')
  expect(tableOf(made, 'Lowest double-low').slice(0, 3)).toEqual([
    ['110002.SH', '—', '1', '0.1', '0.2', '0.3'],
    ['110001.SH', '—', '2', '100.1', '10.2', '110.3'],
    ['110003.SH', '—', '3', '100.2', '10.1', '110.3'],
  ])
  expect(made).toContain('1 bond without close or premium is left out')
  expect(made).toContain('Not drawn, more than three interquartile ranges from the rest: 110002.SH.')
  const marks = [...made.matchAll(/<text[^>]*fill="var\(--ink\)"[^>]*>(\d)<\/text>/g)].map(([, mark]) => mark)
  // In the drawing, and in that for a telephone.
  expect(marks).toEqual(['2', '3', '4', '5', '2', '3', '4', '5'])
})

test('an incomplete table is never called complete; a line says which figures that touches, the appendix why', async () => {
  const fields = ['tradedate', 'symbol', 'name', 'type', 'close', 'pct_chg']
  const rows = ['20260709', '20260710'].map((day) => [day, '880008', '全A等权', 'tj', 4100, 0.5])
  const tables = { theme_daily: given('theme_daily', fields, rows, { complete: false, note: 'the 500 newest only' }) }
  const input = { ...bare, tables, asked: 9, source: { ...bare.source, changed: true }, inferred: ['20270104'] }
  const page = await renderReport(input)
  expect(tableOf(page, 'What was loaded')[0]).toEqual([
    'theme_daily',
    '2',
    '2026-07-09 to 2026-07-10',
    '2',
    '✗ not proven whole the 500 newest only',
    'none',
  ])
  expect(page).toMatch(/<p class="light amber">.* Take with care above: All A shares, equal weight\. /)
  const state = /<dd class="health">(.*)<\/dd>/.exec(page)
  for (const reason of [
    'the source changed while it was read',
    'not proven whole: theme_daily',
    '2 of the 9 days asked for',
    'inferred from weekdays',
  ])
    expect(state?.[1]).toContain(reason)
})

test('one reason is enough for amber', async () => {
  expect(await renderReport(bare)).toMatch(/<p class="light amber"><b>▲ Amber<\/b> not in this source: /)
})

test('an auction refuses columns that it does not know, and says what it has', async () => {
  const strange = toTable({ length: 1, columns: new Map([['<b>', { type: 'string', data: ['x'] }]]) }, {})
  const made = sectionOf(await renderReport({ ...bare, ticks: { day: '20260710', table: strange } }), 'auction')
  expect(made).toContain('has no symbol (text), time (text), m_price (number)')
  expect(made).toContain('It has: &lt;b&gt;.')
})

type Bar = readonly [minute: string, vol: number, amount: number, vwap: number | null]
const good: Bar = ['0930', 10, 4000, 4]
const none: Bar = ['0930', 0, 0, null]
/** Within what half a lot can explain, and not the number. */
const loose: Bar = ['0930', 1, 400, 4.2]

/** The appendix over the vwap of one bar a day. */
async function checked(...bars: readonly Bar[]): Promise<string> {
  const fields = ['tradedate', 'symbol', 'trademin', 'vol', 'amount', 'vwap']
  const rows = bars.map((bar, i) => ['20260701', `${510_300 + i}.SH`, ...bar])
  const result = checkVwap(given('etf_minute', fields, rows), { factor: 100, missing: 'no trade' })
  const check = checks.find(({ name }) => name === 'vwap')
  if (!check) throw new Error('no check of vwap')
  const page = await renderReport({ ...bare, checks: [{ check, runs: [{ label: 'etf_minute, 15m', result }] }] })
  return sectionOf(page, 'appendix')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('null beside null is no proof: it is counted apart, and never makes a check hold', async () => {
  const text = await checked(none, good)
  expect(text).toContain('vwap (etf_minute, 15m) ✓ confirmed')
  expect(text).toContain('(1 row without a value on either side)')
  expect(text).toMatch(/ equal 1 50\.00 .* equal, both missing 1 50\.00 /)
  expect(await checked(none)).toMatch(/vwap \(etf_minute, 15m\) – open /)
})

test('lot rounding may excuse one in a hundred compared values, not more', async () => {
  const many = Array.from({ length: 99 }, () => good)
  expect(await checked(...many, loose)).toContain('vwap (etf_minute, 15m) ✓ confirmed')
  expect(await checked(...many.slice(1), loose)).toMatch(
    /vwap \(etf_minute, 15m\) – open .*1\.01% of the values compared \(1\) differ and only volumes rounded to whole lots could explain it/,
  )
})
