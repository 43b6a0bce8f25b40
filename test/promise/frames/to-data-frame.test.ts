import { DataFrame, datasetOf, datasets, fromRows, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'

const etf = datasetOf('etf_minute')
const names = ['tradedate', 'symbol', 'trademin', 'amount', 'vol']
const rows = [
  ['20260701', '000001.SZ', '0930', 12345678901.23, 100],
  ['20260701', '000001.SZ', '1000', null, 0],
  ['20260701', '600000.SH', '0930', 98765432109.87, null],
]
const bars = () => toDataFrame(fromRows(rows, { columns: names, dataset: etf }))

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
  const columns = Object.keys(st.columns)
  const table = fromRows([['20260701', '000001', null, 'ST', null]], { columns, dataset: st })
  const frame = toDataFrame(table)
  expect(frame.dtypes).toEqual(['string', 'string', 'string', 'string', 'string'])
  expect(frame.values).toEqual([['20260701', '000001', null, 'ST', null]])
  expect(frame['symbol'].str.len().values).toEqual([6])
})

test('ids of nineteen digits keep every digit', async () => {
  const frame = toDataFrame(fromRows([['1234567890123456789'], [null]], { columns: ['id'] }))
  expect(frame.values).toEqual([['1234567890123456789'], [null]])
  expect(frame.dtypes).toEqual(['string'])
})

test('what is missing stays missing in its place, for every form', async () => {
  const kinds = { float: 'number', int: 'integer', whole: 'integer', flag: 'boolean', word: 'label' } as const
  const frame = toDataFrame(
    fromRows(
      [
        [1.5, 7, 7, true, 'a', 'a', ['000001', '600000']],
        [null, null, 8, null, null, null, null],
      ],
      { columns: [...Object.keys(kinds), 'text', 'list'], kinds: { ...kinds, text: 'text', list: 'texts' } },
    ),
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
    const frame = toDataFrame(fromRows([], { columns, dataset }))
    expect(frame.shape).toEqual([0, columns.length])
    expect(frame.columns).toEqual(columns)
    expect(frame.dtypes.length).toBe(columns.length)
  },
)

test('more rows than a block are all there, in order', async () => {
  const n = Int32Array.from({ length: 1300 }, (_, i) => i)
  const frame = toDataFrame(
    fromRows(
      [...n].map((i) => [i]),
      { columns: ['n'], kinds: { n: 'integer' } },
    ),
  )
  expect(frame.values).toEqual([...n].map((i) => [i]))
})

test.each(['sum', 'index', 'values', 'columns', '$data', 'shape', 'constructor'])(
  'a column named %s is refused',
  async (name) => {
    const table = fromRows([[1]], { columns: [name] })
    expect(() => toDataFrame(table)).toThrow(`a danfo DataFrame has a member '${name}' of its own`)
  },
)

test('no column of the contract has such a name', async () => {
  const empty = new DataFrame([])
  const all = datasets.flatMap(({ columns, ...rest }) =>
    Object.keys({ ...columns, ...('stored' in rest ? rest.stored : {}) }),
  )
  expect(all.filter((name) => name in empty)).toEqual([])
})

test.each([[['a,b']], [['']]])('a list that commas can not carry is refused: %j', async (list) => {
  const table = fromRows([[['a']], [list]], { columns: ['list'] })
  expect(() => toDataFrame(table)).toThrow(/column 'list', row 2: ".*" can not stand in a list with commas/)
})
