import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { type HttpReply, missingRows, readOutcome } from '../../../src/server/service/page/client/api-call.js'
import { indented, isLongNumber, parseExactly } from '../../../src/server/service/page/client/json-text.js'
import { numberText, plainText } from '../../../src/server/service/page/client/page-cell.js'

const received = (text: string, status = 200): HttpReply => ({
  status,
  text,
  retryAfter: undefined,
  bytes: text.length,
  milliseconds: 1,
  origin: undefined,
  at: 0,
})
const envelope = (value: unknown, status = 200): HttpReply => received(JSON.stringify(value), status)

describe('JSON as it came', () => {
  test('indenting changes blanks only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, blanks) => {
        const text = JSON.stringify(value, null, blanks)
        const { text: pretty, whole } = indented(text)
        expect(whole).toBe(true)
        expect(JSON.stringify(JSON.parse(pretty))).toBe(JSON.stringify(value))
      }),
    )
  })

  test('a cell shows the digits that came, whatever their number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(9), (whole, decimals) => {
        const sent = decimals === 0 ? String(whole) : `${whole}.${'7'.repeat(decimals)}`
        const [cell] = parseExactly(`[${sent}]`) as unknown[]
        expect(numberText(cell)).toBe(sent)
      }),
    )
    expect(parseExactly('[1.5,"12345678901234567890",null]')).toEqual([1.5, '12345678901234567890', null])
    const [, text, deep] = parseExactly('[12345678901234567891,"long number #x",{"a":[1e999]}]') as unknown[]
    expect(text).toBe('long number #x')
    expect(isLongNumber(text)).toBe(false)
    expect(plainText(deep)).toBe('{"a":["1e999"]}')
  })

  test('a credential is dots wherever it stands', () => {
    const hide = (name: string): string | undefined => (name === '"password"' ? '"…"' : undefined)
    const shown = indented(
      '{"password":"s3","a":{"password" : "s3\\"x"},"b":"password","c":["password","s4"]}',
      1e6,
      hide,
    )
    expect(shown.text).not.toContain('s3')
    expect(JSON.parse(shown.text)).toEqual({
      password: '…',
      a: { password: '…' },
      b: 'password',
      c: ['password', 's4'],
    })
  })
})

describe('what an answer is', () => {
  const etf = datasetOf('etf_minute')
  const rows = { code: 200, message: 'success', data: { fields: ['close'], items: [[1], [null]], count: 2 } }

  test('rows, no data, a refusal, a break', () => {
    const content = readOutcome(etf, envelope(rows))
    expect(content).toMatchObject({
      kind: 'content',
      content: { fields: ['close'], items: [[1], [null]], beside: { count: 2 } },
    })
    expect(readOutcome(etf, envelope({ code: 1002, message: 'no data', data: null })).kind).toBe('none')
    expect(readOutcome(etf, envelope({ code: 422, message: 'bad', data: null }))).toEqual({
      kind: 'refused',
      code: 422,
      message: 'bad',
    })
    expect(readOutcome(etf, envelope({ code: 429, message: 'slow', data: null }, 429)).kind).toBe('refused')
    for (const text of ['', '<html>', 'null{'])
      expect(readOutcome(etf, received(text, 502))).toMatchObject({ what: 'notJson' })
    for (const value of [null, [], 1, {}, { code: '200', message: '' }, { code: 200 }])
      expect(readOutcome(etf, envelope(value)), JSON.stringify(value)).toMatchObject({ what: 'notEnvelope' })
    for (const data of [null, {}, { fields: ['a'], items: [[1, 2]] }, { fields: [1], items: [] }])
      expect(readOutcome(etf, envelope({ ...rows, data })), JSON.stringify(data)).toMatchObject({ what: 'malformed' })
  })

  test('success in words is not success under another HTTP status', () => {
    expect(readOutcome(etf, envelope(rows, 500))).toMatchObject({ kind: 'refused', code: 500 })
  })

  test('the lower level of a file result has the last word', () => {
    const file = datasetOf('file_download')
    const inner = (code: number, data: unknown = null) =>
      envelope({ code: 200, message: 'success', data: { code, message: 'm', data } })
    expect(readOutcome(file, inner(503))).toEqual({ kind: 'refused', code: 503, message: 'm', inner: true })
    expect(readOutcome(file, inner(1002)).kind).toBe('none')
    expect(readOutcome(file, inner(0, { status: 'ready' }))).toMatchObject({
      content: { fields: ['status'], items: [['ready']] },
    })
  })
})

test('an answer that may be cut is never passed on as whole', () => {
  const items = (count: number): null[][] => Array.from({ length: count }, () => [null])
  const content = (count: number, beside = {}) => ({ fields: ['x'], items: items(count), beside })
  const call = (name: string, params = {}) => ({ dataset: datasetOf(name), params, fields: undefined })
  expect(missingRows(call('etf_minute'), content(6000))).toEqual({ word: 'capped', rows: 6000 })
  expect(missingRows(call('etf_minute'), content(5999))).toBeUndefined()
  expect(missingRows(call('interactive_qa'), content(100, { total: 101 }))).toEqual({
    word: 'paged',
    shown: 100,
    total: 101,
  })
  expect(missingRows(call('interactive_qa'), content(100, { total: 100 }))).toBeUndefined()
  expect(missingRows(call('news', { limit: 20 }), content(20))).toEqual({ word: 'newest' })
  expect(missingRows(call('news'), content(99))).toBeUndefined()
  expect(missingRows(call('st'), content(9000))).toBeUndefined()
})
