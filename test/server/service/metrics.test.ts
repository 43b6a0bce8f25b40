import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bundled } from '../../helper/bundle.js'

test('a process that has metrics ends by itself', async () => {
  const program = await bundled(
    "import { createMetrics } from './src/server/service/metrics.ts'; console.log((await (await createMetrics()).text()).includes('nodejs_eventloop_lag'))",
  )
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 600_000 })).toBe('true\n')
})
