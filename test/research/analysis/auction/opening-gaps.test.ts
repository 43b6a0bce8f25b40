import { expect, test } from 'vitest'
import { numbers, toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { auctionMatch } from '../../../../src/research/analysis/auction/auction-match.js'
import { openingGaps } from '../../../../src/research/analysis/auction/opening-gaps.js'
import { plain, ticksOf } from './help.js'

const day = '20260729'

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
