import { expect, test } from 'vitest'
import { type Cells, groupBy, halfUp, rowsOf, scaled } from './rows.js'

const daily = rowsOf('convertible_daily')
const minutes = groupBy(rowsOf('convertible_minute'), 'tradedate', 'symbol')

test('a day is the sum of its bars, where no bar is missing', () => {
  let whole = 0
  for (const row of daily) {
    const bars = minutes.get(`${row.tradedate} ${row.code}`) ?? []
    expect(bars).toHaveLength(9)
    const traded = bars.filter((bar) => bar.vol !== 0)
    expect(row.open).toBe(traded[0]?.open)
    expect(row.high).toBe(Math.max(...traded.map((bar) => Number(bar.high))))
    expect(row.low).toBe(Math.min(...traded.map((bar) => Number(bar.low))))
    expect(row.close).toBe(bars.at(-1)?.close)
    const sum = (name: string, places: number): bigint =>
      bars.reduce((total, bar) => total + (bar[name] === null ? 0n : scaled(bar[name], places)), 0n)
    if (bars.some((bar) => bar.vol === null)) expect(scaled(row.vol, 0) > sum('vol', 0)).toBe(true)
    else {
      expect(scaled(row.vol, 0)).toBe(sum('vol', 0))
      expect(scaled(row.amount, 2)).toBe(sum('amount', 2))
      whole++
    }
  }
  expect(whole).toBeGreaterThan(1100)
  const days = new Set(daily.map((row) => row.tradedate))
  expect([...minutes.keys()].filter((key) => days.has(key.slice(0, 8)))).toHaveLength(daily.length)
})

test('each day begins at the close before it', () => {
  for (const rows of groupBy(daily, 'code').values()) {
    rows.slice(1).forEach((row, at) => {
      expect(row.pre_close).toBe(rows[at]?.close)
    })
  }
})

function percent(value: bigint, base: bigint): bigint {
  return halfUp((value - base) * 1_000_000n, base)
}

test('change, percentages and premiums follow from the published numbers', () => {
  for (const row of daily) {
    const [close, before] = [scaled(row.close, 3), scaled(row.pre_close, 3)]
    expect(scaled(row.change, 3)).toBe(close - before)
    expect(scaled(row.pct_chg, 4)).toBe(percent(close, before))
    expect(scaled(row.bond_over_rate, 4)).toBe(percent(close * 10n, scaled(row.bond_value, 4)))
    if (row.cb_over_rate !== null) {
      expect(scaled(row.cb_over_rate, 4)).toBe(percent(close * 10n, scaled(row.cb_value, 4)))
    }
    expect(`${row.symbol}.${String(row.code).slice(-2)}`).toBe(row.code)
  }
})

test('only the latest day lacks base values, of some bonds', () => {
  const lacking = (rows: Cells[]): number => rows.filter((row) => row.cb_over_rate === null).length
  const latest = daily.filter((row) => row.tradedate === '20260729')
  expect(lacking(daily)).toBe(lacking(latest))
  expect(lacking(latest)).toBeGreaterThan(1)
  expect(lacking(latest)).toBeLessThan(10)
})
