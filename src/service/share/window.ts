import { dateOf, dayNumber } from '../../contract/date.js'
import type { Plan } from '../caller.js'

/** Days of a share, `YYYYMMDD`, both included. */
export interface Window {
  readonly from: string
  readonly to: string
}

/** Calendar days that the professional plan reaches back, today included (section 4.13). */
export const professionalDays = 365

const beijing = 8 * 3_600_000

/** The date in Beijing at a time, in milliseconds since 1970. */
export function beijingDate(time: number): string {
  return dateOf(Math.floor((time + beijing) / 86_400_000))
}

/** A time, in seconds since 1970, as ISO 8601 in Beijing. */
export function beijingTime(seconds: number): string {
  return `${new Date(seconds * 1000 + beijing).toISOString().slice(0, 19)}+08:00`
}

/** The days of a year that a plan entitles to at a time; undefined when there are none. */
export function windowOf(plan: Plan, year: number, time: number): Window | undefined {
  if (plan === 'free') return undefined
  const [first, last] = [`${year}0101`, `${year}1231`]
  if (plan === 'flagship') return { from: first, to: last }
  const today = dayNumber(beijingDate(time))
  const from = Math.max(dayNumber(first), today - professionalDays + 1)
  const to = Math.min(dayNumber(last), today)
  return from <= to ? { from: dateOf(from), to: dateOf(to) } : undefined
}
