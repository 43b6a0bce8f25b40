import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbers, rowsOf, strings, toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { toDataFrame } from '../../../../src/frame/to-data-frame.js'
import { sort } from '../../../../src/frame/verb/sort.js'
import { auctionMatch } from '../../../../src/research/analysis/auction/auction-match.js'
import { openingGaps } from '../../../../src/research/analysis/auction/opening-gaps.js'
import { auctions, plain, shuffled, type Tick, ticksOf } from './help.js'

/** Closes at 10 the day before; a match at some price, and a snapshot before 09:20. */
function opened(symbol: string, price: number, seen: number): Partial<Tick>[] {
  const at = (m_price: number, time: string) => ({
    symbol,
    time,
    m_price,
    auc_pct_chg: Math.round((m_price - 10) * 1000) / 100,
  })
  return [at(seen, '09:19:57'), at(price, '09:25:00')]
}

const day = '20260729'
const bar = (symbol: string, low: number, high: number) => ({
  tradedate: day,
  symbol,
  trademin: '0930',
  open: low,
  low,
  high,
})

test('a table by hand: size, share seen, filled or not', () => {
  const ticks = ticksOf([
    ...opened('000001.SZ', 10.2, 10.1),
    ...opened('000002.SZ', 9.5, 10.25),
    ...opened('000004.SZ', 10, 10.1),
    ...opened('000005.SZ', 10.4, 10.4),
    { symbol: '000006.SZ', time: '09:20:00' },
  ])
  const bars = fromRows([bar('000001', 9.99, 10.3), bar('000002', 9.4, 9.99), bar('000005', 10.01, 11)])
  const closes = fromRows([
    { tradedate: day, code: '000001', close: 10 },
    { tradedate: day, code: '000002', close: 9.8 },
    { tradedate: day, code: '000004', close: 11 },
  ])
  const { table, days } = openingGaps(auctionMatch(ticks, { bars }), { closes })
  const row = (symbol: string, gap_pct: number | null, direction: string | null, seen_pct: number | null) => ({
    symbol,
    gap_pct,
    direction,
    seen_pct,
  })
  expect(toObjects(table)).toMatchObject([
    { ...row('000002.SZ', -5, 'down', -50), filled_first: false, close_pct: -2, filled_close: false },
    { ...row('000005.SZ', 4, 'up', 100), filled_first: false, close: null, filled_close: null },
    { ...row('000001.SZ', 2, 'up', 50), filled_first: true, close_pct: 0, filled_close: true },
    { ...row('000004.SZ', 0, 'flat', null), filled_first: null, close_pct: 10, filled_close: null },
    { ...row('000006.SZ', null, null, null), status: 'no snapshot', prev_close: 10 },
  ])
  expect(toObjects(days)).toEqual([
    { tradedate: day, symbols: 5, ups: 2, downs: 1, flats: 1, unknown: 1, median_gap_pct: 1, matched_pct: 80 },
  ])
})

test('counts add up, gaps go down in size, the direction is the sign, and the order of the rows changes nothing', () => {
  fc.assert(
    fc.property(auctions, fc.nat(), (rows, seed) => {
      if (rows.length === 0) return
      const matches = auctionMatch(ticksOf(rows))
      const { table, days } = openingGaps(matches)
      expect(table.numRows).toBe(matches.numRows)
      for (const { symbols, ups, downs, flats, unknown } of toObjects(days) as Record<string, number>[])
        expect((ups ?? 0) + (downs ?? 0) + (flats ?? 0) + (unknown ?? 0)).toBe(symbols)
      const gaps = [...numbers(table, 'gap_pct')]
      const sizes = gaps.filter((gap) => !Number.isNaN(gap)).map(Math.abs)
      expect(gaps.slice(0, sizes.length)).not.toContain(Number.NaN)
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
      strings(table, 'direction').forEach((direction, i) => {
        if (direction !== null) expect({ up: 1, down: -1, flat: 0 }[direction]).toBe(Math.sign(gaps[i] as number) + 0)
      })
      const other = openingGaps(toDataFrame(sort(auctionMatch(ticksOf(shuffled(rows, seed))), '-symbol')))
      expect([rowsOf(other.table), rowsOf(other.days)]).toEqual([rowsOf(table), rowsOf(days)])
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  )
})

test('bounds: what they leave open is not said', () => {
  const match = (m_price: number, auc_pct_chg: number) =>
    auctionMatch(ticksOf([{ symbol: '600519.SH', m_price, auc_pct_chg }]))
  const row = (matches: ReturnType<typeof match>, close: number) => {
    const closes = fromRows([{ tradedate: day, code: '600519.SH', close }])
    const [found] = toObjects(openingGaps(matches, { closes }).table)
    return [found?.direction, found?.gap_pct, found?.filled_close]
  }
  expect(row(match(1480, 0), 1400)).toEqual([null, 0, null])
  const up = match(1514.8, 2.35)
  expect([numbers(up, 'prev_low')[0], numbers(up, 'prev_high')[0]]).toEqual([1479.95, 1480.09])
  expect(row(up, 1480.1)).toEqual(['up', 2.35, false])
  expect(row(up, 1480)).toEqual(['up', 2.35, null])
  expect(row(up, 1479.95)).toEqual(['up', 2.35, true])
})

test('another table is refused by the names that it lacks', () => {
  const wrong = () => openingGaps(ticksOf([plain]))
  expect(wrong).toThrow(expect.objectContaining({ code: 'MISSING_COLUMN' }))
  expect(wrong).toThrow(
    /takes the table of auctionMatch; this table has no status, price, prev_close, .* it has: tradedate, symbol, time/,
  )
})
