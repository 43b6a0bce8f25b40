import type { Check } from '../../analysis/check.js'
import { has, numbers, texts } from '../../frame/column.js'
import { count, fixed, many } from '../format.js'
import { type CheckName, confirmed } from './verdicts.js'

/** What a check comes to in a word. `unopposed`: no contradiction was found, which is less than to hold. */
export type State = 'holds' | 'fails' | 'unopposed' | 'unknown'

/** Differences that volumes in whole lots may explain, out of the values compared, that a check still holds with. */
const lotShare = 0.01

/** Rows called equal because neither side has a value. They confirm nothing. */
export function emptyRows(kind: CheckName, { table }: Check<string>): number {
  if (kind !== 'vwap' || !has(table, 'given') || !has(table, 'verdict')) return 0
  const [given, verdict] = [numbers(table, 'given'), texts(table, 'verdict')]
  return verdict.filter((word, row) => word === 'equal' && Number.isNaN(given[row])).length
}

/** Rows that the rule confirms, those without a value on either side apart. */
export function confirmedRows(kind: CheckName, check: Check<string>): number {
  return confirmed(kind, check.counts) - emptyRows(kind, check)
}

/** Share of the compared values that only the rounding of volumes to whole lots explains; 0 where none was compared. */
function lotBound(kind: CheckName, check: Check<string>): number {
  const { 'lot-bound': lots = 0, mismatch = 0 } = check.counts
  const compared = confirmedRows(kind, check) + lots + mismatch
  return compared === 0 ? 0 : lots / compared
}

/**
 * A check fails when a row contradicts the rule. It holds when none does, some row with a value confirms it, and no more
 * than one in a hundred compared values needs the rounding of volumes as an excuse. Candidates can not be recomputed,
 * so theirs are at best not contradicted.
 */
export function stateOf(kind: CheckName, check: Check<string> | undefined): State {
  if (!check || check.rows === 0) return 'unknown'
  if (!check.ok) return 'fails'
  if (confirmedRows(kind, check) === 0 || lotBound(kind, check) > lotShare) return 'unknown'
  return kind === 'anomaly' ? 'unopposed' : 'holds'
}

/** Candidates that were held against another row; undefined when the check does not tell. */
function heldAgainstOthers({ table }: Check<string>): number | undefined {
  return has(table, 'peers') ? numbers(table, 'peers').filter((peers) => peers > 0).length : undefined
}

/** What the counts alone do not say: rows without values, differences explained by lots, rows that stand alone. */
export function caveats(kind: CheckName, check: Check<string>): string[] {
  const empty = emptyRows(kind, check)
  const share = lotBound(kind, check)
  const { 'lot-bound': lots = 0 } = check.counts
  const out: string[] = []
  if (empty > 0) out.push(`${many(empty, 'row')} without a value on either side`)
  if (share > lotShare) {
    out.push(
      `${fixed(100 * share, 2)} % of the values compared (${count(lots)}) differ and only volumes rounded to whole lots could explain it, too many to call it shown`,
    )
  }
  if (kind === 'anomaly' && check.rows > 0) {
    const held = heldAgainstOthers(check)
    out.push(
      held === undefined
        ? 'most rows are only checked inside themselves'
        : `${many(held, 'row')} held against another row, the others only checked inside themselves`,
    )
  }
  return out
}
