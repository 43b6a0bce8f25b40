import { vwapSince } from '../../contract/session.js'
import type { GridBreak } from '../bars/grid.js'

export type VwapVerdict = 'equal' | 'computed' | 'lot-bound' | 'unverifiable' | 'null-rule' | 'mismatch'

export interface Judged {
  readonly verdict: VwapVerdict
  readonly why: string | null
  /** Explained by the wider ends alone. */
  readonly isWide?: true
}

/** Least and greatest value that rounding to lots explains. */
export interface Ends {
  readonly low: number
  readonly high: number
}

/** What is known of the bar that is judged. */
export interface Known {
  /** Yuan, with the decimals of the published value; NaN before the first trade. */
  readonly due: number
  /** Why the sums are unknown from this bar on; undefined where they are known. */
  readonly unknown: string | undefined
  /** A bar up to this one that is not there, or that closes at no bucket. */
  readonly missing: GridBreak | undefined
  readonly date: string
  /** The ends as the options have them. */
  readonly ends: () => Ends
  /** The ends if each bar was rounded by itself. */
  readonly wideEnds: () => Ends
  /** Whether the wider ends explain a value too. */
  readonly either: boolean
}

/**
 * Whether rounding to whole lots explains a value, whose decimals the ends have too: only where they leave room for a value
 * other than the due one.
 */
function isWithin(given: number, { low, high }: Ends): boolean {
  return given >= low && !(given > high) && low !== high
}

/** The verdict on a published value that is not the number recomputed. */
export function judge(given: number, known: Known): Judged {
  const { due, unknown, missing, date } = known
  if (unknown !== undefined) return { verdict: 'unverifiable', why: unknown }
  if (Number.isNaN(given)) {
    if (Number.isNaN(due)) {
      if (missing) return { verdict: 'unverifiable', why: missing.why }
      return { verdict: 'equal', why: 'null before the first trade' }
    }
    if (date < vwapSince) return { verdict: 'unverifiable', why: 'null, not backfilled' }
    return { verdict: 'null-rule', why: 'null where a value is due' }
  }
  if (!Number.isFinite(given)) return { verdict: 'mismatch', why: 'the value is infinite' }
  if (missing) return { verdict: 'unverifiable', why: missing.why }
  if (Number.isNaN(due)) return { verdict: 'null-rule', why: 'a value before the first trade' }
  if (isWithin(given, known.ends())) return { verdict: 'lot-bound', why: 'volume is rounded to whole lots' }
  if (!isWithin(given, known.wideEnds())) return { verdict: 'mismatch', why: null }
  if (!known.either)
    return { verdict: 'mismatch', why: 'explained only if each bar was rounded to whole lots by itself' }
  return { verdict: 'lot-bound', why: 'volume is rounded to whole lots, each bar by itself', isWide: true }
}

/** The verdict on a bar without a published value to compare with. */
export function judgeAlone({ due, unknown, missing }: Pick<Known, 'due' | 'unknown' | 'missing'>): Judged {
  if (unknown !== undefined) return { verdict: 'unverifiable', why: unknown }
  if (missing) return { verdict: 'unverifiable', why: missing.why }
  return { verdict: 'computed', why: Number.isNaN(due) ? 'null before the first trade' : null }
}
