import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbers } from '../../../src/frame/column.js'
import { fromRows } from '../../../src/frame/from-rows.js'
import { groupBy } from '../../../src/frame/verb/group-by.js'

const total = (amounts: readonly number[]) =>
  numbers(
    groupBy(fromRows(amounts.map((amount) => ({ key: 'a', amount }))), 'key', { sum: ['amount', 'sum'] }),
    'sum',
  )[0]

test('amounts with cents add up as decimals do', () => {
  expect(total([0.1, 0.2])).toBe(0.3)
  expect(total([1862041892.32, 0.02, -1862041892.33])).toBe(0.01)
  expect(total(Array.from({ length: 10 }, () => 0.1))).toBe(1)
})

test.each([2, 3, 4])('sums of decimals with %i places are those of whole numbers', (places) => {
  const scale = 10 ** places
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), { minLength: 1, maxLength: 200 }),
      (units) => {
        const whole = units.reduce((sum, unit) => sum + BigInt(unit), 0n)
        expect(total(units.map((unit) => unit / scale))).toBe(Number(whole) / scale)
      },
    ),
  )
})

test('what is no decimal, or too large to tell, is the compensated sum of the doubles', () => {
  expect(total([Math.PI, Math.E])).toBe(Math.PI + Math.E)
  expect(total([2 ** 60, 0.01, -(2 ** 60)])).toBe(0.01)
  expect(total([Number.POSITIVE_INFINITY, 1.5])).toBe(Number.POSITIVE_INFINITY)
  expect(total([1e-300, 1e-300])).toBe(2e-300)
})
