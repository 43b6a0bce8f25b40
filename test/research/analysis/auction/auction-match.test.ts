import { expect, test } from 'vitest'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { select } from '../../../../src/frame/verb/select.js'
import { auctionMatch, type MatchOptions } from '../../../../src/research/analysis/auction/auction-match.js'
import { plain, type Tick, ticksOf } from './help.js'

type Row = Record<string, unknown>
const one = (rows: readonly Partial<Tick>[], options?: MatchOptions): Row =>
  toObjects(auctionMatch(ticksOf(rows), options))[0] ?? {}

test('a close that is given: the last day before, compared with the percentages', () => {
  const closes = (close: number, tradedate = '20260728', code = '000001') => ({
    closes: fromRows([
      { tradedate: '20260727', code: '000001.SZ', close: 9 },
      { tradedate, code, close },
      { tradedate: '20260729', code: '000001.SZ', close: 12 },
    ]),
  })
  const given = { prev_close: 10, prev_day: '20260728', prev_source: 'given', gap_pct: 1 }
  expect(one([{}], closes(10))).toMatchObject(given)
  const apart = {
    prev_close: null,
    prev_source: 'conflict',
    gap_pct: null,
    gap_0920_pct: null,
    prev_low: 10,
    prev_high: 10,
  }
  expect(one([{}], closes(20))).toMatchObject({ ...apart, prev_day: '20260728' })
  expect(one([{}], closes(10, '20260728', '000001.SH'))).toMatchObject({ ...apart, prev_day: '20260727' })
  expect(one([{ auc_pct_chg: null }], closes(8))).toMatchObject({ prev_close: 8, prev_source: 'given', gap_pct: 26.25 })
  const before = one([{ tradedate: '20260727' }], closes(10))
  expect(before).toMatchObject({ prev_close: 10, prev_source: 'implied', prev_day: null })
  const torn = one([{}, { time: '09:15:00', auc_pct_chg: 3 }])
  expect(torn).toMatchObject({ prev_source: 'conflict', prev_low: null, gap_pct: null })
})

test('closes stand in for percentages that a file does not have', () => {
  const { auc_pct_chg: _, ...others } = plain
  const bare = select(ticksOf([plain]), ...(Object.keys(others) as (keyof Tick)[]))
  expect(() => auctionMatch(bare)).toThrow(/auctionMatch needs auc_pct_chg \(pct_chg\); the ticks have: tradedate/)
  const closes = fromRows([{ tradedate: '20260728', symbol: '000001', close: 10 }])
  expect(toObjects(auctionMatch(bare, { closes }))[0]).toMatchObject({ gap_pct: 1, prev_source: 'given' })
})

test('the first bar: its open, else close, else vwap, never that of a later one', () => {
  const first = (bars: readonly Row[]) => {
    const days = bars.map((bar) => ({ tradedate: '20260729', symbol: '000001', ...bar }))
    const found = one([{ m_price: 10 }], { bars: fromRows(days) })
    return [found['first_min'], found['first_price'], found['first_of'], found['first_diff_pct']]
  }
  const later = { trademin: '0931', open: 8, close: 8, vwap: 8 }
  const at = { trademin: '0930' }
  expect(first([later, { ...at, open: 10.5, close: 11, vwap: 12 }])).toEqual(['0930', 10.5, 'open', 5])
  expect(first([later, { ...at, open: null, close: 11, vwap: 12 }])).toEqual(['0930', 11, 'close', 10])
  expect(first([{ ...at, vwap: 12 }])).toEqual(['0930', 12, 'vwap', 20])
  expect(first([later, { ...at, open: null, close: 0, vwap: null }])).toEqual(['0930', null, null, null])
  expect(first([{ ...later, symbol: '000001.SH' }])).toEqual([null, null, null, null])
  const twice = { ...at, open: 10.5 }
  expect(first([twice, twice])).toEqual(['0930', 10.5, 'open', 5])
  const differing = 'bars: rows 1 and 2 are both of 000001.SZ on 20260729 0930'
  expect(() => first([twice, { ...twice, open: 10.6 }])).toThrow(differing)
})

test.each<[string, MatchOptions, string]>([
  ['closes without close', { closes: fromRows([{ tradedate: '20260728', code: '000001' }]) }, "no column 'close'"],
  ['closes without a code', { closes: fromRows([{ tradedate: '20260728', close: 1 }]) }, "no column 'symbol'"],
  [
    'closes of days in another form',
    { closes: fromRows([{ tradedate: '2026-07-28', code: '000001', close: 1 }]) },
    "closes, row 1: tradedate is '2026-07-28', not a day as 20260729",
  ],
  [
    'closes that are duplicates',
    { closes: fromRows([1, 2].map((close) => ({ tradedate: '20260728', code: '000001', close }))) },
    'closes: rows 1 and 2 are both of 000001.SZ on 20260728',
  ],
  [
    'bars without a price',
    { bars: fromRows([{ tradedate: '20260729', code: '000001', trademin: '0930', low: 1 }]) },
    'the bars need one of open, close and vwap; they have: tradedate, code, trademin, low',
  ],
  [
    'bars of clock times',
    { bars: fromRows([{ tradedate: '20260729', code: '000001', trademin: '09:30', close: 1 }]) },
    'bars, row 1: trademin is 09:30, not a minute as 0930',
  ],
  ['a tick that is none', { tick: 0.03 }, 'tick must be a price step in yuan'],
])('refused: %s', (_, options, said) => {
  expect(() => one([{}], options)).toThrow(said)
})

test('the price step: by the code, or as it is told', () => {
  const fund = { symbol: '510300.SH', m_price: 4.125, auc_pct_chg: 1.05 }
  expect(one([fund])).toMatchObject({ prev_low: 4.082, prev_high: 4.082 })
  expect(one([fund], { tick: 0.01 })).toMatchObject({ prev_low: null, prev_source: null, gap_pct: 1.05 })
  expect(one([{ m_price: 40.4 }], { tick: 0.001 })).toMatchObject({
    prev_close: null,
    prev_low: 39.999,
    prev_high: 40.001,
  })
})
