import { parseCode } from '../../contract/symbol.js'
import { groupItems } from '../group.js'
import type { AnomalyHalt } from './compute.js'
import { type Candidate, isWhole } from './row.js'

/** Rows whose measure may have begun anew within their window, by a movement of the same window before them or by a halt. */
export type BegunAnew = (one: Candidate) => boolean

const windowOf = ({ symbol, rule }: Candidate): string => `${symbol} ${rule?.days}`

/**
 * Whether a table's measures begin anew after a movement is not said. They do if most intervals of rows that follow a
 * triggered one of their stock and window, within that window, begin after it; else a row stays triggered for as long as
 * its window holds the move, and nothing begins anew. A verification halt between the two explains it by itself.
 */
export function begunAnewIn(rows: readonly Candidate[], halts: readonly AnomalyHalt[] = []): BegunAnew {
  const halted = groupItems(halts, ({ symbol }) => parseCode(symbol).bare)
  const told = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live' && Number.isInteger(one.last))
  const movements = new Map<string, readonly Candidate[]>()
  const triggered = told.filter(({ basis, status }) => basis === 'completed' && status === 'triggered')
  for (const [window, own] of groupItems(triggered, windowOf)) movements.set(window, own)
  /** The latest movement before a row, as far back as its window may reach with days without trade in it. */
  const before = (one: Candidate): Candidate | undefined => {
    const end = one.basis === 'forecast' ? one.last : one.last - 1
    const own = movements.get(windowOf(one)) ?? []
    const near = own.filter(({ day }) => day <= end && day > end - 2 * (one.rule?.days ?? 0))
    return near.reduce<Candidate | undefined>((a, b) => (a && a.day > b.day ? a : b), undefined)
  }
  const isHalted = (movement: Candidate, one: Candidate): boolean =>
    (halted.get(parseCode(one.symbol).bare) ?? []).some(
      ({ tradedate }) => movement.tradedate < tradedate && tradedate < one.tradedate,
    )
  let [after, across] = [0, 0]
  for (const one of told) {
    const movement = before(one)
    if (!movement || !Number.isInteger(one.base) || isHalted(movement, one)) continue
    if (movement.day > one.base) across++
    else after++
  }
  return (one) => {
    const movement = before(one)
    return movement !== undefined && (after > across || isHalted(movement, one))
  }
}
