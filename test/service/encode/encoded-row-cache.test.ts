import { expect, test } from 'vitest'
import { wholeSlice } from '../../../src/archive/answer/row-slices.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { EncodedRowCache } from '../../../src/service/encode/encoded-row-cache.js'
import type { RecordColumns } from '../../../src/table/values.js'

const dataset = datasetOf('st')
const fields = ['name']
/** So long that Node gives its bytes a memory of their own. */
const name = 'n'.repeat(10_000)

function part(rows: number): RecordColumns {
  const data = Array.from({ length: rows }, () => name)
  return { length: rows, columns: new Map([['name', { type: 'string', data }]]) }
}

/** Whether one row of a part is sent as a slice of all its rows. */
function isSlice(held: EncodedRowCache, columns: RecordColumns): boolean {
  const [chunk] = held.chunks(dataset, { columns, rows: { from: 0, to: 1 } }, fields, true)
  expect(chunk?.length).toBe(name.length + 5)
  return (chunk as Uint8Array).buffer.byteLength > (chunk as Uint8Array).length
}

test('a part that is asked for again and again is written once, whole', () => {
  const held = new EncodedRowCache(10 ** 9)
  const columns = part(8)
  expect([1, 2, 3].map(() => isSlice(held, columns))).toEqual([false, true, true])
  expect(held.bytes).toBeGreaterThan(8 * name.length)
})

test('rows that were put together for one answer are not kept', () => {
  const held = new EncodedRowCache(10 ** 9)
  held.chunks(dataset, wholeSlice(part(8)), fields, true)
  expect(held.bytes).toBe(0)
})

test('a part that does not fit is not written again for every row of it', () => {
  const held = new EncodedRowCache(20_000)
  const columns = part(8)
  for (let time = 0; time < 8; time++) isSlice(held, columns)
  expect([isSlice(held, columns), isSlice(held, columns), held.bytes]).toEqual([false, false, 0])
})

test('a part that had to give way is written again only when it is asked for again', () => {
  const size = 8 * name.length
  const held = new EncodedRowCache(5 * size)
  const [one, other] = [part(8), part(8)]
  for (let time = 0; time < 3; time++) isSlice(held, one)
  expect(isSlice(held, one)).toBe(true)
  for (let time = 0; time < 3; time++) isSlice(held, other)
  expect([isSlice(held, other), isSlice(held, one)]).toEqual([true, false])
})

test('nothing is kept where nothing may be', () => {
  const held = new EncodedRowCache(0)
  const columns = part(8)
  expect([1, 2, 3, 4].map(() => isSlice(held, columns))).toEqual([false, false, false, false])
  expect(held.bytes).toBe(0)
})

test('a large part is written whole in later turns, one that is too large not at all', async () => {
  const held = new EncodedRowCache(10 ** 9)
  const columns = (length: number): RecordColumns => {
    const data = new Int32Array(length)
    return { length, columns: new Map([['name', { type: 'dictionary', data, dictionary: ['n'] }]]) }
  }
  const [small, large] = [columns(2 ** 16), columns(2 ** 16 + 1)]
  for (const part of [small, small]) held.chunks(dataset, wholeSlice(part), fields, true)
  expect(held.bytes).toBe(0)
  await expect.poll(() => held.bytes, { timeout: 600_000 }).toBeGreaterThan(0)
  const before = held.bytes
  const [chunk] = held.chunks(dataset, wholeSlice(small), fields, true)
  expect(chunk?.toString() === '["n"],'.repeat(2 ** 16)).toBe(true)
  for (const part of [large, large, large]) held.chunks(dataset, wholeSlice(part), fields, true)
  expect(held.bytes).toBe(before)
})
