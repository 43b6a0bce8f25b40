import { nanColumn } from '../check-columns.js'
import { decimalToNumber, quotientHalfUp } from '../exact/decimal.js'
import { cumulativeVwap, exactSums, mostThousandths, mostUnits } from './cumulative-vwap.js'

/**
 * What was rounded to whole lots. `total`: the cumulative volume, of which each bar's volume is a difference, so that the
 * rounding errors of the bars cancel. `each bar`: every bar's volume by itself, so that they add up.
 */
export type Lots = 'total' | 'each bar'

/** Least and greatest value of each bar, yuan. */
export interface LotBounds {
  readonly low: Float64Array
  readonly high: Float64Array
}

/** A series, and what of it was rounded. */
export interface RoundedBars {
  readonly amount: Float64Array
  readonly vol: Float64Array
  readonly factor: number
  readonly lots: Lots
}

/**
 * The fast way of cumulative-vwap.ts with 20 x cents over (2 V +- lots) x factor, which is the same quotient: exact within
 * its limits.
 * @returns undefined where it is not proven
 */
function fastBounds({ amount, vol, factor, lots }: RoundedBars): LotBounds | undefined {
  const [low, high] = [nanColumn(amount.length), nanColumn(amount.length)]
  let [cents, volume, bars] = [0, 0, 0]
  for (let i = 0; i < amount.length; i++) {
    const x = amount[i] as number
    const v = vol[i] as number
    const h = Math.floor(x * 100 + 0.5)
    if (h / 100 !== x || x < 0 || v < 0) return undefined
    cents += h
    volume += v
    if (x !== 0 || v !== 0) bars++
    if (volume === 0) continue
    const halves = lots === 'total' ? 1 : bars
    low[i] = Math.floor((cents * 20) / ((2 * volume + halves) * factor) + 0.5) / 1000
    if (2 * volume > halves) high[i] = Math.floor((cents * 20) / ((2 * volume - halves) * factor) + 0.5) / 1000
  }
  const whole = factor >= 1 && Math.floor(factor) === factor
  return whole && cents * 20 < mostThousandths && (2 * volume + bars) * factor < mostUnits ? { low, high } : undefined
}

/** Over big integers. */
function exactBounds({ amount, vol, factor, lots }: RoundedBars, places: number): LotBounds {
  const [low, high] = [nanColumn(amount.length), nanColumn(amount.length)]
  const { sums, lot } = exactSums(amount, vol, factor, places)
  let bars = 0n
  for (const [i, { turnover, units }] of sums.entries()) {
    if (amount[i] !== 0 || vol[i] !== 0) bars++
    if (units === 0n) continue
    const half = lots === 'total' ? lot : lot * bars
    low[i] = decimalToNumber(quotientHalfUp(2n * turnover, 2n * units + half), places)
    if (2n * units > half) high[i] = decimalToNumber(quotientHalfUp(2n * turnover, 2n * units - half), places)
  }
  return { low, high }
}

/**
 * The values that fit the published bars if volumes were rounded to whole lots: turnover / ((V + h) x factor) and
 * turnover / ((V - h) x factor), V being the cumulative volume and h half a lot, or half a lot for every bar that traded
 * when each bar was rounded. Ends are rounded to three decimals, or as many as are asked for, as the value
 * is, and are exact. Both are NaN while V is 0; `high` is NaN where nothing bounds it. With `none`, factor 1, or a fractional
 * volume, nothing was rounded to lots and both ends are the value itself. Source: section 2.6, volume is the difference of adjacent cumulative volumes.
 * @throws QuotebookError INVALID_VALUE for a number that is none
 */
export function lotBounds(
  amount: Float64Array,
  vol: Float64Array,
  factor: number,
  lots: Lots | 'none' = 'total',
  places = 3,
): LotBounds {
  if (lots === 'none' || factor === 1 || !vol.every(Number.isInteger)) {
    const value = cumulativeVwap(amount, vol, factor, places)
    return { low: value, high: value }
  }
  const bars = { amount, vol, factor, lots }
  return (places === 3 ? fastBounds(bars) : undefined) ?? exactBounds(bars, places)
}
