import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { southboundTop10 } from '../../../../src/contract/catalogue/southbound-top10.js'
import { knownAt } from '../../../../src/contract/known-at.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { joinIndex } from '../../../../src/research/analysis/southbound/index-join.js'
import { southboundFlows } from '../../../../src/research/analysis/southbound/southbound-flows.js'
import { type Row, tableFrom } from '../help.js'
import { quote, real, stock } from './help.js'

const on = '全A等权'

/** Flows of one stock, by day its net. */
const flowsOf = (nets: Readonly<Record<string, number>>) =>
  southboundFlows(
    tableFrom(
      'southbound_top10',
      Object.entries(nets).flatMap(([day, net]) => stock(day, '00700.HK', { sh: [10 + net, 10], sz: [1, 1] })),
    ),
  )
const quotesOf = (changes: Readonly<Record<string, number | null>>, more: Row[] = []) =>
  tableFrom('theme_daily', [...Object.entries(changes).map(([day, change]) => quote(day, change)), ...more])

/* 2026: 30 April is a Thursday, 1, 4 and 5 May are holidays of the mainland; 6 to 8 May trade. */
const nets = { 20260429: 5, 20260430: -3, 20260506: 8, 20260508: 2 }
const changes = { 20260429: 0.5, 20260430: -0.2, 20260506: 1.1, 20260507: null, 20260508: 0.3, 20260511: 0.9 }

test('what is known when: flows in the evening, so no prediction is of a day that had begun', () => {
  for (const lag of [-3, -1, 0, 1, 2, 5]) {
    const { table, purpose } = joinIndex(flowsOf(nets), quotesOf(changes), { on, lag })
    for (const row of toObjects(table)) {
      const [day, index] = [String(row['trade_date']), String(row['index_date'])]
      const known = String(row['known_at'])
      expect(known).toBe(knownAt(southboundTop10, { trade_date: day }))
      const opening = `${index.slice(0, 4)}-${index.slice(4, 6)}-${index.slice(6)}T09:15:00`
      expect(known < opening).toBe(purpose === 'prediction')
      const days = day < index ? tradingDays(day, index) : tradingDays(index, day)
      expect((days.length - 1) * Math.sign(lag || 1)).toBe(lag || 0)
      expect(row['index_known_at']).toBe(`${opening.slice(0, 11)}15:00:00`)
    }
  }
})

test('a day on which the mainland rests, one beyond the calendar, and a row taken before the close', () => {
  const odd = flowsOf({ 20260501: 1, 20260506: 2 })
  const left = toObjects(joinIndex(odd, quotesOf({ 20260506: 1 }), { on, lag: 0 }).unmatched)
  expect(left.map(({ day, why }) => [day, why])).toEqual([['20260501', 'the mainland does not trade on this day']])
  const old = southboundFlows(tableFrom('southbound_top10', real()))
  const quotes = quotesOf({ 20180727: 0.4 })
  expect(joinIndex(old, quotes, { on, lag: 0 }).table.numRows).toBe(1)
  expect(toObjects(joinIndex(old, quotes, { on }).unmatched).map(({ why }) => why)).toEqual([
    'the trading calendar does not know the day 1 trading day later',
  ])
  const early = tableFrom('theme_daily', [{ ...quote('20260506', 1), servertime: '10:31:00.000' }])
  expect(toObjects(joinIndex(odd, early, { on, lag: 0 }).unmatched)[1]).toMatchObject({
    day: '20260506',
    why: 'the row of 20260506 was taken at 10:31:00.000, before the close',
  })
  const late = tableFrom('theme_daily', [{ ...quote('20260506', 1), servertime: '15:00:02.000' }])
  expect(joinIndex(odd, late, { on, lag: 0 }).table.numRows).toBe(1)
})

test('an unforeseen trading day counts where the index has it', () => {
  const quotes = quotesOf({ 20260430: 1, 20260501: 2, 20260506: 3 })
  const found = toObjects(joinIndex(flowsOf({ 20260430: 1 }), quotes, { on }).table)
  expect(found[0]?.['index_date']).toBe('20260501')
})

test('a channel without rows on a day is told', () => {
  const rows = [
    ...stock('20260506', '00700.HK', { sh: [3, 1], sz: null }),
    ...stock('20260507', '00700.HK', { sh: [3, 1], sz: [2, 2] }),
  ]
  const flows = southboundFlows(tableFrom('southbound_top10', rows))
  const joined = joinIndex(flows, quotesOf(changes), { on, lag: 0 })
  expect(joined.table.numRows).toBe(1)
  expect(toObjects(joined.unmatched)).toEqual([
    { day: '20260506', has: 'index', why: 'the flows of 20260506 have no row of channel both' },
  ])
  expect(joinIndex(flows, quotesOf(changes), { on, lag: 0, channel: '2' }).table.numRows).toBe(2)
})
