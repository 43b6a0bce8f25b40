import { deepStrictEqual } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { Schema, Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import type { Column } from '../../src/contract/column.js'
import { QuotebookError } from '../../src/contract/error.js'
import { asTable } from '../../src/frame/as-table.js'
import { danfo } from '../../src/frame/danfo-classes.js'
import type * as types from '../../src/frame/danfo-types.js'
import { rowsOf } from '../../src/frame/read-columns.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { derive } from '../../src/frame/verb/derive.js'
import { filter } from '../../src/frame/verb/filter.js'
import { toTable } from '../../src/table/arrow.js'
import type { ColumnData } from '../../src/table/values.js'
import { plainRows } from './plain-frame.js'

const { DataFrame, Series } = danfo
type DataFrame = types.DataFrame

const columns: Record<string, ColumnData> = {
  code: { type: 'dictionary', data: Int32Array.of(0, 1, 0), dictionary: ['000001', '600000'] },
  price: { type: 'float', data: Float64Array.of(1.5, Number.NaN, 3), valid: Uint8Array.of(1, 0, 1) },
  lots: { type: 'int', data: Int32Array.of(1, 0, 3), valid: Uint8Array.of(1, 0, 1) },
  flag: { type: 'boolean', data: Uint8Array.of(1, 0, 0), valid: Uint8Array.of(1, 1, 0) },
  note: { type: 'string', data: ['a', null, 'c'] },
  parts: { type: 'list', data: [['p', 'q'], null, ['r']] },
}
const declared: Record<string, Column> = {
  code: { kind: 'code', meaning: 'code of a share' },
  price: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'last price' },
  lots: { kind: 'integer', unit: 'lots', nullable: true, meaning: 'lots of 100' },
}
const rows = [
  ['000001', 1.5, 1, true, 'a', ['p', 'q']],
  ['600000', null, null, false, null, null],
  ['000001', 3, 3, null, 'c', ['r']],
]
const table = (of = columns): Table => toTable({ length: 3, columns: new Map(Object.entries(of)) }, declared)
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
  expect(asTable(frame.copy().resetIndex()).schema).toEqual(made.schema)
  const own = new DataFrame({ a: [1, 2] })
  expect(asTable(own)).toBe(asTable(own))
})

test('a table without rows stays what it is', () => {
  const none: [string, ColumnData][] = Object.entries(columns).map(([name, { type }]) => {
    const data = type === 'float' ? new Float64Array(0) : type === 'boolean' ? new Uint8Array(0) : new Int32Array(0)
    const isText = type === 'string' || type === 'list'
    return [name, { type, valid: null, dictionary: [], data: isText ? [] : data } as unknown as ColumnData]
  })
  const made = toTable({ length: 0, columns: new Map(none) }, declared)
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
  const { price, note } = columns as { price: ColumnData; note: ColumnData }
  const odd = { kind: 'banana', unit: 'kg', meaning: '' } as unknown as Column
  const wrong: Column = { kind: 'integer', meaning: 'none of it' }
  const of = new Map([
    ['price', price],
    ['note', note],
  ])
  const { schema, batches } = toTable({ length: 3, columns: of }, {})
  const fields = schema.fields.map((field, at) =>
    field.clone({ metadata: new Map([['kind', [odd, wrong][at]?.kind as string]]) }),
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

test('encoders take a Series and give one', () => {
  const codes = new Series(['b', 'a', 'b'], { index: ['x', 'y', 'z'] })
  const labels = new danfo.LabelEncoder().fit(codes)
  expect((labels.transform(codes) as InstanceType<typeof Series>).values).toEqual([0, 1, 0])
  expect((labels.inverseTransform(new Series([1, 0])) as InstanceType<typeof Series>).values).toEqual(['a', 'b'])
  const hot = new danfo.OneHotEncoder().fit(codes).transform(codes) as DataFrame
  expect([hot.values, hot.index]).toEqual([
    [
      [1, 0],
      [0, 1],
      [1, 0],
    ],
    ['x', 'y', 'z'],
  ])
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

/** What a script prints, run on the bundle with the collector at hand; every `await turn()` lets go of what was looked at. */
function collected(script: string): unknown {
  const bundle = JSON.stringify(resolve('dist/danfo/danfo.cjs'))
  const head = `const { DataFrame, Series, getColumns } = require(${bundle})
    const turn = async () => { for (let i = 0; i < 5; i++) { await new Promise(setImmediate); gc() } }
    const frameOf = () => new DataFrame({ a: Array.from({ length: 1000 }, (_, i) => i), t: Array.from({ length: 1000 }, (_, i) => 't' + i) })
    const firstOf = (frame) => frame.column('a').values[0]`
  const code = `${head}\n;(async () => { ${script} })().then((found) => console.log(JSON.stringify(found)))`
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', '-e', code], { encoding: 'utf8' }))
}

test('what is written to rows long after they were asked for, and let go, is taken over', () => {
  const script = `const frame = frameOf()
    let rows = frame.values
    getColumns(frame)
    await turn()
    rows[0][0] = 77
    rows[1] = [78, 'other']
    rows = undefined
    await turn()
    return [frame.column('a').values.slice(0, 2), frame.column('t').values[1]]`
  expect(collected(script)).toEqual([[77, 78], 'other'])
})

test('rows that were written to and let go are taken over before they are freed', () => {
  const script = `const frame = frameOf()
    frame.values[0][0] = 77
    await turn()
    const first = firstOf(frame)
    let rows = frame.values
    getColumns(frame)
    await turn()
    frame.values[0][0] = 78
    rows = undefined
    await turn()
    const series = frame.column('a')
    series.values[1] = 79
    await turn()
    return [first, firstOf(frame), series.values[1], frame.values[1][0]]`
  expect(collected(script)).toEqual([77, 78, 79, 1])
})

test('a row that is kept alone is still the row of its frame', () => {
  const script = `const frame = frameOf()
    const row = frame.values[0]
    getColumns(frame)
    await turn()
    row[0] = 77
    const first = firstOf(frame)
    await turn()
    row[0] = 78
    return [first, firstOf(frame), frame.values[0] === row]`
  expect(collected(script)).toEqual([77, 78, true])
})

test('rows that no longer fit are refused after a collection, too', () => {
  const script = `const frame = frameOf()
    frame.values.pop()
    const refusals = []
    for (let time = 0; time < 3; time++) {
      try { firstOf(frame) } catch (error) { refusals.push(error.code) }
      await turn()
    }
    return refusals`
  expect(collected(script)).toEqual(['INVALID_VALUE', 'INVALID_VALUE', 'INVALID_VALUE'])
})
