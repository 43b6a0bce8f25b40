import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { boardOf } from '../../../../src/contract/trading-rules.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { benchmarkOf } from '../../../../src/research/checks/anomaly/anomaly-rules.js'
import {
  type ComputeAnomaliesOptions,
  computeAnomalies,
} from '../../../../src/research/checks/anomaly/compute/compute-anomalies.js'

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
  expect(toObjects(made.refused)).toEqual([])
  const events = toObjects(made.events)
  const count = (from: string, to: string) => {
    const own = events.filter(({ tradedate }) => from <= String(tradedate) && String(tradedate) <= to)
    const abnormal = own.filter(({ measure }) => measure === 'abnormal').length
    return { abnormal, severe: own.length - abnormal }
  }
  return { rows: toObjects(made.table), events, count }
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
  expect(toObjects(refused)).toMatchObject([{ tradedate: '20250903', why: expect.stringMatching(/halt/) }])
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

/**
 * 688585 in 2025. Published: 7.78 before 07-09 and 8 limit-ups of 20 % to 07-18; 6 abnormal and 5 severe movements up to 07-28
 * (announcement 2025-061); halted from 07-31 and limit-up to 110.48 on 08-05, after 7 and 7. Portals add 10 limit-ups, and
 * 74.73 as +13.12 % during 07-28, so 66.06 on 07-25. Four closes are not known; here they take many values.
 */
function paths688585(): { readonly symbol: string; readonly closes: Closes; readonly onThe28th: number }[] {
  const days = tradingDays('20250709', '20250730')
  const [cents, between] = [(x: number) => Math.round(x * 100) / 100, [0.2, 0.5, 0.8]]
  /** A close from which the next is within the limits, as the one itself from the last. */
  const middle = (last: number, next: number, share: number): number => {
    const [low, high] = [Math.max(last * 0.8, next / 1.2), Math.min(last * 1.2, next / 0.8)]
    return cents(low + (high - low) * share)
  }
  const wanted = [0.95, 1.02, 1.15].flatMap((a) =>
    between.flatMap((b) =>
      [66.06, 66.5, 66.93, 66.94, 69, 73, 76, 79].flatMap((c) => between.map((d) => ({ a, b, c, d }))),
    ),
  )
  return wanted.map(({ a, b, c, d }, i) => {
    const [wednesday, ups] = [cents(48.19 * a), limitUps(7.78, 20, 10)]
    const closes = [...ups, wednesday, middle(wednesday, 66.06, b), 66.06, c, middle(c, 92.07, d), 92.07]
    const dated = closes.map((close, at) => [days[at] as string, close] as const)
    const symbol = String(688_000 + i)
    return { symbol, closes: [['20250701', 7.78], ...dated, ['20250805', 110.48]], onThe28th: c }
  })
}

test('688585: 7 and 7 in the end; the published 5 severe by 07-28 hang on whether that day closed below 66.94', () => {
  const paths = paths688585()
  const prices = paths.flatMap(({ symbol, closes }) =>
    closes.map(([tradedate, close]) => ({ tradedate, symbol, close })),
  )
  const index = tradingDays('20250701', '20250805').map((tradedate) => ({ tradedate, code: '000688.SH', close: 1000 }))
  const halts = paths.map(({ symbol }) => ({ symbol, tradedate: '20250731' }))
  const made = computeAnomalies(fromRows(prices), fromRows(index), undefined, undefined, { halts })
  expect(made.refused.numRows).toBe(0)
  const events = toObjects(made.events)
  const counted = new Set<string>()
  for (const { symbol, onThe28th } of paths) {
    const own = events.filter((event) => event.symbol === symbol)
    const early = own.filter(({ tradedate }) => String(tradedate) <= '20250728')
    const sizes = [early, own].flatMap((some) => {
      const abnormal = some.filter(({ measure }) => measure === 'abnormal').length
      return [abnormal, some.length - abnormal]
    })
    // Twice the close of 07-18, 33.47, on an index that stands still.
    counted.add(`${onThe28th < 66.94 ? 'below' : 'from'} 66.94: ${sizes.join(' ')}`)
  }
  expect([...counted].sort()).toEqual(['below 66.94: 6 5 7 7', 'from 66.94: 6 6 7 7'])
})
