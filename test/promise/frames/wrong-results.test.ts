import { parse } from 'csv-parse/sync'
import { DataFrame, Series } from 'quotebook'
import { expect, test } from 'vitest'
import { pandas, plain, quotes, shown, shownSeries } from '../helper/pandas.js'

/* Wrong results of stock danfo, by number, and what pandas 1.5.3 says of them (test/fixture/pandas/wrong_results.py). */

const positions = (rows: readonly unknown[]) => rows.map((_, at) => at)

test('1: query after sortValues keeps the rows that the mask means', () => {
  const sorted = quotes().sortValues('v')
  expect(shown(sorted?.query(sorted['v'].gt(2)))).toEqual(pandas('1'))
  // a mask of the unsorted frame goes by label, as in pandas
  expect(shown(sorted?.query(quotes()['v'].gt(2)))).toEqual(pandas('1'))
})

test('2: query after query, and on labels of text', () => {
  const sorted = quotes().sortValues('v')
  const some = sorted?.query(sorted['v'].gt(0))
  expect(shown(some?.query(some['flag'].eq(true)))).toEqual(pandas('2', 'twice'))
  const labelled = quotes().setIndex({ index: [...'abcdefghij'] })
  expect(shown(labelled?.query(labelled['v'].gt(2)))).toEqual(pandas('2', 'labels'))
})

test('3: an empty result can be sorted, grouped, joined and described', () => {
  const none = quotes().query(quotes()['v'].gt(99))
  expect(shown(none.sortValues('v'))).toEqual(pandas('3', 'sorted'))
  expect(none.groupby(['code']).ngroups).toBe(pandas('3', 'groups'))
  expect(none.groupby(['code']).agg({ v: 'sum' }).shape).toEqual([0, 2])
  expect([none.head().shape, none['v'].sum(), none.toCSV().split('\n').length]).toEqual([[0, 6], Number.NaN, 2])
  expect(none.query([]).sortValues('v')?.columns).toEqual(none.columns)
})

test('4: sorting goes the right way, is stable, and has missing values last both ways', () => {
  const frame = quotes()
  expect(shownSeries(frame['code'].sortValues())).toEqual(pandas('4', 'up'))
  expect(shownSeries(frame['code'].sortValues({ ascending: false }))).toEqual(pandas('4', 'down'))
  expect(shownSeries(frame['v'].sortValues())).toEqual(pandas('4', 'numbers'))
  expect(shownSeries(frame['v'].sortValues({ ascending: false }))).toEqual(pandas('4', 'numbersDown'))
  expect(shown(frame.sortValues('v', { ascending: false }))).toEqual(pandas('4', 'frame'))
  expect(shownSeries(new Series(['b', 'C', 'a', 'B']).sortValues())).toEqual(pandas('4', 'cases'))
  expect(frame['v'].argSort().values).toEqual(pandas('4', 'argsort'))
  frame['v'].sortValues({ inplace: true })
  frame.sortValues('v', { ascending: false, inplace: true })
  expect(shown(frame)).toEqual(pandas('4', 'frame'))
  expect(frame.dtypes).toEqual(quotes().dtypes)
})

test('5: groups come in the order of their first rows', () => {
  // pandas: sort=False, dropna=False, min_count=1
  expect(shown(quotes().groupby(['code']).agg({ v: 'sum' }))).toEqual(pandas('5'))
})

test('6: keys are kept apart by value and type', () => {
  const rows = [
    ['2026-01', '02-x', 1],
    ['2026-01-02', 'x', 2],
    ['2026-01', '02-x', 3],
    ['1', 'a', 4],
    ['constructor', '__proto__', 5],
  ]
  expect(shown(new DataFrame(rows, { columns: ['a', 'b', 'v'] }).groupby(['a', 'b']).agg({ v: 'sum' }))).toEqual(
    pandas('6'),
  )
  const mixed = [1, '1', Number.NaN, 'NaN', null, '', '-', 'null', undefined]
  const groups = new DataFrame(
    mixed.map((k) => [k, 1]),
    { columns: ['k', 'v'], dtypes: ['string', 'int32'] },
  ).groupby(['k'])
  expect(groups.agg({ v: 'count' })['v_count'].values).toEqual([1, 1, 3, 1, 1, 1, 1])
  expect(groups.getGroup([Number.NaN]).shape).toEqual([3, 2])
  expect(groups.getGroup(['1']).values).toEqual([['1', 1]])
})

test('7: groupby of an unknown column is refused', () => {
  expect(() => quotes().groupby(['cod'])).toThrow("there is no column 'cod'; did you mean 'code'?")
  expect(() => quotes().groupby(['price'])).toThrow("there is no column 'price'; the columns are tradedate, code")
  expect(() => quotes().groupby(['code']).agg({ vv: 'sum' })).toThrow("there is no column 'vv'")
})

test('8: codes are not added up', () => {
  const frame = new DataFrame({ market: ['sz', 'sz'], code: ['000001', '000002'], v: [1, 2] })
  expect(frame.dtypes).toEqual(['string', 'string', 'int32'])
  expect(() => frame.groupby(['market']).agg({ code: 'sum' })).toThrow("'code' is text, which has no sum")
  expect(() => frame['code'].sum()).toThrow("'code' is text, which has no sum")
  expect(() => frame.sum({ axis: 0 })).toThrow("'market' is text, which has no sum")
  expect(frame.groupby(['market']).agg({ code: ['min', 'count'] }).values).toEqual([['sz', '000001', 2]])
})

test('12: a copy is a copy', () => {
  const frame = quotes()
  const copy = frame.copy()
  copy['v'] = positions(frame.values)
  Object.assign(copy.values[0] as object, { 1: 'changed' })
  copy.addColumn('more', positions(frame.values), { inplace: true })
  expect(frame.values).toEqual(quotes().values)
  expect(copy['v'].values).toEqual(positions(frame.values))
  const rows = [[1, 2]]
  const own = new DataFrame(rows, { columns: ['a', 'b'], dtypes: ['int32', 'int32'] })
  own['a'] = [9]
  expect([rows, own.values]).toEqual([[[1, 2]], [[9, 2]]])
})

test('13: asType and fillNa change the source only in place', () => {
  const frame = quotes()
  const filled = frame.fillNa(0, { columns: ['v'] })
  expect(shown(filled)).toEqual(pandas('13', 'fillNa'))
  expect(frame.values).toEqual(quotes().values)
  const typed = frame.fillNa(-1, { columns: ['v'] }).asType('v', 'int32')
  expect(typed['v'].values).toEqual(pandas<{ values: unknown }>('13', 'asType').values)
  expect([typed['v'].dtype, frame.values]).toEqual(['int32', quotes().values])
  frame.asType('v', 'string', { inplace: true })
  expect(plain(frame['v'].values.slice(0, 4))).toEqual(['3', '1', '2', null])
})

test('14: dropDuplicates keeps the last ones without turning the source around', () => {
  const code = quotes()['code']
  expect(shownSeries(code.dropDuplicates({ keep: 'last' }))).toEqual(pandas('14', 'last'))
  expect(shownSeries(code.dropDuplicates())).toEqual(pandas('14', 'first'))
  expect(code.values).toEqual(quotes()['code'].values)
  expect(code.index).toEqual(positions(code.values))
})

test('15: a column that was set can be read', () => {
  const frame = quotes()
  frame['v'] = frame['v'].mul(2)
  expect(shownSeries(frame['v'])).toEqual(pandas('15'))
  frame['code'] = frame['market']
  expect(frame['code'].str.toUpperCase().values).toEqual(pandas<{ values: unknown }>('24').values)
})

test('16: addColumn at a place keeps the types right, and a dropped column can come back', () => {
  const frame = quotes()
  const wider = frame.addColumn('rank', positions(frame.values), { atIndex: 0 })
  expect(wider.columns).toEqual(['rank', ...frame.columns])
  expect(wider.dtypes).toEqual(['int32', ...frame.dtypes])
  expect(wider['code'].values).toEqual(frame['code'].values)
  frame.drop({ columns: ['v'], inplace: true })
  expect('v' in frame).toBe(false)
  frame.addColumn('v', quotes()['v'].values, { inplace: true, atIndex: 4 })
  expect(frame.values).toEqual(quotes().values)
  expect(frame.dtypes).toEqual(quotes().dtypes)
})

test('17: drop takes whole names and the row 0, append the label 0', () => {
  const frame = new DataFrame([[1, 2, 3]], { columns: ['am', 'amount', 'x'] })
  expect(frame.drop({ columns: 'amount' }).columns).toEqual(['am', 'x'])
  expect(() => frame.drop({ columns: 'amoun' })).toThrow("there is no column 'amoun'")
  expect(shown(quotes().drop({ index: 0 as never }))).toEqual(pandas('17', 'index'))
  const some = quotes()['v'].iloc([1, 2])
  expect(shownSeries(some.append(7, 0))).toEqual(pandas('17', 'append'))
  expect(frame.append([[4, 5, 6]], 1).append([7, 8, 9], [2]).values).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ])
})

test('18: valueCounts counts under the values themselves', () => {
  expect(shownSeries(quotes()['code'].valueCounts())).toEqual(pandas('18'))
  const counts = new Series(['000001.SZ', '000001.SH', '000001.SZ', 'constructor']).valueCounts()
  expect([counts.index, counts.values]).toEqual([
    ['000001.SZ', '000001.SH', 'constructor'],
    [2, 1, 1],
  ])
})

test('19: an index of values that repeat is refused with the reason', () => {
  const wrong =
    "an index holds every label once, and '20260702' comes twice; keep it as a column and filter or group by it"
  expect(() => quotes().setIndex({ column: 'tradedate' })).toThrow(wrong)
  const frame = quotes()
    .iloc({ rows: [0, 1] })
    .setIndex({ column: 'tradedate', drop: true })
  expect([frame?.index, frame?.columns]).toEqual([['20260702', '20260701'], quotes().columns.slice(1)])
})

test('20: CSV is quoted, guarded and complete', () => {
  const cells = [
    'a,b',
    'say "x"',
    'two\nlines',
    'cr\rhere',
    '=1+1',
    "'-x",
    '',
    '000001',
    null,
    Number.NaN,
    0.1,
    12345678901.23,
    true,
  ]
  const columns = cells.map((_, at) => `c,${at}`)
  const text = new DataFrame([cells, cells], { columns }).toCSV()
  const [head, row] = parse(text, {
    record_delimiter: ['\n'],
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  })
  expect(head).toEqual(columns)
  const guarded: Record<string, string> = { '=1+1': "'=1+1", "'-x": "''-x" }
  expect(row).toEqual(cells.map((cell) => (plain(cell) === null ? null : (guarded[String(cell)] ?? String(cell)))))
  const list = new DataFrame([[['a', 'b'], 1]], { columns: ['l', 'n'] }).toCSV({ header: false, sep: ';' })
  expect(list).toBe('"[""a"",""b""]";1\n')
})

test('23: frames that come out of others can be written', () => {
  const frame = quotes()
  const derived = [frame.head(1), frame.query(frame['v'].gt(2)), frame.groupby(['code']).agg({ v: 'sum' }), frame.T]
  for (const one of derived) expect(one.toCSV().split('\n').length).toBe(Number(one.shape[0]) + 2)
  expect(JSON.parse(JSON.stringify(frame.iloc({ rows: [2] })))).toEqual([
    { tradedate: '20260702', code: '000001', market: 'sz', amount: null, v: 2, flag: true },
  ])
  expect(frame.loc({ rows: [0], columns: ['code', 'v'] }).toJSON({ format: 'row' })).toEqual({
    code: ['600000'],
    v: [3],
  })
  expect(JSON.stringify(frame['v'].iloc([0, 3]))).toBe('{"v":[3,null]}')
  expect(frame['code'].iloc([1, 5]).toCSV()).toBe('code\n000001\n\n')
})

test('24: text methods print nothing and keep what is missing', () => {
  const printed: unknown[] = []
  const { log } = console
  console.log = (...texts) => void printed.push(texts)
  const market = quotes()['market']
  try {
    market.str.toUpperCase({ inplace: true })
  } finally {
    console.log = log
  }
  expect(printed).toEqual([])
  expect(shownSeries(market)).toEqual(pandas('24'))
  expect([market.dtype, market.values[6]]).toEqual(['string', null])
  expect(quotes()['code'].str.concat('.SZ', 1).values.slice(4, 6)).toEqual(['600000.SZ', null])
  expect(quotes()['code'].str.slice(0, 3).dtype).toBe('string')
})

test('26: slices of loc include both ends, and one row can be sorted', () => {
  expect(shown(quotes().loc({ rows: ['2:5'] }))).toEqual(pandas('26', 'rows'))
  const labelled = quotes().setIndex({ index: [...'abcdefghij'] })
  expect(shown(labelled?.loc({ rows: ['"c":"e"'] }))).toEqual(pandas('26', 'labels'))
  expect(shown(quotes().loc({ columns: ['code:v'] }))).toEqual(pandas('26', 'columns'))
  const one = new DataFrame([['x', 1]], { columns: ['a', 'b'], index: ['r'] })
  expect(one.sortValues('b')?.index).toEqual(['r'])
  const times = new DataFrame([[1], [2]], { columns: ['v'], index: ['09:30', '10:00'] })
  expect(times.loc({ rows: ['09:30'] }).values).toEqual([[1]])
  expect(times.loc({ rows: ['"09:30":"10:00"'] }).values).toEqual([[1], [2]])
})
