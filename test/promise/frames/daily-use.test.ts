import { DataFrame, Series } from 'quotebook'
import { describe, expect, test } from 'vitest'
import { plain, quotes } from '../helper/pandas.js'

/* What people write who know pandas, on frames with gaps, without rows, and from other frames. */
const none = (columns = ['code', 'v']) => new DataFrame([], { columns })
const nan = Number.NaN

describe('assigning', () => {
  test('a new name adds a column, to derived frames as well', () => {
    const frame = quotes()
    frame['wan'] = frame['amount'].div(10_000)
    expect([frame.columns.at(-1), frame.dtypes.at(-1), frame['wan'].dtype]).toEqual(['wan', 'float32', 'float32'])
    expect(frame['wan'].values[0]).toBe((quotes()['amount'].values[0] as number) / 10_000)
    const sorted = frame.sortValues('v')
    sorted['twice'] = frame['v'].mul(2)
    expect(plain(sorted['twice'].values)).toEqual(plain(sorted['v'].mul(2).values))
    expect([frame.columns.includes('twice'), 'twice' in frame]).toEqual([false, false])
    sorted.drop({ columns: 'twice', inplace: true })
    sorted['twice'] = sorted['v']
    expect(sorted.columns.at(-1)).toBe('twice')
  })

  test('what is no column for the frame is refused', () => {
    const frame = quotes()
    expect(() => Object.assign(frame, { typo: 5 })).toThrow('an array or a Series is wanted')
    expect(() => Object.assign(frame, { short: [1] })).toThrow('1 values do not go with 10 rows')
    expect([frame.columns, 'typo' in frame, 'short' in frame]).toEqual([quotes().columns, false, false])
  })

  test.each(['count', 'sum', 'index', 'columns', 'toCSV', 'shape'])('%s stays a member', (name) => {
    const frame = quotes()
    expect(() => Object.assign(frame, { [name]: [...frame.index] })).toThrow(`'${name}' is a member of every frame`)
    expect([frame.columns, frame.count({ axis: 0 }).index]).toEqual([quotes().columns, quotes().columns])
    const own = new DataFrame([[1]], { columns: [name] })
    Object.assign(own, { [name]: [2] })
    expect(own.values).toEqual([[2]])
  })
})

test('a frame transposed in place has its new columns and not the old', () => {
  const frame = new DataFrame({ a: [1, 2], b: [3, 4] })
  expect(frame.transpose({ inplace: true })).toBe(undefined)
  expect([frame.columns, frame.index, frame['0'].values, 'a' in frame]).toEqual([['0', '1'], ['a', 'b'], [1, 3], false])
  expect([none().T.index, none().T.shape[0], quotes().T.T.values[0]]).toEqual([['code', 'v'], 2, quotes().values[0]])
})

test('replace: types follow the cells, and text stays text', () => {
  expect(new DataFrame({ a: [1, 2] }).replace(1, 'x')?.dtypes).toEqual(['string'])
  expect(new DataFrame({ a: [1, 2], b: [1, 3] }).replace(1, null as never, { columns: ['a'] })?.values).toEqual([
    [nan, 1],
    [2, 3],
  ])
  const dash = new Series(['-', '-']).replace('-', null as never)
  expect([dash.dtype, dash.values]).toEqual(['string', [null, null]])
  const frame = quotes()
  frame.replace('000001', '000002', { inplace: true })
  expect(frame.dtypes).toEqual(quotes().dtypes)
  expect(() => frame.replace(nan, 0)).toThrow('use fillNa')
})

test('infinities are numbers', () => {
  const cells = [Infinity, 1, -5.5]
  expect([new Series(cells).sum(), new Series(cells).mean()]).toEqual([Infinity, Infinity])
  expect(new Series([Infinity, -Infinity]).sum()).toBe(nan)
  const groups = new DataFrame({ k: ['a', 'a', 'a'], v: cells }).groupby(['k'])
  expect(groups.agg({ v: ['sum', 'mean', 'max'] }).values).toEqual([['a', Infinity, Infinity, Infinity]])
})

test('modes ascend', () => {
  expect(new Series([3, 1, 3, 1, nan]).mode()).toEqual([1, 3])
  const frame = new DataFrame({ a: [3, 1, 3, 1], b: [2, 2, 9, 8] })
  expect(frame.mode({ axis: 0 }).values).toEqual([1, 2])
  expect(frame.mode({ axis: 0, keep: 1 }).values).toEqual([3, nan])
})

describe('frames without rows', () => {
  test('have a type for each column, and can be grouped', () => {
    expect(none().dtypes).toEqual(['undefined', 'undefined'])
    expect(none().groupby(['code']).agg({ v: 'sum' }).shape).toEqual([0, 2])
  })

  test('Series too', () => {
    const empty = new Series([])
    expect([empty.columns, empty.sortValues().values, empty.valueCounts().values]).toEqual([['0'], [], []])
    expect(new Series([null, null]).valueCounts().values).toEqual([])
    expect(new Series(new Float64Array(0) as never).sum()).toBe(nan)
    expect(new Series(BigInt64Array.of(1n, 2n) as never).sum()).toBe(3)
  })
})

test('append keeps the types of columns, and goes by labels that are names', () => {
  const empty = quotes().query(new Array(10).fill(false))
  const row = ['20260701', '000001', null, 1.5, 2, null]
  const one = empty.append([row] as never, [0])
  expect([one?.dtypes[2], one?.values]).toEqual(['string', [['20260701', '000001', null, 1.5, 2, null]]])
  const numbers = new DataFrame([[1, 2]], { columns: ['a', 'b'] })
  expect(numbers.append(new Series([20, 10], { index: ['b', 'a'] }), 't')?.values[1]).toEqual([10, 20])
})

test('lists of names are copied, and one name will do', () => {
  const columns = ['a', 'b']
  const dtypes = ['int32', 'int32']
  const frame = new DataFrame([[1, 2]], { columns, dtypes })
  columns.push('c')
  dtypes.push('string')
  expect([frame.columns, frame.dtypes]).toEqual([
    ['a', 'b'],
    ['int32', 'int32'],
  ])
  expect(frame.loc({ columns: 'b' as never }).values).toEqual([[2]])
  expect(new DataFrame([[nan, 2]], { columns: ['a', 'b'] }).fillNa(0, { columns: 'a' as never }).values).toEqual([
    [0, 2],
  ])
  const named = new Series([1], { columns: 'name' as never })
  expect([named.columns, JSON.stringify(named)]).toEqual([['name'], '{"name":[1]}'])
})

test('texts of a Series are joined to those of another by label', () => {
  const frame = new DataFrame(
    [
      ['000001', 'SZ'],
      ['600000', null],
    ],
    { columns: ['code', 'market'] },
  )
  const other = frame['market'].sortValues({ ascending: false })
  expect(frame['code'].str.concat(other as never).values).toEqual(['000001SZ', null])
})

test('a whole number that is missing makes float32, and an invalid date is missing when sorted', () => {
  expect(new Series([1.5, nan]).asType('int32')?.dtype).toBe('float32')
  expect(new Series([new Date(nan), new Date(5), new Date(1)]).sortValues().index).toEqual([2, 1, 0])
})

test.each([
  ['rename', () => quotes().rename({ amuont: 'x' }), "there is no column 'amuont'"],
  ['fillNa', () => quotes().fillNa({ v: 0 } as never), 'not an object'],
  ['diff', () => new DataFrame({ a: [1, 2] }).diff(1.5), '1.5 is no number of rows'],
  ['round', () => quotes()['code'].round(1), 'is text and can not be rounded'],
  ['nUnique', () => quotes().nUnique(2 as never), 'axis is 0 (columns) or 1 (rows), not 2'],
  ['drop', () => quotes().drop(undefined as never), 'drop takes either columns or index'],
  ['bigint', () => new Series([1n], { dtypes: ['int32'], columns: ['a'] }).add(1), '1n is not a number'],
])('%s says what is wrong', (_, call, message) => {
  expect(call).toThrow(message)
})
