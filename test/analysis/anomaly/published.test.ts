import { expect, test } from 'vitest'
import { type ComputeAnomaliesOptions, computeAnomalies } from '../../../src/analysis/anomaly/compute.js'
import { benchmarkOf, boardOf } from '../../../src/analysis/anomaly/rules.js'
import { tradingDays } from '../../../src/contract/calendar.js'
import { objectsOf } from '../../../src/frame/column.js'
import { fromRows } from '../../../src/frame/from-rows.js'

/** Limit-ups one after the other, to the cent, halves up, in yuan. */
function limitUps(base: number, percent: number, times: number): number[] {
  const cents = [Math.round(base * 100)]
  for (let i = 0; i < times; i++) cents.push(Math.floor(((cents.at(-1) as number) * (100 + percent) + 50) / 100))
  return cents.slice(1).map((one) => one / 100)
}

type Closes = readonly (readonly [string, number])[]

/** What is found of closes by day, beside an index that stands still. */
function found(symbol: string, closes: Closes, options: ComputeAnomaliesOptions = {}) {
  const [first, last] = [closes[0]?.[0] ?? '', closes.at(-1)?.[0] ?? '']
  const code = benchmarkOf(boardOf(symbol) as NonNullable<ReturnType<typeof boardOf>>).code
  const days = tradingDays(first, last)
  const made = computeAnomalies(
    fromRows(closes.map(([tradedate, close]) => ({ tradedate, symbol, close }))),
    fromRows(days.map((tradedate) => ({ tradedate, code, close: 4000 }))),
    undefined,
    undefined,
    options,
  )
  expect(objectsOf(made.refused)).toEqual([])
  const events = objectsOf(made.events)
  const count = (from: string, to: string) => {
    const own = events.filter(({ tradedate }) => from <= String(tradedate) && String(tradedate) <= to)
    const abnormal = own.filter(({ measure }) => measure === 'abnormal').length
    return { abnormal, severe: own.length - abnormal }
  }
  return { rows: objectsOf(made.table), events, count }
}

/**
 * 605255 in 2025: fifteen limit-ups from 26.64 to 111.28 in three blocks. Its announcement 2025-049 of 2025-09-23 (as portals
 * republished it) counts 4 abnormal and 2 severe movements from 08-22 to 09-03, then, each time after a verification halt,
 * 1 abnormal from 09-09 to 09-10 and 2 from 09-18 to 09-23, and no severe one.
 */
const closes605255: Closes = (() => {
  const blocks = [
    ['20250822', '20250903'],
    ['20250909', '20250910'],
    ['20250918', '20250923'],
  ] as const
  const days = blocks.flatMap(([from, to]) => tradingDays(from, to))
  const closes = limitUps(26.64, 10, days.length)
  return [['20250814', 26.64] as const, ...days.map((day, i) => [day, closes[i] as number] as const)]
})()
const halts605255 = ['20250904', '20250911'].map((tradedate) => ({ symbol: '605255.SH', tradedate }))

test('605255: the published counts of each block, with its verification halts', () => {
  expect(closes605255).toHaveLength(16)
  expect(closes605255.at(-1)).toEqual(['20250923', 111.28])
  const { count, events } = found('605255', closes605255, { halts: halts605255 })
  expect(count('20250822', '20250903')).toEqual({ abnormal: 4, severe: 2 })
  expect(count('20250909', '20250910')).toEqual({ abnormal: 1, severe: 0 })
  expect(count('20250918', '20250923')).toEqual({ abnormal: 2, severe: 0 })
  const severe = events.filter(({ measure }) => measure !== 'abnormal').map(({ measure }) => measure)
  expect(severe).toEqual(['severe', 'severe by count'])
  // As an ordinary suspension, which restarts nothing, the 30 days reach 200 % on 09-18.
  expect(found('605255', closes605255).count('20250918', '20250918').severe).toBe(1)
})

test('every day of a halt says the same, the way of counting days changes nothing', () => {
  const all = ['20250904', '20250905', '20250908', ...tradingDays('20250911', '20250917')]
  const halts = all.map((tradedate) => ({ symbol: '605255', tradedate }))
  const first = found('605255', closes605255, { halts: halts605255 }).events
  expect(found('605255', closes605255, { halts }).events).toEqual(first)
  expect(found('605255', closes605255, { halts, days: 'market' }).events).toEqual(first)
})

test('the day of resumption is the first of the new interval, counted from the close before the halt', () => {
  const { rows } = found('605255', closes605255, { halts: halts605255, days: 'stock' })
  const resumed = rows.filter(({ tradedate }) => tradedate === '20250910')
  for (const row of resumed) expect(row).toMatchObject({ since: '20250909', elapsed_days: 2 })
  expect(resumed.find(({ status }) => status === 'triggered')).toMatchObject({
    measure: 'abnormal',
    // 76.00 / 62.81 - 1
    deviation_pct: 20.9998,
  })
})

test('a halt from the next day on leaves nothing to be forecast', () => {
  const upTo = closes605255.filter(([day]) => day <= '20250903')
  const ahead = (options: ComputeAnomaliesOptions): number =>
    found('605255', upTo, options).rows.filter(({ tradedate }) => tradedate === '20250904').length
  expect(ahead({})).toBeGreaterThan(0)
  expect(ahead({ halts: halts605255 })).toBe(0)
})

test('a halt on a day with a close is refused: it is not the halt but, perhaps, its announcement', () => {
  const prices = fromRows(closes605255.map(([tradedate, close]) => ({ tradedate, symbol: '605255', close })))
  const days = tradingDays('20250814', '20250923')
  const index = fromRows(days.map((tradedate) => ({ tradedate, code: '000002.SH', close: 4000 })))
  const halts = [{ symbol: '605255', tradedate: '20250903' }]
  const { table, refused } = computeAnomalies(prices, index, undefined, undefined, { halts })
  expect(table.numRows).toBe(0)
  expect(objectsOf(refused)).toMatchObject([{ tradedate: '20250903', why: expect.stringMatching(/halt/) }])
})

/** Closes on the trading days from 2026-08-03 on. */
const since = (closes: readonly number[]): Closes => {
  const days = tradingDays('20260803', '20261231')
  return closes.map((close, i) => [days[i] as string, close] as const)
}

test('600206 at 10, 11, 12.1, 13.31, 14.64, 16.1 has two movements, and no severe one by count without resets', () => {
  const closes = since([10, 11, 12.1, 13.31, 14.64, 16.1])
  const computed = found('600206', closes).events
  expect(computed.map(({ measure }) => measure)).toEqual(['abnormal', 'abnormal'])
  const without = found('600206', closes, { resets: 'none' })
  expect(without.events.map(({ measure }) => measure)).toEqual(new Array(4).fill('abnormal'))
  expect(without.rows.filter(({ measure }) => measure === 'severe by count')).toEqual([])
})

test('without resets a fourth movement that overlaps with none before it is counted, on its own day', () => {
  const closes = since([10, ...limitUps(10, 10, 8)])
  const of = (resets: 'computed' | 'none') =>
    found('600206', closes, { resets }).events.filter(({ measure }) => measure === 'severe by count')
  expect(of('none')).toHaveLength(1)
  expect(of('none')).toEqual(of('computed'))
  const given = [{ symbol: '600206', tradedate: '20260803', measure: 'abnormal' }] as const
  expect(
    found('600206', closes, { resets: given }).events.filter(({ measure }) => measure === 'severe by count'),
  ).toEqual(of('computed'))
})
