import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correlation, quantile } from '../../../src/frame/verb/array-statistics.js'
import { type RankOptions, rank } from '../../../src/frame/verb/rank.js'
import { expanding, rolling, type WindowOperation } from '../../../src/frame/verb/rolling.js'
import { difference, pctChange, shift } from '../../../src/frame/verb/shift.js'

const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(NaN, NaN, Infinity, -Infinity, 12345678901.23, 0.1),
  fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map((cents) => cents / 100),
)
const array = fc.array(number, { maxLength: 40 }).map((list) => Float64Array.from(list))

/** A double as a fraction of 2^1074, exactly. */
function exact(x: number): bigint {
  const [mantissa = 0n, exponent = 0] = (() => {
    const bits = new BigUint64Array(Float64Array.of(x).buffer)[0] ?? 0n
    const power = Number((bits >> 52n) & 0x7ffn)
    const fraction = bits & 0xfffffffffffffn
    return [power === 0 ? fraction : fraction | 0x10000000000000n, Math.max(power, 1)]
  })()
  const size = mantissa << BigInt(exponent - 1)
  return x < 0 ? -size : size
}

function exactSum(list: readonly number[]): number {
  if (list.some((x) => !Number.isFinite(x))) return list.reduce((sum, x) => sum + x, 0)
  const sum = list.reduce((all, x) => all + exact(x), 0n)
  const size = sum < 0n ? -sum : sum
  const shiftBy = Math.max(size.toString(2).length - 64, 0)
  const top = Number(size >> BigInt(shiftBy))
  return (
    (sum < 0n ? -1 : 1) *
    top *
    2 ** Math.max(shiftBy - 1074, -1000) *
    (shiftBy - 1074 < -1000 ? 2 ** (shiftBy - 74) : 1)
  )
}

function slowWindow(list: readonly number[], operation: WindowOperation): number {
  const n = list.length
  const sorted = [...list].sort((a, b) => a - b)
  const mean = exactSum(list) / n
  switch (operation) {
    case 'count':
      return n
    case 'sum':
      return exactSum(list)
    case 'mean':
      return mean
    case 'min':
      return sorted[0] ?? NaN
    case 'max':
      return sorted.at(-1) ?? NaN
    case 'median':
      return ((sorted[Math.ceil(n / 2) - 1] ?? NaN) + (sorted[Math.floor(n / 2)] ?? NaN)) / 2
    default: {
      const variance = n < 2 ? NaN : list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1)
      return operation === 'var' ? variance : Math.sqrt(variance)
    }
  }
}

function close(found: number, wanted: number, scale: number): boolean {
  return Object.is(found, wanted) || found === wanted || Math.abs(found - wanted) <= scale
}

const operations = ['sum', 'mean', 'min', 'max', 'count', 'median', 'std', 'var'] as const

test.each(operations)('rolling and expanding %s are the slow windows', (operation) => {
  const sized = array.chain((x) =>
    fc.tuple(fc.constant(x), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })),
  )
  fc.assert(
    fc.property(sized, ([x, n, least]) => {
      const minPeriods = Math.min(n, least)
      for (const [found, size] of [
        [rolling(x, n, operation, { minPeriods }), n],
        [expanding(x, operation, { minPeriods }), x.length],
      ] as const) {
        expect(found.length).toBe(x.length)
        found.forEach((value, row) => {
          const own = [...x.subarray(Math.max(0, row - size + 1), row + 1)].filter((y) => !Number.isNaN(y))
          const wanted = own.length < minPeriods ? NaN : slowWindow(own, operation)
          const most = Math.max(1, ...own.filter(Number.isFinite).map(Math.abs))
          const loose = operation === 'std' ? most * 1e-7 : operation === 'var' ? most * most * 1e-13 : 0
          const tight = operation === 'sum' || operation === 'mean' ? Math.abs(wanted) * 2e-16 + most * 1e-30 : loose
          if (!close(value, wanted, tight)) expect([row, own, value]).toEqual([row, own, wanted])
        })
      }
    }),
    { numRuns: 250 },
  )
})

test('nothing drifts in a million amounts of twelve digits with cents', () => {
  const n = 20
  const x = Float64Array.from(
    { length: 1_000_000 },
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

test('count is never missing unless asked', () => {
  expect([...rolling([1, NaN, 3], 2, 'count')]).toEqual([1, 1, 1])
  expect([...rolling([NaN, NaN, 3], 2, 'count', { minPeriods: 1 })]).toEqual([NaN, NaN, 1])
})

test('rank is the slow count of what comes before', () => {
  const ties = fc.constantFrom('average', 'min', 'max', 'dense', 'first' as const)
  fc.assert(
    fc.property(array, ties, fc.boolean(), (x, rule, descending) => {
      const options: RankOptions = { ties: rule, descending }
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
    { numRuns: 300 },
  )
})

test('quantile lies between its neighbours, in proportion', () => {
  fc.assert(
    fc.property(array, fc.constantFrom(0, 0.25, 0.5, 0.75, 1, 0.1, 0.333), (x, q) => {
      const sorted = [...x].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b)
      const at = (sorted.length - 1) * q
      const [a = NaN, b = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
      const between = Number.isFinite(a + b) ? a + (b - a) * (at - Math.floor(at)) : a + b
      const wanted = a === b ? a : between
      const found = quantile(x, q)
      const far = Math.max(Math.abs(a), Math.abs(b))
      if (!close(found, wanted, Number.isFinite(far) ? far * 4e-16 : 0)) expect(found).toBe(wanted)
    }),
  )
})

test('shift, difference and pctChange look back', () => {
  const x = [1, 2, NaN, 4, 0, 0]
  expect([...shift(x)]).toEqual([NaN, 1, 2, NaN, 4, 0])
  expect([...shift(x, -2)]).toEqual([NaN, 4, 0, 0, NaN, NaN])
  expect([...shift(x, 9)]).toEqual(new Array(6).fill(NaN))
  expect([...shift(x, -9)]).toEqual(new Array(6).fill(NaN))
  expect([...shift([])]).toEqual([])
  expect([...difference(x)]).toEqual([NaN, 1, NaN, NaN, -4, 0])
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
  expect(() => rank([1], { ties: 'x' as never })).toThrow("unknown ties 'x'")
})
