import type { ReturnSeries } from './return-series.js'

/** The return of a month or a year. */
export interface CalendarReturn {
  /** YYYYMM or YYYY. */
  readonly period: string
  /** Compounded over its days; 0.01 is one percent. As empyrical's `aggregate_returns`. */
  readonly return: number
  /** Days with a return. */
  readonly days: number
}

/** Returns compounded by the first `digits` of their days, in order; undefined without days. */
export function calendarReturns({ curve, days }: ReturnSeries, digits: 4 | 6): readonly CalendarReturn[] | undefined {
  if (!days) return undefined
  const found: CalendarReturn[] = []
  for (let from = 0; from < days.length; ) {
    const period = (days[from] as string).slice(0, digits)
    let to = from
    while (days[to]?.startsWith(period)) to++
    found.push({ period, return: (curve[to] as number) / (curve[from] as number) - 1, days: to - from })
    from = to
  }
  return found
}
