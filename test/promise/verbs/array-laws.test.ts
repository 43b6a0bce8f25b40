import { cumulative, cut, type EwmOptions, ewm, qcut, rollingCorrelation, rollingRegression } from 'quotebook'
import { expect, test } from 'vitest'

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

test('labels and edges that do not fit are refused, and intervals have names', () => {
  expect(cut([1, 2, 2.5, NaN, 4], [1, 2, 3])).toEqual([null, '(1, 2]', '(2, 3]', null, null])
  expect(cut([1, 1.5], [1, 2], undefined, { includeLowest: true })).toEqual(['[1, 2]', '[1, 2]'])
  expect(cut([1.00005], [1, 1.0001, 1.00015])).toEqual(['(1, 1.0001]'])
  expect(qcut([1, 2, 3, null], 2, ['low', 'high'])).toEqual(['low', 'low', 'high', null])
  expect(qcut([null], 2)).toEqual([null])
  expect(qcut([], 2)).toEqual([])
  /* 49 times a 49th is a little less than one: the edge must be the number itself all the same. */
  const fifty = Array.from({ length: 50 }, (_, at) => at)
  expect(qcut(fifty, 49, fifty.slice(1)).slice(0, 4)).toEqual([1, 1, 2, 3])
  expect(() => cut([1], [2, 1])).toThrow('cut: edges must ascend; these do not: 2 and 1')
  expect(() => cut([1], [1, NaN])).toThrow('edges must ascend')
  expect(() => cut([1], [1, 1, 2])).toThrow("cut: two edges are 1; { duplicates: 'drop' } takes one")
  expect(() => cut([1], [1])).toThrow('cut: edges must be at least two different numbers')
  expect(() => cut([1], [1, 2, 3], ['a'])).toThrow('cut: there are 1 labels for 2 intervals')
  expect(() => qcut([1, 1, 1, 2], 2)).toThrow("qcut: two edges are 1; { duplicates: 'drop' } takes one")
  expect(qcut([1, 1, 1, 2], 2, undefined, { duplicates: 'drop' })).toEqual([...Array(3).fill('[1, 2]'), '[1, 2]'])
  expect(() => qcut([1], 0)).toThrow('qcut: count must be a whole number of at least 1, not 0')
})

test('cumulative goes on behind a gap, and does not drift', () => {
  const x = [2, NaN, -1, 3]
  const found = (['sum', 'product', 'min', 'max'] as const).map((operation) => [...cumulative(x, operation)])
  expect(found).toEqual([
    [2, NaN, 1, 4],
    [2, NaN, -2, -6],
    [2, NaN, -1, -1],
    [2, NaN, 2, 3],
  ])
  expect(cumulative(new Float64Array(100_000).fill(0.1), 'sum').at(-1)).toBe(10_000)
  expect(() => cumulative([1], 'mean' as never)).toThrow("cumulative: unknown operation 'mean'; there are sum, product")
})
