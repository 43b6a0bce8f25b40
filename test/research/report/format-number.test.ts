import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aligned, day, fixed, formatCount, formatSigned, listed, many, plain } from '../../src/report/format-number.js'

/** Python's decimal, which is not ours: `Decimal(repr(x))` scaled, rounded half up, with thousands separators. */
function python(cases: readonly (readonly [number, number, number])[]): string[] {
  const program = `
import json, sys
from decimal import Decimal, ROUND_HALF_UP, getcontext
getcontext().prec = 800
for text, digits, power in json.load(sys.stdin):
    q = (Decimal(text).scaleb(-power)).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    print(format(q if q != 0 else abs(q), ',f'))
`
  const input = JSON.stringify(cases.map(([value, digits, power]) => [String(value), digits, power]))
  return execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }).trim().split('\n')
}

test('fixed agrees with decimal arithmetic, halves and all', () => {
  const halves = Array.from({ length: 2000 }, (_, i) => [(i - 1000) / 1000 + 0.0005, 3, 0] as const)
  const known = [
    [1.005, 2, 0],
    [-1.005, 2, 0],
    [2.675, 2, 0],
    [0.5, 0, 0],
    [-0.4, 0, 0],
    [1e21, 2, 0],
    [5e-7, 6, 0],
    [4.9e-7, 6, 0],
    [476991220, 2, 8],
    [-71294840, 2, 8],
    [500000, 2, 8],
    [499999.99, 2, 8],
    [999999.995, 2, 0],
    [Number.MAX_VALUE, 2, 8],
    [5e-324, 4, 0],
  ] as const
  const drawn = fc.sample(
    fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(8), fc.constantFrom(0, 4, 8)),
    { numRuns: 2000, seed: 7 },
  )
  const all = [...halves, ...known, ...drawn]
  expect(all.map(([value, digits, power]) => fixed(value, digits, power))).toEqual(python(all))
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

test('signs, columns, dates, counts and lists', () => {
  expect([
    formatSigned(1.2, 1),
    formatSigned(-1.2, 1),
    formatSigned(0, 1),
    formatSigned(0.04, 1),
    formatSigned(-0.04, 1),
  ]).toEqual(['+1.2', '-1.2', '0.0', '0.0', '0.0'])
  expect([24, 24.05, Number.NaN].map(aligned([24, 24.05, Number.NaN]))).toEqual(['24.00', '24.05', '—'])
  expect([day('20260701'), day('2026-07-01')]).toEqual(['2026-07-01', '2026-07-01'])
  expect([formatCount(1234567), many(1, 'row'), many(0, 'row')]).toEqual(['1,234,567', '1 row', '0 rows'])
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
})

test('what rounds to nothing has no sign', () => {
  expect([-0.0026, 0.0026, -0, 0].map((value) => formatSigned(value, 2))).toEqual(['0.00', '0.00', '0.00', '0.00'])
  expect([fixed(-0.0026, 2), fixed(-499_999, 2, 8), fixed(-500_000, 2, 8)]).toEqual(['0.00', '0.00', '-0.01'])
  expect(aligned([-4e-7, 1])(-4e-7)).toBe('0.000000')
})
