import { expect, test } from 'vitest'
import { ResponseCache } from '../../src/service/response-cache.js'
import type { ServiceAnswer } from '../../src/service/service-answer.js'

const answer = (text: string): ServiceAnswer => ({
  status: 200,
  headers: {},
  chunks: [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))],
  code: 200,
  message: 'success',
  rows: 1,
})

test('what is remembered has memory of its own: it holds no more than is counted', () => {
  const remembered = new ResponseCache(2 ** 20)
  for (let time = 0; time < 2; time++) remembered.add('question', 'state', 'key', answer('{"code":200}'))
  const [chunk, ...more] = remembered.get('question', 'state')?.answer.chunks ?? []
  expect([String(chunk), more]).toEqual(['{"code":200}', []])
  expect(chunk?.buffer.byteLength).toBe(chunk?.length)
})

test('an answer is remembered from its second time on, and for the state alone that it was given in', () => {
  const remembered = new ResponseCache(2 ** 20)
  const ask = (state: string): string | undefined => {
    const known = remembered.get('question', state)
    if (!known) remembered.add('question', state, 'key', answer(`{"state":"${state}"}`))
    return known && String(known.answer.chunks[0])
  }
  expect([ask('a'), ask('a'), ask('a')]).toEqual([undefined, undefined, '{"state":"a"}'])
  expect([ask('b'), ask('b'), ask('a')]).toEqual([undefined, '{"state":"b"}', undefined])
  expect(remembered.get('another question', 'a')).toBeUndefined()
})
