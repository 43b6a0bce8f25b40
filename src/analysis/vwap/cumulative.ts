import { centsOf, decimalOf, digitsAt, numberOf, quotientHalfUp } from '../exact/decimal.js'

/**
 * Exact cumulative average price of one series: cumulative amount / (cumulative volume x factor), ROUND_HALF_UP to
 * three decimals, where the numbers are the decimals that were sent (Python's `Decimal(str(x))`).
 * Both functions take amounts and volumes of at least 0 in time order and write one value a bar, NaN while the
 * cumulative volume is 0. A bar of zero volume keeps the value before it; its amount counts from the next trade on.
 */

const safe = 2 ** 52

/**
 * The fast way: hundredths of yuan and whole volumes as integers in doubles, every step guarded to stay exact.
 * @returns false when a guard does not hold (more than two decimals, fractional volume, sums beyond 2^52);
 * `out` is then to be written by exactVwap
 */
export function fastVwap(amount: Float64Array, vol: Float64Array, factor: number, out: Float64Array): boolean {
  if (!Number.isInteger(factor)) return false
  let cents = 0
  let volume = 0
  let last = Number.NaN
  for (let i = 0; i < amount.length; i++) {
    const v = vol[i] as number
    const c = centsOf(amount[i] as number)
    if (!(c >= 0) || !(v >= 0) || !Number.isInteger(v)) return false
    cents += c
    volume += v
    const n = cents * 10
    const d = volume * factor
    if (!(n < safe) || !(d < safe)) return false
    if (v > 0) {
      let q = Math.floor(n / d + 0.5)
      const twice = 2 * (n - q * d)
      if (twice >= d) q++
      else if (twice < -d) q--
      last = q / 1000
    }
    out[i] = last
  }
  return true
}

/** Amounts and volumes as integers at one scale each. */
interface Scaled {
  readonly amount: readonly bigint[]
  readonly vol: readonly bigint[]
  /** amount / (vol x factor) in thousandths is amount x `up` / (vol x `down`). */
  readonly up: bigint
  readonly down: bigint
}

function scaled(amount: Float64Array, vol: Float64Array, factor: number): Scaled {
  const amounts = Array.from(amount, decimalOf)
  const vols = Array.from(vol, decimalOf)
  const per = decimalOf(factor)
  const most = (list: { scale: number }[]): number => list.reduce((max, { scale }) => Math.max(max, scale), 0)
  const [amountScale, volScale] = [most(amounts), most(vols)]
  return {
    amount: amounts.map((decimal) => digitsAt(decimal, amountScale)),
    vol: vols.map((decimal) => digitsAt(decimal, volScale)),
    up: 1000n * 10n ** BigInt(volScale + per.scale),
    down: per.digits * 10n ** BigInt(amountScale),
  }
}

/** The general way, over big integers: any decimals of any size. */
export function exactVwap(amount: Float64Array, vol: Float64Array, factor: number, out: Float64Array): void {
  const at = scaled(amount, vol, factor)
  let turnover = 0n
  let volume = 0n
  let last = Number.NaN
  for (let i = 0; i < amount.length; i++) {
    const v = at.vol[i] as bigint
    turnover += at.amount[i] as bigint
    volume += v
    if (v > 0n) last = numberOf(quotientHalfUp(turnover * at.up, volume * at.down), 3)
    out[i] = last
  }
}

/** Cumulative average price, by the fast way where it is exact. */
export function cumulativeVwap(amount: Float64Array, vol: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(amount.length)
  if (!fastVwap(amount, vol, factor, out)) exactVwap(amount, vol, factor, out)
  return out
}

/**
 * What was rounded to whole lots. `total`: the cumulative volume, of which each bar's volume is a difference, so that the
 * rounding errors of the bars cancel. `each bar`: every bar's volume by itself, so that they add up.
 */
export type Lots = 'total' | 'each bar'

/**
 * Yuan; the values that fit the published bars if volumes were rounded to whole lots: turnover / ((V - h) x factor) and
 * turnover / ((V + h) x factor), V being the cumulative volume and h half a lot, or half a lot for every bar that traded
 * when each bar was rounded. Ends are rounded to three decimals as the value is. Both are NaN while V is 0; `high` is NaN
 * where nothing bounds it. With factor 1, or a fractional volume, nothing was rounded to lots and both ends are the value
 * itself. Source: section 2.6, volume is the difference of adjacent cumulative volumes.
 * @throws QuotebookError INVALID_VALUE for a number that is none
 */
export function lotBounds(
  amount: Float64Array,
  vol: Float64Array,
  factor: number,
  lots: Lots = 'total',
): { readonly low: Float64Array; readonly high: Float64Array } {
  const low = new Float64Array(amount.length).fill(Number.NaN)
  const high = new Float64Array(amount.length).fill(Number.NaN)
  const wholeLots = factor !== 1 && vol.every(Number.isInteger)
  if (!wholeLots) {
    const value = cumulativeVwap(amount, vol, factor)
    return { low: value, high: value }
  }
  const at = scaled(amount, vol, factor)
  let turnover = 0n
  let volume = 0n
  let bars = 0n
  for (let i = 0; i < amount.length; i++) {
    turnover += at.amount[i] as bigint
    volume += at.vol[i] as bigint
    if (amount[i] !== 0 || vol[i] !== 0) bars++
    if (volume === 0n) continue
    const halves = lots === 'total' ? 1n : bars
    const end = (twice: bigint): number => numberOf(quotientHalfUp(2n * turnover * at.up, twice * at.down), 3)
    low[i] = end(2n * volume + halves)
    if (2n * volume > halves) high[i] = end(2n * volume - halves)
  }
  return { low, high }
}
