import type { Days } from '../../contract/day-list.js'
import { paramWithRole } from '../../source/plan/query-days.js'
import { includes } from './day-ranges.js'
import { isOpen, type Need } from './split.js'
import type { Wish } from './wish.js'

/** How a source is asked for a need. */
export interface Request {
  readonly params: Readonly<Record<string, unknown>>
  readonly days?: Days
}

function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.join() === b.join())
}

function inRange(wish: Wish, need: Need): Record<string, unknown> {
  const { days, dataset } = wish
  const [from, to] = [need.days[0]?.[0], need.days.at(-1)?.[1]]
  if (days.way !== 'range') return {}
  const end = isOpen(wish, need) ? undefined : to
  if (from === days.from && end === days.to) return {}
  return { [paramWithRole(dataset, 'from') as string]: from, [paramWithRole(dataset, 'to') as string]: end }
}

/** The question that a need is put in: that of the caller, as far as the need is the same. */
export function requestFor(wish: Wish, need: Need): Request {
  const { params, codes, days } = wish
  const narrower = isSame(codes, need.codes) ? {} : { symbols: need.codes }
  const asked = { ...params, ...narrower, ...inRange(wish, need) }
  if (days.way !== 'list') return { params: asked }
  return { params: asked, days: days.days.filter((day) => includes(need.days, day)) }
}
