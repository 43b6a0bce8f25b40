import { calendarYears, tradingDays } from '../../contract/calendar.js'
import { isDate } from '../../contract/date.js'
import { agreement, bounded, type Interval, meet, middle, plus, point, times } from '../exact/interval.js'
import { groupBy } from '../group.js'
import type { Note } from './between.js'
import { type Candidate, isWhole, lastClose } from './row.js'

/** Rows of one stock on a day, and on the next trading day. */
interface Link {
  readonly before: readonly Candidate[]
  readonly after: readonly Candidate[]
}

function inCalendar(date: string): boolean {
  const year = Number(date.slice(0, 4))
  return isDate(date) && year >= calendarYears[0] && year <= calendarYears[1]
}

/** Whether the second is the trading day after the first; not outside the calendar, where nobody can tell. */
function follows(first: string, second: string): boolean {
  return inCalendar(first) && inCalendar(second) && second > first && tradingDays(first, second).length === 2
}

/** Rows of a day that may stand beside rows of another: completed, or computed from that day. */
function standsAfter(one: Candidate, day: string): boolean {
  return one.basis === 'completed' || one.computedOn === `from ${day}`
}

/** The links of every stock: a completed day with a change, and the next trading day. */
function linksOf(rows: readonly Candidate[]): Link[] {
  const links: Link[] = []
  for (const own of groupBy(rows.filter(isWhole), ({ symbol }) => symbol).values()) {
    const days = groupBy(own, ({ tradedate }) => tradedate)
    const dates = [...days.keys()].sort()
    dates.forEach((date, i) => {
      const next = dates[i + 1]
      if (next === undefined || !follows(date, next)) return
      const before = (days.get(date) ?? []).filter((one) => one.basis === 'completed' && one.change)
      const after = (days.get(next) ?? []).filter((one) => standsAfter(one, date))
      if (before.length > 0 && after.length > 0) links.push({ before, after })
    })
  }
  return links
}

/** The close of a completed day, from the close before it and its change. */
function closeOf(one: Candidate): Interval[] {
  return one.change ? [times(lastClose(one), plus(point(1), one.change))] : []
}

/**
 * The close that a completed day's rows imply, trigger_price / (1 + required) x (1 + pct_chg), is the last close that the
 * rows of the next trading day imply, within one tick of the prices. Otherwise the rows of both days are suspect: one of
 * their numbers is wrong, or the stock went ex-right between the days. Rows of one day that differ are not compared.
 */
export function findChain(rows: readonly Candidate[], note: Note): void {
  for (const { before, after } of linksOf(rows)) {
    const closed = agreement(before.flatMap(closeOf)).common
    const last = agreement(after.map(lastClose)).common
    if (!closed || !last || !bounded(closed) || !bounded(last) || meet(closed, last)) continue
    const [day, next] = [before[0]?.tradedate, after[0]?.tradedate]
    const implied = `rows of ${day} imply a close of ${middle(closed).toFixed(3)}, of ${next} ${middle(last).toFixed(3)}`
    const why = `${implied}: a wrong number, or an ex-right day`
    for (const { row } of [...before, ...after]) note(row, { verdict: 'suspect', rule: 'chain', why })
  }
}

/** The rows of the same stock a trading day before or after that a row was held against; no entry where there is none. */
export function chained(rows: readonly Candidate[]): ReadonlyMap<Candidate, readonly Candidate[]> {
  const found = new Map<Candidate, Candidate[]>()
  const add = (one: Candidate, others: readonly Candidate[]): void => {
    found.set(one, [...(found.get(one) ?? []), ...others])
  }
  for (const { before, after } of linksOf(rows)) {
    for (const one of before) add(one, after)
    for (const one of after) add(one, before)
  }
  return found
}
