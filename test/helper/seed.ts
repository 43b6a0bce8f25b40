import fc from 'fast-check'

/** The same seed in every run, so that a run can be repeated; SEED=N tries another. */
const seed = Number(process.env.SEED ?? 20_260_730)
if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not ${process.env.SEED}`)
fc.configureGlobal({ seed })
