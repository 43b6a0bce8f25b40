import fc from 'fast-check'
import { afterAll, chai } from 'vitest'
import { removeTemp } from './temp.js'

/** The same seed in every run, so that a run can be repeated; SEED=N tries another. */
const seed = Number(process.env.SEED ?? 20_260_730)
if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not ${process.env.SEED}`)
fc.configureGlobal({ seed })

// Half the time of an expect goes into a proxy that tells of a matcher typed wrong, of which the compiler tells too.
chai.config.useProxy = false

// Files share the modules that they import: what is done after the tests of each stands here.
afterAll(removeTemp)
