import type { Check } from '../../checks/check.js'
import { emptyRows } from '../../checks/dataset/grades.js'
import { lotBound, lotShare } from '../../checks/dataset/state.js'
import type { Law } from '../../checks/law.js'
import { has, numbers } from '../../frame/column.js'
import { count, fixed, many } from '../format.js'

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
