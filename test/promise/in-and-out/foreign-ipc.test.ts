import {
  Binary,
  type DataType,
  DateMillisecond,
  Decimal,
  DenseUnion,
  Dictionary,
  DurationSecond,
  Field,
  FixedSizeBinary,
  Float64,
  Int32,
  IntervalDayTime,
  IntervalYearMonth,
  LargeBinary,
  LargeUtf8,
  List,
  Map_,
  makeData,
  makeVector,
  RecordBatchStreamWriter,
  Struct,
  Table,
  TimestampSecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { Schema as FlatSchema } from 'apache-arrow/fb/schema'
import { fromIpc, fromRows, rowsOf, toIpc } from 'quotebook'
import { expect, test, vi } from 'vitest'

/* What other programs put into Arrow IPC: each type is right or refused. */

const formats = ['file', 'stream'] as const
const read = (type: DataType, cells: readonly unknown[], format: (typeof formats)[number] = 'file') =>
  rowsOf(fromIpc(tableToIPC(new Table({ v: vectorFromArray(cells, type) }), format))).map(([cell]) => cell)
const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text))

test.each(formats)('a big-endian %s is refused', (format) => {
  const spy = vi.spyOn(FlatSchema, 'addEndianness').mockImplementation((builder) => builder.addFieldInt16(0, 1, 0))
  const big = toIpc(fromRows([{ close: 1.5 }]), format)
  spy.mockRestore()
  const error = { code: 'FILE', message: expect.stringContaining('its numbers are big-endian') }
  expect(() => fromIpc(big)).toThrow(expect.objectContaining(error))
  expect(rowsOf(fromIpc(toIpc(fromRows([{ close: 1.5 }]), format)))).toEqual([[1.5]])
})

test('bytes that are text are text, of every width; others are refused by the name of their column', () => {
  const texts = ['000001', '贵州茅台', '']
  for (const type of [new Binary(), new LargeBinary(), new LargeUtf8()]) {
    const cells = type instanceof LargeUtf8 ? texts : bytes(...texts)
    for (const format of formats) expect(read(type, [...cells, null], format)).toEqual([...texts, null])
    const coded = new Dictionary(type as Binary, new Int32())
    expect(read(coded, [cells[0], null, cells[1], cells[0]])).toEqual(['000001', null, '贵州茅台', '000001'])
  }
  expect(read(new FixedSizeBinary(6), [...bytes('000001', '600000'), null])).toEqual(['000001', '600000', null])
  for (const cell of [Buffer.of(0xff), Buffer.from('a\0')])
    for (const type of [new Binary(), new List(new Field('item', new Binary()))]) {
      const cells = type instanceof List ? [[cell]] : [cell]
      expect(() => read(type, cells)).toThrow(/column 'v' .*holds bytes that are no UTF-8 text/)
    }
})

test('a text whose bytes are no UTF-8 is refused, and what stands behind a null does not count', () => {
  const of = (text: Buffer, valid: number) => {
    const data = makeData({
      type: new Utf8(),
      length: 1,
      nullCount: 1 - valid,
      nullBitmap: Uint8Array.of(valid),
      valueOffsets: Int32Array.of(0, text.length),
      data: text,
    })
    return rowsOf(fromIpc(tableToIPC(new Table({ v: makeVector(data) }))))
  }
  expect(() => of(Buffer.of(0xe8, 0xb4), 1)).toThrow(/column 'v' \(Utf8\): row 1/)
  expect(of(Buffer.of(0xe8, 0xb4), 0)).toEqual([[null]])
  expect(of(Buffer.from('\ufffd'), 1)).toEqual([['\ufffd']])
})

test('coded columns of numbers, moments and lists are what is coded', () => {
  expect(read(new Dictionary(new Float64(), new Int32()), [1.5, null, 2, 1.5])).toEqual([1.5, null, 2, 1.5])
  const moment = Date.parse('2026-07-01T01:30:00Z')
  const zoned = new Dictionary(new TimestampSecond('UTC'), new Int32())
  expect(read(zoned, [moment, null])).toEqual(['2026-07-01T09:30:00+08:00', null])
  expect(read(new Dictionary(new DateMillisecond(), new Int32()), [new Date('2026-07-01')])).toEqual(['20260701'])
})

test('dictionaries that grow or are replaced along a stream are followed', () => {
  const coded = (words: string[]) =>
    new Table({ v: vectorFromArray(words, new Dictionary(new Utf8(), new Int32(), 7)) }).batches[0]
  for (const lists of [
    [['a', 'b'], ['c', 'a'], ['b']],
    [['x'], ['y'], ['x', 'y']],
  ]) {
    const writer = new RecordBatchStreamWriter()
    for (const words of lists) writer.write(coded(words))
    writer.finish()
    expect(rowsOf(fromIpc(writer.toUint8Array(true)))).toEqual(lists.flat().map((word) => [word]))
  }
})

test('maps are lists of pairs, nested as deep as they are; what JSON can not say is refused', () => {
  const map = (key: DataType, value: DataType) =>
    new Map_(new Field('entries', new Struct([new Field('key', key, false), new Field('value', value)])) as never)
  const pairs = new Map<unknown, unknown>([
    ['a', 1.5],
    ['b', null],
  ])
  expect(read(map(new Utf8(), new Float64()), [pairs, null, new Map()])).toEqual(['[["a",1.5],["b",null]]', null, '[]'])
  expect(read(map(new Int32(), new Utf8()), [new Map([[1, '甲']])])).toEqual(['[[1,"甲"]]'])
  expect(() => read(new List(new Field('item', new Float64())), [[Number.POSITIVE_INFINITY]])).toThrow(
    /no form in JSON/,
  )
  const twice = new Struct([new Field('a', new Int32()), new Field('a', new Int32())])
  expect(() => read(twice, [{ a: 1 }])).toThrow(/two parts of one name/)
})

test('decimals with a negative scale stand for round numbers', () => {
  const type = new Decimal(-2, 10, 128)
  const data = makeData({ type, length: 2, nullCount: 0, data: Uint32Array.of(15, 0, 0, 0, 0, 0, 0, 0) })
  expect(rowsOf(fromIpc(tableToIPC(new Table({ v: makeVector(data) }))))).toEqual([[1500], [0]])
})

test.each([
  ['durations', makeData({ type: new DurationSecond(), length: 1, data: BigInt64Array.of(5n) })],
  ['months', makeData({ type: new IntervalYearMonth(), length: 1, data: Int32Array.of(5) })],
  ['days and times', makeData({ type: new IntervalDayTime(), length: 1, data: Int32Array.of(5, 0) })],
  [
    'unions',
    makeData({
      type: new DenseUnion([0], [new Field('i', new Int32())]),
      length: 1,
      typeIds: Int8Array.of(0),
      valueOffsets: Int32Array.of(0),
      children: [makeData({ type: new Int32(), length: 1, data: Int32Array.of(1) })],
    }),
  ],
] as const)('%s are refused', (_, data) => {
  const file = tableToIPC(new Table({ v: makeVector(data as never) }))
  expect(() => fromIpc(file)).toThrow(expect.objectContaining({ code: 'FILE' }))
})
