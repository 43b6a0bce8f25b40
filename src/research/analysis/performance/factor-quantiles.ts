import { placeInSorted, presentNumbers, sortedPresent } from '../../../frame/table/quantiles.js'
import { meanThere, rankCorrelation } from './factor-information.js'

/** What it takes to trade what a score says, by time and symbol, of the fill after that time. */
export interface Trading {
  /** Share of the amount that a purchase, and a sale, costs: commission, slippage, stamp and transfer. */
  readonly buy: Float64Array
  readonly sell: Float64Array
  /** 1 where it could be bought, or sold: it traded, and not at its limit in that direction. */
  readonly canBuy: Float64Array
  readonly canSell: Float64Array
  /** What was traded at the time of the score, in yuan. */
  readonly amount: Float64Array
}

/** What names that a score sorts into quantiles returned. Costs are NaN where trading is not known. */
export interface QuantileReturns {
  /** Mean forward return of each quantile, the lowest scores first: mean over names, then over times, as alphalens without demeaning. */
  readonly quantileReturns: Float64Array
  /** The same less costs: names that enter are bought and names that leave are sold, each time so many times after as the return spans; the first are bought whole. */
  readonly netQuantileReturns: Float64Array
  /** By quantile and time: mean forward return of its names; NaN where it has none. */
  readonly quantileSeries: readonly Float64Array[]
  /** By time: top less bottom. */
  readonly spreads: Float64Array
  /** By time: the same less the costs of both, the bottom sold short at no fee. */
  readonly netSpreads: Float64Array
  /** Times behind the mean of each quantile: of a score of few values a quantile may be empty at most times. */
  readonly quantileDates: Int32Array
  /** Times behind the spread: those that have both top and bottom. */
  readonly spreadDates: number
  /** Mean over these times of top less bottom. NaN below 5 times, unless no time more has quantiles. */
  readonly spread: number
  readonly netSpread: number
  /** Spearman's correlation of the quantile's number with its mean return, of 3 quantiles at least (or all of 2) whose times are as many as a spread needs. */
  readonly monotonicity: number
  /** Share of the spread, summed over times, that comes from the 5 % of names that traded least at each time. */
  readonly leastTraded: number
  /** Share of the names of the top that could not be bought, and of the bottom that could not be sold. */
  readonly blocked: readonly [top: number, bottom: number]
}

/**
 * Quantiles of scores from 1, 0 where the score is missing: intervals between the quantiles of the scores, each with its upper
 * end, as pandas' `qcut`. Equal scores share one, so that a quantile may be empty, which `qcut` refuses. All 0 below two names a quantile.
 */
export function quantilesOf(score: Float64Array, count: number): Int32Array {
  const sorted = sortedPresent(score)
  const out = new Int32Array(score.length)
  if (sorted.length < 2 * count) return out
  const inner = Array.from({ length: count - 1 }, (_, at) =>
    placeInSorted(sorted, ((sorted.length - 1) * (at + 1)) / count),
  )
  for (let s = 0; s < out.length; s++) {
    const value = score[s] as number
    if (!Number.isNaN(value)) out[s] = 1
    for (const edge of inner) if (value > edge) out[s] = (out[s] as number) + 1
  }
  return out
}

/** Times that a figure of quantiles needs, where so many have quantiles. */
export const timesNeeded = (withQuantiles: number): number => Math.min(5, withQuantiles)

/** Mean of a value of the names of each quantile; NaN where none of them has one. */
function meansByQuantile(quantiles: Int32Array, values: Float64Array, count: number): Float64Array {
  const [sums, names] = [new Float64Array(count + 1), new Float64Array(count + 1)]
  for (let s = 0; s < values.length; s++) {
    const [own, value] = [quantiles[s] as number, values[s] as number]
    if (Number.isNaN(value)) continue
    sums[own] = (sums[own] as number) + value
    names[own] = (names[own] as number) + 1
  }
  return sums.map((sum, own) => sum / (names[own] as number)).slice(1)
}

/** The share of the names of a quantile that were not in it before; NaN where it has no names now, or had none before. */
export function shareOfNew(now: Int32Array, before: Int32Array | undefined, quantile: number): number {
  if (!before?.includes(quantile)) return Number.NaN
  let [names, fresh] = [0, 0]
  for (let s = 0; s < now.length; s++) {
    if (now[s] !== quantile) continue
    names++
    if (before[s] !== quantile) fresh++
  }
  return fresh / names
}

/** What names that enter a quantile and names that leave it cost, as a share of what equal weights hold. */
function costsByQuantile(now: Int32Array, before: Int32Array, [buy, sell]: readonly Float64Array[], count: number) {
  const none = (): Float64Array => new Float64Array(count + 1)
  const [costs, names, earlier] = [none(), none(), none()]
  for (const own of now) names[own] = (names[own] as number) + 1
  for (const own of before) earlier[own] = (earlier[own] as number) + 1
  for (let s = 0; s < now.length; s++) {
    const [own, was] = [now[s] as number, before[s] as number]
    if (own === was) continue
    costs[own] = (costs[own] as number) + (buy?.[s] || 0) / (names[own] as number)
    costs[was] = (costs[was] as number) + (sell?.[s] || 0) / (earlier[was] as number)
  }
  return costs.slice(1)
}

/** The part of each time's spread that comes from names of the lowest twentieth by amount; 0 where there is no spread. */
function leastTradedPart(own: Int32Array, forward: Float64Array, amount: Float64Array, count: number): number {
  const there = (_: number, s: number): boolean => (own[s] as number) > 0 && !Number.isNaN(forward[s])
  const amounts = sortedPresent(amount.filter(there))
  const edge = placeInSorted(amounts, (amounts.length - 1) * 0.05)
  const small = forward.map((value, s) => ((amount[s] as number) <= edge ? value : Number.isNaN(value) ? value : 0))
  const means = meansByQuantile(own, small, count)
  const part = (means[count - 1] as number) - (means[0] as number)
  return Number.isNaN(part) ? 0 : part
}

/** Returns of quantiles, gross and net. @param horizon times that a return spans @param trading by time */
export function quantileReturnsOf(
  quantiles: readonly Int32Array[],
  forward: readonly Float64Array[],
  count: number,
  horizon: number,
  trading: { readonly [K in keyof Trading]: readonly Float64Array[] } | undefined,
): QuantileReturns {
  const of = (values: readonly Float64Array[]) =>
    quantiles.map((own, t) => meansByQuantile(own, values[t] as Float64Array, count))
  const gross = of(forward)
  const none = new Int32Array(quantiles[0]?.length ?? 0)
  const costs = quantiles.map((own, t) =>
    trading
      ? costsByQuantile(own, quantiles[t - horizon] ?? none, [trading.buy[t], trading.sell[t]] as Float64Array[], count)
      : new Float64Array(count).fill(Number.NaN),
  )
  const column = (rows: readonly Float64Array[], at: number) => Float64Array.from(rows, (one) => one[at] as number)
  const [top, bottom] = [column(gross, count - 1), column(gross, 0)]
  const spreads = top.map((value, t) => value - (bottom[t] as number))
  const both = (t: number): number => (costs[t]?.[0] as number) + (costs[t]?.[count - 1] as number)
  const netSpreads = spreads.map((value, t) => value - both(t))
  const net = gross.map((one, t) => one.map((value, at) => value - (costs[t]?.[at] as number)))
  const means = (rows: readonly Float64Array[]) =>
    Float64Array.from({ length: count }, (_, at) => meanThere(column(rows, at)))
  const quantileReturns = means(gross)
  const isThere = (value: number): boolean => !Number.isNaN(value)
  const datesOf = (at: number): number => gross.filter((one) => isThere(one[at] as number)).length
  const quantileDates = Int32Array.from({ length: count }, (_, at) => datesOf(at))
  const spreadDates = presentNumbers(spreads).length
  const needed = timesNeeded(gross.filter((one) => one.some(isThere)).length)
  const spreadOf = (values: Float64Array): number => (spreadDates < needed ? Number.NaN : meanThere(values))
  const steady = quantileReturns.map((value, at) => ((quantileDates[at] as number) < needed ? Number.NaN : value))
  const parts = quantiles.map((own, t) =>
    trading && !Number.isNaN(spreads[t])
      ? leastTradedPart(own, forward[t] as Float64Array, trading.amount[t] as Float64Array, count)
      : 0,
  )
  const total = presentNumbers(spreads).reduce((sum, one) => sum + one, 0)
  const open = (values: readonly Float64Array[] | undefined, at: number): number =>
    values ? 1 - meanThere(column(of(values), at)) : Number.NaN
  return {
    quantileReturns,
    netQuantileReturns: means(net),
    quantileSeries: Array.from({ length: count }, (_, at) => column(gross, at)),
    spreads,
    netSpreads,
    quantileDates,
    spreadDates,
    spread: spreadOf(spreads),
    netSpread: spreadOf(netSpreads),
    monotonicity: rankCorrelation(Float64Array.from(steady.keys()), steady, Math.min(3, count)),
    leastTraded: trading && spreadDates >= needed ? parts.reduce((sum, one) => sum + one, 0) / total : Number.NaN,
    blocked: [open(trading?.canBuy, count - 1), open(trading?.canSell, 0)],
  }
}
