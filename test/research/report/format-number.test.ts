import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aligned,
  day,
  fixed,
  formatCount,
  formatSigned,
  many,
  plain,
} from '../../../src/research/report/format-number.js'

// Half away from zero on the decimal that was sent, as Python's Decimal(repr(x)).quantize(…, ROUND_HALF_UP) gives them.
test.each([
  [1.005, 2, 0, '1.01'],
  [-1.005, 2, 0, '-1.01'],
  [2.675, 2, 0, '2.68'],
  [0.5, 0, 0, '1'],
  [-0.4, 0, 0, '0'],
  [1e21, 2, 0, '1,000,000,000,000,000,000,000.00'],
  [5e-7, 6, 0, '0.000001'],
  [4.9e-7, 6, 0, '0.000000'],
  [476991220, 2, 8, '4.77'],
  [-71294840, 2, 8, '-0.71'],
  [500000, 2, 8, '0.01'],
  [499999.99, 2, 8, '0.00'],
  [999999.995, 2, 0, '1,000,000.00'],
  [5e-324, 4, 0, '0.0000'],
])('%d with %i decimals over 10^%i is %s', (value, digits, power, text) => {
  expect(fixed(value, digits, power)).toBe(text)
})

test('plain shows the decimal that was sent, no more and no less', () => {
  expect([0, 1.5, -1234567.25, 1e-7, 1e21, 12345678901.23].map(plain)).toEqual([
    '0',
    '1.5',
    '-1,234,567.25',
    '0.0000001',
    '1,000,000,000,000,000,000,000',
    '12,345,678,901.23',
  ])
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Number(plain(value).replaceAll(',', ''))).toBe(value + 0)
    }),
  )
})

test('what is missing is a dash and never zero', () => {
  for (const value of [Number.NaN, null, undefined, Number.POSITIVE_INFINITY]) {
    expect([fixed(value, 2), plain(value), formatSigned(value, 2)]).toEqual(['—', '—', '—'])
  }
  expect(day(null)).toBe('—')
})

test('signs, columns, dates and counts', () => {
  expect([1.2, -1.2, 0, 0.04, -0.04].map((value) => formatSigned(value, 1))).toEqual([
    '+1.2',
    '-1.2',
    '0.0',
    '0.0',
    '0.0',
  ])
  expect([24, 24.05, Number.NaN].map(aligned([24, 24.05, Number.NaN]))).toEqual(['24.00', '24.05', '—'])
  expect([day('20260701'), day('2026-07-01')]).toEqual(['2026-07-01', '2026-07-01'])
  expect([formatCount(1234567), many(1, 'row'), many(0, 'row')]).toEqual(['1,234,567', '1 row', '0 rows'])
})

test('what rounds to nothing has no sign', () => {
  expect([-0.0026, 0.0026, -0, 0].map((value) => formatSigned(value, 2))).toEqual(['0.00', '0.00', '0.00', '0.00'])
  expect([fixed(-0.0026, 2), fixed(-499_999, 2, 8), fixed(-500_000, 2, 8)]).toEqual(['0.00', '0.00', '-0.01'])
  expect(aligned([-4e-7, 1])(-4e-7)).toBe('0.000000')
})
