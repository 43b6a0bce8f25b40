import fc from 'fast-check'
import { expect, test } from 'vitest'
import { impliedClose, inTicks, ticksPerYuan } from '../../../../src/research/analysis/auction/previous-close.js'
import { python } from '../help.js'
import { changeOf } from './help.js'

interface Case {
  /** Prices in yuan, as they are printed. */
  readonly prices: readonly number[]
  readonly changes: readonly number[]
  readonly perYuan: number
}

const of = ({ prices, changes, perYuan }: Case) =>
  impliedClose(Float64Array.from(prices), Float64Array.from(changes), Int32Array.from(prices.keys()), perYuan)

/** Every close on the tick, tried one by one in Python's fractions: which of them gives all published changes? */
const byTrial = `
import sys, json
from decimal import Decimal
from fractions import Fraction
out = []
for one in json.load(sys.stdin):
    places = lambda c: max(2, -Decimal(str(c)).normalize().as_tuple().exponent)
    counts = sorted(places(c) for c in one['changes'])
    usual = counts[len(counts) // 2]
    rows = []
    for p, c in zip(one['prices'], one['changes']):
        half = Fraction(1, 2 * 10 ** max(usual, places(c)))
        rows.append((Fraction(Decimal(str(p))), Fraction(Decimal(str(c))), half))
    n = one['perYuan']
    p, c, half = rows[0]
    middle = int(p / (1 + c / 100) * n)
    wide = int(p * n * half / 20) + 3
    fits = []
    for ticks in range(max(1, middle - wide), middle + wide + 1):
        b = Fraction(ticks, n)
        if all(abs((p / b - 1) * 100 - c) <= half for p, c, half in rows): fits.append(ticks)
    assert fits == [] or fits == list(range(fits[0], fits[-1] + 1))
    assert fits == [] or (fits[0] > middle - wide or fits[0] == 1) and fits[-1] < middle + wide
    out.append([fits[0], fits[-1]] if fits else None)
json.dump(out, sys.stdout)
`

const exact: fc.Arbitrary<Case> = fc
  .record({
    close: fc.integer({ min: 50, max: 300_000 }),
    moves: fc.array(fc.integer({ min: -2000, max: 2000 }), { minLength: 1, maxLength: 6 }),
    places: fc.constantFrom(2, 3, 4),
    perYuan: fc.constantFrom(100, 1000),
    /** By how many units the last change is wrong. */
    wrong: fc.constantFrom(0, 0, 0, 1, 3),
  })
  .map(({ close, moves, places, perYuan, wrong }) => {
    const prices = moves.map((move) => Math.max(1, close + Math.round((close * move) / 10_000)))
    const changes = prices.map((price) => changeOf(price, close, places))
    const last = changes.length - 1
    changes[last] = Number(((changes[last] as number) + wrong / 10 ** places).toFixed(places))
    return { prices: prices.map((price) => price / perYuan), changes, perYuan }
  })

test('the closes that prices and rounded changes allow are those that fractions find by trial', () => {
  const cases = fc.sample(exact, { numRuns: Number(process.env.RUNS ?? 400), seed: 7 })
  const due = python(byTrial, cases) as ([number, number] | null)[]
  expect(due.filter((one) => one === null).length).toBeGreaterThan(20)
  expect(due.filter((one) => one !== null && one[0] === one[1]).length).toBeGreaterThan(50)
  expect(due.filter((one) => one !== null && one[0] < one[1]).length).toBeGreaterThan(50)
  cases.forEach((one, i) => {
    const found = of(one)
    const bounds = found && found.lowest <= found.highest ? [found.lowest, found.highest] : null
    expect(bounds, JSON.stringify(one)).toEqual(due[i])
  })
})

test('changes that nobody rounded, with what doubles leave behind, give the close itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 200_000 }), fc.integer({ min: 100, max: 200_000 }), (close, price) => {
      fc.pre(Math.abs(price / close - 1) < 0.3)
      const change = (price / close - 1) * 100
      const found = of({ prices: [price / 100], changes: [change], perYuan: 100 })
      expect(found).toEqual({ lowest: close, highest: close })
    }),
  )
})

test('ends of the rounding are included: 0.125 may be 0.12 and 0.13', () => {
  for (const change of [0.12, 0.13]) {
    const found = of({ prices: [8.01], changes: [change], perYuan: 100 })
    expect(found).toEqual({ lowest: 800, highest: 800 })
  }
  expect(of({ prices: [8.01], changes: [0.14], perYuan: 100 })).toEqual({ lowest: 800, highest: 799 })
})

test('nothing is said without both numbers, and of prices off the tick', () => {
  expect(of({ prices: [Number.NaN, 10], changes: [1, Number.NaN], perYuan: 100 })).toBe(undefined)
  expect(of({ prices: [10.001], changes: [1], perYuan: 100 })).toBe(undefined)
  expect(of({ prices: [10.001], changes: [0.01], perYuan: 1000 })).toEqual({ lowest: 10_000, highest: 10_000 })
})

test('a loss of everything contradicts a price', () => {
  const found = of({ prices: [10], changes: [-101], perYuan: 100 })
  expect(found && found.lowest > found.highest).toBe(true)
  expect(of({ prices: [0.01], changes: [-100], perYuan: 100 })).toBe(undefined)
})

test('noise of doubles never hides a decimal of a change beyond all bounds', () => {
  const cents = [642_296, 90_123]
  const one = { prices: cents.map((c) => c / 100), changes: cents.map((c) => changeOf(c, 11, 6)), perYuan: 100 }
  expect(of(one)).toEqual({ lowest: 11, highest: 11 })
})

test('the tick follows from the code', () => {
  const mills = ['510300.SH', '159915', '113050.SH', '123124', '900901.SH', '160105', '180801.SZ', '588000']
  expect(mills.map(ticksPerYuan)).toEqual(mills.map(() => 1000))
  const cents = ['000001.SZ', '600519', '300750.SZ', '688001.SH', '920002.BJ', '200002', '830799.BJ']
  expect(cents.map(ticksPerYuan)).toEqual(cents.map(() => 100))
  expect([inTicks(10.34, 100), inTicks(10.345, 100), inTicks(10.345, 1000), inTicks(Number.NaN, 100)]).toEqual([
    1034,
    Number.NaN,
    10_345,
    Number.NaN,
  ])
})
