import { deepStrictEqual } from 'node:assert/strict'
import { Schema, Table } from 'apache-arrow'
import { asTable, DataFrame, derive, filter, fromRows, QuotebookError, rowsOf, Series, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { described } from '../helper/rows.js'

const kinds = { code: 'code', price: 'number', lots: 'integer', flag: 'boolean', note: 'text', parts: 'texts' } as const
const meant = (kind: string, unit: string, meaning: string) => Object.entries({ kind, unit, meaning })
const declared = {
  code: meant('code', '', 'code of a share'),
  price: meant('number', 'yuan', 'last price'),
  lots: meant('integer', 'lots', 'lots of 100'),
  flag: [['kind', 'extra'] as const],
  note: [['kind', 'extra'] as const],
  parts: [['kind', 'extra'] as const],
}
const rows = [
  ['000001', 1.5, 1, true, 'a', ['p', 'q']],
  ['600000', null, null, false, null, null],
  ['000001', 3, 3, null, 'c', ['r']],
]
const table = (of: unknown[][] = rows): Table =>
  described(fromRows(of, { columns: Object.keys(kinds), kinds }), declared)
const plainRows = (list: readonly (readonly unknown[])[]) =>
  list.map((row) => row.map((cell) => (Array.isArray(cell) ? cell.join(',') : Number.isNaN(cell) ? null : cell)))
const rowsIn = (frame: DataFrame) => frame.values as unknown[][]

/** What a table says of a column. */
const about = (data: Table, name: string): unknown[] => {
  const field = data.schema.fields.find((each) => each.name === name)
  return ['kind', 'unit', 'meaning'].map((key) => field?.metadata.get(key))
}
const lots = ['integer', 'lots', 'lots of 100']
const price = ['number', 'yuan', 'last price']

test('an unchanged frame is the table that it was made of, however it was read', () => {
  const made = table()
  const frame = toDataFrame(made) as DataFrame
  expect(asTable(frame)).toBe(made)
  expect(rowsIn(frame)[0]).toEqual(['000001', 1.5, 1, true, 'a', 'p,q'])
  expect([frame.shape, frame['price'].sum(), frame.at(1, 'code')]).toEqual([[3, 6], 4.5, '600000'])
  expect(asTable(frame)).toBe(made)
  expect(asTable(toDataFrame(frame) as DataFrame)).toBe(made)
  expect(asTable(frame.copy().resetIndex()).schema.fields).toEqual(made.schema.fields)
  const own = new DataFrame({ a: [1, 2] })
  expect(asTable(own)).toBe(asTable(own))
})

test('a table without rows stays what it is', () => {
  const made = table([])
  const frame = toDataFrame(made) as DataFrame
  expect(asTable(frame)).toBe(made)
  const found = (toDataFrame(table()) as DataFrame).query([false, false, false])
  expect(found.shape).toEqual([0, 6])
  expect(asTable(found).schema.fields.map(String)).toEqual(made.schema.fields.map(String))
  expect(about(asTable(found), 'lots')).toEqual(lots)
  expect(rowsOf(asTable(filter(found, () => true)))).toEqual([])
})

const write = (frame: DataFrame, row: number, at: number, cell: unknown) => rowsIn(frame)[row]?.splice(at, 1, cell)
const set = (frame: DataFrame, name: string, given: unknown) => Object.assign(frame, { [name]: given })
const first = ['000001', 9, 1, true, 'a', 'p,q']

test.each<[string, (frame: DataFrame) => unknown]>([
  ['a cell of a row', (frame) => write(frame, 0, 1, 9)],
  ['a row in the place of another', (frame) => rowsIn(frame).splice(0, 1, first)],
  ['a column that is set', (frame) => set(frame, 'price', [9, null, 3])],
  ['rows that are set', (frame) => set(frame, '$data', [first, ...rowsIn(frame).slice(1)])],
])('%s gives another table, and the table before is as it was', (_, change) => {
  const made = table()
  const frame = toDataFrame(made) as DataFrame
  const copy = frame.copy()
  const slice = frame.iloc({ rows: [0, 1] })
  const series = frame['price']
  change(frame)
  const changed = asTable(frame)
  expect(changed).not.toBe(made)
  expect(plainRows(rowsOf(changed))).toEqual(plainRows([first, ...rows.slice(1)]))
  expect(rowsOf(made)).toEqual(rows)
  expect(rowsOf(asTable(copy))).toEqual(rows)
  expect(rowsOf(asTable(slice))).toEqual(rows.slice(0, 2))
  expect(series.values).toEqual([1.5, Number.NaN, 3])
})

test.each<[string, (frame: DataFrame) => unknown]>([
  ['query', (frame) => frame.query([true, false, true])],
  ['sortValues', (frame) => frame.sortValues('lots', { ascending: false }) as DataFrame],
  ['iloc', (frame) => frame.iloc({ rows: ['1:'] })],
  ['loc', (frame) => frame.loc({ rows: [2, 0], columns: ['lots', 'price'] })],
  ['head', (frame) => frame.head(2)],
  ['drop', (frame) => frame.drop({ columns: ['note'], index: undefined as never }) as DataFrame],
  ['copy', (frame) => frame.copy()],
  ['setIndex', (frame) => frame.setIndex({ column: 'lots', drop: false } as never) as DataFrame],
  ['resetIndex', (frame) => frame.resetIndex() as DataFrame],
  ['fillNa of other columns', (frame) => frame.fillNa('', { columns: ['note'] }) as DataFrame],
  ['replace of what is not there', (frame) => frame.replace('zzz', 'y') as DataFrame],
  ['addColumn', (frame) => frame.addColumn('more', [1, 2, 3]) as DataFrame],
  ['writing to another column', (frame) => write(frame, 0, 4, 'z') && frame],
  ['filter', (frame) => filter(frame, () => true)],
  ['derive', (frame) => derive(frame, { more: () => 1 }) as DataFrame],
])('kind, unit and meaning travel through %s', (_, change) => {
  const frame = toDataFrame(table()) as DataFrame
  const made = asTable(change(frame) as DataFrame)
  expect([about(made, 'lots'), about(made, 'price')]).toEqual([lots, price])
  expect(String(made.schema.fields.find((field) => field.name === 'lots')?.type)).toBe('Int32')
})

test('a renamed column keeps what is known of it; a computed one has nothing', () => {
  const frame = toDataFrame(table()) as DataFrame
  const renamed = asTable(frame.rename({ price: 'cost', lots: 'many' }) as DataFrame)
  expect([about(renamed, 'cost'), about(renamed, 'many')]).toEqual([price, lots])
  expect(rowsOf(renamed)).toEqual(rows)
  frame.addColumn('twice', frame['price'].mul(2), { inplace: true })
  const none = ['extra', undefined, undefined]
  expect(about(asTable(frame), 'twice')).toEqual(none)
  expect(
    about(
      asTable((frame.replace as (from: unknown, to: unknown) => unknown).call(frame, 3, 4) as unknown as DataFrame),
      'price',
    ),
  ).toEqual(none)
  expect(about(asTable(frame.asType('lots', 'float32') as DataFrame), 'lots')).toEqual(none)
  expect(about(asTable(frame), 'price')).toEqual(price)
})

test('what a table from elsewhere says of its columns stands in nobody’s way', () => {
  const { schema, batches } = table().select(['price', 'note'])
  const fields = schema.fields.map((field, at) =>
    field.clone({ metadata: new Map([['kind', ['banana', 'integer'][at] as string]]) }),
  )
  const foreign = new Table(new Schema(fields), batches)
  const frame = toDataFrame(foreign) as DataFrame
  expect(asTable(frame)).toBe(foreign)
  expect(rowsOf(asTable(frame.iloc({ rows: [2, 1] })))).toEqual([
    [3, 'c'],
    [null, null],
  ])
  expect(rowsOf(filter(frame, (row) => row.price === 3))).toEqual([[3, 'c']])
})

test.each<[string, (values: unknown[][]) => unknown, RegExp]>([
  ['added', (values) => values.push([9]), /the values were 2 and are 3 now; make a new DataFrame of them/],
  ['taken away', (values) => values.pop(), /the values were 2 and are 1 now/],
  ['longer', (values) => values[1]?.push(1), /row 2 of the values has no longer 1 cells/],
  ['no rows', (values) => values.splice(0, 1, 7 as never), /row 1 of the values has no longer 1 cells/],
])('rows that are %s are refused, until they are as they were or others', (_, change, message) => {
  const frame = new DataFrame({ a: [1, 2] })
  change(rowsIn(frame))
  for (let time = 0; time < 2; time++) {
    const found = (() => {
      try {
        return asTable(frame)
      } catch (error) {
        return error
      }
    })()
    expect(found).toBeInstanceOf(QuotebookError)
    expect(found).toMatchObject({ code: 'INVALID_VALUE', message: expect.stringMatching(message) })
  }
  expect(() => frame['a'].values).toThrow(message)
  set(frame, '$data', [[5], [6]])
  expect(frame['a'].values).toEqual([5, 6])
})

test('values of a Series that are more or fewer are refused', () => {
  const series = new Series([1, 2])
  const values = series.values as number[]
  values.push(3)
  expect(() => series.sum()).toThrow('the values were 2 and are 3 now; make a new Series of them')
  values.pop()
  expect(series.sum()).toBe(3)
})

test('rows are set by as many, as wide ones', () => {
  const frame = new DataFrame({ a: [1, 2], b: ['x', 'y'] })
  const setting = (given: unknown) => () => set(frame, '$data', given)
  expect(setting([[1, 'x']])).toThrow('1 rows do not go in the place of 2')
  expect(setting([[1, 'x'], [2]])).toThrow('row 2 has not 2 cells, one for each column')
  expect(setting([1, 2])).toThrow('row 1 has not 2 cells, one for each column')
  expect(setting('ab')).toThrow('rows are given as an array')
  expect(frame.values).toEqual([
    [1, 'x'],
    [2, 'y'],
  ])
})

test('arrays that a frame was given, or gave, are not the frame', () => {
  const texts = ['x', 'y']
  const frame = new DataFrame({ a: [1, 2] })
  frame.addColumn('t', texts, { inplace: true })
  texts[0] = 'leak'
  ;(frame as unknown as { getColumnData: unknown[][] }).getColumnData[1]?.fill('leak')
  ;(frame['t'] as unknown as { getColumnData: unknown[] }).getColumnData.fill('leak')
  frame.apply((cells: unknown) => (cells as unknown[]).fill('leak').length, { axis: 0 })
  const series = frame.column('t')
  ;(series.values as unknown[])[0] = 'own'
  expect([series.values, frame.column('t').values]).toEqual([
    ['own', 'y'],
    ['x', 'y'],
  ])
  expect(frame.values).toEqual([
    [1, 'x'],
    [2, 'y'],
  ])
})

test('frames and Series of other cells or labels are not equal, key by key', () => {
  const frame = (a: number[], index?: string[]) => new DataFrame({ a }, index ? { index } : {})
  expect(frame([1])).toEqual(frame([1]))
  deepStrictEqual(frame([1]).values, frame([1]).values)
  expect(frame([1])).not.toEqual(frame([2]))
  expect(frame([1])).not.toEqual(frame([1], ['x']))
  expect(() => deepStrictEqual(frame([1]), frame([2]))).toThrow()
  expect(new Series([1])).not.toEqual(new Series([2]))
})

test('dates, lists and bigints as cells, and every sign for what is missing', () => {
  const day = new Date(0)
  const frame = new DataFrame(
    [
      [day, ['p', 'q'], 1n, 1, 'a'],
      [null, null, 2n, null, undefined],
      [undefined, ['r'], 3n, Number.NaN, null],
      [day, undefined, 4n, undefined, 'b'],
    ] as never,
    { columns: ['day', 'list', 'big', 'number', 'text'] },
  )
  expect(frame.dtypes).toEqual(['datetime', 'string', 'int32', 'float32', 'string'])
  expect(frame.values).toEqual([
    [day, ['p', 'q'], 1, 1, 'a'],
    [null, null, 2, Number.NaN, null],
    [null, ['r'], 3, Number.NaN, null],
    [day, null, 4, Number.NaN, 'b'],
  ])
  expect(() => asTable(frame)).toThrow("column 'day', row 1: a table holds numbers, text and booleans")
  expect(rowsOf(asTable(frame.loc({ columns: ['big', 'number', 'text'] })))).toEqual([
    [1, 1, 'a'],
    [2, null, null],
    [3, null, null],
    [4, null, 'b'],
  ])
  expect(frame['day'].isNa().values).toEqual([false, true, true, false])
  expect(() => new DataFrame([[2n ** 60n + 1n]] as never)).toThrow('a number can not hold')
})
