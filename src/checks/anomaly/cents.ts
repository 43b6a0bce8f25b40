import type { Interval } from '../exact/interval.js'
import { type Candidate, isWhole } from './row.js'

/**
 * Reference price of a day and close of the day that the row's numbers end with, both in whole cents. In a forecast the
 * two are the same.
 */
export interface Closes {
  readonly before: number
  readonly close: number
}

/** How the published trigger price was made of the exact one. */
export type Rounding = 'outward' | 'nearest' | 'either'

/** What the exact trigger price may have been, in cents. */
function targetOf(one: Candidate, rounding: Rounding): Interval {
  const cents = Math.round(one.price * 100)
  if (rounding === 'nearest') return { lo: cents - 0.5, hi: cents + 0.5 }
  if (rounding === 'either') return { lo: cents - 1, hi: cents + 1 }
  return one.threshold > 0 ? { lo: cents - 1, hi: cents } : { lo: cents, hi: cents + 1 }
}

const most = 64
/** Slack for the noise of doubles, far above it and far below what a last digit moves. */
const slack = 1e-9

/**
 * All pairs of whole-cent prices that a row's trigger price, required change and change of the day can come from.
 * Undefined where the row does not tell: another basis, or too many pairs.
 */
export function closesOf(one: Candidate, rounding: Rounding): readonly Closes[] | undefined {
  if (!isWhole(one) || !one.rule || one.basis === 'live' || !(one.price > 0)) return undefined
  if (one.basis === 'completed' && !one.change) return undefined
  const { lo, hi } = targetOf(one, rounding)
  if (1 + one.required.lo <= 0) return undefined
  const from = Math.max(1, Math.ceil((lo / (1 + one.required.hi)) * (1 - slack)))
  const to = Math.floor((hi / (1 + one.required.lo)) * (1 + slack))
  if (!(to - from < most && to <= Number.MAX_SAFE_INTEGER)) return undefined
  const found: Closes[] = []
  for (let before = from; before <= to; before++) {
    if (!one.change || one.basis === 'forecast') {
      found.push({ before, close: before })
      continue
    }
    const first = Math.max(1, Math.ceil(before * (1 + one.change.lo) * (1 - slack)))
    const end = Math.floor(before * (1 + one.change.hi) * (1 + slack))
    if (!(end - first < most && end <= Number.MAX_SAFE_INTEGER)) return undefined
    for (let close = first; close <= end; close++) found.push({ before, close })
    if (found.length > most) return undefined
  }
  return found
}

/** How the trigger prices of a table were rounded, and what each row's prices can be. */
export interface Cents {
  readonly rounding: Rounding
  readonly closes: ReadonlyMap<Candidate, readonly Closes[]>
}

const roundings: readonly Rounding[] = ['outward', 'nearest', 'either']

/**
 * The prices of every row that tells them. Trigger prices are rounded outward, up for rises and down for falls; if more
 * than a tenth of the rows (and more than four) have no prices then, the service rounds otherwise, and the next way is
 * tried. If none fits, its prices are no whole cents (adjusted ones may not be), and nothing is asked of them.
 */
export function readCents(rows: readonly Candidate[]): Cents | undefined {
  for (const rounding of roundings) {
    const closes = new Map<Candidate, readonly Closes[]>()
    let none = 0
    for (const one of rows) {
      const found = closesOf(one, rounding)
      if (!found) continue
      closes.set(one, found)
      if (found.length === 0) none++
    }
    if (none <= Math.max(4, closes.size / 10)) return { rounding, closes }
  }
  return undefined
}
