import { expect, test } from 'vitest'
import { evaluateConditions, parseRange } from '../../../../src/server/service/share/share-response.js'

const file = { etag: '"abc"', size: 1000 }

test.each([
  ['bytes=500-999', { start: 500, end: 999 }],
  ['bytes=-500', { start: 500, end: 999 }],
  ['bytes=500-', { start: 500, end: 999 }],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-5000', { start: 0, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['BYTES=1-2', { start: 1, end: 2 }],
  ['bytes=0-99,100-199', undefined],
  ['bytes=9-0', undefined],
  ['bytes=a-b', undefined],
  ['bytes=-', undefined],
  ['lines=0-5', undefined],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999999999999999-', 'unsatisfiable'],
])('%s of 1000 bytes', (text, range) => {
  expect(parseRange(text, 1000)).toEqual(range)
})

test('an empty file has no range', () => expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable'))

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
