import { expect, test } from 'vitest'
import { evaluateConditions } from '../../../../src/server/service/share/share-response.js'

const file = { etag: '"abc"', size: 1000 }

test.each([
  [{}, 200],
  [{ range: 'bytes=0-1' }, 206],
  [{ range: 'bytes=1000-' }, 416],
  [{ range: 'bytes=0-1', 'if-range': '"abc"' }, 206],
  [{ range: 'bytes=0-1', 'if-range': '"other"' }, 200],
  [{ range: 'bytes=0-1', 'if-range': 'W/"abc"' }, 200],
  [{ range: 'bytes=1000-', 'if-range': '"other"' }, 200],
  [{ 'if-none-match': '"abc"' }, 304],
  [{ 'if-none-match': 'W/"abc"' }, 304],
  [{ 'if-none-match': '"x", "abc"' }, 304],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': '"x"' }, 200],
  [{ 'if-match': '"abc"' }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': '"x"' }, 412],
  [{ 'if-match': 'W/"abc"' }, 412],
  [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 412],
  [{ 'if-none-match': '"abc"', range: 'bytes=0-1' }, 304],
])('conditions %j', (headers, status) => {
  expect(evaluateConditions('GET', headers, file).status).toBe(status)
})

test('a HEAD has no range', () => {
  expect(evaluateConditions('HEAD', { range: 'bytes=0-1' }, file)).toEqual({ status: 200 })
})
