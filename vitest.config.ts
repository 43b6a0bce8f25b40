import { defineConfig } from 'vitest/config'

const conditions = ['quotebook-source']

/** Tests that define datasets, each under names of its own: they share processes with one another, and with no other. */
const defining = [
  'test/promise/own-dataset.test.ts',
  'test/promise/in-and-out/{sheets,text-files}.test.ts',
  'test/promise/written-cells.test.ts',
  'test/data/archive/import/heads-and-codes.test.ts',
]
/** Tests that change what others import or find in the environment, or look at the processor: each has a process of its own. */
const apart = [
  'test/cli/language.test.ts',
  'test/data/archive/coverage/unwritable.test.ts',
  'test/promise/upgrade.test.ts',
  'test/project/**/*.test.ts',
  'test/threads/**/*.test.ts',
]
const deep = ['test/deep/**/*.test.ts']

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
    // Modules that have not changed are not compiled again in the next run.
    experimental: { fsModuleCache: true },
    env: { TZ: 'America/Los_Angeles' },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      { extends: true, test: { name: 'defining', include: defining, isolate: false } },
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...deep, ...apart, ...defining],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'deep', include: deep } },
    ],
  },
})
