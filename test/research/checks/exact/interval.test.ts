import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  agreement,
  divide,
  type Interval,
  intersect,
  multiply,
  point,
  rounded,
  subtract,
} from '../../../../src/research/checks/exact/interval.js'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const interval = fc.tuple(number, number).map(([a, b]): Interval => ({ lo: Math.min(a, b), hi: Math.max(a, b) }))
const share = fc.double({ min: 0, max: 1, noNaN: true })
const within = ({ lo, hi }: Interval, part: number): number => Math.min(hi, Math.max(lo, lo + (hi - lo) * part))
const holds = ({ lo, hi }: Interval, x: number): boolean => lo <= x && x <= hi

test('an operation on intervals holds the operation on any of their members', () => {
  fc.assert(
    fc.property(interval, interval, share, share, (a, b, s, t) => {
      const [x, y] = [within(a, s), within(b, t)]
      expect(holds(add(a, b), x + y)).toBe(true)
      expect(holds(subtract(a, b), x - y)).toBe(true)
      expect(holds(multiply(a, b), x * y)).toBe(true)
      if (y !== 0) expect(holds(divide(a, b), x / y)).toBe(true)
    }),
  )
})

test('a rounded number stands for all that round to it', () => {
  fc.assert(
    fc.property(number, fc.integer({ min: 0, max: 4 }), (x, places) =>
      holds(rounded(Number(x.toFixed(places)), places), x),
    ),
  )
  expect(rounded(1.25, 2).hi).toBeCloseTo(1.255, 12)
})

test('division by what may be zero says nothing', () => {
  expect(divide(point(1), { lo: -1, hi: 1 })).toEqual({ lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY })
})

test('what overflows says nothing', () => {
  expect(divide(point(2 ** -50), point(Number.MIN_VALUE))).toEqual({
    lo: Number.NEGATIVE_INFINITY,
    hi: Number.POSITIVE_INFINITY,
  })
})

test('the majority, and who stands apart', () => {
  const at = (lo: number, hi: number): Interval => ({ lo, hi })
  expect(agreement([at(1, 3), at(2, 4), at(2.5, 5)])).toEqual({ common: at(2.5, 3), apart: [] })
  expect(agreement([at(1, 3), at(2, 4), at(9, 10)])).toEqual({ common: at(2, 3), apart: [2] })
  expect(agreement([at(1, 2), at(3, 4)])).toEqual({ common: undefined, apart: [0, 1] })
  expect(agreement([at(1, 2)])).toEqual({ common: at(1, 2), apart: [] })
  expect(agreement([]).apart).toEqual([])
  expect(intersect(at(1, 2), at(2, 3))).toEqual(at(2, 2))
  expect(intersect(at(1, 2), at(2.1, 3))).toBeUndefined()
})
