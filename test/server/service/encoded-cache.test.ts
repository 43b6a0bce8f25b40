import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { wholeSlice } from '../../../src/data/archive/answer/row-slices.js'
import type { RecordColumns } from '../../../src/frame/table/values.js'
import { EncodedCache } from '../../../src/server/service/encode/encoded-cache.js'

const dataset = datasetOf('st')
const fields = ['name']
/** So long that Node gives its bytes a memory of their own. */
const name = 'n'.repeat(10_000)

function part(rows: number): RecordColumns {
  return { length: rows, columns: new Map([['name', { type: 'string', data: Array<string>(rows).fill(name) }]]) }
}

/** Whether one row of a part is sent as a slice of all its rows. */
function isSlice(cache: EncodedCache, columns: RecordColumns): boolean {
  const [chunk] = cache.chunks(dataset, { columns, rows: { from: 0, to: 1 } }, fields, true)
  expect(chunk?.length).toBe(name.length + 5)
  return (chunk as Uint8Array).buffer.byteLength > (chunk as Uint8Array).length
}

test('a part that is queried often is encoded once, whole; rows of one answer, what does not fit and no memory are not', async () => {
  const [cache, small, none] = [new EncodedCache(10 ** 9), new EncodedCache(20_000), new EncodedCache(0)]
  cache.chunks(dataset, wholeSlice(part(8)), fields, true)
  expect(cache.bytes).toBe(0)
  const columns = part(8)
  expect([1, 2].map(() => isSlice(cache, columns))).toEqual([false, false])
  await expect.poll(() => isSlice(cache, columns)).toBe(true)
  expect(cache.bytes).toBeGreaterThan(8 * name.length)
  for (const own of [small, none]) {
    for (let time = 0; time < 8; time++) isSlice(own, columns)
    expect([isSlice(own, columns), own.bytes]).toEqual([false, 0])
  }
})

test('an answer is cached from its second time on, in memory of its own, for its state alone', () => {
  const cache = new EncodedCache(2 ** 20)
  const ask = (state: string): string | undefined => {
    const known = cache.answer('question', state)
    const chunks = [Buffer.from('{"state":'), Buffer.from(`"${state}"}`)]
    const answer = { status: 200, headers: {}, chunks, code: 200, rows: 1 }
    if (!known) cache.addAnswer('question', { apikey: 'key', state, answer })
    const [chunk] = known?.answer.chunks ?? []
    expect(chunk?.buffer.byteLength).toBe(chunk?.length)
    return chunk && String(chunk)
  }
  expect([ask('a'), ask('a'), ask('a')]).toEqual([undefined, undefined, '{"state":"a"}'])
  expect([ask('b'), ask('b'), ask('a')]).toEqual([undefined, '{"state":"b"}', undefined])
  expect(cache.answer('another question', 'a')).toBeUndefined()
})
