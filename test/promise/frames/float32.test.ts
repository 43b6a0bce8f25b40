import { DataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { pandas, quotes, shown } from '../helper/pandas.js'

/* What stock danfo computes in 32 bits (12345678901.23 + 0 = 12345678848), against pandas' doubles. */
const numbers = () => quotes().loc({ columns: ['amount', 'v'] })

test.each([
  ['add', 0.01],
  ['div', 3],
  ['mod', 7],
  ['pow', 2],
  ['gt', 12345678901.23],
  ['ge', 12345678901.23],
  ['lt', 12345678901.99],
  ['le', 12345678901.23],
  ['eq', 12345678901.99],
  ['ne', 12345678901.99],
] as const)('%s of a frame and a number', (name, other) => {
  expect(shown(numbers()[name](other))).toEqual(pandas('arithmetic', name))
})

test('comparisons give booleans, halves are no whole numbers', () => {
  expect(numbers().gt(1).dtypes).toEqual(['boolean', 'boolean'])
  expect(new DataFrame([[1], [2]], { columns: ['a'] }).div(2)?.dtypes).toEqual(['float32'])
})

test('frames with frames and with columns', () => {
  expect(shown(numbers().mul(numbers()))).toEqual(pandas('arithmetic', 'mul'))
  expect(shown(numbers().sub(new Array(10).fill(1.5), { axis: 0 }))).toEqual(pandas('arithmetic', 'sub'))
  const sorted = numbers().sortValues('v')
  expect(shown(sorted?.mul(numbers()).sortIndex())).toEqual(pandas('arithmetic', 'mul'))
  expect(() => numbers().add(quotes().loc({ columns: ['v', 'amount'] }))).toThrow('do not go together')
})

test('differences and changes, also in place and from 0', () => {
  expect(shown(numbers().diff(1))).toEqual(pandas('arithmetic', 'diff'))
  expect(shown(numbers().diff(-2))).toEqual(pandas('arithmetic', 'diff2'))
  expect(shown(numbers().pctChange(1))).toEqual(pandas('arithmetic', 'pctChange'))
  const zero = new DataFrame({ a: [0, 5, 0, -5, -5] })
  expect(shown(zero.pctChange(1))).toEqual(pandas('arithmetic', 'fromZero'))
  const frame = numbers()
  expect(frame.pctChange(1, { inplace: true })).toBe(undefined)
  expect(shown(frame)).toEqual(pandas('arithmetic', 'pctChange'))
})

test('places of the extremes', () => {
  const { amount } = { amount: numbers()['amount'] }
  expect([amount.argMax(), amount.argMin()]).toEqual([pandas('arithmetic', 'argMax'), pandas('arithmetic', 'argMin')])
})
