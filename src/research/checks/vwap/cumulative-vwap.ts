import { decimalToNumber, digitsAt, quotientHalfUp, toDecimal } from '../exact/decimal.js'

/**
 * Exact cumulative average price: cumulative amount / (cumulative volume x factor), ROUND_HALF_UP to three decimals, where
 * the numbers are the decimals that were sent (Python's `Decimal(str(x))`). All functions take amounts in yuan and
 * volumes, both of at least 0, in time order, and write yuan, one value a bar, NaN while the cumulative volume is 0. A
 * bar of zero volume keeps the value before it; its amount counts from the next trade on.
 *
 * THE FAST WAY computes in doubles with C, the turnover in hundredths of yuan, and V, the volume, and gives
 *
 *     floor(10 C / (V factor) + 1/2) / 1000
 *
 * without looking at what was lost in the division. It is right wherever these hold, and each of them is tested:
 *
 *  (1) each amount is at least 0 and is h / 100 in doubles for a whole h; each volume is whole and at least 0;
 *  (2) the factor is whole and at least 1; at the end of the series 10 C < 2^50 and V factor < 2^51.
 *
 * That is any day with a turnover below 1.125 million million yuan and fewer than 2.25e15 units.
 *
 * Proof. *The parts are exact.* By (2) h < 2^50 / 10 < 10^15, and a decimal of at most fifteen digits is the shortest one
 * of its double, so the decimal that was sent is h / 100. C, V, n = 10 C and d = V factor are sums and products of whole
 * numbers. A sum that left 2^53 could never come back under the limit, for rounding is monotone and nothing is negative;
 * so below the limits all of them were exact all the time. One test at the end of a series does for all its bars.
 *
 * *The rounding is exact.* Write Q = n / d with n >= 0 and d >= 1 whole, u = 2^-53, k = floor(Q + 1/2) the answer, fl(x)
 * the double nearest to x; what is computed is floor(fl(fl(Q) + 1/2)).
 *   Not below k: if k >= 1, then Q >= k - 1/2, which is a double. Rounding is monotone, so fl(Q) >= k - 1/2 and
 *   fl(fl(Q) + 1/2) >= k. Ties are among these cases: they go up, as they should. If k = 0 there is nothing to show.
 *   Not k + 1 or above: Q < k + 1/2, and both are whole multiples of 1 / (2 d), so Q + 1/2 <= k + 1 - 1 / (2 d). Each
 *   rounding adds at most the factor 1 + u, so the sum computed is at most (Q (1 + u) + 1/2) (1 + u)
 *   = Q + 1/2 + u (2 Q + 1/2 + u Q). This stays below k + 1 if u (2 Q + 1/2 + u Q) < 1 / (2 d), which times 2 d / u is
 *   4 n + d + 2 u n < 2^53. By (2) 4 n <= 2^52 - 4, d < 2^51 and 2 u n < 1. QED
 * The last division is of whole numbers, so it gives the double nearest to the decimal of three places.
 *
 * THE GENERAL WAY, for series in which (1) or (2) does not hold, is over big integers: any decimals of any size.
 */

/** Limit of the thousandths of yuan in the fast way. */
export const mostThousandths = 2 ** 50
/** Limit of the units in the fast way. */
export const mostUnits = 2 ** 51

/** Series of a table whose rows stand series after series. */
export interface Runs {
  /** Where each series begins; one more entry than series. */
  readonly starts: ArrayLike<number>
  /** Units in one unit of volume, of each series. */
  readonly factors: ArrayLike<number>
}

/**
 * The fast way over all series of a table in one pass.
 * @returns the series that it is not proven for, whose places in `out` are to be written by exactVwap
 */
export function fastVwap(amount: Float64Array, vol: Float64Array, runs: Runs, out: Float64Array): number[] {
  const { starts, factors } = runs
  const left: number[] = []
  for (let s = 0; s + 1 < starts.length; s++) {
    const end = starts[s + 1] as number
    const factor = factors[s] as number
    let cents = 0
    let volume = 0
    let last = Number.NaN
    let i = starts[s] as number
    for (; i < end; i++) {
      const x = amount[i] as number
      const v = vol[i] as number
      const h = Math.floor(x * 100 + 0.5)
      if (h / 100 !== x || x < 0 || v < 0 || Math.floor(v) !== v) break
      cents += h
      volume += v
      if (v > 0) last = Math.floor((cents * 10) / (volume * factor) + 0.5) / 1000
      out[i] = last
    }
    const proven = cents * 10 < mostThousandths && volume * factor < mostUnits
    if (i < end || !proven || factor < 1 || Math.floor(factor) !== factor) left.push(s)
  }
  return left
}

function integers(column: Float64Array): { readonly digits: readonly bigint[]; readonly scale: number } {
  if (column.every(Number.isSafeInteger)) return { digits: Array.from(column, BigInt), scale: 0 }
  const decimals = Array.from(column, toDecimal)
  const scale = decimals.reduce((most, decimal) => Math.max(most, decimal.scale), 0)
  return { digits: decimals.map((decimal) => digitsAt(decimal, scale)), scale }
}

/** Turnover and units (volume x factor) up to each bar, as integers whose quotient is yuan in units of the last decimal. */
interface ExactSums {
  readonly sums: readonly { readonly turnover: bigint; readonly units: bigint }[]
  /** One unit of volume in the scale of `units`. */
  readonly lot: bigint
}

/** @throws QuotebookError INVALID_VALUE for a number that is none */
export function exactSums(amount: Float64Array, vol: Float64Array, factor: number, places: number): ExactSums {
  const [amounts, vols, per] = [integers(amount), integers(vol), toDecimal(factor)]
  const up = 10n ** BigInt(places + vols.scale + per.scale)
  const down = per.digits * 10n ** BigInt(amounts.scale)
  let [turnover, units] = [0n, 0n]
  const sums = amounts.digits.map((digits, i) => {
    turnover += digits * up
    units += (vols.digits[i] as bigint) * down
    return { turnover, units }
  })
  return { sums, lot: down * 10n ** BigInt(vols.scale) }
}

/**
 * The general way, for one series, to three decimals or as many as are asked for.
 * @throws QuotebookError INVALID_VALUE for a number that is none
 */
export function exactVwap(
  amount: Float64Array,
  vol: Float64Array,
  factor: number,
  out: Float64Array,
  places = 3,
): void {
  let last = Number.NaN
  for (const [i, { turnover, units }] of exactSums(amount, vol, factor, places).sums.entries()) {
    if ((vol[i] as number) > 0) last = decimalToNumber(quotientHalfUp(turnover, units), places)
    out[i] = last
  }
}

/**
 * Cumulative average price of one series, to three decimals or as many as are asked for, by the fast way where it is proven.
 * @throws QuotebookError INVALID_VALUE for a number that is none
 */
export function cumulativeVwap(amount: Float64Array, vol: Float64Array, factor: number, places = 3): Float64Array {
  const out = new Float64Array(amount.length)
  const runs = { starts: [0, amount.length], factors: [factor] }
  if (places !== 3 || fastVwap(amount, vol, runs, out).length > 0) exactVwap(amount, vol, factor, out, places)
  return out
}

/** What cannot be added up: null, negative or infinite. */
export function isUnusable(x: number): boolean {
  return !(x >= 0 && x < Number.POSITIVE_INFINITY)
}

/** The average price of one bar alone. */
function barVwap(amount: number, vol: number, factor: number): number {
  const h = Math.floor(amount * 100 + 0.5)
  const units = vol * factor
  const isWhole = h / 100 === amount && Math.floor(vol) === vol && factor >= 1 && Math.floor(factor) === factor
  if (isWhole && h >= 0 && vol >= 0 && h * 10 < mostThousandths && units < mostUnits)
    return vol > 0 ? Math.floor((h * 10) / units + 0.5) / 1000 : Number.NaN
  if (isUnusable(amount) || isUnusable(vol)) return Number.NaN
  return cumulativeVwap(Float64Array.of(amount), Float64Array.of(vol), factor)[0] as number
}

/**
 * The average price of each bar alone, of a volume so much greater in each series and not below 0; NaN without volume and where
 * turnover or volume cannot be added up.
 * @param order rows, series after series
 */
export function barVwaps(
  { amount, vol }: { readonly amount: Float64Array; readonly vol: Float64Array },
  order: Int32Array,
  { starts, factors }: Runs,
  more: ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(order.length)
  for (let s = 0; s + 1 < starts.length; s++) {
    const [end, factor, added] = [starts[s + 1] as number, factors[s] as number, more[s] as number]
    for (let i = starts[s] as number; i < end; i++) {
      const row = order[i] as number
      out[row] = barVwap(amount[row] as number, Math.max((vol[row] as number) + added, 0), factor)
    }
  }
  return out
}

/** The average prices of all series of a table. */
interface TableVwap {
  /** Yuan; NaN before the first trade, and from the bar on that cannot be added up. */
  readonly value: Float64Array
  /** By series, the first place whose volume or amount is null, negative or infinite; series without one are not there. */
  readonly brokenAt: ReadonlyMap<number, number>
}

/** Cumulative average prices of all series of a table, each by the fast way where it is proven. */
export function tableVwap(amount: Float64Array, vol: Float64Array, runs: Runs): TableVwap {
  const value = new Float64Array(amount.length)
  const brokenAt = new Map<number, number>()
  for (const s of fastVwap(amount, vol, runs, value)) {
    const [start, end] = [runs.starts[s] as number, runs.starts[s + 1] as number]
    let at = start
    while (at < end && !isUnusable(amount[at] as number) && !isUnusable(vol[at] as number)) at++
    if (at < end) brokenAt.set(s, at)
    value.fill(Number.NaN, at, end)
    value.set(cumulativeVwap(amount.subarray(start, at), vol.subarray(start, at), runs.factors[s] as number), start)
  }
  return { value, brokenAt }
}
