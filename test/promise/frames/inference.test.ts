import { DataFrame, Series } from 'quotebook'
import { expect, test } from 'vitest'

/* Types that danfo finds itself, and what it is given. */
const late = (last: unknown, first: unknown) => [...new Array(30).fill(first), last]
const date = new Date(Date.UTC(2026, 0, 2))
const nan = Number.NaN

test.each([
  [['000001', '600000'], 'string', undefined],
  [['20260102'], 'string', undefined],
  [['1.10'], 'string', undefined],
  [[''], 'string', undefined],
  [['000001', null], 'string', ['000001', null]],
  [[null, 'a'], 'string', undefined],
  [[undefined, 'a', nan], 'string', [null, 'a', null]],
  [late('text', null), 'string', undefined],
  [[1, 'a'], 'string', undefined],
  [[null, ['a', 'b']], 'string', undefined],
  [[['a', 'b'], null], 'string', undefined],
  [[{ a: 1 }], 'string', undefined],
  [[1, 2], 'int32', undefined],
  [late(1.5, 1), 'float32', undefined],
  [[1, null], 'float32', [1, nan]],
  [[undefined, 1], 'float32', [nan, 1]],
  [[Number.POSITIVE_INFINITY], 'float32', undefined],
  [[null, null], 'float32', [nan, nan]],
  [[true, null], 'boolean', undefined],
  [[true, false], 'boolean', undefined],
  [[null, date], 'datetime', undefined],
  [[date], 'datetime', undefined],
  [[1n, 2n], 'int32', [1, 2]],
] as [unknown[], string, unknown[] | undefined][])('%s is %s', (cells, dtype, expected = cells) => {
  const series = new Series(cells)
  expect([series.dtype, series.values]).toEqual([dtype, expected])
  for (const frame of [
    new DataFrame({ a: cells }),
    new DataFrame(
      cells.map((cell) => [cell]),
      { columns: ['a'] },
    ),
  ]) {
    expect(frame.dtypes).toEqual([dtype])
    expect(frame['a'].values).toEqual(expected)
    frame['a'] = cells
    expect([frame.dtypes, frame['a'].values]).toEqual([[dtype], expected])
  }
})

test('a bigint that no number holds is refused', () => {
  expect(() => new Series([12345678901234567890n])).toThrow(
    'a number can not hold 12345678901234567890n exactly; give it as text',
  )
})

test('objects go by their keys', () => {
  const frame = new DataFrame([
    { a: 1, b: 'x', c: true },
    { c: false, a: 2 },
    Object.assign(Object.create(null), { d: 4 }),
  ])
  expect(frame.columns).toEqual(['a', 'b', 'c', 'd'])
  expect(frame.values).toEqual([
    [1, 'x', true, nan],
    [2, null, false, nan],
    [nan, null, null, 4],
  ])
  expect(new DataFrame([{ a: 1, b: 2 }], { columns: ['b', 'a'] }).values).toEqual([[2, 1]])
  class Bar {
    close = 1.5
  }
  expect(new DataFrame([new Bar()]).values).toEqual([[1.5]])
})

test('columns can be typed arrays, and must be of one length', () => {
  const frame = new DataFrame({ a: Float64Array.of(1.5, 2), b: Int32Array.of(1, 2), c: new Series(['x', 'y']) })
  expect([frame.values, frame.dtypes]).toEqual([
    [
      [1.5, 1, 'x'],
      [2, 2, 'y'],
    ],
    ['float32', 'int32', 'string'],
  ])
  expect(new Series(Float64Array.of(1, nan) as never).sum()).toBe(1)
  expect(new DataFrame([Float64Array.of(1, 2)] as never).values).toEqual([[1, 2]])
  frame['a'] = Float64Array.of(7, nan)
  expect(frame['a'].values).toEqual([7, nan])
  expect(() => new DataFrame({ a: [1], b: [1, 2] })).toThrow("column 'b' has 2 cells where 'a' has 1")
  expect(() => new DataFrame([[1, 2], [3]])).toThrow('row 2 has 1 cells where the first has 2')
})

test('what is given is not written to, and every frame is in low memory mode', () => {
  const rows = [[1, null]]
  const frame = new DataFrame(rows, { columns: ['a', 'b'], config: { lowMemoryMode: false } })
  frame['a'] = [5]
  expect([rows, frame.config.isLowMemoryMode]).toEqual([[[1, null]], true])
})

test('a column named like a member does not hide it', () => {
  const frame = new DataFrame([[1, 2, 3]], { columns: ['sum', 'index', 'v'] })
  expect([frame.index, frame.sum({ axis: 0 }).values, frame.column('sum').values]).toEqual([[0], [1, 2, 3], [1]])
  expect(frame.describe().T.shape).toEqual([3, 7])
  expect(() => new DataFrame([[1]], { columns: ['$data'] })).toThrow("a column can not be called '$data'")
})

test('dates are wall clocks of Beijing, whatever the machine', () => {
  const { dt } = new Series(['20260102', '2026-12-31 09:30', null, '2026-01-01T23:30:00Z'])
  expect(dt.month().values).toEqual([1, 12, nan, 1])
  expect(dt.dayOfMonth().values).toEqual([2, 31, nan, 2])
  expect(dt.hours().values).toEqual([0, 9, nan, 7])
  expect(dt.dayOfWeekName().values).toEqual(['Friday', 'Thursday', null, 'Friday'])
  expect(dt.date().values).toEqual(['2026-01-02 00:00:00', '2026-12-31 09:30:00', null, '2026-01-02 07:30:00'])
  for (const wrong of ['2026-13-01', '20260230', 'soon'])
    expect(() => new Series([wrong]).dt).toThrow(`'${wrong}' is no date`)
})

test('dummies', () => {
  const frame = new DataFrame(
    [
      ['a', 1],
      [null, 2],
      ['b', 3],
    ],
    { columns: ['k', 'v'] },
  )
  const dummies = frame.getDummies({ columns: ['k'] })
  expect([dummies.columns, dummies.values]).toEqual([
    ['v', 'k_a', 'k_b'],
    [
      [1, 1, 0],
      [2, 0, 0],
      [3, 0, 1],
    ],
  ])
  frame.getDummies({ inplace: true })
  expect([frame.columns, frame['k_a'].values]).toEqual([dummies.columns, [1, 0, 0]])
  const two = new DataFrame([['a', 'b']], { columns: ['k', 'l'] })
  expect(two.getDummies({ prefix: ['x', 'y'], prefixSeparator: '-' }).columns).toEqual(['x-a', 'y-b'])
  expect(two.getDummies({ prefix: 'x' }).columns).toEqual(['x_a', 'x_b'])
  for (const prefix of [['x'], ['x', 'y', 'z'], []])
    expect(() => two.getDummies({ prefix })).toThrow(`prefix has ${prefix.length} entries for 2 columns (k, l)`)
  expect(() => two.getDummies({ prefixSeparator: ['-'] })).toThrow('prefixSeparator has 1 entries for 2 columns')
  expect(() => two.getDummies({ prefix: [null, 'x'] as never })).toThrow('prefix is text, not null')
  expect(() => new Series(['a']).getDummies({ prefix: ['x', 'y'] })).toThrow('prefix has 2 entries for 1 columns')
  expect(new Series(['a', 'constructor']).map({ a: 'b' }).values).toEqual(['b', 'constructor'])
})
