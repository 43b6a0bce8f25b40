import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correlation } from '../../../src/frame/verb/array-statistics.js'
import { cumulative } from '../../../src/frame/verb/cumulative.js'
import { cut, quantileCut } from '../../../src/frame/verb/cut.js'
import { type EwmOptions, ewm } from '../../../src/frame/verb/ewm.js'
import { rolling } from '../../../src/frame/verb/rolling.js'
import { rollingCorrelation, rollingRegression } from '../../../src/frame/verb/rolling-pairs.js'

const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(NaN, NaN, Infinity, -Infinity, 12345678.25, 0.1),
)
const finite = number.map((x) => (Number.isFinite(x) ? x : NaN))
const array = (of: fc.Arbitrary<number>) => fc.array(of, { maxLength: 40 }).map((list) => Float64Array.from(list))
const isThere = (x: number | undefined): boolean => !Number.isNaN(x)

function near(found: number, wanted: number, row: number, loose: number): void {
  if (!(Object.is(found + 0, wanted + 0) || Math.abs(found - wanted) <= loose))
    expect([row, found]).toEqual([row, wanted])
}

test('cumulative is the slow walk; a missing number stays missing', () => {
  fc.assert(
    fc.property(array(number), fc.constantFrom('sum', 'product', 'min', 'max' as const), (x, operation) => {
      const fold = {
        sum: (list: readonly number[]) => list.reduce((a, b) => a + b, 0),
        product: (list: readonly number[]) => list.reduce((a, b) => a * b, 1),
        min: (list: readonly number[]) => Math.min(...list),
        max: (list: readonly number[]) => Math.max(...list),
      }[operation]
      cumulative(x, operation).forEach((value, row) => {
        const wanted = isThere(x[row]) ? fold([...x.subarray(0, row + 1)].filter(isThere)) : NaN
        near(value, wanted, row, operation === 'sum' ? 1e-7 : 0)
      })
    }),
  )
  expect(cumulative(new Float64Array(1_000_000).fill(0.1), 'sum').at(-1)).toBe(100_000)
  expect(() => cumulative([1], 'mean' as never)).toThrow("cumulative: unknown operation 'mean'; there are sum, product")
})

test('ewm is the weighted mean by its definition, with gaps old or ignored', () => {
  const settings = fc.record({ alpha: fc.constantFrom(0.1, 0.5, 0.9, 1), ignoreMissing: fc.boolean() })
  fc.assert(
    fc.property(array(number), settings, (x, options) => {
      const [mean, variance] = [ewm(x, options, 'mean'), ewm(x, options, 'var')]
      const deviation = ewm(x, options, 'std')
      mean.forEach((value, row) => {
        const all = [...x.subarray(0, row + 1)]
        const own = options.ignoreMissing ? all.filter(Number.isFinite) : all
        const pairs = own.flatMap((one, at) =>
          Number.isFinite(one) ? [[one, (1 - options.alpha) ** (own.length - 1 - at)] as const] : [],
        )
        if (pairs.length === 0) {
          expect(value).toBeNaN()
          return
        }
        const sum = pairs.reduce((total, [, weight]) => total + weight, 0)
        /* With alpha 1 only the last number weighs, however many rows ago. */
        const wanted =
          sum === 0 ? (pairs.at(-1)?.[0] ?? NaN) : pairs.reduce((total, [one, w]) => total + one * w, 0) / sum
        near(value, wanted, row, 1e-7)
        const squares = pairs.reduce((total, [, weight]) => total + weight * weight, 0)
        const spread = pairs.reduce((total, [one, weight]) => total + weight * (one - wanted) ** 2, 0)
        const most = Math.max(1, ...pairs.map(([one]) => Math.abs(one)))
        /* As in pandas, digits are lost where nearly all the weight is on one number. */
        const share = 1 - squares / sum / sum
        if (pairs.length > 1 && share > 1e-9)
          near(variance[row] as number, spread / sum / share, row, (most * most * 1e-13) / share)
        if (pairs.length === 1 || options.alpha === 1) expect(variance[row]).toBeNaN()
        expect(deviation[row]).toBe(Math.sqrt(variance[row] as number))
      })
    }),
    { numRuns: 200 },
  )
})

test('ewm without adjust is the recurrence, and its four names of a decay are one', () => {
  const x = [1, 4, 9, 16, 25]
  let mean = 1
  const wanted = x.map((value) => {
    mean += 0.4 * (value - mean)
    return mean
  })
  ewm(x, { alpha: 0.4, adjust: false }, 'mean').forEach((value, row) => {
    expect(value).toBeCloseTo(wanted[row] as number, 13)
  })
  const half = Math.log(0.5) / Math.log(0.6)
  for (const decay of [{ span: 4 }, { com: 1.5 }, { halflife: half }] as EwmOptions[])
    expect(ewm(x, decay, 'var').at(-1)).toBeCloseTo(ewm(x, { alpha: 0.4 }, 'var').at(-1) as number, 12)
  expect([...ewm(new Array(50).fill(0.1), { span: 7 }, 'std').subarray(1)]).toEqual(new Array(49).fill(0))
  expect([...ewm([1, Infinity, 3], { com: 1 }, 'mean')]).toEqual([...ewm([1, NaN, 3], { com: 1 }, 'mean')])
})

test('a decay out of its range, two of them or none are refused', () => {
  const none = 'ewm needs one of span, halflife, alpha and com, such as { span: 12 }'
  expect(() => ewm([1], {} as never, 'mean')).toThrow(none)
  expect(() => ewm([1], { span: 3, com: 1 } as never, 'mean')).toThrow(none)
  expect(() => ewm([1], { span: 0.5 }, 'mean')).toThrow('ewm: span must be at least 1, not 0.5')
  expect(() => ewm([1], { alpha: 0 }, 'mean')).toThrow('ewm: alpha must be greater than 0, at most 1, not 0')
  expect(() => ewm([1], { halflife: Infinity }, 'mean')).toThrow('ewm: halflife must be greater than 0, not Infinity')
  expect(() => ewm([1], { span: 2 }, 'sum' as never)).toThrow("ewm: unknown operation 'sum'; there are mean, std, var")
})

test('windows of pairs are the slow ones', () => {
  const pairs = fc.array(fc.tuple(number, number), { maxLength: 40 })
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), (list, n, least) => {
      const [x, y] = [list.map(([one]) => one), list.map(([, two]) => two)]
      const minPeriods = Math.min(n, least)
      const lines = rollingRegression(x, y, n, { minPeriods })
      rollingCorrelation(x, y, n, { minPeriods }).forEach((value, row) => {
        const own = list.slice(Math.max(0, row - n + 1), row + 1).filter((pair) => pair.every(isThere))
        const [a, b] = [own.map(([one]) => one), own.map(([, two]) => two)]
        const wanted = own.length < minPeriods ? NaN : correlation(a, b)
        near(value, wanted, row, 1e-9)
        near(lines.rSquared[row] as number, wanted * wanted, row, 1e-9)
        const flat = own.length < Math.max(minPeriods, 2) || !own.flat().every(Number.isFinite) || new Set(a).size < 2
        const slope = lines.slope[row] as number
        if (flat) {
          expect([slope, lines.intercept[row]]).toEqual([NaN, NaN])
          return
        }
        /* Residuals of the best line have no sum and no trend. */
        const rest = own.map(([one, two]) => two - (lines.intercept[row] as number) - slope * one)
        const [wide, high] = [Math.max(1, ...a.map(Math.abs)), Math.max(1, ...b.map(Math.abs))]
        const scale = (high + Math.abs(slope) * wide) * own.length * 1e-14
        near(
          rest.reduce((sum, value) => sum + value, 0),
          0,
          row,
          scale,
        )
        const trend = rest.reduce((sum, value, at) => sum + value * ((a[at] as number) - (a[0] as number)), 0)
        near(trend, 0, row, scale * wide)
      })
    }),
    { numRuns: 300 },
  )
})

test('a window of pairs forgets what has left it, and prices that do not move have no line', () => {
  const x = [1, 2, Infinity, 4, 5, 6, 7, 1e300, 3, 4, 5, 6]
  const found = rollingRegression(x, x, 3)
  expect([...found.slope].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([
    NaN,
    NaN,
    NaN,
    NaN,
    NaN,
    1,
    1,
    NaN,
    NaN,
    NaN,
    1,
    1,
  ])
  const still = new Array(30).fill(10000.1)
  const moving = still.map((price, at) => price + (at % 3) * 0.01)
  expect(rollingCorrelation(still, moving, 7).every(Number.isNaN)).toBe(true)
  expect(rollingRegression(still, moving, 7).slope.every(Number.isNaN)).toBe(true)
  const flat = rollingRegression(moving, still, 7)
  expect([...flat.slope.subarray(6), ...flat.intercept.subarray(6)]).toEqual([
    ...new Array(24).fill(0),
    ...new Array(24).fill(10000.1),
  ])
  expect(flat.rSquared.every(Number.isNaN)).toBe(true)
  expect(() => rollingCorrelation([1], [1, 2], 2)).toThrow('rollingCorrelation: the arrays have 1 and 2 rows')
  expect(() => rollingRegression([1], [1], 2, { minPeriods: 3 })).toThrow('minPeriods 3 is more than n 2')
})

test('the squares of a pair of one array are those of rolling', () => {
  fc.assert(
    fc.property(array(finite), fc.integer({ min: 2, max: 9 }), (x, n) => {
      const variance = rolling(x, n, 'var', { minPeriods: 2 })
      rollingRegression(x, x, n, { minPeriods: 2 }).slope.forEach((slope, row) => {
        near(slope, (variance[row] as number) > 0 ? 1 : NaN, row, 1e-12)
      })
    }),
  )
})

test('cut finds the interval by comparing with all', () => {
  const edges = fc.uniqueArray(fc.constantFrom(-Infinity, -5, -2.5, 0, 1, 3, Infinity), { minLength: 2 })
  fc.assert(
    fc.property(array(number), edges, fc.boolean(), (x, unordered, includeLowest) => {
      const own = [...unordered].sort((a, b) => (a < b ? -1 : 1))
      const labels = own.slice(1).map((_, at) => at + 1)
      const wanted = [...x].map((value) => {
        const at = own.findIndex((edge, place) => place > 0 && value <= edge && value > (own[place - 1] as number))
        if (includeLowest && value === own[0]) return 1
        return at < 0 ? null : at
      })
      expect(cut(x, own, labels, { includeLowest })).toEqual(wanted)
    }),
  )
})

test('quantileCut puts as many into each, up to ties', () => {
  const distinct = fc.uniqueArray(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(distinct, fc.integer({ min: 1, max: 12 }), (list, count) => {
      fc.pre(list.length > 1 || count === 1)
      const labels = Array.from({ length: count }, (_, at) => at)
      const edgeless = list.length === 1
      const found = edgeless ? [0] : quantileCut(list, count, labels)
      const sizes = labels.map((label) => found.filter((own) => own === label).length)
      expect(found).not.toContain(null)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(edgeless ? 1 : 2)
      list.forEach((one, a) => {
        list.forEach((two, b) => {
          if (one < two) expect(Number(found[a])).toBeLessThanOrEqual(Number(found[b]))
        })
      })
    }),
  )
  /* 49 times a 49th is a little less than one: the edge must be the number itself all the same. */
  const fifty = Array.from({ length: 50 }, (_, at) => at)
  expect(quantileCut(fifty, 49, fifty.slice(1)).slice(0, 4)).toEqual([1, 1, 2, 3])
})

test('labels and edges that do not fit are refused, and intervals have names', () => {
  expect(cut([1, 2, 2.5, NaN, 4], [1, 2, 3])).toEqual([null, '(1, 2]', '(2, 3]', null, null])
  expect(cut([1, 1.5], [1, 2], undefined, { includeLowest: true })).toEqual(['[1, 2]', '[1, 2]'])
  expect(cut([1.00005], [1, 1.0001, 1.00015])).toEqual(['(1, 1.0001]'])
  expect(quantileCut([1, 2, 3, null], 2, ['low', 'high'])).toEqual(['low', 'low', 'high', null])
  expect(quantileCut([null], 2)).toEqual([null])
  expect(quantileCut([], 2)).toEqual([])
  expect(() => cut([1], [2, 1])).toThrow('cut: edges must ascend; these do not: 2 and 1')
  expect(() => cut([1], [1, NaN])).toThrow('edges must ascend')
  expect(() => cut([1], [1, 1, 2])).toThrow("cut: two edges are 1; { duplicates: 'drop' } takes one")
  expect(() => cut([1], [1])).toThrow('cut: edges must be at least two different numbers')
  expect(() => cut([1], [1, 2, 3], ['a'])).toThrow('cut: there are 1 labels for 2 intervals')
  expect(() => quantileCut([1, 1, 1, 2], 2)).toThrow("quantileCut: two edges are 1; { duplicates: 'drop' } takes one")
  expect(quantileCut([1, 1, 1, 2], 2, undefined, { duplicates: 'drop' })).toEqual([
    ...Array(3).fill('[1, 2]'),
    '[1, 2]',
  ])
  expect(() => quantileCut([1], 0)).toThrow('quantileCut: count must be a whole number of at least 1, not 0')
})
