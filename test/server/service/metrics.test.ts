import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { AccessEntry } from '../../../src/server/service/access-log.js'
import { createMetrics } from '../../../src/server/service/metrics.js'
import { bundled } from '../../helper/bundle.js'

const entry: AccessEntry = {
  time: '2026-07-01T09:30:00.000+08:00',
  id: 1,
  method: 'POST',
  route: 'api',
  apiname: 'etf_minute',
  status: 200,
  code: 200,
  rows: 9,
  bytes: 1000,
  milliseconds: 3,
  caller: 'research',
}

/** The lines of our own. */
const own = (text: string) => text.split('\n').filter((line) => line.startsWith('quotebook_'))

test('no name from outside becomes a label, no caller either', async () => {
  const metrics = await createMetrics()
  for (const apiname of ['__proto__', '"} 1\nforged 1', 'k3y', 'k3y'.repeat(4200)])
    metrics.observe({ ...entry, apiname })
  const lines = own(await metrics.text())
  expect(lines.filter((line) => /k3y|forged|research|proto/.test(line))).toEqual([])
  expect(lines).toContain('quotebook_requests_total{route="api",apiname="other",status="200",code="200"} 4')
})

test('a process that has metrics ends by itself', async () => {
  const program = await bundled(
    "import { createMetrics } from './src/server/service/metrics.ts'; console.log((await (await createMetrics()).text()).includes('nodejs_eventloop_lag'))",
  )
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 600_000 })).toBe('true\n')
})
