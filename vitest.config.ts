import { defineConfig } from 'vitest/config'

const conditions = ['quotebook-source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/helper/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Half of the tests wait for processes and timers: two at a time are through in two thirds of the time.
    maxWorkers: 2,
    env: { TZ: 'America/Los_Angeles' },
  },
})
