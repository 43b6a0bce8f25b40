import { beforeAll, expect, test } from 'vitest'
import { connect } from '../../../../src/connect.js'
import { strings, toObjects } from '../../../../src/frame/read-columns.js'
import { compareDay } from '../../../../src/research/checks/bars/compare-day.js'
import { type Row, tableFrom } from '../../analysis/help.js'

const date = '20260701'
let bars: Row[]
let daily: Row[]

beforeAll(async () => {
  const market = await connect()
  const codes = ['110059.SH', '123124.SZ']
  bars = toObjects(await market.query('convertible_minute', { symbols: codes, tradedate: date }))
  daily = toObjects(await market.query('convertible_daily', { symbols: codes, tradedate: date }))
})

const compare = (some: readonly Row[], days: readonly Row[]) =>
  compareDay(tableFrom('convertible_minute', some), tableFrom('convertible_daily', days))

function verdictOf(some: readonly Row[], days: readonly Row[] = daily): unknown[] {
  const { table } = compare(some, days)
  return [strings(table, 'verdict')[0], strings(table, 'why')[0]]
}

test.each(['open', 'high', 'low', 'close', 'amount'])('a changed %s is found and named', (name) => {
  const changed = daily.with(0, { ...daily[0], [name]: Number((Number(daily[0]?.[name]) + 0.01).toFixed(3)) })
  const { table, counts } = compare(bars, changed)
  expect([counts.mismatch, strings(table, 'columns')[0]]).toEqual([1, name])
})

test('a volume differs by half a lot for each bar and the day at most', () => {
  const lots = (more: number) => daily.with(0, { ...daily[0], vol: Number(daily[0]?.['vol']) + more })
  expect(verdictOf(bars, lots(5))[0]).toBe('lot-bound')
  expect(verdictOf(bars, lots(-5))[0]).toBe('lot-bound')
  expect(verdictOf(bars, lots(6))[0]).toBe('mismatch')
})

test('turnovers are compared at the fewer decimals', () => {
  const whole = daily.map((row) => ({ ...row, amount: Math.round(Number(row['amount'])) }))
  expect(compare(bars, whole).counts.equal).toBe(2)
})

test('what is not the whole day is not judged', () => {
  expect(verdictOf(bars.filter(({ trademin }) => trademin !== '1100'))).toEqual([
    'unverifiable',
    'the bar of 1100 is missing',
  ])
  expect(verdictOf(bars.filter(({ trademin }) => String(trademin) < '1400'))).toEqual([
    'unverifiable',
    'the bars end at 1330',
  ])
  expect(verdictOf([...bars, bars[0] as Row])).toEqual(['unverifiable', 'the bar of 0930 is a duplicate'])
  expect(verdictOf(bars, daily.slice(1))).toEqual(['unverifiable', 'the day is not in the daily quotes'])
  expect(verdictOf(bars, [...daily, ...daily])).toEqual(['unverifiable', 'the day stands twice in the daily quotes'])
  expect(verdictOf(bars.with(0, { ...bars[0], vol: null }))[0]).toBe('unverifiable')
})

test('a day without a trade has no prices to compare', () => {
  const quiet = bars.map((row) => ({ ...row, vol: 0, amount: 0, open: null, high: null, low: null, close: null }))
  const days = daily.map((row) => ({ ...row, vol: 0, amount: 0 }))
  expect(compare(quiet, days).counts.equal).toBe(2)
})

test('bars of whole yuan make a day of cents as far as rounding goes, and no further', () => {
  const whole = bars.map((bar) => ({ ...bar, amount: Math.round(Number(bar['amount'])) }))
  expect(compare(whole, daily).counts).toMatchObject({ mismatch: 0, unverifiable: 0 })
  const more = (yuan: number) => daily.with(0, { ...daily[0], amount: Number(daily[0]?.['amount']) + yuan + 0.01 })
  expect(verdictOf(whole, more(0))[0]).toBe('lot-bound')
  expect(verdictOf(whole, more(12))[0]).toBe('mismatch')
  expect(verdictOf(bars, more(0))[0]).toBe('mismatch')
})
