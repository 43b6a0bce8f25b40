import { expect, test } from 'vitest'
import { datasetOf, datasets } from '../../src/contract/catalogue.js'
import type { Column } from '../../src/contract/column.js'
import { danfo } from '../../src/frame/danfo-classes.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { toTable } from '../../src/table/arrow.js'
import { decode } from '../../src/table/decode.js'
import type { ColumnData } from '../../src/table/values.js'

const etf = datasetOf('etf_minute')
const names = ['tradedate', 'symbol', 'trademin', 'amount', 'vol']
const rows = [
  ['20260701', '000001.SZ', '0930', 12345678901.23, 100],
  ['20260701', '000001.SZ', '1000', null, 0],
  ['20260701', '600000.SH', '0930', 98765432109.87, null],
]
const bars = () => toDataFrame(toTable(decode(etf, names, rows), etf.columns))

function tableOf(columns: Record<string, ColumnData>, declared: Record<string, Column> = {}) {
  return toTable(
    { length: Object.values(columns)[0]?.data.length ?? 0, columns: new Map(Object.entries(columns)) },
    declared,
  )
}

test('a frame has explicit dtypes, a fresh index and low memory mode', async () => {
  const frame = await bars()
  expect(frame.dtypes).toEqual(['string', 'string', 'string', 'float32', 'float32'])
  expect(frame.index).toEqual([0, 1, 2])
  expect(frame.config.isLowMemoryMode).toBe(true)
  expect(frame.values).toEqual([
    ['20260701', '000001.SZ', '0930', 12345678901.23, 100],
    ['20260701', '000001.SZ', '1000', Number.NaN, 0],
    ['20260701', '600000.SH', '0930', 98765432109.87, Number.NaN],
  ])
})

test('codes with leading zeros stay text, also when nothing but digits is in them', async () => {
  const st = datasetOf('st')
  const table = toTable(decode(st, Object.keys(st.columns), [['20260701', '000001', null, 'ST', null]]), st.columns)
  const frame = toDataFrame(table)
  expect(frame.dtypes).toEqual(['string', 'string', 'string', 'string', 'string'])
  expect(frame.values).toEqual([['20260701', '000001', null, 'ST', null]])
  expect(frame['symbol'].str.len().values).toEqual([6])
})

test('ids of nineteen digits keep every digit', async () => {
  const id: ColumnData = { type: 'string', data: ['1234567890123456789', null] }
  const frame = toDataFrame(tableOf({ id }))
  expect(frame.values).toEqual([['1234567890123456789'], [null]])
  expect(frame.dtypes).toEqual(['string'])
})

test('what is missing stays missing in its place, for every form', async () => {
  const valid = Uint8Array.of(1, 0)
  const frame = toDataFrame(
    tableOf({
      float: { type: 'float', data: Float64Array.of(1.5, 99), valid },
      int: { type: 'int', data: Int32Array.of(7, 99), valid },
      whole: { type: 'int', data: Int32Array.of(7, 8), valid: null },
      flag: { type: 'boolean', data: Uint8Array.of(1, 1), valid },
      word: { type: 'dictionary', data: Int32Array.of(0, -1), dictionary: ['a'] },
      text: { type: 'string', data: ['a', null] },
      list: { type: 'list', data: [['000001', '600000'], null] },
    }),
  )
  expect(frame.values).toEqual([
    [1.5, 7, 7, true, 'a', 'a', '000001,600000'],
    [Number.NaN, Number.NaN, 8, null, null, null, null],
  ])
  expect(frame.dtypes).toEqual(['float32', 'float32', 'int32', 'boolean', 'string', 'string', 'string'])
})

test.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
  'an empty table of %s keeps its columns',
  async (_, dataset) => {
    const columns = Object.keys(dataset.columns)
    const frame = toDataFrame(toTable(decode(dataset, columns, []), dataset.columns))
    expect(frame.shape).toEqual([0, columns.length])
    expect(frame.columns).toEqual(columns)
    expect(frame.dtypes.length).toBe(columns.length)
  },
)

test('more rows than a block are all there, in order', async () => {
  const n = Int32Array.from({ length: 1300 }, (_, i) => i)
  const frame = toDataFrame(tableOf({ n: { type: 'int', data: n, valid: null } }))
  expect(frame.values).toEqual([...n].map((i) => [i]))
})

test.each(['sum', 'index', 'values', 'columns', '$data', 'shape', 'constructor'])(
  'a column named %s is refused',
  async (name) => {
    const table = tableOf({ [name]: { type: 'float', data: Float64Array.of(1), valid: null } })
    expect(() => toDataFrame(table)).toThrow(`a danfo DataFrame has a member '${name}' of its own`)
  },
)

test('no column of the contract has such a name', async () => {
  const { DataFrame } = danfo
  const empty = new DataFrame([])
  const all = datasets.flatMap(({ columns, ...rest }) =>
    Object.keys({ ...columns, ...('stored' in rest ? rest.stored : {}) }),
  )
  expect(all.filter((name) => name in empty)).toEqual([])
})

test.each([[['a,b']], [['']]])('a list that commas can not carry is refused: %j', async (list) => {
  const table = tableOf({ list: { type: 'list', data: [['a'], list] } })
  expect(() => toDataFrame(table)).toThrow(/column 'list', row 2: ".*" can not stand in a list with commas/)
})
