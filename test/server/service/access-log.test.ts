import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AccessEntry, accessLine, logTime } from '../../../src/server/service/access-log.js'

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
}

test('a line has its keys in order, and leaves out what is not there', () => {
  expect(accessLine(entry)).toBe(
    '{"time":"2026-07-01T09:30:00.000+08:00","id":7,"method":"POST","route":"api","apiname":"etf_minute","status":200,"code":200,"rows":9,"bytes":1234,"milliseconds":1.235,"caller":"research","encoding":"gzip","remote":"127.0.0.1"}',
  )
  const { time, id, method, status, milliseconds } = entry
  expect(accessLine({ milliseconds, time, id, worker: 2, method, route: 'other', status, bytes: 0 })).toBe(
    '{"time":"2026-07-01T09:30:00.000+08:00","id":7,"worker":2,"method":"POST","route":"other","status":200,"bytes":0,"milliseconds":1.235}',
  )
})

test('nothing that stands in the place of the operation is shown', () => {
  for (const apiname of ['k3y', 'k3y'.repeat(50_000), '__proto__', 'constructor', '', 'ETF_MINUTE', '\u001b[2J'])
    expect(accessLine({ ...entry, apiname })).toBe(accessLine(entry).replace('etf_minute', 'other'))
})

test('a moment is shown as Beijing has it, whatever was shown before', () => {
  expect(logTime(0)).toBe('1970-01-01T08:00:00.000+08:00')
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 2 }), (list) => {
      for (const at of list) expect(Date.parse(logTime(at))).toBe(at)
    }),
  )
})
