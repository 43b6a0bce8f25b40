import type { Check } from '../../analysis/check.js'
import type { Law } from '../../analysis/law.js'
import { emptyRows, gradesOf } from '../../analysis/laws/grades.js'
import { has, numbers } from '../../frame/column.js'
import { count, fixed, many } from '../format.js'

/** What a check comes to in a word. `unopposed`: no contradiction was found, which is less than to hold. */
export type State = 'holds' | 'fails' | 'unopposed' | 'unknown'

/** Differences that volumes in whole lots may explain, out of the values compared, that a check still holds with. */
const lotShare = 0.01

/** Share of the compared values that only the rounding of volumes to whole lots explains; 0 where none was compared. */
function lotBound(law: Law, check: Check<string>): number {
  const { 'lot-bound': lots = 0, mismatch = 0 } = check.counts
  const compared = gradesOf(law, check).sound + lots + mismatch
  return compared === 0 ? 0 : lots / compared
}

/**
 * A check fails when a row contradicts the rule. It holds when none does, some row with a value confirms it, and no more
 * than one in a hundred compared values needs the rounding of volumes as an excuse. What a partial law looks at can not be
 * recomputed, so it is at best not contradicted.
 */
export function stateOf(law: Law, check: Check<string> | undefined): State {
  if (!check || check.rows === 0) return 'unknown'
  if (!check.ok) return 'fails'
  if (gradesOf(law, check).sound === 0 || lotBound(law, check) > lotShare) return 'unknown'
  return law.partial ? 'unopposed' : 'holds'
}

/** Rows that were held against another row; undefined when the check does not tell. */
function heldAgainstOthers({ table }: Check<string>): number | undefined {
  return has(table, 'peers') ? numbers(table, 'peers').filter((peers) => peers > 0).length : undefined
}

/** What the counts alone do not say: rows without values, differences explained by lots, rows that stand alone. */
export function caveats(law: Law, check: Check<string>): string[] {
  const empty = emptyRows(check)
  const share = lotBound(law, check)
  const { 'lot-bound': lots = 0 } = check.counts
  const out: string[] = []
  if (empty > 0) out.push(`${many(empty, 'row')} without a value on either side`)
  if (share > lotShare) {
    out.push(
      `${fixed(100 * share, 2)} % of the values compared (${count(lots)}) differ and only volumes rounded to whole lots could explain it, too many to call it shown`,
    )
  }
  const held = heldAgainstOthers(check)
  if (held !== undefined && check.rows > 0) {
    out.push(`${many(held, 'row')} held against another row, the others only checked inside themselves`)
  }
  return out
}
