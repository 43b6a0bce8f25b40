import { vwapSince } from '../contract/session.js'
import { cumulativeVwap } from './cumulative-vwap.js'

export type VwapVerdict = 'equal' | 'computed' | 'lot-bound' | 'unverifiable' | 'null-rule' | 'mismatch'

/** What one series gives: the values, and how far they can be trusted. */
export interface Recomputed {
  readonly value: Float64Array
  /** Place from which a bar without volume or turnover, or with a negative one, spoils the sums. */
  readonly spoiltAt: number
  readonly spoiltWhy: string
  readonly missing: { readonly minute: string; readonly at: number } | undefined
}

export function recompute(
  amount: Float64Array,
  vol: Float64Array,
  factor: number,
  minutes: readonly string[],
): Recomputed {
  const bad = amount.findIndex((a, i) => !(a >= 0) || !((vol[i] as number) >= 0))
  const spoiltAt = bad < 0 ? amount.length : bad
  const value = new Float64Array(amount.length).fill(Number.NaN)
  value.set(cumulativeVwap(amount.subarray(0, spoiltAt), vol.subarray(0, spoiltAt), factor))
  let spoiltWhy = ''
  if (bad >= 0) {
    const column = (vol[bad] as number) >= 0 ? 'amount' : 'vol'
    const cell = column === 'vol' ? vol[bad] : amount[bad]
    spoiltWhy = `${column} of ${minutes[bad]} is ${Number.isNaN(cell) ? 'null' : 'negative'}`
  }
  return { value, spoiltAt, spoiltWhy, missing: undefined }
}

/** The judge of one bar; `i` counts within its series. */
export interface Judged {
  readonly verdict: VwapVerdict
  readonly why: string | null
}

export function judge(
  given: number,
  known: Recomputed,
  i: number,
  date: string,
  bounds: () => { low: number; high: number },
): Judged {
  const due = known.value[i] as number
  if (i >= known.spoiltAt) return { verdict: 'unverifiable', why: known.spoiltWhy }
  if (given === due) return { verdict: 'equal', why: null }
  if (Number.isNaN(given)) {
    if (Number.isNaN(due)) return { verdict: 'equal', why: 'null before the first trade' }
    if (date < vwapSince) return { verdict: 'unverifiable', why: 'null, not backfilled' }
    return { verdict: 'null-rule', why: 'null where a value is due' }
  }
  if (known.missing && i >= known.missing.at) {
    return { verdict: 'unverifiable', why: `the bar of ${known.missing.minute} is missing` }
  }
  const { low, high } = bounds()
  if (given >= low && !(given > high)) return { verdict: 'lot-bound', why: 'volume is rounded to whole lots' }
  if (Number.isNaN(due)) return { verdict: 'null-rule', why: 'a value before the first trade' }
  return { verdict: 'mismatch', why: null }
}
