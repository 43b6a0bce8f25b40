import { vwapSince } from '../../contract/session.js'
import { roundHalfUp } from '../exact/decimal.js'
import { cumulativeVwap } from './cumulative.js'

export type VwapVerdict = 'equal' | 'computed' | 'lot-bound' | 'unverifiable' | 'null-rule' | 'mismatch'

/** What one series gives: the values, and how far they can be trusted. */
export interface Recomputed {
  readonly value: Float64Array
  /** Place from which a bar whose volume or turnover is null, negative or infinite spoils the sums. */
  readonly spoiltAt: number
  readonly spoiltWhy: string
  readonly missing: { readonly minute: string; readonly at: number } | undefined
}

/** A number that cannot be added up. */
function isBad(x: number): boolean {
  return !(x >= 0) || x === Number.POSITIVE_INFINITY
}

function nameOf(cell: number): string {
  if (Number.isNaN(cell)) return 'null'
  return cell < 0 ? 'negative' : 'infinite'
}

export function recompute(
  amount: Float64Array,
  vol: Float64Array,
  factor: number,
  minutes: readonly string[],
): Recomputed {
  const bad = amount.findIndex((a, i) => isBad(a) || isBad(vol[i] as number))
  const spoiltAt = bad < 0 ? amount.length : bad
  const value = new Float64Array(amount.length).fill(Number.NaN)
  value.set(cumulativeVwap(amount.subarray(0, spoiltAt), vol.subarray(0, spoiltAt), factor))
  let spoiltWhy = ''
  if (bad >= 0) {
    const column = isBad(vol[bad] as number) ? 'vol' : 'amount'
    const cell = (column === 'vol' ? vol[bad] : amount[bad]) as number
    spoiltWhy = `${column} of ${minutes[bad]} is ${nameOf(cell)}`
  }
  return { value, spoiltAt, spoiltWhy, missing: undefined }
}

/** The judge of one bar; `i` counts within its series. */
export interface Judged {
  readonly verdict: VwapVerdict
  readonly why: string | null
}

/**
 * Whether rounding to whole lots explains a value. A value of more than three decimals is rounded to three first, as the
 * ends are; it is explained only where the ends leave room for a value other than the due one.
 */
function isWithin(given: number, low: number, high: number): boolean {
  const value = roundHalfUp(given, 3)
  return value >= low && !(value > high) && low !== high
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
  const lacks = known.missing && i >= known.missing.at ? `the bar of ${known.missing.minute} is missing` : undefined
  if (Number.isNaN(given)) {
    if (Number.isNaN(due)) {
      return lacks ? { verdict: 'unverifiable', why: lacks } : { verdict: 'equal', why: 'null before the first trade' }
    }
    if (date < vwapSince) return { verdict: 'unverifiable', why: 'null, not backfilled' }
    return { verdict: 'null-rule', why: 'null where a value is due' }
  }
  if (!Number.isFinite(given)) return { verdict: 'mismatch', why: 'the value is infinite' }
  if (lacks) return { verdict: 'unverifiable', why: lacks }
  if (Number.isNaN(due)) return { verdict: 'null-rule', why: 'a value before the first trade' }
  const { low, high } = bounds()
  if (isWithin(given, low, high)) return { verdict: 'lot-bound', why: 'volume is rounded to whole lots' }
  return { verdict: 'mismatch', why: null }
}
