import { createRequire } from 'node:module'
import { tableFromArrays } from 'apache-arrow'
import { asTable, DataFrame, datasetOf, rowsOf } from 'quotebook'
import { expect, test } from 'vitest'

const types = (table: ReturnType<typeof asTable>) => table.schema.fields.map((field) => String(field.type))

async function frameOf(rows: unknown[][], columns: string[], dtypes?: string[]) {
  return new DataFrame(rows, dtypes ? { columns, dtypes } : { columns })
}

test('an Arrow table is handed back as it is', () => {
  const table = tableFromArrays({ a: Float64Array.of(1) })
  expect(asTable(table)).toBe(table)
})

test('a frame of foreign make is read by its cells', async () => {
  const frame = await frameOf(
    [
      [1, 'a', true, 2],
      [Number.NaN, null, null, 3.5],
      [undefined, 'b', false, null],
    ],
    ['x', 'y', 'z', 'w'],
  )
  const table = asTable(frame)
  expect(types(table)).toEqual(['Float64', 'Dictionary<Int32, Utf8>', 'Bool', 'Float64'])
  expect(rowsOf(table)).toEqual([
    [1, 'a', true, 2],
    [null, null, null, 3.5],
    [null, 'b', false, null],
  ])
})

test('column names of the contract give the kind, as far as the cells fit', async () => {
  const frame = await frameOf([['000001,600000', '1', 5, '20260701']], ['symbols', 'source_id', 'close', 'tradedate'])
  const table = asTable(frame)
  expect(types(table)).toEqual(['List<Utf8>', 'Utf8', 'Float64', 'Dictionary<Int32, Utf8>'])
  expect(rowsOf(table)).toEqual([[['000001', '600000'], '1', 5, '20260701']])
  expect(types(asTable(await frameOf([[1.5]], ['symbols'])))).toEqual(['Float64'])
})

test('a dataset fixes kinds and says what does not fit', async () => {
  const hotstock = datasetOf('hotstock')
  const good = asTable(await frameOf([['000001', 1]], ['s', 'rank']), hotstock)
  expect(types(good)).toEqual(['Dictionary<Int32, Utf8>', 'Int32'])
  expect(good.schema.fields[0]?.metadata.get('kind')).toBe('code')
  const lost = await frameOf([[1, 1]], ['s', 'rank'])
  expect(() => asTable(lost, hotstock)).toThrow(
    "column 's', row 1: must be code, not 1; text read as numbers loses its zeros",
  )
  const half = await frameOf(
    [
      ['000001', 1],
      ['000002', 1.5],
    ],
    ['s', 'rank'],
  )
  expect(() => asTable(half, hotstock)).toThrow("column 'rank', row 2: must be integer, not 1.5")
})

test('a column that the contract wants whole may hold nulls here', async () => {
  const table = asTable(
    await frameOf([['20260701', null]], ['tradedate', 'symbol'], ['string', 'string']),
    datasetOf('etf_minute'),
  )
  expect(table.schema.fields.map((field) => field.nullable)).toEqual([false, true])
})

test('empty frames and columns without a value keep their types', async () => {
  const empty = new DataFrame([], { columns: ['x', 'y'], dtypes: ['float32', 'string'] })
  expect(types(asTable(empty))).toEqual(['Float64', 'Dictionary<Int32, Utf8>'])
  expect(asTable(empty).numRows).toBe(0)
  const blank = await frameOf([[null, Number.NaN, null]], ['x', 'y', 'z'], ['string', 'float32', 'boolean'])
  expect(types(asTable(blank))).toEqual(['Dictionary<Int32, Utf8>', 'Float64', 'Bool'])
})

test('infinity is a number', async () => {
  expect(rowsOf(asTable(await frameOf([[Infinity], [-Infinity]], ['x'])))).toEqual([[Infinity], [-Infinity]])
})

test('mixed cells, dates and objects are refused with their place', async () => {
  const mixed = await frameOf([[1], ['a']], ['x'], ['float32'])
  expect(() => asTable(mixed)).toThrow(`column 'x', row 2: "a" stands in a column of numbers`)
  const dated = await frameOf([[new Date(0)]], ['x'], ['datetime'])
  expect(() => asTable(dated)).toThrow("column 'x', row 1: a table holds numbers, text and booleans, not [object Date]")
})

test('a table of another copy of apache-arrow is refused', () => {
  const foreign = createRequire(import.meta.url)('apache-arrow').tableFromArrays({ a: Float64Array.of(1) })
  expect(() => asTable(foreign)).toThrow('another copy of apache-arrow')
})

test.each([null, undefined, 1, 'x', [], {}, { schema: 1 }])('%j is neither', (value) => {
  expect(() => asTable(value as never)).toThrow('neither an Arrow table nor a danfo DataFrame')
})
