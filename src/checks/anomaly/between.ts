import { groupItems } from '../group.js'
import { oneValue } from './identity.js'
import type { Note } from './inside.js'
import { type Candidate, isWhole } from './row.js'

const stockDay = (one: Candidate): string => `${one.tradedate} ${one.basis} ${one.computedOn} ${one.symbol}`

/** A published number without the noise that arithmetic of doubles leaves. */
const plain = (x: number): number => Math.round(x * 1e6) / 1e6

/**
 * What rows of one stock and day break together: one row for a rule, one change, one name, one deviation for an
 * interval.
 */
export function findBetween(rows: readonly Candidate[], note: Note): void {
  const key = (one: Candidate): string => `${one.tradedate} ${one.computedOn} ${one.symbol} ${one.ruleText}`
  for (const group of groupItems(rows, key).values()) {
    if (group.length === 1) continue
    const why = `${group.length} rows of ${group[0]?.symbol} have this day and rule`
    for (const { row } of group) note(row, { verdict: 'inconsistent', rule: 'key', why })
  }
  for (const group of groupItems(rows, stockDay).values()) {
    oneValue(group, 'pct_chg', 'one stock and day has several changes', (one) => plain(one.pctChg), note)
    oneValue(group, 'name', 'one stock and day has several names', (one) => one.name, note)
  }
  // Of a rule that is not understood elapsed_days may be another interval's: a count's is since the first movement.
  const ended = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live')
  const interval = (one: Candidate): string => {
    const end = Number.isInteger(one.last) ? one.last : stockDay(one)
    return `${one.symbol} ${end} ${one.elapsed}`
  }
  for (const group of groupItems(ended, interval).values()) {
    oneValue(group, 'deviation', 'one interval has several deviations', (one) => plain(one.deviationPct), note)
  }
}

/** Forecasts speak of one day, the first after the completed one. */
export function findLateForecasts(rows: readonly Candidate[], note: Note): void {
  const later = groupItems(
    rows.filter((one) => one.basis !== 'completed'),
    (one) => one.computedOn,
  )
  for (const group of later.values()) {
    const [first] = group.map(({ tradedate }) => tradedate).sort()
    for (const one of group) {
      if (one.tradedate === first) continue
      const why = `a forecast for ${one.tradedate} beside one for ${first}, both ${one.computedOn}`
      note(one.row, { verdict: 'broken', rule: 'quote', why })
    }
  }
}
