import { expect, test } from 'vitest'
import { numbers, strings, toObjects } from '../../../../src/frame/read-columns.js'
import { comparePeriods } from '../../../../src/research/checks/bars/compare-periods.js'
import { resampleBars } from '../../../../src/research/checks/bars/resample-bars.js'
import { checkVwap } from '../../../../src/research/checks/vwap/check-vwap.js'
import { realRows } from '../../../promise/helper/real-rows.js'
import { type Row, tableFrom } from '../../analysis/help.js'

/** Real bars of a period, made of real minutes, with their average price. */
function real(period: '15m' | '30m'): Row[] {
  const minutes = realRows('688001.SH.1m.csv', ['tradedate', 'symbol', 'trademin']).map(({ vol_shares, ...row }) => ({
    ...row,
    vol: vol_shares,
  }))
  const bars = resampleBars(tableFrom('etf_minute', minutes), period)
  const vwap = numbers(checkVwap(bars, { factor: 1 }).table, 'recomputed')
  return toObjects(bars).map(({ bars: _, ...row }, i) => ({ ...row, vwap: vwap[i] }))
}

const [fifteen, thirty] = [real('15m'), real('30m')]
const compare = (short: readonly Row[], long: readonly Row[]) =>
  comparePeriods(tableFrom('etf_minute', short), tableFrom('etf_minute', long))

test('one table may hold both periods', () => {
  const both = tableFrom('etf_minute', [...fifteen, ...thirty])
  const check = comparePeriods(both, both)
  expect([check.rows, check.counts.equal]).toEqual([96, 96])
})

test.each(['open', 'high', 'low', 'close', 'vol', 'amount', 'vwap'])('a changed %s is found and named', (name) => {
  const row = 41
  const changed = thirty.with(row, { ...thirty[row], [name]: Number(thirty[row]?.[name]) + 0.001 })
  const { table, counts, ok } = compare(fifteen, changed)
  expect([counts.mismatch, ok]).toEqual([1, false])
  expect([strings(table, 'verdict')[row], strings(table, 'columns')[row]]).toEqual(['mismatch', name])
  expect(strings(table, 'why')[row]).toMatch(new RegExp(`^${name} [\\d.]+ against [\\d.]+$`))
})

test('0930 stands alone, 1000 is 0945 and 1000, and a part that did not trade counts for no price', () => {
  const bar = (trademin: string, price: number | null, vol: number | null, amount: number | null): Row => ({
    tradedate: '20260701',
    symbol: '510300.SH',
    trademin,
    open: price,
    high: price,
    low: price,
    close: price,
    vol,
    amount,
  })
  const long = [bar('0930', 4, 10, 40.1), { ...bar('1000', 4.2, 20, 0.3), high: 4.3 }]
  const parts = [bar('0930', 4, 10, 40.1), bar('0945', 4, 0, 0), { ...bar('1000', 4.2, 20, 0.3), high: 4.3 }]
  expect(compare(parts, long).counts.equal).toBe(2)
  const repeated = long.with(1, { ...long[1], open: 4, low: 4 })
  expect(compare(parts, repeated).counts.equal).toBe(2)
  const third = long.with(1, { ...long[1], open: 4.1 })
  expect(strings(compare(parts, third).table, 'why')[1]).toBe('open 4.1 against 4.2')
  const empty = parts.with(1, bar('0945', null, 0, 0))
  expect(compare(empty, long).counts.equal).toBe(2)
  const drift = [bar('0945', 4, 1, 0.1), bar('1000', 4, 1, 0.2)]
  expect(compare(drift, [bar('1000', 4, 2, 0.3)]).counts.equal).toBe(1)
  const why = (short: readonly Row[], whole: readonly Row[] = long): unknown => {
    const { table } = compare(short, whole)
    return [strings(table, 'verdict').at(-1), strings(table, 'why').at(-1)]
  }
  expect(why(parts.slice(0, 2))).toEqual(['unverifiable', 'no 15-minute bar of 1000'])
  expect(why([...parts, parts[1] as Row])).toEqual(['unverifiable', 'the 15-minute bar of 0945 is a duplicate'])
  expect(why(parts, [...long, long[1] as Row])).toEqual(['unverifiable', 'the bar of 1000 is a duplicate'])
  expect(why(parts.with(1, bar('0945', 4, null, 0)))).toEqual(['unverifiable', 'vol 20 against null'])
  expect(why(parts.with(2, { ...parts[2], vol: null, high: 9 }))).toEqual(['mismatch', 'high 4.3 against 9'])
})

test('a vwap on one side is wrong since the rule, and open before it', () => {
  const at = (tradedate: string, vwap: number | null): Row[] =>
    [{ ...thirty[0], tradedate, trademin: '0930', period: null, vwap }].map(({ period: _, ...row }) => row)
  const of = (date: string) => compare(at(date, 36.1), at(date, null)).counts
  expect(of('20250820').equal).toBe(1)
  expect(of('20250821').mismatch).toBe(1)
})

test('a minute that closes no bar of its period is one wrong row', () => {
  const rows = thirty.map(({ period: _, ...row }) => row)
  const { table, counts } = compare(
    fifteen.map(({ period: _, ...row }) => row),
    rows.map((row, i) => (i === 2 ? { ...row, trademin: '1033' } : row)),
  )
  expect(counts).toMatchObject({ mismatch: 1, equal: rows.length - 1 })
  expect(strings(table, 'why')[2]).toBe('1033 is not the close of a bar of 30m')
})
