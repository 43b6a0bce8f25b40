import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cumulativeVwap, exactVwap, fastVwap, lotBounds } from '../../../src/analysis/vwap/cumulative.js'
import { python, pythonVwap } from '../help.js'

interface Bars {
  readonly amount: number[]
  readonly vol: number[]
  readonly factor: number
}

const factor = fc.constantFrom(1, 10, 100)
const lots = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_000_000 }))
const cents = fc.integer({ min: 0, max: 2_000_000_000 }).map((n) => n / 100)
const bar = (amount: fc.Arbitrary<number>, vol: fc.Arbitrary<number>): fc.Arbitrary<Bars> =>
  fc
    .tuple(fc.array(fc.tuple(amount, vol), { minLength: 1, maxLength: 17 }), factor)
    .map(([rows, per]) => ({ amount: rows.map(([a]) => a), vol: rows.map(([, v]) => v), factor: per }))

/** Sums that fall exactly on half a thousandth: amount = (2k + 1) x vol x factor / 2000, in whole cents. */
const ties = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 900 })), { minLength: 1 }),
    factor,
  )
  .map(([rows, per]) => ({
    amount: rows.map(([k, v]) => ((2 * k + 1) * v * 20 * per) / 2000),
    vol: rows.map(([, v]) => v * 20),
    factor: per,
  }))

const huge = bar(fc.integer({ min: 1e12, max: 9e15 }), fc.integer({ min: 1, max: 9e12 }))
const noise = bar(
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.double({ min: 1e-9, max: 1e6, noNaN: true })),
)
const fractions = bar(
  cents,
  fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 1000),
)
const large = bar(
  fc.integer({ min: 1e13, max: 9.9e14 }).map((n) => n / 100),
  fc.integer({ min: 1, max: 1e8 }),
)

/** One bar whose value lies a hair beside half a thousandth, at the size where a quotient of doubles can not tell. */
const besideTies = fc
  .tuple(fc.integer({ min: 5_000, max: 200_000_000 }), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([half, spread]) => {
    const vol = 2 * half + 1
    let odd = 2 * Math.floor((2 ** 52 - spread * 1e9) / vol / 2) - 1
    const off = (): number => Number((BigInt(odd) * BigInt(vol)) % 20n)
    for (let tries = 0; tries < 40 && off() !== 1 && off() !== 19; tries++) odd -= 2
    const product = BigInt(odd) * BigInt(vol)
    const cents = Number((off() === 19 ? product + 1n : product - BigInt(off())) / 20n)
    return { amount: [cents / 100], vol: [vol], factor: 1 }
  })

const kinds = { plain: bar(cents, lots), ties, besideTies, large, fractions, huge, noise }

function both({ amount, vol, factor }: Bars): { fast: Float64Array | undefined; exact: Float64Array } {
  const [a, v] = [Float64Array.from(amount), Float64Array.from(vol)]
  const exact = new Float64Array(a.length)
  exactVwap(a, v, factor, exact)
  const out = new Float64Array(a.length)
  return { fast: fastVwap(a, v, factor, out) ? out : undefined, exact }
}

test.each(Object.entries(kinds))('%s: the fast and the general way agree', (kind, series) => {
  let fast = 0
  fc.assert(
    fc.property(series, (bars) => {
      const found = both(bars)
      if (!found.fast) return
      fast++
      expect(found.fast).toEqual(found.exact)
    }),
    { numRuns: 300 },
  )
  if (['plain', 'ties', 'besideTies'].includes(kind)) expect(fast).toBe(300)
  else expect(fast).toBeLessThan(300)
})

test('every kind of series gives what Python decimal gives', () => {
  const series = Object.values(kinds).flatMap((kind, seed) => fc.sample<Bars>(kind, { numRuns: 700, seed }))
  const expected = python(pythonVwap, series) as (number | null)[][]
  const found = series.map(({ amount, vol, factor }) =>
    Array.from(cumulativeVwap(Float64Array.from(amount), Float64Array.from(vol), factor), (x) =>
      Number.isNaN(x) ? null : x,
    ),
  )
  expect(found).toEqual(expected)
  expect(found.flat().length).toBeGreaterThan(15_000)
})

test('ties go up, and null stands before the first trade only', () => {
  const value = cumulativeVwap(Float64Array.of(0, 1.0005, 0, 1), Float64Array.of(0, 1, 0, 1), 1)
  expect([...value]).toEqual([Number.NaN, 1.001, 1.001, 1])
})

test('turnover without volume counts from the next trade on', () => {
  expect([...cumulativeVwap(Float64Array.of(100, 7, 100), Float64Array.of(1, 0, 1), 100)]).toEqual([1, 1, 1.035])
})

test('lot bounds are those of half a lot in total, or of half a lot a bar when each bar was rounded', () => {
  const bars = [Float64Array.of(234000, 467090, 0), Float64Array.of(195, 390, 0), 10] as const
  const total = lotBounds(...bars)
  expect([...total.low]).toEqual([119.693, 119.742, 119.742])
  expect([...total.high]).toEqual([120.308, 119.947, 119.947])
  const each = lotBounds(...bars, 'each bar')
  expect([...each.low]).toEqual([119.693, 119.64, 119.64])
  expect([...each.high]).toEqual([120.308, 120.05, 120.05])
})

test('no bound before the first lot, none above where each bar may have been less than half of its lots', () => {
  const bars = [Float64Array.of(30, 400, 30), Float64Array.of(0, 1, 0), 100] as const
  const total = lotBounds(...bars)
  expect([[...total.low], [...total.high]]).toEqual([
    [Number.NaN, 2.867, 3.067],
    [Number.NaN, 8.6, 9.2],
  ])
  const each = lotBounds(...bars, 'each bar')
  expect([[...each.low], [...each.high]]).toEqual([
    [Number.NaN, 2.15, 1.84],
    [Number.NaN, Number.NaN, Number.NaN],
  ])
})

test('a value lies within its lot bounds, and those of one rounding within those of many', () => {
  fc.assert(
    fc.property(kinds.plain, ({ amount, vol, factor }) => {
      const [a, v] = [Float64Array.from(amount), Float64Array.from(vol)]
      const value = cumulativeVwap(a, v, factor)
      const ends = lotBounds(a, v, factor)
      const wide = lotBounds(a, v, factor, 'each bar')
      value.forEach((x, i) => {
        expect(Number.isNaN(ends.low[i])).toBe(Number.isNaN(x))
        expect(Number.isNaN(ends.high[i])).toBe(Number.isNaN(x))
        if (Number.isNaN(x) || vol[i] === 0) return
        expect(ends.low[i]).toBeLessThanOrEqual(x)
        expect(ends.high[i]).toBeGreaterThanOrEqual(x)
        expect(wide.low[i]).toBeLessThanOrEqual(ends.low[i] as number)
        if (!Number.isNaN(wide.high[i])) expect(wide.high[i]).toBeGreaterThanOrEqual(ends.high[i] as number)
      })
    }),
  )
})

test('nothing is rounded to lots when volumes are shares or fractions', () => {
  for (const [vol, factor] of [
    [Float64Array.of(3, 4), 1],
    [Float64Array.of(3.5, 4), 100],
  ] as const) {
    const amount = Float64Array.of(1000, 1000)
    const { low, high } = lotBounds(amount, vol, factor)
    expect(low).toEqual(cumulativeVwap(amount, vol, factor))
    expect(high).toEqual(low)
  }
})
