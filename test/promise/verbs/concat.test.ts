import { asTable, concat, DataFrame, filter, fromRows, toDataFrame, toObjects } from 'quotebook'
import { expect, test } from 'vitest'

const one = fromRows([
  { symbol: '000001', close: 1.5, note: null },
  { symbol: '600000', close: null, note: null },
])
const two = fromRows([{ close: 2, note: 'a', symbol: '000002' }])

test('rows stand one after the other, columns by name, gaps as gaps', () => {
  const all = concat([one, two])
  expect(toObjects(all)).toEqual([
    { symbol: '000001', close: 1.5, note: null },
    { symbol: '600000', close: null, note: null },
    { symbol: '000002', close: 2, note: 'a' },
  ])
  const frame = concat([toDataFrame(one), toDataFrame(two)])
  expect(frame).toBeInstanceOf(DataFrame)
  expect(toObjects(frame)).toEqual(toObjects(all))
})

test('parts without rows add nothing, also first', () => {
  const none = filter(two, () => false)
  expect(toObjects(concat([none, one, none]))).toEqual(toObjects(one))
  expect(asTable(concat([none])).numRows).toBe(0)
})

test('kinds and units stay; other columns and other types are refused by name', () => {
  expect(concat([one, two]).schema.fields.map(({ metadata }) => metadata.get('kind'))).toEqual(
    one.schema.fields.map(({ metadata }) => metadata.get('kind')),
  )
  expect(() => concat([])).toThrow('at least one')
  expect(() => concat([one, fromRows([{ symbol: 'x', close: 1 }])])).toThrow("part 2 lacks the column 'note'")
  expect(() => concat([one, fromRows([{ symbol: 'x', close: 'dear', note: '' }])])).toThrow(
    "column 'close' is of different types",
  )
})
