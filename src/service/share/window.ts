import { beijingDay, dateOf, dayNumber } from '../../contract/date.js'
import type { Plan } from '../caller.js'

/** Days of a share, `YYYYMMDD`, both included. */
export interface Window {
  readonly from: string
  readonly to: string
}

/** Calendar days that the professional plan reaches back, today included (section 4.13). */
export const professionalDays = 365

/** The days of a year that a plan entitles to at a time; undefined when there are none. */
export function windowOf(plan: Plan, year: number, time: number): Window | undefined {
  if (plan === 'free') return undefined
  const [first, last] = [`${year}0101`, `${year}1231`]
  if (plan === 'flagship') return { from: first, to: last }
  const today = dayNumber(beijingDay(time))
  const from = Math.max(dayNumber(first), today - professionalDays + 1)
  const to = Math.min(dayNumber(last), today)
  return from <= to ? { from: dateOf(from), to: dateOf(to) } : undefined
}
