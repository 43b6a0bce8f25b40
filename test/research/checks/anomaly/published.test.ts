import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { computeAnomalies } from '../../../../src/research/checks/anomaly/compute/compute-anomalies.js'

/** Limit-ups one after the other, to the cent, halves up, in yuan. */
function limitUps(base: number, percent: number, times: number): number[] {
  const cents = [Math.round(base * 100)]
  for (let i = 0; i < times; i++) cents.push(Math.floor(((cents.at(-1) as number) * (100 + percent) + 50) / 100))
  return cents.slice(1).map((one) => one / 100)
}

type Closes = readonly (readonly [string, number])[]

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
