import { groupBy } from '../group.js'
import { type Candidate, isWhole } from './row.js'

/** Rows whose measure may have begun anew within their window, by a movement of the same window before them. */
export type BegunAnew = (one: Candidate) => boolean

const windowOf = ({ symbol, rule }: Candidate): string => `${symbol} ${rule?.days}`

/**
 * Whether a table's measures begin anew after a movement is not said. They do if most intervals of rows that follow a
 * triggered one of their stock and window, within that window, begin after it; else a row stays triggered for as long as
 * its window holds the move, and nothing begins anew.
 */
export function begunAnewIn(rows: readonly Candidate[]): BegunAnew {
  const told = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live' && Number.isInteger(one.last))
  const movements = new Map<string, readonly number[]>()
  const triggered = told.filter(({ basis, status }) => basis === 'completed' && status === 'triggered')
  for (const [window, own] of groupBy(triggered, windowOf))
    movements.set(
      window,
      own.map(({ day }) => day),
    )
  /** The latest movement before a row, as far back as its window may reach with days without trade in it. */
  const before = (one: Candidate): number | undefined => {
    const end = one.basis === 'forecast' ? one.last : one.last - 1
    const days = (movements.get(windowOf(one)) ?? []).filter(
      (day) => day <= end && day > end - 2 * (one.rule?.days ?? 0),
    )
    return days.length > 0 ? Math.max(...days) : undefined
  }
  let [after, across] = [0, 0]
  for (const one of told) {
    const day = before(one)
    if (day === undefined || !Number.isInteger(one.base)) continue
    if (day > one.base) across++
    else after++
  }
  return after > across ? (one) => before(one) !== undefined : () => false
}
