import { expect, test } from 'vitest'
import { objectsOf } from '../../src/frame/read-columns.js'
import { auctionTickColumns, auctionTicks } from '../../src/sample/auction-tick-sheet.js'
import { planSample } from '../../src/sample/sample-plan.js'
import { closeOf, openOf, tradedBefore } from '../../src/sample/sample-stock.js'
import { toTable } from '../../src/table/arrow.js'
import { groupBy, halfUp, scaled } from './rows.js'

const sample = planSample()

test('a day of ticks: from 09:15:03 every six seconds, matched at 09:25:00 at the open', () => {
  for (const day of [sample.days[0], sample.latest]) {
    if (!day) throw new Error('no day')
    const rows = objectsOf(toTable(auctionTicks(sample, day), auctionTickColumns))
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(auctionTickColumns))
    const bySymbol = groupBy(rows, 'symbol')
    expect(bySymbol.size).toBeGreaterThan(2)
    expect([...bySymbol.keys()]).toEqual([...bySymbol.keys()].sort())
    for (const [symbol, ticks] of bySymbol) {
      const times = ticks.map((tick) => String(tick.time))
      expect([times.length, times[0], times[1], times.at(-2), times.at(-1)]).toEqual([
        101,
        '09:15:03',
        '09:15:09',
        '09:24:57',
        '09:25:00',
      ])
      expect(times).toEqual([...new Set(times)].sort())
      const stock = sample.stocks.find(({ code }) => symbol.startsWith(code))
      if (!stock) throw new Error(symbol)
      expect(scaled(ticks.at(-1)?.m_price, 2)).toBe(BigInt(openOf(stock, day.t)))
      const before = BigInt(closeOf(stock, tradedBefore(stock, day.t)))
      for (const tick of ticks) {
        const [price, lots] = [scaled(tick.m_price, 2), scaled(tick.auc_vol, 0)]
        expect(scaled(tick.auc_pct_chg, 4)).toBe(halfUp((price - before) * 1_000_000n, before))
        expect(scaled(tick.auc_amt, 0)).toBe(price * lots)
        expect(scaled(tick.auc_turnover, 4)).toBe(price * lots)
        expect(tick.um_side === null).toBe(tick.um_vol === 0)
        expect(tick.tradedate).toBe(day.date)
      }
    }
  }
})
