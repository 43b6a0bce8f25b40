import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { fromRows, groupBy, numbers } from 'quotebook'
import { expect, test } from 'vitest'

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

/** The doubles nearest to the sums of the decimals that numbers print as, added by Python. */
function decimalSums(lists: readonly (readonly number[])[]): number[] {
  const program = `
import json, sys
from decimal import Decimal, getcontext
getcontext().prec = 80
print(json.dumps([float(sum(map(Decimal, numbers))) for numbers in json.load(sys.stdin)]))`
  const input = JSON.stringify(lists.map((numbers) => numbers.map(String)))
  return JSON.parse(spawnSync('/usr/bin/python3', ['-c', program], { input, encoding: 'utf8' }).stdout)
}

/** Whole units, cents or parts of them, of any size up to the digits that a double holds. */
const amount = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
    fc.integer({ min: 0, max: 15 }),
    fc.integer({ min: 0, max: 4 }),
  )
  .map(([units, less, places]) => Number(`${units / 10n ** BigInt(less)}e-${places}`))

test.skipIf(!existsSync('/usr/bin/python3'))('sums of any size are those of Python decimals', () => {
  const lists = [
    // twenty days of the whole market's turnover in yuan, to the cent
    Array.from({ length: 20 }, (_, day) => Number(`${1_234_567_890_123 + 7 * day}.${10 + day}`)),
    Array.from({ length: 20_000 }, (_, row) => Number(`${98_765_432_101 + row}.${10 + (row % 90)}`)),
    [9e15, 9e15, 9e15, 0.01, 0.02, -9e15, -9e15],
    [100000000000000.1, 1000000000000.123, 0.03],
    ...fc.sample(fc.array(amount, { minLength: 1, maxLength: 300 }), { numRuns: 150, seed: 20260730 }),
  ]
  expect(lists.map(total)).toEqual(decimalSums(lists))
})
