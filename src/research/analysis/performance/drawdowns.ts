import { calendarDays, type ReturnSeries } from './return-series.js'

/** A fall from a high of the curve until it is reached again. Rows count returns from 1; row 0 is the start. */
export interface Drawdown {
  /** E(trough) / E(peak) - 1, from -1 to 0. */
  readonly depth: number
  /** YYYYMMDD; undefined without days. The start is dated at the first day. */
  readonly peak: string | undefined
  readonly trough: string | undefined
  /** The day on which the peak was reached again; undefined while it was not. */
  readonly recovered: string | undefined
  readonly peakRow: number
  readonly troughRow: number
  readonly recoveredRow: number | undefined
  /** Returns from the peak to its recovery, or to the end. */
  readonly days: number
  /** Calendar days of the same; NaN without days. */
  readonly calendarDays: number
}

/** What adding up leaves of a return to the same value. */
const noise = 1e-12

/** A drawdown by the rows of its high, its low, and its recovery or the last row. */
export function drawdownAt(
  series: ReturnSeries,
  peak: number,
  trough: number,
  end: number,
  isRecovered: boolean,
): Drawdown {
  const dayOf = (row: number): string | undefined => series.days?.[Math.max(row, 1) - 1]
  return {
    depth: (series.curve[trough] as number) / (series.curve[peak] as number) - 1,
    peak: dayOf(peak),
    trough: dayOf(trough),
    recovered: isRecovered ? dayOf(end) : undefined,
    peakRow: peak,
    troughRow: trough,
    recoveredRow: isRecovered ? end : undefined,
    days: end - peak,
    calendarDays: calendarDays(series, peak, end),
  }
}

/**
 * Falls of the curve in the order of their highs: the last row of a high, the first row of the low, and the first row
 * that is as high again. The start value counts. Differences of 1e-12 are rounding and make no drawdown.
 */
export function drawdownsOf(series: ReturnSeries): Drawdown[] {
  const { curve } = series
  const found: Drawdown[] = []
  let [peak, trough] = [0, 0]
  for (let row = 1; row < curve.length; row++) {
    const [value, high] = [curve[row] as number, curve[peak] as number]
    const isRecovered = value >= high * (1 - noise)
    if (!isRecovered && value < (curve[trough] as number)) trough = row
    if (trough > peak && (isRecovered || row === curve.length - 1))
      found.push(drawdownAt(series, peak, trough, row, isRecovered))
    if (isRecovered) peak = trough = row
  }
  return found
}

/** The least E(t) / max(E(0) … E(t)) - 1 of part of a curve; 0 where nothing falls. */
export function deepestFall(curve: Float64Array, from = 0, to = curve.length): number {
  let [high, least] = [curve[from] as number, 0]
  for (let row = from; row < to; row++) {
    high = Math.max(high, curve[row] as number)
    least = Math.min(least, (curve[row] as number) / high - 1)
  }
  return least
}
