import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDifference, isPercentChange, placesIn } from '../../../../src/research/checks/exact/rounding-tests.js'
import { python } from '../../analysis/help.js'

const script = `
import sys, json
from fractions import Fraction as F
from decimal import Decimal as D
f = lambda x: F(D(repr(x)))
out = []
for g, a, b, p in json.load(sys.stdin):
    h = F(1, 2 * 10 ** p)
    out.append([abs(f(g) - (f(a) - f(b))) <= h, abs(f(g) - (f(a) - f(b)) * 100 / f(b)) <= h])
json.dump(out, sys.stdout)`

const runs = Number(process.env.RUNS ?? 4000)

test('both are those of Python fractions, at ties and beside them', () => {
  const price = fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 1000)
  const places = fc.integer({ min: 0, max: 4 })
  // A difference or change on the edge of rounding, moved by nothing or by very little.
  const near = fc
    .tuple(price, price, places, fc.constantFrom(-1, 1), fc.constantFrom(0, 1, -1), fc.boolean())
    .map(([a, b, p, side, nudge, percent]): [number, number, number, number] => {
      const due = percent ? ((a - b) / b) * 100 : a - b
      const edge = Number((due + (side * 0.5) / 10 ** p).toFixed(percent ? 12 : 4))
      return [edge + nudge * 10 ** -(percent ? 12 : 5), a, b, p]
    })
  const plain = fc.tuple(price, price, price, places)
  const cases = fc.sample(fc.oneof(near, plain), { numRuns: runs, seed: 11 })
  const found = cases.map(([g, a, b, p]) => [isDifference(g, a, b, p), isPercentChange(g, a, b, p)])
  expect(found).toEqual(python(script, cases))
  expect(found.some(([one]) => one)).toBe(true)
  expect(found.some(([, one]) => one)).toBe(true)
})

test('ties go either way, and what is not finite is never right', () => {
  expect([isDifference(0.12, 1.125, 1, 2), isDifference(0.13, 1.125, 1, 2), isDifference(0.11, 1.125, 1, 2)]).toEqual([
    true,
    true,
    false,
  ])
  expect([isPercentChange(0.06, 1.000625, 1, 2), isPercentChange(0.07, 1.000625, 1, 2)]).toEqual([true, false])
  expect(isPercentChange(12.5, 112.5, 100, 4)).toBe(true)
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect([isDifference(bad, 1, 1, 2), isDifference(1, bad, 1, 2), isPercentChange(1, 1, bad, 2)]).toEqual([
      false,
      false,
      false,
    ])
  }
  expect(isPercentChange(0, 1, 0, 2)).toBe(false)
})

test('a number is judged at the usual decimals, or its own if it has more', () => {
  expect([placesIn(1.5, 2), placesIn(1.234, 2), placesIn(1.5, 4), placesIn(1.2000000000000002, 2)]).toEqual([
    2, 3, 4, 2,
  ])
})
