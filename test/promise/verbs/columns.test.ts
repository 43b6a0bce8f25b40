import type { Float64, Int32, Table } from 'apache-arrow'
import fc from 'fast-check'
import { columnNames, fromRows, pivot, rename, select, toDataFrame, unpivot } from 'quotebook'
import { expect, test } from 'vitest'
import { described, names, plain, positive, type Row, rows, tableOf } from '../helper/rows.js'

const sample = [
  { code: 'a', x: 1, i: 2 },
  { code: null, x: null, i: 3 },
]

test('rename gives columns other names and leaves their cells, kinds and places', () => {
  const table = rename(tableOf(sample), { code: 'symbol', x: 'i', i: 'x' })
  expect(columnNames(table)).toEqual(['symbol', 'name', 'i', 'x', 'flag'])
  expect(plain(select(table, ['symbol', 'i', 'x']))).toEqual([
    { symbol: 'a', i: 1, x: 2 },
    { symbol: null, i: null, x: 3 },
  ])
  expect(table.schema.fields[2]?.metadata.get('unit')).toBe('yuan')
  const lots: Int32 | undefined = table.getChild('x')?.type
  expect(String(lots)).toBe('Int32')
  // @ts-expect-error it has another name now
  expect(() => select(table, 'code')).toThrow("no column 'code'")
})

test('rename of a frame gives a frame, and kinds stay with the cells', () => {
  const frame = rename(toDataFrame(tableOf(sample)), { code: 'stock' })
  expect(frame.stock.values).toEqual(['a', null])
  expect(plain(frame)).toEqual(plain(rename(tableOf(sample), { code: 'stock' })))
  expect(plain(rename(toDataFrame(fromRows([{ a: '01' }])), { a: 'b' }))).toEqual([{ b: '01' }])
})

test('rename refuses a column that is not there, two of one name, and what is no name', () => {
  const table = tableOf(sample)
  // @ts-expect-error a typo
  expect(() => rename(table, { cod: 'symbol' })).toThrow("no column 'cod'; did you mean 'code'?")
  expect(() => rename(table, { code: 'x' })).toThrow("two columns would be named 'x'")
  // @ts-expect-error no name
  expect(() => rename(table, { code: 3 })).toThrow("the new name of 'code' must be text, not 3")
  const untyped: Table = table
  expect(columnNames(rename(untyped, { code: 'a' }))[0]).toBe('a')
})

test('unpivot has a row for each cell of the columns, of their type', () => {
  fc.assert(
    fc.property(rows(), (list) => {
      const long = unpivot(tableOf(list), { id: ['code', 'flag'], columns: ['x', 'i'], name: 'field' })
      const wanted = (['x', 'i'] as const).flatMap((field) =>
        list.map((row) => ({ code: row['code'], flag: row['flag'], field, value: row[field] }) as Row),
      )
      expect(plain(long)).toEqual(positive(wanted))
      expect(plain(unpivot(toDataFrame(tableOf(list)), { id: ['code', 'flag'], columns: ['x', 'i'] }))).toEqual(
        positive(wanted.map(({ field, ...row }) => ({ ...row, name: field, value: row['value'] }) as Row)).map(
          ({ code, flag, name, value }) => ({ code, flag, name, value }),
        ),
      )
    }),
    { numRuns: 60 },
  )
})

test('unpivot keeps whole numbers, text, kinds and units that are shared, and refuses a mixture', () => {
  const table = tableOf(sample)
  const long = unpivot(table, { id: 'code', columns: 'i' })
  const whole: Int32 | undefined = long.getChild('value')?.type
  expect([String(whole), long.schema.fields[2]?.metadata.get('unit')]).toEqual(['Int32', 'lot'])
  const mixed = unpivot(table, { id: [], columns: ['i', 'x'] })
  const double: Float64 | undefined = mixed.getChild('value')?.type
  expect([String(double), mixed.schema.fields[1]?.metadata.get('unit')]).toEqual(['Float64', undefined])
  const prices = described(
    fromRows([{ low: 1, high: 1, sum: 1 }]),
    Object.fromEntries(
      ['low', 'high', 'sum'].map((name) => [
        name,
        [
          ['kind', 'number'],
          ['unit', name === 'sum' ? '10k' : 'yuan'],
          ['meaning', name],
        ],
      ]),
    ),
  )
  const metadata = (columns: readonly string[]) =>
    Object.fromEntries(unpivot(prices, { id: [], columns }).schema.fields[1]?.metadata ?? [])
  expect(metadata(['low', 'high'])).toEqual({ kind: 'number', unit: 'yuan', meaning: 'low, high' })
  expect(metadata(['low', 'sum'])).not.toHaveProperty('unit')
  const text = unpivot(table, { id: 'x', columns: ['name', 'code'] })
  expect(plain(text).map(({ value }) => value)).toEqual([null, null, 'a', null])
  expect(() => unpivot(table, { id: 'name' })).toThrow("column 'value' is of different types")
  expect(() => unpivot(table, { id: 'code', columns: ['x', 'code'] })).toThrow("column 'code' is named twice")
  expect(() => unpivot(table, { id: [...names] })).toThrow('unpivot needs a column beside those of `id`')
  expect(() => unpivot(table, { id: 'name', columns: 'x' })).toThrow("two columns would be named 'name'")
  // @ts-expect-error a typo
  expect(() => unpivot(table, { id: 'cod' })).toThrow("no column 'cod'")
})

test('pivot takes back what unpivot made', () => {
  const day = (tradedate: string, a: number | null, b: number | null) => ({ tradedate, a, b })
  const wide = fromRows([day('20260101', 1, 2), day('20260102', null, 4), day('20260105', 5, null)])
  const long = unpivot(wide, { id: 'tradedate', name: 'code', value: 'close' })
  expect(plain(pivot(long, { index: 'tradedate', columns: 'code', values: 'close' }))).toEqual(plain(wide))
})
