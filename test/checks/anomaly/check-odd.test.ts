import { expect, test } from 'vitest'
import { readCandidates } from '../../../src/checks/anomaly/candidates.js'
import { checkAnomalies } from '../../../src/checks/anomaly/check-anomalies.js'
import { computeAnomalies } from '../../../src/checks/anomaly/compute/compute-anomalies.js'
import { begunAnewIn } from '../../../src/checks/anomaly/series-checks.js'
import { tradingDays } from '../../../src/contract/calendar.js'
import { objectsOf, texts } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/table/from-rows.js'
import { type Row, tableFrom } from '../../analysis/help.js'
import { chances } from '../../helper/chance.js'
import { archiveRows } from './market.js'

const dates = tradingDays('20250602', '20250731')
const fields = Object.keys(archiveRows({ days: 40 })[0] ?? {})

/** Daily closes of one stock beside an index that stands still, and all rows that follow from them. */
function stock(symbol: string, code: string, closes: readonly number[]) {
  const prices = closes.map((close, i): Row => ({ tradedate: dates[i], symbol, name: '样本股份', close }))
  const benchmarks = closes.map((_, i): Row => ({ tradedate: dates[i], code, close: 1000 }))
  const quotes = { prices: fromRows([...prices]), benchmarks: fromRows(benchmarks) }
  const { table } = computeAnomalies(quotes.prices, quotes.benchmarks, undefined, undefined, { resets: 'none' })
  const rows = objectsOf(table).map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
  return { quotes, rows, prices }
}

test('a fall on the last of three days leaves a rise reachable, with a deviation that goes the other way', () => {
  const { rows } = stock('920001', '899050.BJ', [10, 10, 13, 9.36])
  const up = rows.filter((row) => row['tradedate'] === dates[3] && String(row['rule']).includes('+40'))
  expect(up).toMatchObject([{ deviation_pct: -6.4, required_pct_chg: 7.6923, status: 'reachable' }])
  expect(checkAnomalies(tableFrom('anomaly_forecast', rows)).counts).toMatchObject({ inconsistent: 0, invalid: 0 })
})

const rising = stock('300001', '399102.SZ', [10, 10, 12, 14.4, 17.28, 20.74, 24.89, 29.87])

test('rows of counted movements contradict no other row: their days are not those of the deviation', () => {
  const { counts, table } = checkAnomalies(tableFrom('anomaly_forecast', rising.rows))
  expect(counts).toMatchObject({ warn: 0, inconsistent: 0, invalid: 0 })
  expect(counts.unverifiable).toBe(1)
  const open = objectsOf(table).filter(({ verdict }) => verdict === 'unverifiable')
  expect(open.every(({ rule }) => String(rule).includes('次出现同向异常波动'))).toBe(true)
})

test('with prices rows of counted movements are compared as the others, and missed when they are gone', () => {
  const check = (rows: readonly Row[]) => checkAnomalies(tableFrom('anomaly_forecast', rows), rising.quotes)
  const isCount = (row: Row): boolean => String(row['rule']).includes('次')
  const all = check(rising.rows)
  expect(all.counts).toMatchObject({ equal: rising.rows.length, mismatch: 0, unexpected: 0 })
  expect(all.absent.numRows).toBe(0)
  const at = rising.rows.findIndex(isCount)
  const changed = check(rising.rows.with(at, { ...rising.rows[at], elapsed_days: 9 }))
  expect(changed.counts.equal).toBe(rising.rows.length - 1)
  expect(texts(changed.table, 'why')[at]).toMatch(/elapsed_days is 9, computed 3|12 days/)
  expect(check(rising.rows.filter((row) => !isCount(row))).absent.numRows).toBe(0)
})

test('a column list_date without any value is no column', () => {
  const { prices, quotes } = rising
  const given = fromRows(prices.map((row) => ({ ...row, list_date: null })))
  const options = { resets: 'none' } as const
  const { table, refused } = computeAnomalies(given, quotes.benchmarks, undefined, undefined, options)
  expect([table.numRows, refused.numRows]).toEqual([rising.rows.length, 0])
  const check = checkAnomalies(tableFrom('anomaly_forecast', rising.rows), { ...quotes, prices: given })
  expect(check.counts.equal).toBe(rising.rows.length)
})

const sound = archiveRows({ days: 60, seed: 3 })

test.each([
  ['elapsed_days', 1e9, 'invalid'],
  ['elapsed_days', -1e9, 'invalid'],
  ['pct_chg', 1e18, 'warn'],
  ['tradedate', null, 'invalid'],
  ['tradedate', 'abc', 'invalid'],
] as const)('%s %s in a row is named, quickly, and blames no other', (column, value, verdict) => {
  const at = sound.findIndex(
    (row) => row['pct_chg'] !== null && row['status'] === 'reachable' && String(row['rule']).includes('-'),
  )
  const rows = sound.with(at, { ...sound[at], [column]: value })
  const found = texts(checkAnomalies(fromRows([...rows])).table, 'verdict')
  expect(found[at]).toBe(verdict)
  expect(found.filter((one) => one !== 'pass')).toHaveLength(1)
})

test('a name that a mark has cut is the same name', () => {
  const { rows } = stock('600519', '000002.SH', [10, 10, 11, 12.1, 13.31, 14.64, 16.1, 17.71])
  const named = (name: string) => {
    const given = rows.map((row) => ({ ...row, name: row['tradedate'] === dates[5] ? name : '贵州茅台' }))
    const found = objectsOf(checkAnomalies(tableFrom('anomaly_forecast', given)).table)
    return found.filter(({ broken }) => String(broken).includes('name')).length
  }
  expect(['XD贵州茅', 'DR贵州茅', 'ST茅台', '*ST茅台', 'N贵州'].map(named)).toEqual([0, 0, 0, 0, 0])
  expect(named('贵州茅合')).toBeGreaterThan(0)
  expect(named('贵州茅')).toBeGreaterThan(0)
  expect(named('XD贵川茅')).toBeGreaterThan(0)
})

/** Closes in whole cents that rise and fall in runs, within a limit of 20 %. */
function runsOf(random: () => number, days: number): number[] {
  let [close, pace, left] = [1000 + Math.floor(random() * 4000), 0, 0]
  return Array.from({ length: days }, () => {
    if (left-- <= 0) [pace, left] = [random() < 0.5 ? (random() < 0.6 ? 0.13 : -0.13) : 0, 2 + Math.floor(random() * 7)]
    const change = Math.max(-0.19, Math.min(0.19, pace + (random() - 0.5) * 0.08))
    close = Math.max(100, Math.round(close * (1 + change)))
    return close / 100
  })
}

test('rows of measures that begin anew after a movement contradict nothing', () => {
  const random = chances(12)
  const stocks = Array.from({ length: 12 }, (_, i) => ({ symbol: `${300001 + i}`, closes: runsOf(random, 40) }))
  const prices = stocks.flatMap(({ symbol, closes }) =>
    closes.map((close, i): Row => ({ tradedate: dates[i], symbol, name: `样本${symbol}`, close })),
  )
  let level = 3000
  const benchmarks = dates.slice(0, 40).map((tradedate): Row => {
    level = Math.round(level * (1 + (random() - 0.5) * 0.03) * 100) / 100
    return { tradedate, code: '399102.SZ', close: level }
  })
  for (const resets of ['computed', 'none'] as const) {
    const { table } = computeAnomalies(fromRows(prices), fromRows(benchmarks), undefined, undefined, { resets })
    const rows = objectsOf(table).map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
    expect(rows.length).toBeGreaterThan(150)
    const { counts } = checkAnomalies(tableFrom('anomaly_forecast', rows))
    expect(counts).toMatchObject({ warn: 0, inconsistent: 0, invalid: 0 })
  }
})

test('a verification halt explains why a measure begins anew, and is no sign that others do', () => {
  const halted = [10, 12, 14.4, null, 16.5, 18.4, 18.5]
  const other = [10, 12, 14.4, 14.4]
  const row = (symbol: string) => (close: number | null, i: number) => ({
    tradedate: dates[i],
    symbol,
    name: symbol,
    close,
  })
  const prices = fromRows([...halted.map(row('300001')), ...other.map(row('300002'))])
  const index = fromRows(dates.slice(0, 7).map((tradedate) => ({ tradedate, code: '399102.SZ', close: 1000 })))
  const halts = [{ symbol: '300001.SZ', tradedate: dates[3] as string }]
  const { table } = computeAnomalies(prices, index, undefined, undefined, { resets: 'none', halts })
  const { rows } = readCandidates(table)
  const of = (symbol: string, at: number) => rows.find((one) => one.symbol === symbol && one.tradedate === dates[at])
  const [own, others] = [of('300001', 5), of('300002', 3)]
  if (!own || !others) throw new Error('rows after the halt')
  expect([own, others].map(begunAnewIn(rows))).toEqual([true, true])
  expect([own, others].map(begunAnewIn(rows, halts))).toEqual([true, false])
  expect(checkAnomalies(table, { halts }).counts).toMatchObject({ warn: 0, inconsistent: 0, invalid: 0 })
  const priced = checkAnomalies(table, { prices, benchmarks: index, halts })
  expect([priced.counts.equal, priced.resets]).toEqual([table.numRows, 'none'])
  expect(checkAnomalies(table, { prices, benchmarks: index }).counts.equal).toBeLessThan(table.numRows)
})
