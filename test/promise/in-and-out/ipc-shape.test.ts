import {
  Decimal,
  Float64,
  List,
  RecordBatchStreamWriter,
  Struct,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { fromIpc, fromRows, QuotebookError, rowsOf, show, toIpc } from 'quotebook'
import { expect, test } from 'vitest'

const table = fromRows([
  { code: '000001.SZ', close: 1.5, flag: true, name: '甲', tags: ['a', 'b'] },
  { code: null, close: null, flag: null, name: '乙', tags: null },
])

test.each(['file', 'stream'] as const)('a %s with one bit turned is read or refused at once, bit by bit', (format) => {
  const bytes = toIpc(table, format)
  const others: unknown[] = []
  let refused = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const turned = bytes.slice()
    turned[at] = (turned[at] as number) ^ (1 << (at % 8))
    try {
      const read = fromIpc(turned)
      expect(read.numRows).toBeLessThan(10)
      rowsOf(read)
      show(read).html()
    } catch (error) {
      if (error instanceof QuotebookError) refused++
      else others.push([at, error])
    }
  }
  expect(others).toEqual([])
  expect(refused).toBeGreaterThan(50)
})

test('a column that says to be shorter than its batch is refused', () => {
  const bytes = toIpc(table, 'stream')
  let refused = 0
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const other = bytes.slice()
    const view = new DataView(other.buffer)
    if (view.getBigInt64(at, true) !== 2n) continue
    view.setBigInt64(at, 1n, true)
    try {
      fromIpc(other)
    } catch (error) {
      if (String(error).includes('columns differ in length')) refused++
    }
  }
  expect(refused).toBeGreaterThanOrEqual(table.numCols)
})

test('a batch that the footer leaves out is missed', () => {
  const bytes = toIpc(table)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const footer = bytes.length - 10 - view.getInt32(bytes.length - 10, true)
  const batch = [...Array(bytes.length - footer - 24).keys()]
    .map((at) => footer + at)
    .find((at) => at % 8 === footer % 8 && view.getUint32(at - 4, true) === 1 && view.getBigInt64(at, true) > 100n)
  expect(batch).toBeDefined()
  view.setUint32((batch as number) - 4, 0, true)
  expect(() => fromIpc(bytes)).toThrow(/footer names other batches/)
})

test('tables of all shapes, of many batches and of none are whole', () => {
  const wide = new Table({
    d: vectorFromArray([null, null], new Decimal(2, 12, 128)),
    n: vectorFromArray([[{ a: 1 }], null]),
    t: vectorFromArray([0, 1], new TimestampMillisecond('Asia/Shanghai')),
    w: vectorFromArray(['a', 'b'], new Utf8()),
    z: vectorFromArray([null, null]),
  })
  expect(wide.schema.fields.some(({ type }) => type instanceof List || type instanceof Struct)).toBe(true)
  for (const data of [
    wide,
    wide.concat(wide),
    wide.slice(0, 0),
    table.concat(table),
    new Table({ v: vectorFromArray([], new Float64()) }),
  ])
    for (const format of ['file', 'stream'] as const)
      expect(rowsOf(fromIpc(tableToIPC(data, format)))).toEqual(rowsOf(data))
  const many = new RecordBatchStreamWriter()
  for (let i = 0; i < 100; i++) many.write(wide.batches[0])
  many.finish()
  expect(fromIpc(many.toUint8Array(true)).numRows).toBe(200)
})
