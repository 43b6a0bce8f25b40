import { defineConfig } from 'vitest/config'

const conditions = ['quotebook-source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/helper/seed.ts'],
    // A test that hangs ends; none fails because the machine is busy.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Half of the tests wait for processes and timers: two at a time are through in two thirds of the time.
    maxWorkers: 2,
    env: { TZ: 'America/Los_Angeles' },
  },
})
