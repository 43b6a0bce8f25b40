import {
  Bool,
  Dictionary,
  Float64,
  Int32,
  Int64,
  makeData,
  makeVector,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf, rowsOf } from '../../src/frame/column.js'

const columns = {
  number: fc.option(fc.double({ noNaN: true })),
  whole: fc.option(fc.integer()),
  flag: fc.option(fc.boolean()),
  text: fc.option(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }))),
  word: fc.option(fc.constantFrom('000001', '600000', '贵州茅台', '')),
}
const rows = fc.array(fc.record(columns), { minLength: 1, maxLength: 40 })

type Row = { [K in keyof typeof columns]: (typeof columns)[K] extends fc.Arbitrary<infer T> ? T : never }

function tableOf(list: readonly Row[]): Table {
  return new Table({
    number: vectorFromArray(
      list.map((row) => row.number),
      new Float64(),
    ),
    whole: vectorFromArray(
      list.map((row) => row.whole),
      new Int32(),
    ),
    flag: vectorFromArray(
      list.map((row) => row.flag),
      new Bool(),
    ),
    text: vectorFromArray(
      list.map((row) => row.text),
      new Utf8(),
    ),
    word: vectorFromArray(
      list.map((row) => row.word),
      new Dictionary(new Utf8(), new Int32()),
    ),
  })
}

const cells = (list: readonly Row[]): unknown[][] =>
  list.map(({ number, whole, flag, text, word }) => [number, whole, flag, text, word])

test('what Arrow itself wrote is read cell by cell, sliced, in chunks, and after IPC', () => {
  fc.assert(
    fc.property(rows, rows, fc.nat(40), (first, second, cut) => {
      const table = tableOf(first)
      expect(rowsOf(table)).toEqual(cells(first))
      expect(rowsOf(tableFromIPC(tableToIPC(table)))).toEqual(cells(first))
      expect(rowsOf(table.slice(cut))).toEqual(cells(first.slice(cut)))
      expect(rowsOf(table.slice(cut).concat(tableOf(second)))).toEqual(cells([...first.slice(cut), ...second]))
    }),
    { numRuns: 60 },
  )
})

test('a 64-bit id beyond 2^53 stays text, every digit of it; smaller ones are numbers', () => {
  const of = (values: (bigint | null)[]) => rowsOf(new Table({ id: vectorFromArray(values, new Int64()) }))
  expect(of([1234567890123456789n, null])).toEqual([['1234567890123456789'], [null]])
  expect(of([9007199254740991n, null])).toEqual([[9007199254740991], [null]])
})

test('a number behind a null is not seen', () => {
  const data = makeData({
    type: new Float64(),
    length: 2,
    nullCount: 1,
    nullBitmap: Uint8Array.of(1),
    data: Float64Array.of(1, 7),
  })
  const values = columnsOf(new Table({ n: makeVector(data) })).of.get('n')
  expect(values?.data).toEqual(Float64Array.of(1, Number.NaN))
})

test('a byte order mark in a text is text', () => {
  expect(rowsOf(new Table({ text: vectorFromArray(['\uFEFFa'], new Utf8()) }))).toEqual([['\uFEFFa']])
})
