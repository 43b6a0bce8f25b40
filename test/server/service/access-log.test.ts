import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AccessEntry, accessLine, logTime, type Route } from '../../../src/server/service/access-log.js'

const entry: AccessEntry = {
  time: '2026-07-01T09:30:00.000+08:00',
  id: 7,
  method: 'POST',
  route: 'api',
  apiname: 'etf_minute',
  status: 200,
  code: 200,
  rows: 9,
  bytes: 1234,
  milliseconds: 1.23456,
  caller: 'research',
  encoding: 'gzip',
  remote: '127.0.0.1',
  error: 'INVALID_PARAMS',
}

test('a line has its keys in order, and leaves out what is not there', () => {
  expect(accessLine(entry)).toBe(
    '{"time":"2026-07-01T09:30:00.000+08:00","id":7,"method":"POST","route":"api","apiname":"etf_minute","status":200,"code":200,"rows":9,"bytes":1234,"milliseconds":1.235,"caller":"research","encoding":"gzip","remote":"127.0.0.1","error":"INVALID_PARAMS"}',
  )
  const { time, id, method, status, milliseconds } = entry
  expect(accessLine({ time, id, method, route: 'other', status, bytes: 0, milliseconds })).toBe(
    '{"time":"2026-07-01T09:30:00.000+08:00","id":7,"method":"POST","route":"other","status":200,"bytes":0,"milliseconds":1.235}',
  )
})

const secret = 'k3y-that-nobody-may-read'

test.each<[what: string, more: Partial<AccessEntry>]>([
  ['a key in the place of the operation', { apiname: secret }],
  ['an operation of 100,000 characters', { apiname: secret.repeat(5000) }],
  ['a path in the place of the route', { route: `/api?apikey=${secret}` as Route }],
  ['a message in the place of an error', { error: `symbols must be a string, not ${secret}` }],
])('%s is not shown', (_, more) => {
  const line = accessLine({ ...entry, ...more })
  expect(line).not.toContain(secret)
  expect(line.length).toBeLessThan(400)
  expect(JSON.parse(line)).toMatchObject({ id: 7, bytes: 1234 })
})

test('an inherited name is no operation', () => {
  for (const apiname of ['__proto__', 'constructor', 'toString', '', 'ETF_MINUTE']) {
    expect(JSON.parse(accessLine({ ...entry, apiname })).apiname).toBe('other')
  }
})

test('a number that is none is null: the line stays JSON', () => {
  const line = accessLine({ ...entry, rows: Number.NaN, bytes: Infinity, milliseconds: Number.NaN })
  expect(JSON.parse(line)).toMatchObject({ rows: null, bytes: null, milliseconds: null })
})

const hostile = fc.string({ unit: 'binary', maxLength: 300 })
const marks = fc
  .array(
    fc.constantFrom(
      '\n',
      '\r',
      '\u001b[2J',
      '\u0000',
      '"',
      '\\',
      '\u007f',
      '\u0085',
      '\u009b',
      '\u2028',
      '\u2029',
      '\u202e',
      '\u2066',
      '\ufeff',
      '\ud800',
      'é',
      '名',
      'a',
    ),
  )
  .map((parts) => parts.join(''))
const text = fc.oneof(hostile, marks, fc.constant('x'.repeat(100_000)))

test('whatever a text holds, it is one line of JSON, bounded, without anything that a terminal obeys', () => {
  const law = fc.property(text, text, text, text, text, (caller, remote, encoding, method, time) => {
    const line = accessLine({ ...entry, caller, remote, encoding, method, time })
    expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u)
    expect(line.length).toBeLessThan(5 * 64 * 6 + 400)
    const read = JSON.parse(line) as Record<string, string>
    expect(Object.keys(read)).toEqual(Object.keys(entry))
    for (const [name, given] of Object.entries({ caller, remote, encoding, method, time })) {
      expect(read[name]).toBe(given.length <= 64 ? given : `${given.slice(0, 63)}…`)
    }
  })
  fc.assert(law, { numRuns: 500 })
})

test('a moment is shown as Beijing has it, whatever was shown before', () => {
  expect(logTime(0)).toBe('1970-01-01T08:00:00.000+08:00')
  const moments = [
    0, 1, 999, 1000, 1_782_869_400_007, 1_782_869_400_999, 1_782_869_399_999, 951_782_399_999, 4_102_444_799_999,
  ]
  const program =
    'import sys, datetime\nfor x in sys.argv[1:]:\n  print((datetime.datetime(1970, 1, 1) + datetime.timedelta(hours=8, milliseconds=int(x))).isoformat(timespec="milliseconds") + "+08:00")'
  const python = execFileSync('/usr/bin/python3', ['-c', program, ...moments.map(String)], { encoding: 'utf8' })
  expect(moments.map(logTime)).toEqual(python.trimEnd().split('\n'))
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 2 }), (list) => {
      for (const at of list) expect(Date.parse(logTime(at))).toBe(at)
    }),
  )
})
