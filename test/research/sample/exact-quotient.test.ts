import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotientHalfUp } from '../../../src/research/checks/exact/decimal.js'
import { bigCeil, bigFloor, divideHalfUp, percentChange } from '../../../src/research/sample/exact-quotient.js'

const cases = fc.sample(
  fc.tuple(
    fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.integer({ min: -40, max: 40 })),
    fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  ),
  { seed: 1, numRuns: 3000 },
)

/** Python's decimal module rounds the same quotients: half up, up and down. */
const script = `
import json, sys
from decimal import Decimal, getcontext, ROUND_HALF_UP, ROUND_CEILING, ROUND_FLOOR
getcontext().prec = 60
one = Decimal(1)
def all3(n, d):
    q = Decimal(n) / Decimal(d)
    return [int(q.quantize(one, mode)) for mode in (ROUND_HALF_UP, ROUND_CEILING, ROUND_FLOOR)]
print(json.dumps([[str(v) for v in all3(n, d)] for n, d in json.load(sys.stdin)]))
`

test('quotients are rounded as decimals are', () => {
  const answer = execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' })
  const right = JSON.parse(answer) as [string, string, string][]
  cases.forEach(([over, under], at) => {
    const [half = '', up = '', down = ''] = right[at] ?? []
    const [n, d] = [BigInt(over), BigInt(under)]
    expect([quotientHalfUp(n, d), bigCeil(n, d), bigFloor(n, d)]).toEqual([BigInt(half), BigInt(up), BigInt(down)])
    expect(divideHalfUp(over, under)).toBe(Number(half) + 0)
  })
})

test('a percentage keeps four decimals, halves away from zero', () => {
  expect(percentChange(110, 100)).toBe(10)
  expect(percentChange(2_000_001, 2_000_000)).toBe(0.0001)
  expect(percentChange(1_999_999, 2_000_000)).toBe(-0.0001)
  expect(percentChange(100, 300)).toBe(-66.6667)
})
