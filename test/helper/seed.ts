import fc from 'fast-check'
import { afterAll, chai, expect } from 'vitest'
import { removeTemp } from './temp.js'

/** The same seed in every run, so that a run can be repeated; SEED=N tries another. */
const seed = Number(process.env.SEED ?? 20_260_730)
if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not ${process.env.SEED}`)
fc.configureGlobal({ seed })

// Half the time of an expect goes into a proxy that tells of a matcher typed wrong, of which the compiler tells too.
chai.config.useProxy = false

// Files share the modules that they import: what is done after the tests of each stands here.
afterAll(removeTemp)

/** A fact equals its English text, which is what users compare. */
expect.addEqualityTesters([
  (one: unknown, other: unknown) => {
    if (!(one instanceof String || other instanceof String)) return undefined
    const [text, wanted] = [one, other].map((value) => (value instanceof String ? String(value) : value))
    return typeof text === 'string' && typeof wanted === 'string' ? text === wanted : undefined
  },
])
