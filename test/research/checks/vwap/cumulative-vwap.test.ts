import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cumulativeVwap, exactVwap, fastVwap, tableVwap } from '../../../../src/research/checks/vwap/cumulative-vwap.js'
import { lotBounds } from '../../../../src/research/checks/vwap/lot-bounds.js'
import { chances } from '../../../helper/chance.js'
import { besideTie } from './series.js'

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

const kinds = { plain: bar(cents, lots), ties, large, fractions, huge, noise }

function both({ amount, vol, factor }: Bars): { fast: Float64Array | undefined; exact: Float64Array } {
  const [a, v] = [Float64Array.from(amount), Float64Array.from(vol)]
  const exact = new Float64Array(a.length)
  exactVwap(a, v, factor, exact)
  const out = new Float64Array(a.length)
  const left = fastVwap(a, v, { starts: [0, a.length], factors: [factor] }, out)
  return { fast: left.length === 0 ? out : undefined, exact }
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
  if (['plain', 'ties'].includes(kind)) expect(fast).toBe(300)
  else expect(fast).toBeLessThan(300)
})

test('sums at the limit: below it by the fast way, at it and beyond by the general one, always the same', () => {
  const draw = chances(7)
  const most = Math.floor(2 ** 50 / 10)
  for (const cents of [most - 1, most, most + 1, 2 * most]) {
    const amount = Float64Array.of((cents - 7) / 100, 0.07)
    for (const vol of [1, 3, 2 ** 20 + 1, 2 ** 51 - 2, 2 ** 51 - 1, 2 ** 52]) {
      const runs = { starts: [0, 2], factors: [1] }
      const [out, exact] = [new Float64Array(2), new Float64Array(2)]
      const vols = Float64Array.of(0, vol)
      const isFast = fastVwap(amount, vols, runs, out).length === 0
      expect([cents, vol, isFast]).toEqual([cents, vol, cents <= most && vol < 2 ** 51])
      exactVwap(amount, vols, 1, exact)
      expect(cumulativeVwap(amount, vols, 1)).toEqual(exact)
    }
  }
  for (let i = 0; i < 2000; i++) {
    const { amount, vol, factor } = besideTie(draw, 2 ** 52)
    const exact = new Float64Array(1)
    exactVwap(amount, vol, factor, exact)
    expect(cumulativeVwap(amount, vol, factor)).toEqual(exact)
  }
})

test('a sum that left the whole doubles never comes back under the limit', () => {
  const amount = new Float64Array(4000).fill(2 ** 49)
  const out = new Float64Array(4000)
  expect(fastVwap(amount, new Float64Array(4000).fill(1), { starts: [0, 4000], factors: [1] }, out)).toEqual([0])
})

test('the table at once is each series by itself, and a bar that cannot be added up ends its series alone', () => {
  const bars = fc.oneof(kinds.plain, kinds.ties, kinds.large, kinds.noise)
  const perturber = fc.constantFrom(Number.NaN, -1, Number.POSITIVE_INFINITY)
  fc.assert(
    fc.property(fc.array(bars, { maxLength: 6 }), fc.option(perturber), fc.nat(), (series, bad, at) => {
      const [amount, vol] = [series.flatMap((one) => one.amount), series.flatMap((one) => one.vol)]
      const starts = [0]
      for (const { vol } of series) starts.push((starts.at(-1) ?? 0) + vol.length)
      const place = at % Math.max(amount.length, 1)
      if (bad !== null && amount.length > 0) (at % 2 ? amount : vol)[place] = bad
      const table = tableVwap(Float64Array.from(amount), Float64Array.from(vol), {
        starts,
        factors: series.map((one) => one.factor),
      })
      series.forEach((one, s) => {
        const [start, end] = [starts[s] as number, starts[s + 1] as number]
        const to = bad !== null && place >= start && place < end ? place : end
        expect(table.brokenAt.get(s)).toBe(to < end ? to : undefined)
        const alone = cumulativeVwap(
          Float64Array.from(one.amount.slice(0, to - start)),
          Float64Array.from(one.vol.slice(0, to - start)),
          one.factor,
        )
        expect([...table.value.subarray(start, end)]).toEqual([...alone, ...new Array(end - to).fill(Number.NaN)])
      })
    }),
  )
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
