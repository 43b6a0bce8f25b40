import { expect, test } from 'vitest'
import { type AccessEntry, accessLine } from '../../../src/server/service/access-log.js'

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

test('nothing that stands in the place of the operation is shown', () => {
  for (const apiname of ['k3y', 'k3y'.repeat(50_000), '__proto__', 'constructor', '', 'ETF_MINUTE', '\u001b[2J'])
    expect(accessLine({ ...entry, apiname })).toBe(accessLine(entry).replace('etf_minute', 'other'))
})
