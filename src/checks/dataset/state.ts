import type { Check, CheckResult } from '../check.js'
import { gradesOf } from './grades.js'

/**
 * What a check comes to. `not contradicted`: no row contradicts the check, and it can't confirm more than that. `open`: no
 * row contradicts it, and nothing or too little confirms it.
 */
export type CheckState = 'holds' | 'not contradicted' | 'open' | 'contradicted'

/** Differences that volumes in whole lots may explain, out of the values compared, that a check still holds with. */
export const lotShare = 0.01

/** Share of the compared values that only the rounding of volumes to whole lots explains; 0 where none was compared. */
export function lotBound(check: Check, result: CheckResult<string>): number {
  const { 'lot-bound': lots = 0, mismatch = 0 } = result.counts
  const compared = gradesOf(check, result).confirmed + lots + mismatch
  return compared === 0 ? 0 : lots / compared
}

/**
 * A check holds when no row contradicts the rule, some row with a value confirms it, and no more than one in a hundred
 * compared values needs the rounding of volumes as an excuse. What a partial check looks at can not be recomputed, so it is
 * at best not contradicted.
 */
export function checkState(check: Check, result: CheckResult<string>): CheckState {
  if (!result.ok) return 'contradicted'
  if (gradesOf(check, result).confirmed === 0 || lotBound(check, result) > lotShare) return 'open'
  return check.partial ? 'not contradicted' : 'holds'
}

/** The state of several checks together: the worst of theirs; open where there is none. */
export function worstState(states: readonly CheckState[]): CheckState {
  if (states.length === 0) return 'open'
  return (['contradicted', 'open', 'not contradicted'] as const).find((state) => states.includes(state)) ?? 'holds'
}
