import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { CheckRun } from '../../src/checks/check.js'
import { connect } from '../../src/connect.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { objectsOf, texts } from '../../src/frame/read-columns.js'
import { loadDataset, type ReportDays } from '../../src/load/load-tables.js'
import { report, reportInput } from '../../src/load/market-report.js'
import type { Market } from '../../src/market.js'
import type { ReportInput } from '../../src/report/report-tables.js'
import { provenance } from '../../src/table/provenance.js'
import { cutOfSample } from './cut.js'

const [first, latest] = ['20260720', '20260729']
const days: ReportDays = { first, latest, all: tradingDays(first, latest) }
const since = (row: Readonly<Record<string, unknown>>): boolean => String(row.tradedate ?? row.trade_date) >= first

async function candidatesOf(market: Market, of: ReportDays): Promise<Table> {
  const [table] = await loadDataset(market, 'anomaly_forecast', of)
  return table as Table
}

const runsOf = ({ checks }: ReportInput, name: string): CheckRun[] =>
  checks.filter(({ check }) => check.name === name).flatMap(({ runs }) => runs)

/** Day, stock and rule of every candidate that the sample stored as computed from its day, up to `last`. */
async function stored(last: string): Promise<string[]> {
  const market = await connect()
  const all = await Promise.all(days.all.map((tradedate) => market.query('anomaly_forecast', { tradedate })))
  const keys = all.flatMap((table) =>
    objectsOf(table)
      .filter((row) => String(row.tradedate) <= last)
      .map((row) => `${row.tradedate} ${row.symbol} ${row.rule}`),
  )
  return keys.sort()
}

test.each(['20260728', '20260727', '20260729'])(
  'candidates computed up to %s stand in the report once',
  async (last) => {
    const market = await cutOfSample({
      anomaly_forecast: (row) => since(row) && String(row.computed_on) <= last,
      theme_daily: since,
    })
    const table = await candidatesOf(market, days)
    const keys = objectsOf(table).map((row) => `${row.tradedate} ${row.symbol} ${row.rule}`)
    expect(keys.length).toBeGreaterThan(5)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.filter((key) => key.slice(0, 8) <= last).sort()).toEqual(await stored(last))
    expect(keys.some((key) => key.startsWith('20260730'))).toBe(last === latest)
    expect(provenance(table)?.rows).toBe(table.numRows)
    const input = await reportInput(market, { days: days.all.length })
    expect(runsOf(input, 'anomaly')).toMatchObject([{ result: { rows: keys.length, ok: true } }])
  },
)

test('a forecast stands once, though the day it was computed on and its own day both bring it', async () => {
  const table = await candidatesOf(await connect(), { first, latest: '20260730', all: [...days.all, '20260730'] })
  const keys = objectsOf(table).map((row) => `${row.tradedate} ${row.symbol} ${row.rule}`)
  expect(keys.filter((key) => key.startsWith('20260730')).length).toBeGreaterThan(0)
  expect(new Set(keys).size).toBe(keys.length)
})

test('candidates newer than every other dataset are kept', async () => {
  const market = await cutOfSample({
    anomaly_forecast: since,
    theme_daily: (row) => since(row) && row.tradedate !== latest,
  })
  const table = await candidatesOf(market, { ...days, latest: '20260728', all: days.all.slice(0, -1) })
  const found = new Set(texts(table, 'tradedate'))
  expect(found.has('20260729') && found.has('20260730')).toBe(true)
})

test('without the index the flows are shown alone, and the page says so', async () => {
  const market = await cutOfSample({
    southbound_top10: since,
    theme_daily: (row) => since(row) && row.name !== '全A等权',
  })
  const input = await reportInput(market, { days: 5 })
  expect(input.flows?.sameDay).toBeUndefined()
  const page = await report(market, { days: 5 })
  expect(page).toContain('Without the index in this source no correlation is given.')
  expect(page).not.toMatch(/NaN|undefined/)
  const whole = (await reportInput(await connect(), { days: 5 })).flows
  expect(whole?.sameDay?.index).toEqual({ symbol: '880008', name: '全A等权' })
  expect([whole?.sameDay?.lag, whole?.nextDay?.lag]).toEqual([0, 1])
})

test('both bar sizes of ETFs are inputs with a checksum and stand in what was loaded', async () => {
  const market = await cutOfSample({ etf_minute: (row) => String(row.tradedate) >= '20260728' })
  const input = await reportInput(market, { days: 2 })
  const bars = input.source.inputs.map(({ dataset, rows }) => [dataset, rows])
  const checked = runsOf(input, 'vwap').map(({ label, result }) => [label, result.rows])
  expect(bars.map(([dataset]) => dataset)).toEqual(['etf_minute, 15m', 'etf_minute, 30m'])
  expect(bars).toEqual(checked)
  expect(new Set(input.source.inputs.map(({ sha256 }) => sha256)).size).toBe(2)
  const page = await report(market, { days: 2 })
  for (const [dataset, rows] of bars) {
    const shown = Number(rows).toLocaleString('en-US')
    expect(page.replace(/ data-label="[^"]*"/g, '')).toContain(
      `<td class="text"><code>${dataset}</code></td><td class="number">${shown}</td>`,
    )
  }
})

test('bars of 30 minutes are checked where there are none of 15', async () => {
  const kept = (row: Readonly<Record<string, unknown>>) => String(row['tradedate']) >= '20260728'
  const market = await cutOfSample({ etf_minute: (row) => kept(row) && row['period'] === '30m' })
  const input = await reportInput(market, { days: 2 })
  expect(input.source.inputs.map(({ dataset }) => dataset)).toEqual(['etf_minute, 30m'])
  expect(runsOf(input, 'bars').map(({ label, result }) => [label, result.ok])).toEqual([['etf_minute, 30m', true]])
  expect(await report(market, { days: 2 })).not.toMatch(/NaN|undefined/)
})

test('the header says which days there are, and that fewer are there than were asked for', async () => {
  const market = await cutOfSample({ theme_daily: (row) => String(row.tradedate) >= '20260727' })
  const page = await report(market, { days: 10 })
  expect(page).toContain('<dt>Days covered</dt><dd>2026-07-27 to 2026-07-29, 3 trading days; 10 were asked for</dd>')
  expect(await report(market, { days: 3 })).toContain('<dd>2026-07-27 to 2026-07-29, 3 trading days</dd>')
  expect(await report(market, { days: 1 })).toContain('<dd>2026-07-29, 1 trading day</dd>')
})
