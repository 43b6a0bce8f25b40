import {
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Field,
  Float16,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  Struct,
  Table,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampSecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import fc from 'fast-check'
import { numbers, rowsOf, show } from 'quotebook'
import { expect, test } from 'vitest'

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
    { numRuns: 20 },
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
  expect(numbers(new Table({ n: makeVector(data) }), 'n')).toEqual(Float64Array.of(1, Number.NaN))
})

test('a byte order mark in a text is text', () => {
  expect(rowsOf(new Table({ text: vectorFromArray(['\uFEFFa'], new Utf8()) }))).toEqual([['\uFEFFa']])
})

function readAs(type: DataType, values: readonly unknown[]): unknown[] {
  const whole = new Table({ v: vectorFromArray([...values, null], type) })
  const rows = rowsOf(whole).map(([cell]) => cell)
  expect(rows.at(-1)).toBeNull()
  expect(rowsOf(whole.slice(1)).map(([cell]) => cell)).toEqual(rows.slice(1))
  expect(rowsOf(whole.concat(whole)).map(([cell]) => cell)).toEqual([...rows, ...rows])
  expect(show(whole).text()).toContain(String(rows[0]))
  return rows.slice(0, -1)
}

test('decimals keep their point and their sign: numbers where doubles print the same digits, otherwise text', () => {
  const of = (scale: number, ...wholes: bigint[]) => {
    const words = BigUint64Array.from(wholes.flatMap((whole) => [whole, whole >> 64n]))
    const data = new Uint32Array(words.buffer)
    const type = new Decimal(scale, 38, 128)
    const table = new Table({ v: makeVector(makeData({ type, length: wholes.length, nullCount: 0, data })) })
    expect(rowsOf(table.slice(1)).map(String)).toEqual(rowsOf(table).slice(1).map(String))
    return rowsOf(table).map(([cell]) => cell)
  }
  expect(of(2, 12345n, -5n, 0n, -100n)).toEqual([123.45, -0.05, 0, -1])
  expect(of(0, 7n)).toEqual([7])
  expect(of(2, 12345678901234567890n, -5n)).toEqual(['123456789012345678.90', '-0.05'])
})

test('half-precision numbers are their values, not their bits', () => {
  expect(readAs(new Float16(), [1.5, -2, 0])).toEqual([1.5, -2, 0])
})

test('dates, times and moments of other programs read as those of SQL do', () => {
  const moment = Date.parse('2026-07-01T01:30:00Z')
  expect(readAs(new DateDay(), [new Date('2026-07-01T00:00:00Z'), new Date('1969-12-31')])).toEqual([
    '20260701',
    '19691231',
  ])
  expect(readAs(new DateMillisecond(), [new Date('2026-07-01'), new Date(moment)])).toEqual([
    '20260701',
    '2026-07-01T01:30:00',
  ])
  expect(readAs(new TimestampMicrosecond(), [moment, -1])).toEqual(['2026-07-01T01:30:00', '1969-12-31T23:59:59.999'])
  expect(readAs(new TimestampSecond('UTC'), [moment])).toEqual(['2026-07-01T09:30:00+08:00'])
  expect(readAs(new TimeMicrosecond(), [34_200_000_000n, 1n])).toEqual(['09:30:00', '00:00:00.000001'])
})

test('nested values of other programs are their JSON, a null in them a null', () => {
  const texts = new List(new Field('item', new Utf8()))
  expect(readAs(texts, [['a', null], []])).toEqual(['["a",null]', '[]'])
  expect(readAs(new List(new Field('item', new Float64())), [[1.5, null]])).toEqual(['[1.5,null]'])
  const pair = new Struct([new Field('day', new DateDay()), new Field('list', texts)])
  expect(readAs(pair, [{ day: new Date('2026-07-01'), list: ['x'] }])).toEqual(['{"day":"20260701","list":["x"]}'])
})
