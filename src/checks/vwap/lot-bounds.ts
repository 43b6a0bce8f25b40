import { decimalToNumber, digitsAt, quotientHalfUp, toDecimal } from '../exact/decimal.js'
import { cumulativeVwap, mostThousandths, mostUnits } from './cumulative-vwap.js'

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
export interface Sums {
  readonly amount: Float64Array
  readonly vol: Float64Array
  readonly factor: number
  readonly lots: Lots
}

/**
 * The fast way of cumulative.ts with 20 x cents over (2 V +- lots) x factor, which is the same quotient: exact within its
 * limits.
 * @returns false where it is not proven
 */
function fastBounds({ amount, vol, factor, lots }: Sums, low: Float64Array, high: Float64Array): boolean {
  let cents = 0
  let volume = 0
  let bars = 0
  for (let i = 0; i < amount.length; i++) {
    const x = amount[i] as number
    const v = vol[i] as number
    const h = Math.floor(x * 100 + 0.5)
    if (h / 100 !== x || x < 0 || v < 0) return false
    cents += h
    volume += v
    if (x !== 0 || v !== 0) bars++
    if (volume === 0) continue
    const halves = lots === 'total' ? 1 : bars
    const n = cents * 20
    low[i] = Math.floor(n / ((2 * volume + halves) * factor) + 0.5) / 1000
    if (2 * volume > halves) high[i] = Math.floor(n / ((2 * volume - halves) * factor) + 0.5) / 1000
  }
  const whole = factor >= 1 && Math.floor(factor) === factor
  return whole && cents * 20 < mostThousandths && (2 * volume + bars) * factor < mostUnits
}

/** Over big integers. */
function exactBounds({ amount, vol, factor, lots }: Sums, places: number, low: Float64Array, high: Float64Array): void {
  const amounts = Array.from(amount, toDecimal)
  const scale = amounts.reduce((most, decimal) => Math.max(most, decimal.scale), 0)
  const per = toDecimal(factor)
  const [up, down] = [2n * 10n ** BigInt(places + per.scale), per.digits * 10n ** BigInt(scale)]
  let turnover = 0n
  let volume = 0n
  let bars = 0n
  for (const [i, decimal] of amounts.entries()) {
    turnover += digitsAt(decimal, scale)
    volume += BigInt(vol[i] as number)
    if (amount[i] !== 0 || vol[i] !== 0) bars++
    if (volume === 0n) continue
    const halves = lots === 'total' ? 1n : bars
    const end = (twice: bigint): number => decimalToNumber(quotientHalfUp(turnover * up, twice * down), places)
    low[i] = end(2n * volume + halves)
    if (2n * volume > halves) high[i] = end(2n * volume - halves)
  }
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
  const nothing = (): Float64Array => new Float64Array(amount.length).fill(Number.NaN)
  const sums = { amount, vol, factor, lots }
  const fast = { low: nothing(), high: nothing() }
  if (places === 3 && fastBounds(sums, fast.low, fast.high)) return fast
  const exact = { low: nothing(), high: nothing() }
  exactBounds(sums, places, exact.low, exact.high)
  return exact
}
