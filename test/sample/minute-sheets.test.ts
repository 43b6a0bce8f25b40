import { expect, test } from 'vitest'
import { bucketCloses } from '../../src/contract/session.js'
import { type Cells, groupBy, halfUp, rowsOf, scaled } from './rows.js'

const etf = rowsOf('etf_minute')
const bonds = rowsOf('convertible_minute')
const series = [
  ...[...groupBy(etf, 'tradedate', 'symbol', 'period').values()].map((bars) => ({ bars, factor: 100n })),
  ...[...groupBy(bonds, 'tradedate', 'symbol').values()].map((bars) => ({ bars, factor: 10n })),
]

test('a day of bars is whole: every bucket once, in order, the clock inside its minute', () => {
  for (const { bars } of series) {
    const period = bars[0]?.period === '15m' ? '15m' : '30m'
    expect(bars.map((bar) => bar.trademin)).toEqual(bucketCloses[period])
    for (const { time, trademin } of bars) expect(String(time).replaceAll(':', '').slice(0, 4)).toBe(trademin)
  }
})

test('vwap is cumulative turnover / (cumulative volume x factor), ROUND_HALF_UP to 3 decimals, exactly', () => {
  let checked = 0
  for (const { bars, factor } of series) {
    let [lots, cents] = [0n, 0n]
    for (const bar of bars) {
      if (bar.vol === null) break
      lots += scaled(bar.vol, 0)
      cents += scaled(bar.amount, 2)
      if (bar.vwap === null) expect(lots === 0n || String(bar.tradedate) < '20250821').toBe(true)
      else {
        expect(scaled(bar.vwap, 3)).toBe(halfUp(cents * 10n, lots * factor))
        checked++
      }
    }
  }
  expect(checked).toBeGreaterThan(26_000)
})

test('prices of a bar: all there or none; within high and low; turnover within them; no trade, no change', () => {
  for (const { bars, factor } of series) {
    let last: unknown = null
    for (const { open, high, low, close, vol, amount } of bars) {
      if (vol === 0) {
        expect([open, high, low, close, amount]).toEqual([last, last, last, last, 0])
        continue
      }
      const [o, h, l, c] = [open, high, low, close].map((price) => scaled(price, 3)) as [bigint, bigint, bigint, bigint]
      expect(l <= o && l <= c && o <= h && c <= h && l > 0n).toBe(true)
      if (vol !== null) {
        const [lots, cents] = [scaled(vol, 0), scaled(amount, 2)]
        expect(cents * 10n >= l * lots * factor && cents * 10n <= h * lots * factor).toBe(true)
      } else expect(amount).toBeNull()
      last = close
    }
  }
})

test('30-minute bars are made of 15-minute bars: sums, extremes, and the same close and vwap', () => {
  for (const bars of groupBy(etf, 'tradedate', 'symbol').values()) {
    const [short, long] = ['15m', '30m'].map((period) => bars.filter((bar) => bar.period === period)) as [
      Cells[],
      Cells[],
    ]
    expect(short).toHaveLength(17)
    long.forEach((bar, at) => {
      const parts = at === 0 ? short.slice(0, 1) : short.slice(at * 2 - 1, at * 2 + 1)
      const twin = parts.at(-1)
      expect([bar.trademin, bar.close, bar.vwap]).toEqual([twin?.trademin, twin?.close, twin?.vwap])
      if (parts.some((part) => part.vol === null)) expect([bar.vol, bar.amount]).toEqual([null, null])
      else {
        const sum = (name: string, places: number): bigint =>
          parts.reduce((total, part) => total + scaled(part[name], places), 0n)
        expect([scaled(bar.vol, 0), scaled(bar.amount, 2)]).toEqual([sum('vol', 0), sum('amount', 2)])
      }
      const traded = parts.filter((part) => part.vol !== 0)
      if (traded.length === 0) return
      expect(bar.open).toBe(traded[0]?.open)
      expect(bar.high).toBe(Math.max(...traded.map((part) => Number(part.high))))
      expect(bar.low).toBe(Math.min(...traded.map((part) => Number(part.low))))
    })
  }
})

test('the awkward cases are there', () => {
  const days = new Set(etf.map((bar) => bar.tradedate)).size
  const codes = new Set(etf.map((bar) => bar.symbol)).size
  expect(groupBy(etf, 'tradedate', 'symbol').size).toBeLessThan(days * codes)
  for (const symbol of ['510300.SH', '123124.SZ', '110059.SH']) {
    expect(groupBy([...etf, ...bonds], 'symbol', 'tradedate').has(`${symbol} 20260729`)).toBe(true)
  }
  for (const bars of [etf, bonds]) {
    expect(bars.some((bar) => bar.vol === null && bar.amount === null && bar.close !== null)).toBe(true)
    expect(bars.some((bar) => bar.vol === 0 && bar.close !== null && bar.vwap !== null)).toBe(true)
    expect(bars.some((bar) => bar.trademin === '1000' && bar.close === null && bar.vwap === null)).toBe(true)
    const early = bars.filter((bar) => String(bar.tradedate) < '20250821' && bar.trademin === '1500')
    const filled = new Set(early.map((bar) => bar.vwap !== null))
    expect(filled).toEqual(new Set([true, false]))
  }
})
