import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  centsOf,
  columnDecimalPlaces,
  decimalPlaces,
  decimalToNumber,
  exactDifference,
  percentOver,
  quotientHalfUp,
  roundHalfUp,
  shifted,
  sumDecimals,
  toDecimal,
} from '../../../../src/research/checks/exact/decimal.js'
import { python } from '../../analysis/help.js'

const any = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e25, max: 1e25 })
const money = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((n) => n / 100)
const fine = fc
  .tuple(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), fc.integer({ min: 3, max: 9 }))
  .map(([n, places]) => n / 10 ** places)

test('a double is the shortest decimal that reads back as it', () => {
  expect(toDecimal(119.878)).toEqual({ digits: 119878n, scale: 3 })
  expect(toDecimal(-0.1)).toEqual({ digits: -1n, scale: 1 })
  expect(toDecimal(1.5e-7)).toEqual({ digits: 15n, scale: 8 })
  expect(toDecimal(1e21)).toEqual({ digits: 10n ** 21n, scale: 0 })
  expect(() => toDecimal(Number.NaN)).toThrow('not a decimal')
  fc.assert(
    fc.property(any, (x) => {
      const { digits, scale } = toDecimal(x)
      expect(decimalToNumber(digits, scale)).toBe(x === 0 ? 0 : x)
      expect(decimalPlaces(x)).toBe(scale)
    }),
  )
})

test('sums, roundings and percentages are those of Python decimal', () => {
  const some = [money, fine, any].map((one) => fc.array(one, { maxLength: 12 }))
  const lists = fc.sample(fc.oneof(...some, fc.array(fc.oneof(money, fine, any), { maxLength: 12 })), {
    numRuns: 800,
    seed: 1,
  })
  const half = fc.integer({ min: 1, max: 4000 }).map((n) => [2000 + n / 100, 2000] as const)
  const pair = fc.oneof(fc.tuple(money, money), fc.tuple(fine, fine), fc.tuple(any, money), half)
  const percents = fc
    .sample(fc.tuple(pair, fc.integer({ min: 0, max: 6 })), { numRuns: 2000, seed: 3 })
    .flatMap(([[value, base], places]) => (base === 0 ? [] : [[value, base, places] as const]))
  const numbers = fc.sample(
    fc.tuple(
      fc.oneof(
        money,
        any,
        fc.integer({ min: -99999, max: 99999 }).map((n) => n / 1000 + 0.0005),
      ),
      fc.integer({ min: 0, max: 4 }),
    ),
    {
      numRuns: 500,
      seed: 2,
    },
  )
  const script = `
import sys, json
from decimal import Decimal, ROUND_HALF_UP, getcontext
getcontext().prec = 200
lists, numbers, percents = json.load(sys.stdin)
json.dump([[float(sum((Decimal(str(x)) for x in l), Decimal(0))) for l in lists],
  [float(Decimal(str(x)).quantize(Decimal(1).scaleb(-p), ROUND_HALF_UP)) for x, p in numbers],
  [float(((Decimal(str(a)) - Decimal(str(b))) * 100 / Decimal(str(b))).quantize(Decimal(1).scaleb(-p), ROUND_HALF_UP)) for a, b, p in percents]],
  sys.stdout)`
  const [sums, rounded, over] = python(script, [lists, numbers, percents]) as [number[], number[], number[]]
  expect(percents.map(([value, base, places]) => percentOver(value, base, places) + 0)).toEqual(over.map((x) => x + 0))
  expect(lists.map((list) => sumDecimals(list) + 0)).toEqual(sums.map((sum) => sum + 0))
  expect(numbers.map(([x, places]) => roundHalfUp(x, places) + 0)).toEqual(rounded.map((x) => x + 0))
})

test('sums do not depend on order and undo each other', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(money, any)), (list) => {
      expect(sumDecimals([...list].reverse())).toBe(sumDecimals(list))
      expect(sumDecimals([...list, ...list.map((x) => -x)])).toBe(0)
    }),
  )
  expect(sumDecimals([0.1, 0.2])).toBe(0.3)
  expect(sumDecimals([])).toBe(0)
  expect(sumDecimals([1, Number.NaN])).toBeNaN()
  expect(exactDifference(0.3, 0.1)).toBe(0.2)
  expect(exactDifference(Number.NaN, 1)).toBeNaN()
})

test('cents only where a number is whole cents', () => {
  expect(centsOf(1.15)).toBe(115)
  expect(centsOf(1.155)).toBeNaN()
  expect(centsOf(1e14)).toBeNaN()
  expect(centsOf(Number.NaN)).toBeNaN()
  fc.assert(fc.property(money, (x) => decimalToNumber(BigInt(centsOf(x)), 2) === x))
})

test('half goes away from zero', () => {
  expect(quotientHalfUp(5n, 10n)).toBe(1n)
  expect(quotientHalfUp(-5n, 10n)).toBe(-1n)
  expect(quotientHalfUp(5n, -10n)).toBe(-1n)
  expect(quotientHalfUp(49n, 100n)).toBe(0n)
  expect(roundHalfUp(1.005, 2)).toBe(1.01)
  expect(roundHalfUp(Number.NaN, 2)).toBeNaN()
})

test('places of a column are those of its longest decimal', () => {
  expect(columnDecimalPlaces([1, 2.5, Number.NaN, 3.125, 4])).toBe(3)
  expect(columnDecimalPlaces([])).toBe(0)
  const tiny = [5.773538409593211e-76, 7.780661955691769e-77]
  expect(columnDecimalPlaces(tiny)).toBe(Math.max(...tiny.map(decimalPlaces)))
  fc.assert(
    fc.property(
      fc.array(fc.oneof(money, any)),
      (list) => columnDecimalPlaces(list) === Math.max(0, ...list.map(decimalPlaces)),
    ),
  )
})

test('shifting moves the point alone', () => {
  expect(shifted(0.041, 3)).toBe(41)
  expect(shifted(-0.0005, 3)).toBe(-0.5)
  expect(shifted(12, -2)).toBe(0.12)
  expect(shifted(Number.NaN, 3)).toBeNaN()
})

test('a number of up to 22 decimals is a quotient of two doubles that are exact', () => {
  for (let scale = 0; scale <= 22; scale++) expect(BigInt(10 ** scale)).toBe(10n ** BigInt(scale))
  const digits = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n })
  fc.assert(
    fc.property(digits, fc.nat(30), (n, scale) => {
      expect(decimalToNumber(n, scale)).toBe(Number(`${n}e-${scale}`))
    }),
    { numRuns: 500 },
  )
})
