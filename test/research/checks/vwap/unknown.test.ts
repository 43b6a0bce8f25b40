import { Float64, Table, Utf8, vectorFromArray } from 'apache-arrow'
import { expect, test } from 'vitest'
import { numbers, strings } from '../../../../src/frame/read-columns.js'
import { checkVwap, type VwapOptions } from '../../../../src/research/checks/vwap/check-vwap.js'

type Bar = readonly [minute: string, vol: number | null, amount: number | null, vwap: number | null]

/** Bars as a table that nothing was compared with: it may hold infinities. */
function bars(rows: readonly Bar[], more: Readonly<Record<string, string>> = {}): Table {
  const text = (of: (bar: Bar) => string) => vectorFromArray(rows.map(of), new Utf8())
  const number = (at: 1 | 2 | 3) =>
    vectorFromArray(
      rows.map((bar) => bar[at]),
      new Float64(),
    )
  const own = Object.entries(more).map(([name, value]) => [name, text(() => value)])
  return new Table({
    tradedate: text(() => '20260701'),
    symbol: text(() => '510300.SH'),
    trademin: text(([minute]) => minute),
    vol: number(1),
    amount: number(2),
    vwap: number(3),
    ...Object.fromEntries(own),
  })
}

function found(rows: readonly Bar[], more?: Readonly<Record<string, string>>, options?: VwapOptions) {
  const { table } = checkVwap(bars(rows, more), options)
  return {
    verdict: strings(table, 'verdict'),
    why: strings(table, 'why'),
    recomputed: [...numbers(table, 'recomputed')],
    low: [...numbers(table, 'low')],
    high: [...numbers(table, 'high')],
    difference: [...numbers(table, 'difference')],
  }
}

test('rounding to lots explains no more than half a lot of the whole day', () => {
  const minutes = ['0930', '1000', '1030', '1100', '1130', '1330', '1400', '1430', '1500']
  const { verdict, low, high } = found(
    minutes.map((minute, i): Bar => [minute, 10, 4000, i ? 4.2 : 4]),
    {},
    { lots: 'total' },
  )
  expect(verdict).toEqual(['equal', ...Array.from({ length: 8 }, () => 'mismatch')])
  expect([low[8], high[8]]).toEqual([3.978, 4.022])
  expect(found([['0930', 10, 4000, 4.2]]).verdict).toEqual(['lot-bound'])
})

test('a value before the first trade is never explained by lots', () => {
  const { verdict, low, high } = found([['0930', 0, 30, 7]])
  expect([verdict, low, high]).toEqual([['null-rule'], [Number.NaN], [Number.NaN]])
  expect(found([['0930', 0, 30, 7]], {}, { lots: 'each bar' }).verdict).toEqual(['null-rule'])
})

test('a value of more than three decimals is compared with bounds of as many', () => {
  const value = (vwap: number): unknown => found([['0930', 10, 4000, vwap]]).verdict[0]
  expect([value(4.211), value(4.2105), value(4.2106), value(4.2114), value(4.212)]).toEqual([
    'lot-bound',
    'lot-bound',
    'mismatch',
    'mismatch',
    'mismatch',
  ])
  expect(found([['0930', 10, 40, 4.0001]], {}, { factor: 1 }).verdict).toEqual(['mismatch'])
})

test('a wrong value before a null is a mismatch, and what comes after the null is unknown', () => {
  for (const hole of [
    ['1000', null, null, null],
    ['1000', 5, null, null],
    ['1000', null, 2000, 4],
  ] as const) {
    const all = found([['0930', 100, 40000, 4.5], hole, ['1030', 10, 4000, 4]])
    expect(all.verdict).toEqual(['mismatch', 'unverifiable', 'unverifiable'])
    expect(all.recomputed).toEqual([4, Number.NaN, Number.NaN])
  }
})

test.each([
  ['vol', [10, Number.POSITIVE_INFINITY, 4000, 'vol of 1000 is infinite']],
  ['amount', [10, 10, Number.POSITIVE_INFINITY, 'amount of 1000 is infinite']],
  ['negative vol', [10, -5, 4000, 'vol of 1000 is negative']],
] as const)('%s that cannot be added up perturbs the rest', (_, [first, vol, amount, why]) => {
  const all = found([
    ['0930', first, 4000, 4],
    ['1000', vol, amount, 4],
    ['1030', 10, 4000, 4],
  ])
  expect(all.verdict).toEqual(['equal', 'unverifiable', 'unverifiable'])
  expect(all.why.slice(1)).toEqual([why, why])
})

test('an infinite value is a mismatch without a difference', () => {
  const all = found([['0930', 10, 4000, Number.POSITIVE_INFINITY]])
  expect([all.verdict, all.why, all.difference]).toEqual([['mismatch'], ['the value is infinite'], [Number.NaN]])
})

test('after a missing bar nothing is recomputed but what the published value confirms', () => {
  const all = found([
    ['0930', 0, 0, null],
    ['1030', 0, 0, null],
    ['1100', 10, 4000, null],
    ['1130', 10, 4000, 4],
    ['1330', 10, 4000, 4.5],
  ])
  expect(all.verdict).toEqual(['equal', 'unverifiable', 'null-rule', 'equal', 'unverifiable'])
  expect(all.recomputed).toEqual([Number.NaN, Number.NaN, Number.NaN, 4, Number.NaN])
  expect(all.difference).toEqual([Number.NaN, Number.NaN, Number.NaN, 0, Number.NaN])
})

test('bars that may be of 15 minutes with a gap are not judged as bars of 30', () => {
  const two: Bar[] = [
    ['0930', 100, 40000, 4],
    ['1000', 100, 41000, 4.1],
  ]
  expect(found(two).verdict).toEqual(['equal', 'unverifiable'])
  expect(found(two).why[1]).toBe('the bar of 0945 is missing')
  expect(found(two, { period: '30m' }).verdict).toEqual(['equal', 'mismatch'])
  expect(found(two, {}, { dataset: 'convertible_minute', factor: 100 }).verdict).toEqual(['equal', 'mismatch'])
  expect(found([...two, ['1030', 100, 40000, 4.1]]).verdict).toEqual(['equal', 'mismatch', 'mismatch'])
})

test('where the period is known, a doubled bar is not blamed on two periods', () => {
  const all: Bar[] = [
    ['0930', 10, 4000, 4],
    ['0930', 10, 4000, 4],
  ]
  const said = 'the bar of 0930 is a duplicate'
  expect(found(all).why[0]).toBe(`${said}; bars of two periods need a column \`period\``)
  expect(found(all, {}, { dataset: 'convertible_minute', factor: 100 }).why[0]).toBe(said)
  expect(found(all, { period: '30m' }).why[0]).toBe(said)
})

test('from a bar at a minute that is none of its period the sums are unknown, and what agrees is equal', () => {
  const all = found(
    [
      ['0930', 100, 40000, 4],
      ['1000', 100, 40000, 4],
      ['1033', 100, 43000, 4.1],
      ['1100', 100, 41000, 4.1],
      ['1130', 100, 41000, 4.3],
    ],
    { period: '30m' },
  )
  expect(all.verdict).toEqual(['equal', 'equal', 'equal', 'equal', 'unverifiable'])
  expect(all.why[4]).toBe('1033 is not the close of a bar of 30m')
})
