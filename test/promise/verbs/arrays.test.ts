import fc from 'fast-check'
import { correlation, diff, expanding, pctChange, quantile, type RankOptions, rank, rolling, shift } from 'quotebook'
import { expect, test } from 'vitest'

const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(NaN, NaN, Infinity, -Infinity, 12345678901.23, 0.1),
  fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map((cents) => cents / 100),
)
const array = fc.array(number, { maxLength: 40 }).map((list) => Float64Array.from(list))

test('nothing drifts in 200,000 amounts of twelve digits with cents', () => {
  const n = 20
  const x = Float64Array.from(
    { length: 200_000 },
    (_, at) => (1_000_000_000_000 * (1 + ((at * 7919) % 97)) + ((at * 104_729) % 10_000_019)) / 100,
  )
  /* Above 2^33 a double is a whole number of 2^-19, so these sums are exact. */
  const whole = Array.from(x, (amount) => BigInt(amount * 2 ** 20))
  const [sums, means] = [rolling(x, n, 'sum'), rolling(x, n, 'mean')]
  let sum = 0n
  let wrong = 0
  whole.forEach((own, at) => {
    sum += own - (whole[at - n] ?? 0n)
    if (at < n - 1) return
    const wanted = Number(sum) / 2 ** 20
    if (sums[at] !== wanted || means[at] !== wanted / n) wrong++
  })
  expect(wrong).toBe(0)
})

test('small variations of a great number', () => {
  const x = Float64Array.from({ length: 1000 }, (_, at) => 1e9 + (at % 2))
  for (const variance of rolling(x, 10, 'var').subarray(9)) expect(variance).toBeCloseTo((10 * 0.25) / 9, 12)
  expect(
    rolling(new Float64Array(50).fill(0.1), 7, 'std')
      .subarray(6)
      .every((value) => value === 0),
  ).toBe(true)
})

test('infinity leaves with its row', () => {
  const x = [1, Infinity, 2, 3, 4, -Infinity, Infinity, 5, 6]
  expect([...rolling(x, 2, 'sum')]).toEqual([NaN, Infinity, Infinity, 5, 7, -Infinity, NaN, Infinity, 11])
  expect([...rolling(x, 2, 'var')].map(Number.isFinite)).toEqual([
    false,
    false,
    false,
    true,
    true,
    false,
    false,
    false,
    true,
  ])
})

test('windows skip what is missing, and need as many as they are told', () => {
  const x = [3, NaN, 1, 2, NaN, NaN, NaN, 5]
  const of = (operation: 'min' | 'max' | 'median' | 'mean') => [...rolling(x, 3, operation, { minPeriods: 1 })]
  expect(of('min')).toEqual([3, 3, 1, 1, 1, 2, NaN, 5])
  expect(of('max')).toEqual([3, 3, 3, 2, 2, 2, NaN, 5])
  expect(of('median')).toEqual([3, 3, 2, 1.5, 1.5, 2, NaN, 5])
  expect(of('mean')).toEqual([3, 3, 2, 1.5, 1.5, 2, NaN, 5])
  expect([...expanding(x, 'count')]).toEqual([1, 1, 2, 3, 3, 3, 3, 4])
  expect([...rolling(x, 3, 'sum', { minPeriods: 2 })]).toEqual([NaN, NaN, 4, 3, 3, NaN, NaN, NaN])
})

test('count is never missing unless asked', () => {
  expect([...rolling([1, NaN, 3], 2, 'count')]).toEqual([1, 1, 1])
  expect([...rolling([NaN, NaN, 3], 2, 'count', { minPeriods: 1 })]).toEqual([NaN, NaN, 1])
})

test('rank is the slow count of what comes before', () => {
  const ties = fc.constantFrom('average', 'min', 'max', 'dense', 'first' as const)
  fc.assert(
    fc.property(array, ties, fc.boolean(), (x, rule, descending) => {
      const options: RankOptions = { method: rule, descending }
      const wanted = [...x].map((value, row) => {
        if (Number.isNaN(value)) return NaN
        const ahead = [...x].filter((other) => (descending ? other > value : other < value))
        const equal = [...x].flatMap((other, at) => (other === value ? [at] : []))
        if (rule === 'dense') return new Set(ahead).size + 1
        if (rule === 'first') return ahead.length + equal.indexOf(row) + 1
        if (rule === 'average') return ahead.length + (equal.length + 1) / 2
        return ahead.length + (rule === 'min' ? 1 : equal.length)
      })
      expect([...rank(x, options)]).toEqual(wanted)
    }),
    { numRuns: 60 },
  )
})

test('shift, diff and pctChange look back', () => {
  const x = [1, 2, NaN, 4, 0, 0]
  expect([...shift(x)]).toEqual([NaN, 1, 2, NaN, 4, 0])
  expect([...shift(x, -2)]).toEqual([NaN, 4, 0, 0, NaN, NaN])
  expect([...shift(x, 9)]).toEqual(new Array(6).fill(NaN))
  expect([...shift(x, -9)]).toEqual(new Array(6).fill(NaN))
  expect([...shift([])]).toEqual([])
  expect([...diff(x)]).toEqual([NaN, 1, NaN, NaN, -4, 0])
  expect([...pctChange(x)]).toEqual([NaN, 1, NaN, NaN, -1, NaN])
  expect([...pctChange([0, 1])]).toEqual([NaN, Infinity])
  expect([...shift([1, null, undefined, 2])]).toEqual([NaN, 1, NaN, NaN])
})

test('correlation skips pairs with a missing part', () => {
  expect(correlation([1, 2, 3, NaN, 4], [2, 4, 6, 8, NaN])).toBeCloseTo(1, 15)
  expect(correlation([1, 2, 3], [1, 1, 1])).toBeNaN()
  expect(correlation([1], [2])).toBeNaN()
  expect(correlation([1e9 + 1, 1e9 + 2, 1e9 + 3], [3, 2, 1])).toBe(-1)
  expect(() => correlation([1], [])).toThrow('the arrays have 1 and 0 rows')
})

test('what is no number is refused', () => {
  expect(() => rolling([1], 0, 'mean')).toThrow('rolling: n must be a whole number of at least 1, not 0')
  expect(() => rolling([1], 2, 'mean', { minPeriods: 3 })).toThrow('minPeriods 3 is more than n 2')
  expect(() => rolling([1], 1, 'average' as never)).toThrow("unknown window operation 'average'")
  expect(() => shift([1], 0.5)).toThrow('shift: n must be a whole number, not 0.5')
  expect(() => shift(['1'] as never)).toThrow("shift, row 1: '1' is not a number")
  expect(() => quantile([1], 2)).toThrow('q must be within 0 and 1')
  expect(() => rank([1], { method: 'x' as never })).toThrow("unknown method 'x'")
})
