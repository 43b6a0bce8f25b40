import { defineConfig } from 'vitest/config'

const conditions = ['quotebook-source']

/** Tests that leave nothing behind in what they import: they share it, which saves half of their time. */
const pure = [
  'contract',
  'data/source',
  'data/sql',
  'data/sync',
  'data/watch',
  'frame',
  'promise',
  'research/analysis',
  'research/backtest',
  'research/checks',
  'research/report',
  'research/sample',
  'server/mcp',
].map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    setupFiles: ['test/helper/seed.ts'],
    // A test that hangs ends; none fails because the machine is busy.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Half of the tests wait for processes and timers: two at a time are through in two thirds of the time.
    maxWorkers: 2,
    env: { TZ: 'America/Los_Angeles' },
    projects: [
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: ['test/deep/**', ...pure] } },
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'deep', include: ['test/deep/**/*.test.ts'] } },
    ],
  },
})
