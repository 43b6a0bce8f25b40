import { divideHalfUp, percentChange } from './exact-quotient.js'
import { below, fork, level } from './random.js'
import type { Day } from './sample-days.js'
import type { Instrument, Sample } from './sample-plan.js'
import { sheetOf, type WholeRow } from './sample-sheet.js'
import { bondMarket, closeTicks, quotedBefore, simulate } from './trading-session.js'

type Row = WholeRow<'convertible_daily'>

/**
 * Value of the bond alone and of the shares that 100 yuan of it convert into, in ten-thousandths of a yuan; the share
 * has a hidden path, and share and conversion price are in cents.
 */
function valuesOf(bond: Instrument, t: number): { bond: number; shares: number } {
  const worth = 600 + below(fork(bond.root, 'worth'), 800)
  const coupon = 880_000 + below(fork(bond.root, 'coupon'), 200_000)
  const conversion = 600 + below(fork(bond.root, 'conversion'), 4000)
  const share = level(fork(bond.root, 'stock'), t, divideHalfUp(conversion * worth, 1000), 0.8)
  return { bond: coupon + (t % 250) * 40, shares: divideHalfUp(share * 1_000_000, conversion) }
}

/** ((price / value) - 1) x 100, ROUND_HALF_UP to 4 decimals; the price in ticks, the value in ten-thousandths. */
function premiumOf(price: number, value: number): number {
  return percentChange(price * 10, value)
}

function rowOf(sample: Sample, bond: Instrument, day: Day): Row | undefined {
  const buckets = simulate(bondMarket, bond, day.t)?.filter((bucket) => bucket !== undefined)
  const [first] = buckets ?? []
  if (!buckets || !first) return undefined
  const close = closeTicks(bondMarket, bond, day.t)
  const before = closeTicks(bondMarket, bond, quotedBefore(bond, day.t))
  const { bond: straight, shares } = valuesOf(bond, day.t)
  const lacking = day.t === sample.latest.t && !bond.steady ? below(fork(bond.root, 'lacking'), 6) : 9
  return {
    tradedate: day.date,
    symbol: bond.symbol.slice(0, 6),
    name: bond.name,
    code: bond.symbol,
    pre_close: before / 1000,
    open: first.open / 1000,
    high: Math.max(...buckets.map((bucket) => bucket.high)) / 1000,
    low: Math.min(...buckets.map((bucket) => bucket.low)) / 1000,
    close: close / 1000,
    change: (close - before) / 1000,
    pct_chg: percentChange(close, before),
    vol: buckets.reduce((sum, bucket) => sum + bucket.lots, 0),
    amount: buckets.reduce((sum, bucket) => sum + bucket.cents, 0) / 100,
    bond_value: straight / 10_000,
    bond_over_rate: premiumOf(close, straight),
    cb_value: lacking === 0 ? null : shares / 10_000,
    cb_over_rate: lacking <= 1 ? null : premiumOf(close, shares),
  }
}

/**
 * Daily quotes of convertible bonds, summed from their buckets; volume and turnover include a bucket whose own are
 * missing. Percentages are ROUND_HALF_UP to 4 decimals of the published prices and values. On the latest day some
 * bonds lack the conversion value, or only the premium over it.
 */
export const convertibleDailySheet = sheetOf(
  'convertible_daily',
  (sample) => sample.days,
  (sample, days) => days.flatMap((day) => sample.bonds.flatMap((bond) => rowOf(sample, bond, day) ?? [])),
)
